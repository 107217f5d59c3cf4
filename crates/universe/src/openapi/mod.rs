//! The HTTP surface as an OpenAPI 3.1 document, made from the same tables as the commands.
//!
//! [`operations`] lists what can be asked, [`components`] what goes in and comes out. A test walks the real routes
//! and replies against it.

mod components;
mod examples;
mod operations;

use std::sync::OnceLock;

use serde_json::{Map, Value, json};
use universe_core::json::encode;

use self::operations::{Body, OPERATIONS, Operation, Reply};

/// The document as text, made once.
pub(crate) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| encode(&document()))
}

fn document() -> Value {
    let mut paths: Map<String, Value> = Map::new();
    for operation in OPERATIONS {
        let path = paths.entry(operation.path).or_insert_with(|| json!({}));
        path[operation.method] = describe(operation);
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Universe",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Build and animate universes of stars, planets, belts and nebulae, together with \
                agents. Every change is a command; every applied command is one revision, durable before it is \
                answered, and told to all readers of the live feeds. Agents speak MCP at `/mcp`, which has a protocol and \
                lists of its own.",
        },
        // Wherever this document is, the routes are beside it.
        "servers": [{"url": "."}],
        "paths": paths,
        "components": components::all(),
    })
}

fn describe(operation: &Operation) -> Value {
    let Operation { id, summary, about, parameters, body, replies, .. } = operation;
    let mut described = json!({"operationId": id, "summary": summary, "tags": [operation.tag]});
    if !about.is_empty() {
        described["description"] = (*about).into();
    }
    let named = parameters.iter().copied();
    let in_path = operation.path.contains("{id}").then_some("id");
    let parameters: Vec<_> = in_path
        .into_iter()
        .chain(named)
        .map(|name| json!({"$ref": format!("#/components/parameters/{name}")}))
        .collect();
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    if let Some(Body { schema, required, example }) = body {
        described["requestBody"] = json!({
            "required": required,
            "content": {"application/json": {"schema": reference(schema), "example": example()}},
        });
    }
    let responses: Map<_, _> = replies
        .iter()
        .map(|reply| (reply.status.to_string(), response(reply)))
        .chain(refusals(operation).map(|(status, text)| (status.to_string(), refusal(text))))
        .collect();
    described["responses"] = responses.into();
    described
}

fn response(reply: &Reply) -> Value {
    let mut response = json!({"description": reply.about});
    if let Some(schema) = reply.schema {
        response["content"] = json!({reply.kind: {"schema": reference(schema)}});
    }
    let headers = reply.headers.iter();
    let headers: Map<_, _> = headers
        .map(|name| ((*name).to_owned(), json!({"$ref": format!("#/components/headers/{name}")})))
        .collect();
    if !headers.is_empty() {
        response["headers"] = headers.into();
    }
    response
}

/// What every operation of this shape may answer besides.
fn refusals(operation: &Operation) -> impl Iterator<Item = (u16, &'static str)> {
    let takes = operation.body.is_some();
    let asks = takes || !operation.parameters.is_empty();
    let all = [
        (asks, (400, "Something in the request makes no sense; `error` says what and where.")),
        (operation.path.contains("{id}"), (404, "There is no such universe, or no such revision.")),
        (takes, (413, "The body is too large.")),
        (takes, (415, "The body does not call itself JSON.")),
        (
            operation.path != "/openapi.json",
            (503, "The store cannot be reached; repeat in a moment."),
        ),
    ];
    let further = operation.refusals.iter().copied();
    all.into_iter().filter(|(applies, _)| *applies).map(|(_, refusal)| refusal).chain(further)
}

fn refusal(about: &str) -> Value {
    json!({"description": about, "content": {"application/json": {"schema": reference("Error")}}})
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}
