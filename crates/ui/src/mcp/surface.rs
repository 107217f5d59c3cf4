//! The tools as an agent finds them listed.

use std::sync::Arc;

use kit_mcp::rmcp::{
    self,
    handler::server::wrapper::Parameters,
    model::{CallToolResult, ContentBlock},
    schemars::{JsonSchema, generate::SchemaSettings},
    tool, tool_router,
};
use serde_json::{Map, Value};

use crate::{
    Error, Service,
    tools::{self, Given},
};

pub(super) struct Surface {
    pub(super) service: Service,
}

type Raw = Parameters<Map<String, Value>>;

/// Where the pages are made.
#[derive(JsonSchema)]
#[schemars(crate = "kit_mcp::rmcp::schemars")]
#[expect(dead_code, reason = "read as a schema alone")]
struct Configure {
    /// Absolute path of the project's folder; made if it is not there.
    base_dir: String,
}

/// A program to run.
#[derive(JsonSchema)]
#[schemars(crate = "kit_mcp::rmcp::schemars", rename_all = "camelCase")]
#[expect(dead_code, reason = "read as a schema alone")]
struct Run {
    /// Lua; `return` what you want to see, such as `return session:getApp().contacts[1].firstName`.
    code: String,
    /// The session to run it in; "1" without it.
    #[schemars(with = "String")]
    session_id: Option<String>,
}

/// A view definition.
#[derive(JsonSchema)]
#[schemars(crate = "kit_mcp::rmcp::schemars")]
#[expect(dead_code, reason = "read as a schema alone")]
struct Upload {
    /// The type of the objects that it shows, such as `Contact`.
    r#type: String,
    /// `DEFAULT`, `list-item` for rows of lists, or a name of your own.
    namespace: String,
    /// HTML: one `<template>` with `ui-*` attributes inside.
    content: String,
}

/// A page to open.
#[derive(JsonSchema)]
#[schemars(crate = "kit_mcp::rmcp::schemars", rename_all = "camelCase")]
#[expect(dead_code, reason = "read as a schema alone")]
struct OpenBrowser {
    /// The session to show; "1" without it.
    #[schemars(with = "String")]
    session_id: Option<String>,
    /// The path below the session; "/" without it.
    #[schemars(with = "String")]
    path: Option<String>,
    /// False opens a second tab even if one shows the session already.
    #[schemars(with = "bool")]
    conserve: Option<bool>,
}

/// A session.
#[derive(JsonSchema)]
#[schemars(crate = "kit_mcp::rmcp::schemars", rename_all = "camelCase")]
#[expect(dead_code, reason = "read as a schema alone")]
struct OfSession {
    /// The session; "1" without it.
    #[schemars(with = "String")]
    session_id: Option<String>,
}

/// How long to wait.
#[derive(JsonSchema)]
#[schemars(crate = "kit_mcp::rmcp::schemars", rename_all = "camelCase")]
#[expect(dead_code, reason = "read as a schema alone")]
struct Wait {
    /// The session; "1" without it.
    #[schemars(with = "String")]
    session_id: Option<String>,
    /// Seconds, 1 to 120; 30 without it.
    #[schemars(with = "f64", range(min = 1, max = 120))]
    timeout: Option<f64>,
}

/// No arguments.
#[derive(JsonSchema)]
#[schemars(crate = "kit_mcp::rmcp::schemars")]
struct Nothing {}

