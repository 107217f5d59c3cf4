//! The HTTP surface as an OpenAPI 3.1 document.
//!
//! [`operations`] lists what can be asked; [`components`] makes what goes in and comes out from the types that the
//! handlers really read and write. A test walks the routes and their replies against it.

mod components;
mod operations;

use std::sync::OnceLock;

use serde_json::{Map, Value, json};

use self::operations::{Body, OPERATIONS, Operation, Reply};

/// The document as text, made once.
pub(crate) fn text() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    TEXT.get_or_init(|| document().to_string())
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
            "title": "Campaign",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "Tabletop campaigns with Duality dice, played by people and agents. Every change is an entry of \
                the campaign's journal, durable before it is answered, chained by hashes, and told to all readers of the live \
                feeds. The same can be asked over gRPC and, by agents, over MCP at `/mcp`.",
        },
        // Wherever this document is, the routes are beside it.
        "servers": [{"url": "."}],
        "paths": paths,
        "components": components::all(),
    })
}

fn describe(operation: &Operation) -> Value {
    let Operation { id, summary, about, parameters, body, reply, .. } = operation;
    let mut described = json!({"operationId": id, "summary": summary, "tags": [operation.tag]});
    if !about.is_empty() {
        described["description"] = (*about).into();
    }
    let in_path = operation.path.split(['{', '}']).skip(1).step_by(2).map(|name| match name {
        // These two are also asked for by queries.
        "session" => "session_in_path",
        "seq" => "seq_in_path",
        name => name,
    });
    let who: &[&str] =
        if operation.asks_who() { &["X-Participant-Id", "X-Participant-Token"] } else { &[] };
    let parameters: Vec<_> = in_path
        .chain(parameters.iter().copied())
        .chain(who.iter().copied())
        .map(|name| json!({"$ref": format!("#/components/parameters/{name}")}))
        .collect();
    if !parameters.is_empty() {
        described["parameters"] = parameters.into();
    }
    if let Some(Body { schema, example }) = body {
        let content = json!({"schema": reference(schema), "example": example()});
        described["requestBody"] = json!({"content": {"application/json": content}});
    }
    let refused = refusals(operation).map(|(status, text)| (status.to_string(), refusal(text)));
    let mut responses = Map::from_iter([(reply.status.to_string(), response(reply))]);
    responses.extend(refused);
    described["responses"] = responses.into();
    described
}

fn response(reply: &Reply) -> Value {
    let schema = match reply.schema {
        "" => json!({"type": "string"}),
        name => reference(name),
    };
    json!({"description": reply.about, "content": {reply.kind: {"schema": schema}}})
}

/// What every operation of this shape may answer besides.
fn refusals(operation: &Operation) -> impl Iterator<Item = (u16, &'static str)> {
    let takes = operation.body.is_some();
    let inside = operation.path.contains('{');
    let changes = operation.changes();
    let asks = takes || inside || !operation.parameters.is_empty();
    let all = [
        (asks, (400, "Something in the request makes no sense; `error` says what, `field` where.")),
        (changes && inside, (403, "Somebody else may do it.")),
        (inside, (404, "There is no such campaign, participant, actor, session or event.")),
        (changes && inside, (409, "The table is in a state that forbids it.")),
        (takes, (413, "The body is too large.")),
        (takes, (415, "The body does not call itself JSON.")),
        (operation.stored, (500, "The journal cannot be read or written.")),
        (operation.stored, (503, "The journal cannot be reached; repeat in a moment.")),
    ];
    all.into_iter().filter(|(applies, _)| *applies).map(|(_, refusal)| refusal)
}

fn refusal(about: &str) -> Value {
    let content = json!({"application/problem+json": {"schema": reference("Problem")}});
    json!({"description": about, "content": content})
}

fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}
