//! The MCP server's entry in `.mcp.json`, beside those of others.

use serde::Serialize;
use serde_json::{Map, Value, json, ser::PrettyFormatter};

use super::Error;

pub(super) const PATH: &str = ".mcp.json";

/// How agents start the server.
pub(super) fn entry() -> Value {
    json!({"command": "spox", "args": ["mcp", "serve"]})
}

/// `existing` with the entry. An entry that is there already is somebody's choice and stays; so does everything else,
/// in its order.
pub(super) fn merge(existing: Option<&str>) -> Result<String, Error> {
    let text = existing.unwrap_or_default();
    let mut root = match text.trim_start_matches('\u{feff}').trim() {
        "" => Map::new(),
        text => match serde_json::from_str(text) {
            Ok(Value::Object(root)) => root,
            Ok(_) => return Err(refused("it is not an object")),
            Err(error) => return Err(refused(&format!("it is not JSON: {error}"))),
        },
    };
    let servers = root.entry("mcpServers").or_insert_with(|| json!({}));
    let servers =
        servers.as_object_mut().ok_or_else(|| refused("`mcpServers` is not an object"))?;
    if servers.contains_key("spox") {
        return Ok(text.to_owned());
    }
    servers.insert("spox".to_owned(), entry());
    Ok(pretty(&Value::Object(root), indent(text)) + "\n")
}

fn refused(problem: &str) -> Error {
    Error::Json { path: PATH, problem: problem.to_owned() }
}

/// What the first indented line is indented with.
fn indent(text: &str) -> &str {
    let first = text.lines().find(|line| line.starts_with([' ', '\t']) && !line.trim().is_empty());
    first.map_or("  ", |line| line.split_at(line.len() - line.trim_start().len()).0)
}

fn pretty(value: &Value, indent: &str) -> String {
    let mut bytes = Vec::new();
    let formatter = PrettyFormatter::with_indent(indent.as_bytes());
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, formatter);
    match value.serialize(&mut serializer) {
        Ok(()) => String::from_utf8(bytes).unwrap_or_else(|_| value.to_string()),
        Err(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn without_a_file_the_entry_is_the_file() {
        assert_snapshot!(merge(None).unwrap(), @r#"
        {
          "mcpServers": {
            "spox": {
              "command": "spox",
              "args": [
                "mcp",
                "serve"
              ]
            }
          }
        }
        "#);
    }

    #[test]
    fn other_keys_their_order_and_the_indentation_stay() {
        let existing = "{\n    \"z\": 1,\n    \"mcpServers\": {\"other\": {\"command\": \"x\"}},\n    \"a\": null\n}\n";
        let merged = merge(Some(existing)).unwrap();
        assert_snapshot!(merged, @r#"
        {
            "z": 1,
            "mcpServers": {
                "other": {
                    "command": "x"
                },
                "spox": {
                    "command": "spox",
                    "args": [
                        "mcp",
                        "serve"
                    ]
                }
            },
            "a": null
        }
        "#);
        assert_eq!(merge(Some(&merged)).unwrap(), merged);
    }

    #[test]
    fn an_entry_that_somebody_changed_stays() {
        let existing = r#"{"mcpServers":{"spox":{"command":"/opt/spox"}}}"#;
        assert_eq!(merge(Some(existing)).unwrap(), existing);
    }

    #[test]
    fn a_file_of_another_shape_is_refused() {
        let problem = |text| merge(Some(text)).unwrap_err().to_string();
        assert_eq!(problem("[]"), "`.mcp.json`: it is not an object");
        assert_eq!(problem(r#"{"mcpServers":[]}"#), "`.mcp.json`: `mcpServers` is not an object");
        assert!(problem("{ // x\n}").starts_with("`.mcp.json`: it is not JSON: "));
    }
}
