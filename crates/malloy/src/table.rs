//! Rows as a table for people; nested rows are tables inside, indented under their row.

use serde_json::Value;
use unicode_width::UnicodeWidthStr as _;

/// Rows as text, the columns as [`crate::schema`] tells them.
pub fn table(schema: &[Value], rows: &[Value]) -> String {
    let mut out = String::new();
    write(&mut out, schema, rows, "");
    out
}

/// A column is nested when it holds records: its rows go below.
fn nested(ty: &Value) -> Option<&Vec<Value>> {
    ty["array"]["record"].as_array().or_else(|| ty["record"].as_array())
}

fn write(out: &mut String, schema: &[Value], rows: &[Value], indent: &str) {
    let (inner, flat): (Vec<&Value>, Vec<&Value>) =
        schema.iter().partition(|field| nested(&field["type"]).is_some());
    let mut lines: Vec<Vec<String>> = vec![flat.iter().map(|field| text(&field["name"])).collect()];
    for row in rows {
        lines.push(flat.iter().map(|field| text(&row[name(field)])).collect());
    }
    let widths: Vec<usize> = (0..flat.len())
        .map(|column| lines.iter().map(|line| line[column].width()).max().unwrap_or(0))
        .collect();
    let right: Vec<bool> = flat.iter().map(|field| is_number(&field["type"])).collect();
    if rows.is_empty() {
        out.push_str(indent);
        out.push_str("(no rows)\n");
        return;
    }
    for (index, line) in lines.iter().enumerate() {
        if !flat.is_empty() {
            out.push_str(indent);
            push_line(out, line, &widths, &right);
        }
        if index == 0 {
            if !flat.is_empty() {
                let rule: Vec<String> = widths.iter().map(|width| "─".repeat(*width)).collect();
                out.push_str(indent);
                out.push_str(&rule.join("  "));
                out.push('\n');
            }
            continue;
        }
        for field in &inner {
            below(out, field, &rows[index - 1][name(field)], indent);
        }
    }
}

/// The rows of a nested column under the row they belong to.
fn below(out: &mut String, field: &Value, value: &Value, indent: &str) {
    let Some(schema) = nested(&field["type"]) else { return };
    let deeper = format!("{indent}    ");
    out.push_str(indent);
    out.push_str("  ");
    out.push_str(name(field));
    out.push_str(":\n");
    match value {
        Value::Array(items) => write(out, schema, items, &deeper),
        Value::Object(_) => write(out, schema, std::slice::from_ref(value), &deeper),
        _ => {
            out.push_str(&deeper);
            out.push_str("∅\n");
        }
    }
}

fn push_line(out: &mut String, line: &[String], widths: &[usize], right: &[bool]) {
    let mut text = String::new();
    for (index, cell) in line.iter().enumerate() {
        if index > 0 {
            text.push_str("  ");
        }
        let padding = " ".repeat(widths[index].saturating_sub(cell.width()));
        if right[index] {
            text.push_str(&padding);
            text.push_str(cell);
        } else {
            text.push_str(cell);
            text.push_str(&padding);
        }
    }
    out.push_str(text.trim_end());
    out.push('\n');
}

fn name(field: &Value) -> &str {
    field["name"].as_str().unwrap_or_default()
}

fn is_number(ty: &Value) -> bool {
    ty.as_str().is_some_and(|ty| ty.starts_with("number"))
}

/// A value in one line.
fn text(value: &Value) -> String {
    match value {
        Value::Null => "∅".to_owned(),
        // A line break would tear the table.
        Value::String(text) => text.replace('\n', "⏎").replace(['\r', '\t'], " "),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn nested_rows_stand_under_their_row() {
        let schema = [
            json!({"name": "state", "type": "string"}),
            json!({"name": "n", "type": "number:integer"}),
            json!({"name": "by_type", "type": {"array": {"record": [
                {"name": "t", "type": "string"}, {"name": "c", "type": "number:integer"}]}}}),
        ];
        let rows = [
            json!({"state": "CA", "n": 10, "by_type": [{"t": "A", "c": 7}, {"t": null, "c": 3}]}),
            json!({"state": "HI", "n": 2, "by_type": []}),
        ];
        let wanted = "\
state   n
─────  ──
CA     10
  by_type:
    t  c
    ─  ─
    A  7
    ∅  3
HI      2
  by_type:
    (no rows)
";
        assert_eq!(table(&schema, &rows), wanted);
    }
}
