//! Rows as comma-separated values (RFC 4180); nested values are JSON in a field.

use serde_json::Value;

/// Rows as comma-separated values, the columns as [`crate::schema`] tells them.
pub fn csv(schema: &[Value], rows: &[Value]) -> String {
    let names: Vec<&str> = schema.iter().filter_map(|field| field["name"].as_str()).collect();
    let mut out = names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(",");
    out.push('\n');
    for row in rows {
        let fields: Vec<String> = names.iter().map(|name| field(&row[*name])).collect();
        out.push_str(&fields.join(","));
        out.push('\n');
    }
    out
}

fn field(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => quoted(text),
        other => quoted(&other.to_string()),
    }
}

/// An empty text is quoted, so that it is not taken for null.
fn quoted(text: &str) -> String {
    if !text.is_empty() && !text.contains(['"', ',', '\n', '\r']) {
        return text.to_owned();
    }
    format!("\"{}\"", text.replace('"', "\"\""))
}
