//! The HTTP surface as an OpenAPI 3.1 document, and that as YAML and as a page.
//!
//! [`operations`] lists what can be asked, [`components`] what goes in and comes out. A test walks the real routes and
//! replies against it.

mod components;
mod operations;
mod page;
mod yaml;

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use self::operations::{Operation, all};

/// The document as text, made once.
pub(super) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| document().to_string())
}

/// The same as YAML.
pub(super) fn yaml() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| yaml::write(&document()))
}

/// The same for people to read.
pub(super) fn page() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| page::write(&document()))
}

fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for operation in all() {
        let path = paths.entry(operation.path.clone()).or_insert_with(|| json!({}));
        path[operation.method] = describe(&operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Publisher",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Ask questions of data through Malloy models. A project holds packages, a package models, notebooks and \
                data. `environments` may stand wherever `projects` stands. Members that are called a JSON string hold JSON as \
                text. What cannot be served is answered with `code`, `message` and `suggestions`. Agents speak MCP at `/mcp`.",
        },
        // Wherever this document is, the routes are beside it.
        "servers": [{"url": "."}],
        "tags": operations::TAGS
            .iter()
            .map(|(name, about)| json!({"name": name, "description": about}))
            .collect::<Vec<_>>(),
        "paths": paths,
        "components": {"schemas": components::schemas(), "parameters": components::parameters()},
    })
}

fn describe(operation: &Operation) -> Value {
    let mut made = json!({
        "operationId": operation.id,
        "summary": operation.summary,
        "tags": [operation.tag],
    });
    if !operation.about.is_empty() {
        made["description"] = json!(operation.about);
    }
    let in_path = operation.path.split('{').skip(1).filter_map(|part| part.split('}').next());
    let parameters: Vec<Value> = in_path
        .chain(operation.parameters.iter().copied())
        .map(|name| json!({"$ref": format!("#/components/parameters/{name}")}))
        .collect();
    if !parameters.is_empty() {
        made["parameters"] = parameters.into();
    }
    if let Some(schema) = operation.body {
        made["requestBody"] = json!({
            "required": true,
            "content": {"application/json": {"schema": reference(schema)}},
        });
    }
    let mut responses = Map::new();
    let mut reply = json!({"description": operation.gives.1});
    if let Some(schema) = operation.gives.2 {
        reply["content"] = json!({operation.gives.0: {"schema": schema_of(schema)}});
    }
    responses.insert("200".to_owned(), reply);
    for (status, about) in operation.refusals() {
        let content = json!({"application/json": {"schema": reference("Error")}});
        responses.insert(status.to_string(), json!({"description": about, "content": content}));
    }
    made["responses"] = responses.into();
    made
}

/// `Name`, or a list of it: `[Name]`.
fn schema_of(name: &str) -> Value {
    match name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        Some("string") => json!({"type": "array", "items": {"type": "string"}}),
        Some(name) => json!({"type": "array", "items": reference(name)}),
        None => reference(name),
    }
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}
