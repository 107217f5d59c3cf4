//! A server on a loopback port over a small shop, and a client that says just what it is told.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use http_body_util::BodyExt;
use kit_app::{Deps, SystemClock};
use kit_mcp::{
    Hub, Mode, Names, Options, Server,
    http::{Endpoint, routes},
};
use kit_store::Store;
use publisher::{Config, Service};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::helper::Root;

pub(crate) const SHOP: &str = r#"##" What the shop sells.

#" Orders of the shop.
source: orders is duckdb.table('data/orders.csv') extend {
  primary_key: id
  measure:
    order_count is count()
    #" What was paid.
    total is sum(amount)
  # bar_chart
  view: by_customer is {
    group_by: customer
    aggregate: order_count, total
    order_by: customer
  }
  view: plain is { select: * }
}

source: customers is duckdb.table('data/customers.csv') extend {
  measure: customer_count is count()
  view: by_customer is { group_by: name aggregate: customer_count order_by: name }
  view: names is { group_by: name order_by: name }
}

# line_chart
query: biggest is orders -> { group_by: customer aggregate: total order_by: total desc limit: 1 }
"#;

const NOTEBOOK: &str = ">>>markdown\n# A story\n>>>malloy\nimport \"shop.malloy\"\n>>>malloy\nrun: orders -> by_customer\n";

pub(crate) const FILES: [(&str, &str); 12] = [
    ("publisher.config.json", r#"{"projects": {"home": "home", "other": "other"}}"#),
    ("home/README.md", "# Home\n\nEverything of the shop.\n"),
    ("home/shop/publisher.json", r#"{"name": "shop", "description": "A small shop."}"#),
    ("home/shop/shop.malloy", SHOP),
    ("home/shop/story.malloynb", NOTEBOOK),
    (
        "home/shop/sub/deep.malloy",
        "source: deep is duckdb.table('data/orders.csv') extend { view: one is { group_by: id } }\n",
    ),
    (
        "home/shop/broken.malloy",
        "source: broken is duckdb.table('data/orders.csv') extend { measure: m is sum(nothing) }\n",
    ),
    (
        "home/shop/data/orders.csv",
        "id,customer,amount,sold\n1,Ada,10,2024-02-03\n2,Bob,5,2024-02-04\n3,Ada,7,2024-03-01\n",
    ),
    ("home/shop/data/customers.csv", "name,city\nAda,Bern\nBob,Basel\n"),
    ("home/ruined/publisher.json", "{"),
    ("other/little/publisher.json", r#"{"description": "Little."}"#),
    ("other/little/l.malloy", "source: l is duckdb.table('data/orders.csv')\n"),
];

/// A call that nobody lives to see the end of: each of many rows with each other, four times over.
pub(crate) fn endless(bed: &Bed) -> Value {
    let many: Vec<_> = (0..3000).map(|number| number.to_string()).collect();
    bed.root.write("home/shop/data/many.csv", &format!("n\n{}\n", many.join("\n")));
    bed.root.write("home/shop/many.malloy", "source: many is duckdb.table('data/many.csv')\n");
    let text = "run: many extend { join_cross: a is many join_cross: b is many join_cross: c is many } \
        -> { where: n + a.n + b.n + c.n > 7 aggregate: most is max(n) }";
    json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "_meta": {"progressToken": "p"},
        "name": "malloy/executeQuery", "arguments": {"projectName": "home", "packageName": "shop",
            "modelPath": "many.malloy", "query": text}}})
}

/// A server, gone with the value.
pub(crate) struct Bed {
    pub(crate) root: Root,
    pub(crate) service: Service,
    pub(crate) client: Client,
    stop: CancellationToken,
}

impl Drop for Bed {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

/// The port of the publisher's own.
pub(crate) async fn own_port() -> Bed {
    bed(Mode::StatelessEvents, Names::Own, |_| {}).await
}

pub(crate) async fn bed(mode: Mode, names: Names, change: impl FnOnce(&mut Config)) -> Bed {
    let root = Root::with(&FILES);
    let service = root.service(change);
    let stop = CancellationToken::new();
    let (server, store) = server(&service, names, &stop);
    let endpoint = Endpoint {
        name: "publisher".to_owned(),
        mode,
        sessions: store.sessions.clone(),
        signals: store.signals.clone(),
        shutdown: stop.clone(),
    };
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let router = routes(server, endpoint);
    let stopped = stop.clone();
    tokio::spawn(async move {
        axum::serve(listener, router).with_graceful_shutdown(stopped.cancelled_owned()).await
    });
    let client = Client { address, session: None };
    Bed { root, service, client, stop }
}

/// The application as its host makes it.
pub(crate) fn server(service: &Service, names: Names, stop: &CancellationToken) -> (Server, Store) {
    let store = Store::memory();
    let hub = Hub::default();
    let deps = Deps {
        store: store.clone(),
        clock: Arc::new(SystemClock),
        hub: hub.of(publisher::NAME),
        data_dir: std::env::temp_dir(),
        shutdown: stop.clone(),
    };
    let mount = publisher::mount_service(service, None, &deps);
    let options = Options { hub, ..Options::default() };
    (Server::single(mount.mcp.names(names), options), store)
}

/// Sends one request over a connection of its own.
#[derive(Clone)]
pub(crate) struct Client {
    pub(crate) address: SocketAddr,
    pub(crate) session: Option<String>,
}

pub(crate) struct Reply {
    pub(crate) status: u16,
    headers: http::HeaderMap,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    /// The messages of a stream that has ended.
    pub(crate) fn events(&self) -> Vec<Value> {
        let data = |event: &str| {
            let data = event.lines().find_map(|line| line.strip_prefix("data: "))?;
            serde_json::from_str(data).ok()
        };
        self.body.split("\n\n").filter_map(data).collect()
    }

