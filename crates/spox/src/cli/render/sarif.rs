//! `validate --format sarif`: SARIF 2.1.0, which code scanning reads.

use std::fmt::Write as _;

use serde_json::{Value, json};
use spox_core::{Issue, Severity};

use super::report::Item;

pub(in crate::cli) fn sarif(items: &[Item], version: &str) -> Value {
    let problems = items.iter().flat_map(|item| item.problems().map(move |issue| (item, issue)));
    let found: Vec<_> = problems.collect();
    let mut codes: Vec<_> = found.iter().map(|(_, issue)| issue.code).collect();
    codes.sort_unstable();
    codes.dedup();
    let results: Vec<_> = found.iter().map(|(item, issue)| result(item, issue, &codes)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "spox",
                "semanticVersion": version,
                "rules": codes.iter().map(|code| rule(code)).collect::<Vec<_>>(),
            }},
            // Columns of ours count characters.
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn rule(code: &str) -> Value {
    json!({"id": code, "shortDescription": {"text": about(code)}})
}

fn result(item: &Item, issue: &Issue, codes: &[&str]) -> Value {
    let level = if issue.severity == Severity::Error { "error" } else { "warning" };
    let text = match &issue.fix {
        Some(fix) => format!("{}\n{fix}", issue.message),
        None => issue.message.clone(),
    };
    let mut place = json!({
        "artifactLocation": {"uri": uri(&item.path(issue)), "uriBaseId": "%SRCROOT%"},
    });
    if let Some(line) = issue.line {
        place["region"] = json!({"startLine": line});
        if let Some(column) = issue.column {
            place["region"]["startColumn"] = column.into();
        }
    }
    json!({
        "ruleId": issue.code,
        "ruleIndex": codes.iter().position(|code| *code == issue.code),
        "level": level,
        "message": {"text": text},
        "locations": [{"physicalLocation": place}],
    })
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-._~/".contains(&b);
    let mut uri = String::with_capacity(path.len());
    for b in path.bytes() {
        let _ = if plain(b) { uri.write_char(char::from(b)) } else { write!(uri, "%{b:02X}") };
    }
    uri
}

/// What a rule is about.
fn about(code: &str) -> &'static str {
    match code {
        "S01" => "A spec can be read",
        "S02" => "A spec has a Purpose",
        "S03" => "A Purpose says enough",
        "S04" => "A spec has Requirements",
        "S05" => "The Requirements section holds requirements",
        "S06" => "A requirement has a text",
        "S07" => "A requirement says SHALL or MUST",
        "S08" => "A requirement has scenarios",
        "S09" => "A scenario has a WHEN",
        "S10" => "A scenario has a THEN",
        "S11" => "Names of requirements are unique",
        "S12" => "Requirements stand where tools look for them",
        "S13" => "Names of scenarios are unique and not empty",
        "S14" => "Scenarios are written as scenarios",
        "S15" => "A spec has a title and a Purpose that says something",
        "S16" => "References lead somewhere, and nothing is said twice",
        "C01" => "A change has a proposal",
        "C02" => "A proposal says why",
        "C03" => "Why says enough",
        "C04" => "A proposal says what changes",
        "C05" => "A change has tasks",
        "C06" => "Tasks have checkboxes",
        "C07" => "Tasks are numbered",
        "C09" => "A change has deltas",
        "C10" => "Deltas have the right headings",
        "C11" => "An added requirement has scenarios",
        "C12" => "A scenario of a delta has a WHEN and a THEN",
        "C13" => "A modified requirement is written in full",
        "C14" => "Delta sections hold requirements, in the folder of a capability",
        "C15" => "The operations of a delta do not contradict each other",
        "C16" => "What a delta changes exists",
        "C17" => "What a delta adds does not exist yet",
        "C18" => "A modified requirement keeps its scenarios",
        "C19" => "Changes do not touch the same requirement",
        "C20" => "What a change was written against still holds",
        "C21" => "Tasks and delta requirements are well formed",
        _ => "Specs and changes are well formed",
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_json_snapshot;

    use super::{super::report::tests as items, *};

    #[test]
    fn every_problem_is_a_result() {
        let items = [items::auth(), items::clean_item(), items::warned()];
        assert_json_snapshot!(sarif(&items, "0.5.0"));
    }

    /// The members that the schema of SARIF 2.1.0 requires, and the types and values of those that we write.
    fn schema() -> Value {
        let text = r##"{
            "type": "object", "required": ["version", "runs"],
            "properties": {
                "$schema": {"type": "string", "format": "uri"},
                "version": {"enum": ["2.1.0"]},
                "runs": {"type": "array", "items": {"$ref": "#/$defs/run"}}
            },
            "$defs": {
                "run": {"type": "object", "required": ["tool"], "properties": {
                    "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                    "tool": {"type": "object", "required": ["driver"], "properties": {"driver": {"$ref": "#/$defs/driver"}}},
                    "results": {"type": "array", "items": {"$ref": "#/$defs/result"}}
                }},
                "driver": {"type": "object", "required": ["name"], "properties": {
                    "rules": {"type": "array", "uniqueItems": true, "items": {"type": "object", "required": ["id"], "properties": {
                        "shortDescription": {"type": "object", "required": ["text"]}
                    }}}
                }},
                "result": {"type": "object", "required": ["message"], "properties": {
                    "ruleIndex": {"type": "integer", "minimum": -1},
                    "level": {"enum": ["none", "note", "warning", "error"]},
                    "message": {"type": "object", "required": ["text"]},
                    "locations": {"type": "array", "items": {"type": "object", "properties": {
                        "physicalLocation": {"$ref": "#/$defs/place"}
                    }}}
                }},
                "place": {"type": "object", "anyOf": [{"required": ["address"]}, {"required": ["artifactLocation"]}], "properties": {
                    "artifactLocation": {"type": "object", "properties": {"uri": {"type": "string", "format": "uri-reference"}}},
                    "region": {"type": "object", "properties": {
                        "startLine": {"type": "integer", "minimum": 1}, "startColumn": {"type": "integer", "minimum": 1}
                    }}
                }}
            }
        }"##;
        serde_json::from_str(text).unwrap()
    }

    #[test]
    fn it_has_what_the_schema_requires() {
        let validator =
            jsonschema::options().should_validate_formats(true).build(&schema()).unwrap();
        for items in [vec![], vec![items::auth(), items::warned()]] {
            let log = sarif(&items, "0.5.0");
            let errors: Vec<_> = validator.iter_errors(&log).map(|e| e.to_string()).collect();
            assert!(errors.is_empty(), "{errors:?}");
        }
        assert!(!validator.is_valid(&json!({"version": "2.1.0", "runs": [{}]})));
    }

    #[test]
    fn paths_are_references() {
        assert_eq!(
            uri("specs/Über uns, 100%: x/spec.md"),
            "specs/%C3%9Cber%20uns%2C%20100%25%3A%20x/spec.md"
        );
    }
}
