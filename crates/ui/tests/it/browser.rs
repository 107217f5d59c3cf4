//! A browser: plain HTTP, and the socket of a page.

use std::time::Duration;

use futures::{SinkExt as _, StreamExt as _};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream,
    tungstenite::{Error, Message, client::IntoClientRequest as _},
};

const PATIENCE: Duration = Duration::from_secs(40);

pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Reply {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.body))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// What stands after `http://`.
pub(crate) fn authority(url: &str) -> &str {
    url.strip_prefix("http://").unwrap()
}

pub(crate) async fn get(url: &str, path: &str) -> Reply {
    send(url, "GET", path, &[], "").await
}

pub(crate) async fn post(url: &str, path: &str, body: &Value) -> Reply {
    send(url, "POST", path, &[("content-type", "application/json")], &body.to_string()).await
}

/// One request. `host` is ours unless it is among the headers.
pub(crate) async fn send(
    url: &str,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Reply {
    let stream = TcpStream::connect(authority(url)).await.unwrap();
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    let mut request = Request::builder().method(method).uri(path);
    if !headers.iter().any(|(name, _)| *name == "host") {
        request = request.header("host", authority(url));
    }
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = Full::new(bytes::Bytes::from(body.to_owned()));
    let response = sender.send_request(request.body(body).unwrap()).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes();
    Reply {
        status: parts.status,
        headers: parts.headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    }
}

/// The socket of a page.
pub(crate) struct Page {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Page {
    pub(crate) async fn open(url: &str, session: &str) -> Self {
        Self::try_open(url, session, &[]).await.unwrap()
    }

    /// With headers of one's own; the status if it is refused.
    pub(crate) async fn try_open(
        url: &str,
        session: &str,
        headers: &[(&'static str, &str)],
    ) -> Result<Self, u16> {
        let address = format!("ws://{}/ws/{session}", authority(url));
        let mut request = address.into_client_request().unwrap();
        for (name, value) in headers {
            request.headers_mut().insert(*name, value.parse().unwrap());
        }
        match tokio_tungstenite::connect_async(request).await {
            Ok((socket, _)) => Ok(Self { socket }),
            Err(Error::Http(response)) => Err(response.status().as_u16()),
            Err(other) => panic!("{other}"),
        }
    }

    pub(crate) async fn say(&mut self, text: String) {
        self.socket.send(Message::text(text)).await.unwrap();
    }

    /// Says as much as the server takes.
    pub(crate) async fn try_say(&mut self, text: String) {
        drop(self.socket.send(Message::text(text)).await);
    }

    /// A batch as a person's doing.
    pub(crate) async fn batch(&mut self, messages: Value) {
        self.say(json!({"userEvent": true, "messages": messages}).to_string()).await;
    }

    /// The next frame's messages.
    pub(crate) async fn frame(&mut self) -> Vec<Value> {
        loop {
            let next = tokio::time::timeout(PATIENCE, self.socket.next()).await;
            match next.expect("nothing was said").expect("the socket ended").unwrap() {
                Message::Text(text) => {
                    return match serde_json::from_str(&text).unwrap() {
                        Value::Array(messages) => messages,
                        message => vec![message],
                    };
                }
                Message::Close(_) => panic!("the socket was closed"),
                _ => {}
            }
        }
    }

    /// Waits for an update of a variable that has this value.
    pub(crate) async fn until(&mut self, variable: i64, value: &Value) {
        loop {
            let messages = self.frame().await;
            let matches = |message: &Value| {
                message["type"] == "update"
                    && message["data"]["varId"] == variable
                    && message["data"].get("value") == Some(value)
            };
            if messages.iter().any(matches) {
                return;
            }
        }
    }

    /// Waits for a message that fits.
    pub(crate) async fn wait_for(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(found) = self.frame().await.into_iter().find(&fits) {
                return found;
            }
        }
    }

    /// Watches variable 1 and binds the counter: `count` is 2, `inc()` is 3, `save()` is 4, `name` is 5.
    pub(crate) async fn count(&mut self) {
        self.batch(json!([{"type": "watch", "data": {"varId": 1}}])).await;
        self.frame().await;
        self.batch(json!([
            create(2, "count", "r"),
            create(3, "inc()", "action"),
            create(4, "save()", "action"),
            create(5, "name", "rw"),
        ]))
        .await;
    }

    pub(crate) async fn click(&mut self, variable: i64) {
        self.batch(json!([{"type": "update", "data": {"varId": variable, "value": null}}])).await;
    }

    /// Whether the server ends it.
    pub(crate) async fn is_ended(&mut self) -> bool {
        loop {
            match tokio::time::timeout(PATIENCE, self.socket.next()).await.unwrap() {
                None | Some(Err(_) | Ok(Message::Close(_))) => return true,
                Some(Ok(_)) => {}
            }
        }
    }
}

pub(crate) fn create(id: i64, path: &str, access: &str) -> Value {
    let properties = json!({"path": path, "access": access});
    json!({"type": "create", "data": {"id": id, "parentId": 1, "properties": properties}})
}