#[tool_router(router = router, vis = "pub(super)")]
impl Surface {
    /// Prepare a project's folder: logs, settings, guides. Call it first; call it again to begin anew, which ends
    /// the sessions and the pages of the server that runs.
    #[tool(
        title = "Configure",
        input_schema = schema::<Configure>(),
        annotations(title = "Configure", read_only_hint = false, destructive_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    async fn ui_configure(&self, Parameters(given): Raw) -> CallToolResult {
        self.call("ui_configure", &given).await
    }

    /// Start the server of pages on a free port of this machine and make session "1", which runs `lua/main.lua` if
    /// there is one. Gives the base URL; a failure of `main.lua` comes beside it.
    #[tool(
        title = "Start",
        input_schema = schema::<Nothing>(),
        annotations(title = "Start", read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn ui_start(&self, Parameters(given): Raw) -> CallToolResult {
        self.call("ui_start", &given).await
    }

    /// Tell what the server does: `state` (unconfigured, configured or running), and when it runs its `url` and how
    /// many sessions a browser shows.
    #[tool(
        title = "Status",
        input_schema = schema::<Nothing>(),
        annotations(title = "Status", read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn ui_status(&self, Parameters(given): Raw) -> CallToolResult {
        self.call("ui_status", &given).await
    }

    /// Run Lua in a session and give the result as JSON. What it changes is on every open page when this returns.
    /// `session`, `mcp` and `ui` are there; a result that is no JSON is `{"non-json": "…"}`.
    #[tool(
        title = "Run Lua",
        input_schema = schema::<Run>(),
        annotations(title = "Run Lua", read_only_hint = false, destructive_hint = true, idempotent_hint = false, open_world_hint = false)
    )]
    async fn ui_run(&self, Parameters(given): Raw) -> CallToolResult {
        self.call("ui_run", &given).await
    }

    /// Add or replace the HTML that shows objects of a type. Open pages show it at once, without a reload, and it is
    /// kept in the project. What looks like a mistake in it is told beside the answer.
    #[tool(
        title = "Upload a view definition",
        input_schema = schema::<Upload>(),
        annotations(title = "Upload a view definition", read_only_hint = false, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn ui_upload_viewdef(&self, Parameters(given): Raw) -> CallToolResult {
        self.call("ui_upload_viewdef", &given).await
    }

    /// Tell in text what a person sees on the page of a session: the views with their values, what can be clicked,
    /// and what failed. Use it to check your work without a browser.
    #[tool(
        title = "Look",
        input_schema = schema::<OfSession>(),
        annotations(title = "Look", read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn ui_look(&self, Parameters(given): Raw) -> CallToolResult {
        self.call("ui_look", &given).await
    }

    /// Take what happened since you last asked, waiting until something does: what Lua told by `mcp.notify` and
    /// `mcp.pushState`, oldest first. An empty list means that the time was over.
    #[tool(
        title = "Wait for events",
        input_schema = schema::<Wait>(),
        annotations(title = "Wait for events", read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn ui_wait(&self, Parameters(given): Raw) -> CallToolResult {
        self.call("ui_wait", &given).await
    }

    /// Open the person's browser at a session. A tab that shows it already is kept, unless `conserve` is false.
    #[tool(
        title = "Open the browser",
        input_schema = schema::<OpenBrowser>(),
        annotations(title = "Open the browser", read_only_hint = false, destructive_hint = false, idempotent_hint = true, open_world_hint = true)
    )]
    async fn ui_open_browser(&self, Parameters(given): Raw) -> CallToolResult {
        self.call("ui_open_browser", &given).await
    }

    async fn call(&self, name: &str, given: &Map<String, Value>) -> CallToolResult {
        match tools::call(&self.service, name, given).await {
            Ok(answer) => {
                let text = match answer.result {
                    Given::Text(text) => text,
                    Given::Json(value) => format!("{value:#}"),
                };
                let blocks = [text].into_iter().chain(answer.notes).map(ContentBlock::text);
                CallToolResult::success(blocks.collect())
            }
            Err(error) => {
                if let Error::Internal(_) | Error::File { .. } = &error {
                    tracing::error!(tool = name, %error, source = ?std::error::Error::source(&error), "a tool failed");
                }
                CallToolResult::error(vec![ContentBlock::text(error.to_string())])
            }
        }
    }
}

fn schema<T: JsonSchema>() -> Arc<Map<String, Value>> {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    schema.remove("title");
    schema.remove("description");
    let mut schema = schema.as_object().cloned().unwrap_or_default();
    schema.entry("properties").or_insert_with(|| Map::new().into());
    schema.into()
}
