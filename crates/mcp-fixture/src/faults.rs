//! Tools that misbehave, to show that the layer holds.
#![expect(deprecated, reason = "logging serves the revisions that still have it")]

use std::io::Write as _;

use kit_mcp::{
    Call,
    rmcp::{
        self, ErrorData,
        model::{CallToolResponse, LoggingLevel},
        tool, tool_router,
    },
};
use serde_json::json;

use crate::Fixture;

#[tool_router(router = fault_tools, vis = "pub(crate)")]
impl Fixture {
    /// Panic with a secret that must not reach the caller.
    #[tool(annotations(read_only_hint = true))]
    async fn fault_panic(&self) -> String {
        panic_with_secret()
    }

    /// Panic in the middle of a task.
    #[tool(annotations(read_only_hint = true))]
    async fn fault_panic_in_task(&self, call: Call) -> Result<CallToolResponse, ErrorData> {
        call.task(|_| async { panic_with_secret() })
    }

    /// Never answer.
    #[tool(annotations(read_only_hint = true))]
    async fn fault_hang(&self) -> String {
        std::future::pending().await
    }

    /// Write to standard output and standard error, as a careless library would.
    #[tool(annotations(read_only_hint = true))]
    async fn fault_print(&self) -> Result<String, String> {
        let said = writeln!(std::io::stdout(), "a line that is not JSON-RPC")
            .and_then(|()| writeln!(std::io::stderr(), "a line for people"));
        said.map(|()| "printed".to_owned()).map_err(|error| error.to_string())
    }

    /// Write to the log and send a message to the client.
    #[tool(annotations(read_only_hint = true))]
    async fn fault_log(&self, call: Call) -> String {
        tracing::error!("a line for the log");
        call.log(LoggingLevel::Error, None, json!("a line for the client")).await;
        "logged".to_owned()
    }
}

fn panic_with_secret() -> String {
    panic!("the secret is 4711")
}
