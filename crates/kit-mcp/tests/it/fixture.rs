//! A small application with one tool of each temper, and clients for it.

use std::{net::SocketAddr, time::Duration};

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
use kit_store::Store;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::sync::Notify;
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

/// Told when `linger` was cancelled.
pub(crate) static GIVEN_UP: Notify = Notify::const_new();

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

    /// Tells progress, then waits to be cancelled.
    #[tool]
    async fn linger(&self, call: Call) -> String {
        call.progress(1.0, None, None).await;
        call.cancelled().await;
        GIVEN_UP.notify_one();
        "given up".to_owned()
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
    server_within(hub, Limits::default())
}

fn server_within(hub: &Hub, limits: Limits) -> Server {
    let mut limits = limits;
    limits.message_bytes = 64 * 1024;
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
    running_on(&Store::memory(), mode, Limits::default()).await
}

/// One replica of a server on a store that others may share.
pub(crate) async fn running_on(store: &Store, mode: Mode, limits: Limits) -> Running {
    let hub = Hub::default().of("fixture");
    start(store, server_within(&hub, limits), hub, mode).await
}

/// Any server, on a store of its own.
pub(crate) async fn running_server(server: Server, hub: Hub, mode: Mode) -> Running {
    start(&Store::memory(), server, hub, mode).await
}

async fn start(store: &Store, server: Server, hub: Hub, mode: Mode) -> Running {
    let stop = CancellationToken::new();
    let endpoint = Endpoint {
        name: "fixture".to_owned(),
        mode,
        sessions: store.sessions.clone(),
        signals: store.signals.clone(),
        shutdown: stop.clone(),
    };
    let router = routes(server, endpoint);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let stopped = stop.clone();
    tokio::spawn(async move {
        axum::serve(listener, router).with_graceful_shutdown(stopped.cancelled_owned()).await
    });
    Running { address, hub, stop }
}

/// A client that says just what it is told, header by header.
#[derive(Clone)]
pub(crate) struct Client {
    address: SocketAddr,
    pub(crate) session: Option<String>,
    version: Option<String>,
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: http::HeaderMap,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> String {
        self.headers.get(name).map(|value| value.to_str().unwrap().to_owned()).unwrap_or_default()
    }

    /// The messages of an event stream.
    pub(crate) fn events(&self) -> Vec<Value> {
        self.body.split("\n\n").filter_map(event_data).collect()
    }
}

fn event_data(event: &str) -> Option<Value> {
    let data = event.lines().find_map(|line| line.strip_prefix("data: "))?;
    serde_json::from_str(data).ok()
}

impl Client {
    pub(crate) fn new(server: &Running) -> Self {
        Self { address: server.address, session: None, version: None }
    }

    /// The same client, its next request reaching another replica.
    pub(crate) fn moved_to(&self, server: &Running) -> Self {
        Self { address: server.address, ..self.clone() }
    }

    pub(crate) async fn initialize(&mut self, version: &str) -> Reply {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": version, "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}}});
        self.version = None;
        let reply = self.post(&hello.to_string()).await;
        if reply.headers.contains_key("mcp-session-id") {
            self.session = Some(reply.header("mcp-session-id"));
        }
        self.version = Some(version.to_owned());
        reply
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Reply {
        let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}});
        self.post(&call.to_string()).await
    }

    pub(crate) async fn modern_call(&self, tool: &str, arguments: Value) -> Reply {
        self.request("POST", &modern_headers(tool), &modern_body(tool, &arguments)).await
    }

    /// A modern call that wants to hear of progress, its answer being a stream.
    pub(crate) async fn modern_stream(&self, tool: &str) -> Events {
        let body = modern_body(tool, &json!({}));
        Events::new(self.send("POST", &modern_headers(tool), &body).await)
    }

    pub(crate) async fn post(&self, body: &str) -> Reply {
        self.request("POST", &[], body).await
    }

    pub(crate) async fn get(&self, last: Option<&str>) -> Reply {
        let last: Vec<_> = last.iter().map(|id| ("last-event-id", *id)).collect();
        self.request("GET", &last, "").await
    }

    pub(crate) async fn delete(&self) -> Reply {
        self.request("DELETE", &[], "").await
    }

    /// Sends the usual headers, with `changed` put in their place; an empty value leaves one out.
    pub(crate) async fn request(
        &self,
        method: &str,
        changed: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let response = self.send(method, changed, body).await;
        let (parts, body) = response.into_parts();
        let body = http_body_util::BodyExt::collect(body).await.unwrap().to_bytes();
        Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    pub(crate) async fn listen(&self, last: Option<&str>) -> Events {
        let last: Vec<_> = last.iter().map(|id| ("last-event-id", *id)).collect();
        Events::new(self.send("GET", &last, "").await)
    }

    pub(crate) async fn send(
        &self,
        method: &str,
        changed: &[(&str, &str)],
        body: &str,
    ) -> http::Response<hyper::body::Incoming> {
        let stream = tokio::net::TcpStream::connect(self.address).await.unwrap();
        let io = hyper_util::rt::TokioIo::new(stream);
        let (mut sender, connection) = hyper::client::conn::http1::handshake(io).await.unwrap();
        tokio::spawn(connection);
        let mut headers: Vec<(&str, &str)> = vec![("host", "127.0.0.1")];
        match method {
            "GET" => headers.push(("accept", "text/event-stream")),
            "POST" => {
                headers.push(("content-type", "application/json"));
                headers.push(("accept", "application/json, text/event-stream"));
            }
            _ => {}
        }
        headers.extend(self.session.as_deref().map(|id| ("mcp-session-id", id)));
        headers.extend(self.version.as_deref().map(|version| ("mcp-protocol-version", version)));
        headers.retain(|(name, _)| !changed.iter().any(|(other, _)| other == name));
        headers.extend(changed.iter().filter(|(_, value)| !value.is_empty()));
        let mut request = http::Request::builder().method(method).uri("/mcp");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let body = http_body_util::Full::new(bytes::Bytes::from(body.to_owned()));
        let response = sender.send_request(request.body(body).unwrap()).await.unwrap();
        // The sender must outlive an event stream.
        tokio::spawn(async move { sender.ready().await });
        response
    }
}

pub(crate) fn modern_headers(tool: &str) -> [(&str, &str); 3] {
    [("mcp-protocol-version", "2026-07-28"), ("mcp-method", "tools/call"), ("mcp-name", tool)]
}

pub(crate) fn modern_body(tool: &str, arguments: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": tool, "arguments": arguments,
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientCapabilities": {},
                  "progressToken": "p"}}})
    .to_string()
}

/// An open event stream.
pub(crate) struct Events {
    body: hyper::body::Incoming,
    text: String,
    pub(crate) last_id: String,
}

impl Events {
    fn new(response: http::Response<hyper::body::Incoming>) -> Self {
        assert_eq!(response.status(), 200);
        Self { body: response.into_body(), text: String::new(), last_id: String::new() }
    }

    pub(crate) async fn next(&mut self) -> Value {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let (event, rest) = (event.to_owned(), rest.to_owned());
                self.text = rest;
                if let Some(id) = event.lines().find_map(|line| line.strip_prefix("id: ")) {
                    id.clone_into(&mut self.last_id);
                }
                if let Some(data) = event_data(&event) {
                    return data;
                }
            }
            let frame = http_body_util::BodyExt::frame(&mut self.body).await.unwrap().unwrap();
            self.text += std::str::from_utf8(&frame.into_data().unwrap()).unwrap();
        }
    }
}
