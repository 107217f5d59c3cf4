//! A small application with one tool of each temper, and clients for it.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use async_trait::async_trait;
use kit_mcp::{
    App, Call, Hub, Limits, Mode, Options, ResourceError, Resources, Server, ToolError,
    http::{Endpoint, routes},
    rmcp::{
        handler::server::wrapper::{Json, Parameters},
        model::{Resource, ResourceContents},
        schemars::{self, JsonSchema},
        tool, tool_router,
    },
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct EchoInput {
    /// What to say back.
    text: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct EchoOutput {
    text: String,
}

#[derive(Debug, thiserror::Error)]
#[error("no body `{0}`")]
struct NoBody(String);

impl kit_core::Fault for NoBody {
    fn kind(&self) -> kit_core::Kind {
        kit_core::Kind::NotFound
    }

    fn hint(&self) -> Option<String> {
        Some("`list_bodies` names them".to_owned())
    }
}

pub(crate) struct Tools;

#[tool_router]
impl Tools {
    /// Says it back.
    #[tool(annotations(read_only_hint = true))]
    async fn echo(&self, Parameters(input): Parameters<EchoInput>) -> Json<EchoOutput> {
        Json(EchoOutput { text: input.text })
    }

    /// Refuses.
    #[tool]
    async fn refuse(&self) -> Result<Json<EchoOutput>, ToolError> {
        Err(NoBody("mars".to_owned()).into())
    }

    /// Panics.
    #[tool]
    async fn panic(&self) -> String {
        panic!("a secret that must not leave the process")
    }

    /// Never ends by itself.
    #[tool]
    async fn hang(&self, call: Call) -> String {
        call.cancelled().await;
        "cancelled".to_owned()
    }

    /// Tells progress twice.
    #[tool]
    async fn stepwise(&self, call: Call) -> String {
        call.progress(1.0, Some(2.0), Some("half")).await;
        call.progress(2.0, Some(2.0), None).await;
        "done".to_owned()
    }

    /// Sends the client away, then answers.
    #[tool]
    async fn later(&self, call: Call) -> String {
        call.release_connection();
        tokio::task::yield_now().await;
        "worth the wait".to_owned()
    }

    /// Prints where it should not.
    #[tool]
    async fn chatter(&self) -> String {
        println!("this is no message of the protocol");
        "said".to_owned()
    }
}

struct Files;

#[async_trait]
impl Resources for Files {
    async fn list(&self, _: &Call) -> Result<Vec<Resource>, ResourceError> {
        Ok(vec![Resource::new("test://a", "a")])
    }

    async fn read(&self, _: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        match uri {
            "test://a" => Ok(vec![ResourceContents::text("content", uri)]),
            _ => Err(ResourceError::unknown(uri, "`resources/list` names them")),
        }
    }
}

pub(crate) fn app() -> App {
    App::new("fixture", "1.0.0")
        .tools(Tools, Tools::tool_router())
        .resources(Files)
        .time_limit(Duration::from_millis(300))
}

pub(crate) fn server(hub: &Hub) -> Server {
    let limits = Limits { message_bytes: 64 * 1024, ..Limits::default() };
    Server::single(app(), Options { hub: hub.clone(), limits, ..Options::default() })
}

/// A server on a loopback port, gone with the value.
pub(crate) struct Running {
    pub(crate) address: SocketAddr,
    pub(crate) hub: Hub,
    stop: CancellationToken,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

pub(crate) async fn running(mode: Mode) -> Running {
    let hub = Hub::default().of("fixture");
    let stop = CancellationToken::new();
    let store = kit_store::Store::memory();
    let endpoint = Endpoint {
        name: "fixture".to_owned(),
        mode,
        sessions: store.sessions,
        signals: store.signals,
        shutdown: stop.clone(),
    };
    let router = routes(server(&hub), endpoint);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stopped = stop.clone();
    tokio::spawn(async move {
        axum::serve(listener, router).with_graceful_shutdown(stopped.cancelled_owned()).await
    });
    Running { address, hub, stop }
}
