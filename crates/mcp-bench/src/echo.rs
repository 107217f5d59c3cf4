//! The one tool that every server offers, and the requests that call it.

use bench_kit::FIRST_ID;
use rmcp::{
    handler::server::{router::tool::ToolRouter, wrapper::Parameters},
    schemars, tool, tool_router,
};
use serde::Deserialize;

/// What is sent and must come back: 64 bytes.
pub(crate) const MESSAGE: &str = "The quick brown fox jumps over the lazy dog, again and again. 64";

/// The tool's arguments.
#[derive(Debug, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EchoInput {
    /// What to give back.
    #[schemars(length(max = 4096))]
    pub(crate) message: String,
}

/// The tool, as an application would write it.
#[derive(Clone)]
pub(crate) struct Echo;

#[tool_router(vis = "pub(crate)")]
impl Echo {
    /// Give back the message.
    #[tool(annotations(read_only_hint = true, open_world_hint = false))]
    async fn echo(&self, Parameters(input): Parameters<EchoInput>) -> String {
        input.message
    }
}

pub(crate) fn router() -> ToolRouter<Echo> {
    Echo::tool_router()
}

/// A call of the tool, as clients send it in the eras with a handshake.
pub(crate) fn call() -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{FIRST_ID},"method":"tools/call","params":{{"name":"echo","arguments":{{"message":"{MESSAGE}"}}}}}}"#
    )
}

/// The same in revision 2026-07-28, where each request says who asks.
pub(crate) fn modern_call() -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":{FIRST_ID},"method":"tools/call","params":{{"name":"echo","arguments":{{"message":"{MESSAGE}"}},"_meta":{{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{{}},"io.modelcontextprotocol/clientInfo":{{"name":"mcp-bench","version":"1.0.0"}}}}}}}}"#
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_message_is_64_bytes() {
        assert_eq!(MESSAGE.len(), 64);
    }

    #[test]
    fn requests_are_json() {
        for body in [call(), modern_call()] {
            serde_json::from_str::<serde_json::Value>(&body).unwrap();
        }
    }
}
