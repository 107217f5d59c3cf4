//! A running application and clients of each of its surfaces.

use std::{
    net::SocketAddr,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
};

use axum::{Router, body::Body};
use http::{Method, Request, Response, StatusCode, header};
use http_body_util::BodyExt;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use kit_app::{Clock, Deps};
use kit_mcp::{Hub, Options, Server, http::Endpoint};
use kit_store::Store;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;
use universe::{Config, Ids, mount_with};
use universe_core::UniverseId;

/// Begins at noon of 1 January 2030 and moves when it is told to.
pub(crate) struct FakeClock(AtomicI64);

impl FakeClock {
    pub(crate) fn pass(&self, milliseconds: i64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// `u-1`, `u-2`, …
#[derive(Default)]
struct Counted(AtomicU64);

impl Ids for Counted {
    fn next(&self) -> UniverseId {
        UniverseId::from(&*format!("u-{}", self.0.fetch_add(1, Ordering::SeqCst) + 1))
    }
}

/// One replica, served on a port of its own.
pub(crate) struct World {
    address: SocketAddr,
    client: Client<HttpConnector, Body>,
    pub(crate) clock: Arc<FakeClock>,
    shutdown: CancellationToken,
}

impl Drop for World {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

impl World {
    pub(crate) async fn start() -> Self {
        Self::with(&Config::default(), Store::memory()).await
    }

    pub(crate) async fn with(config: &Config, store: Store) -> Self {
        let clock = Arc::new(FakeClock(AtomicI64::new(1_893_499_200_000)));
        let (hub, shutdown) = (Hub::default(), CancellationToken::new());
        let deps = Deps {
            store: store.clone(),
            clock: clock.clone(),
            hub: hub.clone(),
            data_dir: "unused".into(),
            shutdown: shutdown.clone(),
        };
        let mount = mount_with(config, &deps, Arc::new(Counted::default())).unwrap();
        let server = Server::single(mount.mcp, Options { hub, ..Options::default() });
        let endpoint = Endpoint {
            name: mount.name.into(),
            mode: mount.mode,
            sessions: store.sessions,
            signals: store.signals,
            shutdown: shutdown.clone(),
        };
        let routes = mount.routes.merge(kit_mcp::http::routes(server, endpoint));
        let address = serve(routes, shutdown.clone()).await;
        let mut connector = HttpConnector::new();
        connector.set_recv_buffer_size(Some(16 * 1024));
        let client = Client::builder(TokioExecutor::new()).build(connector);
        Self { address, client, clock, shutdown }
    }

    /// Where a path of this replica is.
    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) async fn request(&self, request: Request<Body>) -> Response<hyper::body::Incoming> {
        self.client.request(request).await.unwrap()
    }

    /// Any request, the response as it comes.
    pub(crate) async fn raw(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Response<hyper::body::Incoming> {
        let mut request = Request::builder().method(method).uri(self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.request(request.body(body.into()).unwrap()).await
    }

    /// A REST request with a JSON body or none; a body that is not there reads as `null`.
    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let headers = [(header::CONTENT_TYPE.as_str(), "application/json")];
        let response = self.raw(method, path, &headers, body).await;
        let status = response.status();
        let text = text(response).await;
        (status, if text.is_empty() { Value::Null } else { serde_json::from_str(&text).unwrap() })
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.send(Method::GET, path, None).await
    }

    pub(crate) async fn post(&self, path: &str, body: Value) -> (StatusCode, Value) {
        self.send(Method::POST, path, Some(body)).await
    }

    /// Makes a universe and returns its id: `u-1`, `u-2`, …
    pub(crate) async fn universe(&self, state: Value) -> String {
        let (status, record) =
            self.post("/universes", json!({"name": "Test", "state": state})).await;
        assert_eq!(status, StatusCode::CREATED, "{record}");
        record["id"].as_str().unwrap().to_owned()
    }

    /// Sends a command over REST that must be answered.
    pub(crate) async fn command(&self, id: &str, command: Value) -> Value {
        let (status, reply) = self.post(&format!("/universes/{id}/commands"), command).await;
        assert_eq!(status, StatusCode::OK, "{reply}");
        reply
    }

    pub(crate) async fn state(&self, id: &str) -> Value {
        self.get(&format!("/universes/{id}")).await.1["state"].take()
    }

    /// Opens the feed of a universe.
    pub(crate) async fn feed(&self, id: &str, headers: &[(&str, &str)]) -> Events {
        let response = self.raw(Method::GET, &format!("/universes/{id}/events"), headers, "").await;
        assert_eq!(response.status(), StatusCode::OK);
        let mut events = Events::new(response);
        assert_eq!(events.next().await.unwrap(), ":connected");
        events
    }

    /// Opens an MCP session.
    pub(crate) async fn mcp(&self) -> Mcp<'_> {
        let response = self.mcp_post(None, &initialize()).await;
        assert_eq!(response.status(), StatusCode::OK);
        let session = response.headers()["mcp-session-id"].to_str().unwrap().to_owned();
        let initialized = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        let accepted = self.mcp_post(Some(&session), &initialized).await;
        assert_eq!(accepted.status(), StatusCode::ACCEPTED);
        Mcp { world: self, session, next: AtomicU64::new(1) }
    }

    pub(crate) async fn mcp_post(
        &self,
        session: Option<&str>,
        message: &Value,
    ) -> Response<hyper::body::Incoming> {
        let mut headers = vec![
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
        ];
        headers.extend(session.map(|session| ("mcp-session-id", session)));
        self.raw(Method::POST, "/mcp", &headers, message.to_string()).await
    }
}

pub(crate) fn initialize() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "test", "version": "0"},
    }})
}

