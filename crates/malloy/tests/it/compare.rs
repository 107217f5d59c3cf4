//! Comparing rows as the corpus says: numbers within a tolerance, order where it is fixed.

use serde_json::Value;

/// Checks rows against an expectation; the text says what differs first.
pub(crate) fn rows(expect: &Value, names: &[String], rows: &[Value]) -> Result<(), String> {
    let wanted_names: Vec<&str> =
        array(&expect["schema"]).iter().filter_map(|field| field["name"].as_str()).collect();
    // Disputed cases tell rows alone, whose names are compared with them.
    if expect["schema"].is_array() && wanted_names != names {
        return Err(format!("columns are {names:?}, not {wanted_names:?}"));
    }
    let wanted = array(&expect["rows"]);
    if wanted.len() != rows.len() {
        return Err(format!("{} rows, not {}", rows.len(), wanted.len()));
    }
    if expect["order"] == "set" {
        sorted(rows, &expect["sorted_by"])?;
        let (wanted, rows) = (multiset(wanted), multiset(rows));
        return each(&wanted, &rows);
    }
    each(wanted, rows)
}

fn each(wanted: &[Value], got: &[Value]) -> Result<(), String> {
    for (index, (wanted, got)) in wanted.iter().zip(got).enumerate() {
        if !same(wanted, got) {
            return Err(format!("row {index} is {got}, not {wanted}"));
        }
    }
    Ok(())
}

pub(crate) fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let (Some(a), Some(b)) = (a.as_f64(), b.as_f64()) else { return a == b };
            (a - b).abs() <= 1e-9 * a.abs().max(b.abs()).max(1.0)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|((a_name, a), (b_name, b))| a_name == b_name && same(a, b))
        }
        _ => a == b,
    }
}

/// Lists at every level in an order that depends on nothing but what is in them.
fn multiset(rows: &[Value]) -> Vec<Value> {
    let mut rows: Vec<Value> = rows.iter().map(settled).collect();
    rows.sort_by_cached_key(rounded);
    rows
}

fn settled(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(multiset(items)),
        Value::Object(fields) => Value::Object(
            fields.iter().map(|(name, value)| (name.clone(), settled(value))).collect(),
        ),
        other => other.clone(),
    }
}

/// A text to sort by, in which numbers that count as equal look the same.
fn rounded(value: &Value) -> String {
    match value {
        Value::Number(number) => format!("{:.7e}", number.as_f64().unwrap_or(0.0)),
        Value::Array(items) => items.iter().map(rounded).collect::<Vec<_>>().join(","),
        Value::Object(fields) => fields.values().map(rounded).collect::<Vec<_>>().join(";"),
        other => other.to_string(),
    }
}

/// Whether the top level is sorted by `[[field, "asc" | "desc"], …]`, nulls last.
fn sorted(rows: &[Value], by: &Value) -> Result<(), String> {
    for pair in rows.windows(2) {
        for rule in array(by) {
            let (Some(field), descending) = (rule[0].as_str(), rule[1] == "desc") else { continue };
            let (a, b) = (&pair[0][field], &pair[1][field]);
            if same(a, b) {
                continue;
            }
            let before = match (a.is_null(), b.is_null()) {
                (true, _) => false,
                (_, true) => true,
                _ => precedes(a, b) != descending,
            };
            if !before {
                return Err(format!("not sorted by `{field}`: {a} before {b}"));
            }
            break;
        }
    }
    Ok(())
}

fn precedes(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => a < b,
        _ => match (a, b) {
            (Value::Bool(a), Value::Bool(b)) => a < b,
            _ => a.as_str().unwrap_or_default() < b.as_str().unwrap_or_default(),
        },
    }
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn numbers_within_the_tolerance_are_the_same_and_names_count() {
    use serde_json::json;
    assert!(same(&json!({"a": 1.0}), &json!({"a": 1.000_000_000_5})));
    assert!(!same(&json!({"a": 1.0}), &json!({"a": 1.000_001})));
    assert!(!same(&json!({"a": 1}), &json!({"b": 1})));
    assert!(!same(&json!(1), &json!("1")));
    assert!(
        rows(&json!({"order": "set", "schema": [], "rows": [[1, 2]]}), &[], &[json!([2, 1])])
            .is_ok()
    );
    let by = json!({"order": "set", "sorted_by": [["x", "desc"]], "schema": [], "rows": [{"x": null}, {"x": 1}]});
    assert!(rows(&by, &[], &[json!({"x": 1}), json!({"x": null})]).is_ok());
    assert!(rows(&by, &[], &[json!({"x": null}), json!({"x": 1})]).is_err());
}
