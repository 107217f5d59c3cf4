//! The yardstick: what axum and `serde_json` cost for the same JSON, without any protocol.
//!
//! The leanest fair handler: the request is read into structs of exactly the expected shape.

use axum::{Json, Router, routing::post};
use serde::{Deserialize, Serialize};

use crate::echo::EchoInput;

#[derive(Deserialize)]
struct Request {
    jsonrpc: String,
    id: u64,
    method: String,
    params: Params,
}

#[derive(Deserialize)]
struct Params {
    name: String,
    arguments: EchoInput,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Result { jsonrpc: &'static str, id: u64, result: CallResult },
    Error { jsonrpc: &'static str, id: u64, error: &'static str },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallResult {
    content: [Text; 1],
    is_error: bool,
}

#[derive(Serialize)]
struct Text {
    r#type: &'static str,
    text: String,
}

pub(super) fn routes() -> Router {
    Router::new().route("/mcp", post(answer))
}

async fn answer(Json(request): Json<Request>) -> Json<Answer> {
    let Request { jsonrpc, id, method, params } = request;
    let known = jsonrpc == "2.0" && method == "tools/call" && params.name == "echo";
    Json(if known {
        let text = Text { r#type: "text", text: params.arguments.message };
        let result = CallResult { content: [text], is_error: false };
        Answer::Result { jsonrpc: "2.0", id, result }
    } else {
        Answer::Error { jsonrpc: "2.0", id, error: "only `tools/call` of `echo` is answered" }
    })
}