async fn serve(routes: Router, shutdown: CancellationToken) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = axum::serve(listener, routes).with_graceful_shutdown(shutdown.cancelled_owned());
    tokio::spawn(serving.into_future());
    address
}

pub(crate) async fn text(response: Response<hyper::body::Incoming>) -> String {
    let body = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(body.into()).unwrap()
}

/// An MCP session of a client.
pub(crate) struct Mcp<'w> {
    pub(crate) world: &'w World,
    pub(crate) session: String,
    /// The id of the next request.
    next: AtomicU64,
}

impl Mcp<'_> {
    /// Sends a request and returns the whole JSON-RPC answer.
    pub(crate) async fn request(&self, method: &str, params: Value) -> Value {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        let response = self.world.mcp_post(Some(&self.session), &message).await;
        assert_eq!(response.status(), StatusCode::OK);
        let streamed =
            response.headers()["content-type"].to_str().unwrap().starts_with("text/event");
        let text = text(response).await;
        let answer = if streamed {
            text.lines().filter_map(|line| line.strip_prefix("data: ")).next_back().unwrap()
        } else {
            &text
        };
        serde_json::from_str(answer).unwrap()
    }

    /// Calls a tool and returns its result.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let mut answer = self.request("tools/call", params).await;
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].take()
    }

    /// Sends a command with the tool and returns the result.
    pub(crate) async fn command(&self, id: &str, command: Value) -> Value {
        let arguments = json!({"universeId": id, "command": command});
        self.call("send_universe_command", arguments).await
    }

    /// Opens the stream of notifications.
    pub(crate) async fn stream(&self) -> Events {
        let headers = [("accept", "text/event-stream"), ("mcp-session-id", &*self.session)];
        let response = self.world.raw(Method::GET, "/mcp", &headers, "").await;
        assert_eq!(response.status(), StatusCode::OK);
        Events::new(response)
    }
}

/// The first text of a tool's result, read as JSON.
pub(crate) fn json_of(result: &Value) -> Value {
    serde_json::from_str(result["content"][0]["text"].as_str().unwrap()).unwrap()
}

/// A stream of server-sent events.
pub(crate) struct Events {
    pub(crate) response: Response<hyper::body::Incoming>,
    text: String,
}

impl Events {
    pub(crate) fn new(response: Response<hyper::body::Incoming>) -> Self {
        let kind = response.headers()["content-type"].to_str().unwrap();
        assert!(kind.starts_with("text/event-stream"), "{kind}");
        Self { response, text: String::new() }
    }

    /// The next block, without the empty line that ends it; `None` at the end of the stream.
    pub(crate) async fn next(&mut self) -> Option<String> {
        let mut searched = 0;
        loop {
            if let Some(found) = self.text[searched..].find("\n\n") {
                let rest = self.text.split_off(searched + found + 2);
                let mut block = std::mem::replace(&mut self.text, rest);
                block.truncate(searched + found);
                return Some(block);
            }
            // The first of the two may be the last that has come.
            searched = self.text.len().saturating_sub(1);
            let frame = self.response.body_mut().frame().await?.ok()?;
            self.text.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap());
        }
    }

    /// The next JSON-RPC message, passing over comments and empty events.
    pub(crate) async fn message(&mut self) -> Value {
        loop {
            let block = self.next().await.unwrap();
            let data = block.lines().find_map(|line| line.strip_prefix("data:"));
            if let Some(data) = data.map(str::trim).filter(|data| !data.is_empty()) {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}
