//! Ordinary tools for our own tests and for real clients.
#![expect(deprecated, reason = "logging serves the revisions that still have it")]

use std::time::Duration;

use kit_mcp::{
    Call,
    rmcp::{
        self, Json,
        handler::server::wrapper::Parameters,
        model::LoggingLevel,
        schemars::{self, JsonSchema},
        tool, tool_router,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::Fixture;

/// Two numbers to add.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Add {
    /// The first number.
    #[schemars(range(min = 0, max = 1000))]
    a: i64,
    /// The second number.
    #[schemars(range(min = 0, max = 1000))]
    b: i64,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

/// A text to say back.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Echo {
    /// Any text.
    text: String,
}

/// A held call.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Name {
    /// The name that the held call is known by.
    name: String,
}

#[tool_router(router = everyday_tools, vis = "pub(crate)")]
impl Fixture {
    /// Say what this server is for. First in the list, since the suite calls whatever is first.
    #[tool(annotations(
        title = "About",
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn about_fixture(&self) -> String {
        "A server to be tested".to_owned()
    }

    /// Add two numbers between 0 and 1000.
    #[tool(annotations(
        title = "Add",
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn add(&self, Parameters(Add { a, b }): Parameters<Add>) -> Json<Sum> {
        Json(Sum { sum: a + b })
    }

    /// Say a text back.
    #[tool(annotations(
        title = "Echo",
        read_only_hint = true,
        destructive_hint = false,
        idempotent_hint = true,
        open_world_hint = false
    ))]
    async fn echo(&self, Parameters(Echo { text }): Parameters<Echo>) -> String {
        text
    }

    /// Wait until `release` is called with the same name.
    #[tool(annotations(read_only_hint = true))]
    async fn hold(&self, Parameters(Name { name }): Parameters<Name>) -> String {
        self.held.hold(&name).await;
        format!("`{name}` was released")
    }

    /// Send a log message, then wait as `hold` does.
    #[tool(annotations(read_only_hint = true))]
    async fn log_and_hold(
        &self,
        call: Call,
        Parameters(Name { name }): Parameters<Name>,
    ) -> String {
        call.log(LoggingLevel::Info, None, json!("about to hold")).await;
        self.held.hold(&name).await;
        format!("`{name}` was released")
    }

    /// Send a log message and answer a moment later, so that the two leave in separate packets.
    #[tool(annotations(read_only_hint = true))]
    async fn log_and_answer(&self, call: Call) -> String {
        call.log(LoggingLevel::Info, None, json!("about to answer")).await;
        tokio::time::sleep(Duration::from_millis(1)).await;
        "answered".to_owned()
    }

    /// Let the calls go that `hold` under this name, now or later.
    #[tool(annotations(read_only_hint = true))]
    async fn release(&self, Parameters(Name { name }): Parameters<Name>) -> String {
        self.held.release(&name);
        format!("released `{name}`")
    }

    /// Wait until a call of `hold` under this name has begun.
    #[tool(annotations(read_only_hint = true))]
    async fn wait_held(&self, Parameters(Name { name }): Parameters<Name>) -> String {
        self.held.until_held(&name).await;
        format!("`{name}` is held")
    }

    /// Wait until a call of `hold` under this name was given up by its caller.
    #[tool(annotations(read_only_hint = true))]
    async fn wait_dropped(&self, Parameters(Name { name }): Parameters<Name>) -> String {
        self.held.until_dropped(&name).await;
        format!("`{name}` was given up")
    }

    /// Say which session the call belongs to.
    #[tool(annotations(read_only_hint = true))]
    async fn state_key(&self, call: Call) -> String {
        call.session().unwrap_or("none").to_owned()
    }
}
