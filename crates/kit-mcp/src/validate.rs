//! Arguments against the announced schema, all problems at once.

use std::sync::OnceLock;

use jsonschema::{ValidationError, error::ValidationErrorKind as Problem};
use kit_core::{Kind, Report, nearest};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject};
use serde_json::Value;

/// How many problems one answer names; whoever made more needs the schema, not a longer list.
const MOST: usize = 10;

/// One tool's input schema, compiled when the tool is first called: a server that is started for one question does not
/// wait for the schemas of tools that nobody asks for.
pub(crate) struct Validator {
    tool: String,
    schema: Value,
    compiled: OnceLock<Option<jsonschema::Validator>>,
}

/// What is wrong with the arguments of a call.
#[derive(Debug)]
pub(crate) struct BadArguments {
    tool: String,
    problems: Vec<String>,
    suggestions: Vec<String>,
}

impl Validator {
    pub(crate) fn new(tool: &str, schema: &JsonObject) -> Self {
        let schema = Value::Object(schema.clone());
        Self { tool: tool.to_owned(), schema, compiled: OnceLock::new() }
    }

    fn compiled(&self) -> Option<&jsonschema::Validator> {
        self.compiled.get_or_init(|| compile(&self.tool, &self.schema)).as_ref()
    }

    pub(crate) fn check(&self, arguments: &Value) -> Result<(), BadArguments> {
        let Some(compiled) = self.compiled() else { return Ok(()) };
        if compiled.is_valid(arguments) {
            return Ok(());
        }
        let mut suggestions = Vec::new();
        let problems = compiled
            .iter_errors(arguments)
            .take(MOST)
            .map(|error| self.describe(&error, &mut suggestions))
            .collect();
        Err(BadArguments { tool: self.tool.clone(), problems, suggestions })
    }

    fn describe(&self, error: &ValidationError<'_>, suggestions: &mut Vec<String>) -> String {
        let place = place(error.instance_path().as_str());
        let at = if place.is_empty() { String::new() } else { format!("`{place}`: ") };
        match error.kind() {
            Problem::Required { property } => {
                let name = property.as_str().unwrap_or_default();
                format!("`{}` is required", join(&place, name))
            }
            Problem::AdditionalProperties { unexpected }
            | Problem::UnevaluatedProperties { unexpected } => {
                let known = self.properties_at(error.instance_path().as_str());
                let named: Vec<_> = unexpected
                    .iter()
                    .map(|name| {
                        let near = nearest(name, known.iter().map(String::as_str));
                        suggestions.extend(near.map(str::to_owned));
                        let did = near.map(|near| format!(" (did you mean `{near}`?)"));
                        format!("`{}` is unknown{}", join(&place, name), did.unwrap_or_default())
                    })
                    .collect();
                let known = if known.is_empty() { "nothing".into() } else { known.join(", ") };
                format!("{}; allowed: {known}", named.join(", "))
            }
            Problem::Type { .. } => {
                format!("{at}{error}, found {}", found(error.instance()))
            }
            Problem::Enum { options } => {
                let options: Vec<_> = options.as_array().into_iter().flatten().collect();
                let names = options.iter().filter_map(|option| option.as_str());
                let near = error.instance().as_str().and_then(|given| nearest(given, names));
                suggestions.extend(near.map(str::to_owned));
                format!("{at}{error}")
            }
            _ => format!("{at}{error}"),
        }
    }

    /// The names allowed in the object at `pointer`, as far as plain `properties` tell.
    fn properties_at(&self, pointer: &str) -> Vec<String> {
        let mut schema = &self.schema;
        for step in pointer.split('/').filter(|step| !step.is_empty()) {
            let next = schema
                .get("properties")
                .and_then(|properties| properties.get(step))
                .or_else(|| schema.get("items"));
            let Some(next) = next else { return Vec::new() };
            schema = next;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        properties.map(|known| known.keys().cloned().collect()).unwrap_or_default()
    }
}

impl BadArguments {
    pub(crate) fn message(&self) -> String {
        let Self { tool, problems, .. } = self;
        format!("Invalid arguments for tool {tool}: {}", problems.join("; "))
    }

    pub(crate) fn report(&self) -> Report {
        let mut report = Report::new(Kind::Invalid, self.message())
            .hint("correct the named arguments and call again; `tools/list` has the schema");
        report.suggestions.clone_from(&self.suggestions);
        report
    }

    /// The wording that hosts and models know from the official SDKs, the report beside it.
    pub(crate) fn into_result(self) -> CallToolResult {
        let text = format!("MCP error -32602: Input validation error: {}", self.message());
        let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
        result.structured_content = serde_json::to_value(self.report()).ok();
        result
    }
}

fn compile(tool: &str, schema: &Value) -> Option<jsonschema::Validator> {
    let compiled = jsonschema::draft202012::options().build(schema);
    // A mistake of ours; the tool's own deserializer still judges the arguments.
    if let Err(error) = &compiled {
        tracing::error!(tool, %error, "the input schema of a tool is not a schema");
    }
    compiled.ok()
}

/// A JSON pointer in the way people write paths: `/command/dt` is `command.dt`.
fn place(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~")
}

fn join(place: &str, name: &str) -> String {
    if place.is_empty() { name.to_owned() } else { format!("{place}.{name}") }
}

fn found(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(arguments: &Value) -> String {
        let schema = json!({
            "type": "object",
            "required": ["star", "orbit"],
            "additionalProperties": false,
            "properties": {
                "star": {"type": "string"},
                "kind": {"enum": ["planet", "moon"]},
                "orbit": {
                    "type": "object",
                    "additionalProperties": false,
                    "properties": {"apoapsis": {"type": "number", "minimum": 0}},
                },
            },
        });
        let Value::Object(schema) = schema else { unreachable!() };
        match Validator::new("add", &schema).check(arguments) {
            Ok(()) => "fine".to_owned(),
            Err(bad) => bad.message(),
        }
    }

    #[test]
    fn right_arguments_pass() {
        assert_eq!(check(&json!({"star": "sun", "orbit": {"apoapsis": 1}})), "fine");
    }

    #[test]
    fn a_missing_argument_is_named() {
        assert_eq!(
            check(&json!({"star": "sun"})),
            "Invalid arguments for tool add: `orbit` is required"
        );
    }

    #[test]
    fn every_problem_is_told_with_its_place() {
        let told = check(&json!({"star": 3, "orbit": {"apoapsis": -1}}));
        assert!(told.contains("`star`: 3 is not of type \"string\", found a number"), "{told}");
        assert!(told.contains("`orbit.apoapsis`: -1 is less than the minimum of 0"), "{told}");
    }

    #[test]
    fn an_unknown_argument_finds_its_near_miss() {
        let told = check(&json!({"star": "sun", "orbit": {"apoapsi": 1}}));
        assert_eq!(
            told,
            "Invalid arguments for tool add: `orbit.apoapsi` is unknown (did you mean `apoapsis`?); \
             allowed: apoapsis"
        );
    }
}
