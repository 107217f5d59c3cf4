//! A fixture server on a port of its own, for one test.

use std::{net::SocketAddr, time::Duration};

use kit_mcp::{Limits, Mode};
use kit_store::Store;
use mcp_fixture::Setup;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::client::{Answer, Ask};

/// The revisions that begin with `initialize`.
pub(crate) const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
pub(crate) const MODERN: &str = "2026-07-28";

/// Stops when dropped.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    shutdown: CancellationToken,
}

impl Server {
    pub(crate) async fn start(mode: Mode) -> Self {
        Self::with(Setup { mode, ..Setup::default() }).await
    }

    /// One on which a call may take only this long.
    pub(crate) async fn hurried(mode: Mode, limit: Duration) -> Self {
        Self::with(Setup { mode, time_limit: Some(limit), ..Setup::default() }).await
    }

    pub(crate) async fn limited(mode: Mode, limits: Limits) -> Self {
        Self::with(Setup { mode, limits, ..Setup::default() }).await
    }

    pub(crate) async fn on(mode: Mode, store: Store) -> Self {
        Self::with(Setup { mode, store, ..Setup::default() }).await
    }

    async fn with(setup: Setup) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let shutdown = CancellationToken::new();
        tokio::spawn(mcp_fixture::serve(listener, setup, shutdown.clone()));
        Self { address, shutdown }
    }

    pub(crate) fn ask(&self, method: &str) -> Ask {
        Ask::new(self.address, method)
    }

    /// A `POST` as a well-behaved client sends it.
    pub(crate) fn post(&self, body: &Value) -> Ask {
        self.raw_post(body.to_string())
    }

    pub(crate) fn raw_post(&self, body: impl Into<Vec<u8>>) -> Ask {
        self.ask("POST")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream")
            .body(body)
    }

    /// A request of 2026-07-28, with all that it must carry.
    pub(crate) fn modern(&self, id: i64, method: &str, params: Value) -> Ask {
        self.modern_of(json!({}), id, method, params)
    }

    /// The same from a client with these capabilities.
    pub(crate) fn modern_of(&self, able: Value, id: i64, method: &str, mut params: Value) -> Ask {
        params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(MODERN);
        params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = able;
        let name = ["name", "uri", "taskId"].iter().find_map(|key| params[*key].as_str());
        let mut ask = self
            .post(&rpc(id, method, &params))
            .header("mcp-protocol-version", MODERN)
            .header("mcp-method", method);
        if let Some(name) = name {
            ask = ask.header("mcp-name", name);
        }
        ask
    }

    pub(crate) async fn session(&self, version: &'static str) -> Session<'_> {
        let answer = self.post(&initialize(version)).send().await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let id = answer.header("mcp-session-id").expect("a session begins with its id").to_owned();
        let session = Session { server: self, id, version };
        let ready = session.post(&notification("notifications/initialized")).send().await;
        assert_eq!(ready.status, 202, "{ready:?}");
        session
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

/// A session of a client before 2026-07-28.
pub(crate) struct Session<'a> {
    server: &'a Server,
    pub(crate) id: String,
    pub(crate) version: &'static str,
}

impl Session<'_> {
    pub(crate) fn ask(&self, method: &str) -> Ask {
        self.named(self.server.ask(method))
    }

    pub(crate) fn post(&self, body: &Value) -> Ask {
        self.named(self.server.post(body))
    }

    pub(crate) fn stream(&self) -> Ask {
        self.ask("GET").header("accept", "text/event-stream")
    }

    pub(crate) async fn call(&self, id: i64, tool: &str, arguments: Value) -> Answer {
        self.post(&call(id, tool, arguments)).send().await
    }

    fn named(&self, ask: Ask) -> Ask {
        let ask = ask.header("mcp-session-id", &self.id);
        // The header came with 2025-06-18.
        if self.version < "2025-06-18" {
            ask
        } else {
            ask.header("mcp-protocol-version", self.version)
        }
    }
}

pub(crate) fn rpc(id: i64, method: &str, params: &Value) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
}

pub(crate) fn call(id: i64, tool: &str, arguments: Value) -> Value {
    rpc(id, "tools/call", &json!({ "name": tool, "arguments": arguments }))
}

pub(crate) fn notification(method: &str) -> Value {
    json!({ "jsonrpc": "2.0", "method": method })
}

pub(crate) fn initialize(version: &str) -> Value {
    let client = json!({ "name": "test", "version": "0" });
    let able = json!({ "sampling": {}, "elicitation": {} });
    let params = json!({ "protocolVersion": version, "capabilities": able, "clientInfo": client });
    rpc(0, "initialize", &params)
}
