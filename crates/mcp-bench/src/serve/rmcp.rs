//! Stock rmcp, as its documentation shows, with its own session workers and its own defaults.

use std::sync::{Arc, LazyLock};

use axum::Router;
use rmcp::{
    ServerHandler, ServiceExt,
    handler::server::router::tool::ToolRouter,
    model::{ServerCapabilities, ServerConfig},
    tool_handler,
    transport::streamable_http_server::{
        StreamableHttpServerConfig, StreamableHttpService, session::local::LocalSessionManager,
    },
};

use crate::echo::{self, Echo};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    Sessions,
    Stateless,
}

/// Built once: the macro's default builds the router anew for each call.
static TOOLS: LazyLock<ToolRouter<Echo>> = LazyLock::new(echo::router);

#[tool_handler(router = TOOLS)]
impl ServerHandler for Echo {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }
}

pub(super) fn routes(mode: Mode) -> Router {
    let config = match mode {
        Mode::Sessions => StreamableHttpServerConfig::default(),
        Mode::Stateless => StreamableHttpServerConfig::default()
            .with_legacy_session_mode(false)
            .with_json_response(true),
    };
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(|| Ok(Echo), sessions, config);
    Router::new().route_service("/mcp", service)
}

pub(super) async fn stdio() -> anyhow::Result<()> {
    Echo.serve(rmcp::transport::io::stdio_pipes()).await?.waiting().await?;
    Ok(())
}