    /// The only answer there is, of whichever kind.
    pub(crate) fn answer(&self) -> Value {
        assert_eq!(self.status, 200, "{}", self.body);
        if self.header("content-type").starts_with("application/json") {
            return self.json();
        }
        let mut events = self.events();
        assert_eq!(events.len(), 1, "{}", self.body);
        events.remove(0)
    }
}

impl Client {
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
        let mut headers = vec![("host", "127.0.0.1")];
        match method {
            "POST" => headers.extend([
                ("content-type", "application/json"),
                ("accept", "application/json, text/event-stream"),
            ]),
            "GET" => headers.push(("accept", "text/event-stream")),
            _ => {}
        }
        headers.extend(self.session.as_deref().map(|id| ("mcp-session-id", id)));
        headers.retain(|(name, _)| !changed.iter().any(|(other, _)| other == name));
        headers.extend(changed.iter().filter(|(_, value)| !value.is_empty()));
        let mut request = http::Request::builder().method(method).uri("/mcp");
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let body = http_body_util::Full::new(bytes::Bytes::from(body.to_owned()));
        let response = sender.send_request(request.body(body).unwrap()).await.unwrap();
        tokio::spawn(async move { sender.ready().await });
        response
    }

    pub(crate) async fn request(
        &self,
        method: &str,
        changed: &[(&str, &str)],
        body: &str,
    ) -> Reply {
        let (parts, body) = self.send(method, changed, body).await.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Reply {
            status: parts.status.as_u16(),
            headers: parts.headers,
            body: String::from_utf8(body.to_vec()).unwrap(),
        }
    }

    pub(crate) async fn post(&self, body: &Value) -> Reply {
        self.request("POST", &[], &body.to_string()).await
    }

    /// One request, and its answer.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        self.post(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
            .await
            .answer()
    }

    /// What a tool gives.
    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await
    }

    /// The text of a tool's only block, as JSON.
    pub(crate) async fn found(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.call(tool, arguments).await;
        let text = answer["result"]["content"][0]["text"].as_str();
        let text = text.unwrap_or_else(|| panic!("{answer}"));
        serde_json::from_str(text).unwrap_or_else(|_| panic!("not JSON: {text}"))
    }

    pub(crate) async fn read(&self, uri: &str) -> Value {
        self.ask("resources/read", json!({"uri": uri})).await
    }

    /// What a resource says, which is there.
    pub(crate) async fn text(&self, uri: &str) -> Value {
        let answer = self.read(uri).await;
        assert_eq!(answer["result"].get("isError"), None, "{uri}: {answer}");
        text_of(&answer)
    }

    pub(crate) async fn definition(&self, uri: &str) -> Value {
        self.text(uri).await["definition"].clone()
    }

    /// Opens a session where there are any.
    pub(crate) async fn introduced(mut self) -> Self {
        let reply = self.post(&hello()).await;
        self.session = Some(reply.header("mcp-session-id").to_owned());
        self
    }
}

/// The JSON in the first contents of a read.
pub(crate) fn text_of(answer: &Value) -> Value {
    let contents = &answer["result"]["contents"][0];
    let text = contents["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
    serde_json::from_str(text).unwrap_or_else(|_| panic!("not JSON: {text}"))
}

pub(crate) fn hello() -> Value {
    json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}}})
}

/// An open stream of events.
pub(crate) struct Events {
    body: hyper::body::Incoming,
    text: String,
}

impl Events {
    pub(crate) async fn open(client: &Client) -> Self {
        let response = client.send("GET", &[], "").await;
        assert_eq!(response.status(), 200);
        Self { body: response.into_body(), text: String::new() }
    }

    /// The next message. A bound and not a wait: it comes, or the test fails.
    pub(crate) async fn next(&mut self) -> Value {
        tokio::time::timeout(Duration::from_secs(20), self.message()).await.unwrap()
    }

    async fn message(&mut self) -> Value {
        loop {
            while let Some((event, rest)) = self.text.split_once("\n\n") {
                let data = event.lines().find_map(|line| line.strip_prefix("data: "));
                let message = data.and_then(|data| serde_json::from_str(data).ok());
                let rest = rest.to_owned();
                self.text = rest;
                if let Some(message) = message {
                    return message;
                }
            }
            let frame = self.body.frame().await.unwrap().unwrap();
            self.text += std::str::from_utf8(&frame.into_data().unwrap()).unwrap();
        }
    }
}
