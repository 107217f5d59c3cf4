//! JSON as YAML: blocks for lists and objects, every text quoted as JSON quotes it, which YAML reads as well.

use std::fmt::Write as _;

use serde_json::Value;

pub(super) fn write(value: &Value) -> String {
    let mut out = String::new();
    block(&mut out, value, 0);
    out
}

/// Lines of a list or an object, each indented; of anything else what follows on the line.
fn block(out: &mut String, value: &Value, depth: usize) {
    let pad = "  ".repeat(depth);
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, value) in members {
                // Writing to a string cannot fail.
                let _ = write!(out, "{pad}{}:", key(name));
                entry(out, value, depth + 1);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for item in items {
                let _ = write!(out, "{pad}-");
                entry(out, item, depth + 1);
            }
        }
        other => {
            let _ = writeln!(out, "{pad}{other}");
        }
    }
}

fn entry(out: &mut String, value: &Value, depth: usize) {
    let nested = match value {
        Value::Object(members) => !members.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    if nested {
        out.push('\n');
        block(out, value, depth);
    } else {
        let _ = writeln!(out, " {value}");
    }
}

/// A plain word stays plain, but for those that YAML takes for something else.
fn key(name: &str) -> String {
    let plain = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        && !name.starts_with(|first: char| first.is_ascii_digit())
        && !matches!(name, "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null");
    if plain { name.to_owned() } else { Value::from(name).to_string() }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    #[test]
    fn objects_and_lists_are_blocks_and_the_rest_is_json() {
        let value = json!({"a": {"b": [1, {"c": "x: y"}], "200": [], "on": null}, "$ref": "#/x"});
        insta::assert_snapshot!(super::write(&value), @r##"
        a:
          b:
            - 1
            -
              c: "x: y"
          "200": []
          "on": null
        "$ref": "#/x"
        "##);
    }
}
