//! A small HTTP client: one connection for each request, nothing repaired, nothing hidden.

use std::{net::SocketAddr, time::Duration};

use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{
    HeaderMap, Request, Response,
    body::Incoming,
    client::conn::http1::{SendRequest, handshake},
};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use tokio::net::TcpStream;

/// An answer later than this is a hang.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(Clone)]
pub(crate) struct Ask {
    address: SocketAddr,
    method: String,
    headers: Vec<(String, String)>,
    body: Bytes,
}

#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Ask {
    pub(crate) fn new(address: SocketAddr, method: &str) -> Self {
        let host = ("host".to_owned(), address.to_string());
        Self { address, method: method.to_owned(), headers: vec![host], body: Bytes::new() }
    }

    /// Sets a header, in the place of one of the same name.
    pub(crate) fn header(self, name: &str, value: &str) -> Self {
        let mut ask = self.without(name);
        ask.headers.push((name.to_owned(), value.to_owned()));
        ask
    }

    pub(crate) fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(known, _)| known != name);
        self
    }

    pub(crate) fn body(mut self, body: impl Into<Vec<u8>>) -> Self {
        self.body = Bytes::from(body.into());
        self
    }

    pub(crate) async fn send(self) -> Answer {
        let mut connection = connect(self.address).await;
        self.send_over(&mut connection).await
    }

    /// Sends over a connection that is open already.
    pub(crate) async fn send_over(self, connection: &mut SendRequest<Full<Bytes>>) -> Answer {
        within(async {
            let response = connection.send_request(self.request()).await.unwrap();
            let (head, body) = response.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            Answer { status: head.status.as_u16(), headers: head.headers, body }
        })
        .await
    }

    /// Sends and returns as soon as the head of the answer is there.
    pub(crate) async fn open(self) -> Events {
        let mut connection = connect(self.address).await;
        let response = within(connection.send_request(self.request())).await.unwrap();
        Events { response, connection, text: String::new() }
    }

    fn request(self) -> Request<Full<Bytes>> {
        let request = Request::builder().method(&*self.method).uri("/mcp");
        let request =
            self.headers.iter().fold(request, |request, (name, value)| request.header(name, value));
        request.body(Full::new(self.body)).unwrap()
    }
}

pub(crate) async fn connect(address: SocketAddr) -> SendRequest<Full<Bytes>> {
    let stream = TcpStream::connect(address).await.unwrap();
    stream.set_nodelay(true).unwrap();
    let (sender, connection) = handshake(TokioIo::new(stream)).await.unwrap();
    tokio::spawn(connection);
    sender
}

/// Fails the test instead of hanging with it.
pub(crate) async fn within<T>(work: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, work).await.expect("no answer in time")
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).map(|value| value.to_str().unwrap())
    }

    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    pub(crate) fn is_json(&self) -> bool {
        self.header("content-type") == Some("application/json")
    }

    pub(crate) fn json(&self) -> Value {
        assert!(self.is_json(), "{self:?}");
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The messages of an answer that came as a stream.
    pub(crate) fn messages(&self) -> Vec<Value> {
        let data = self.text().lines().filter_map(|line| line.strip_prefix("data: "));
        data.filter(|data| !data.is_empty())
            .map(|data| serde_json::from_str(data).unwrap())
            .collect()
    }

    /// The result, whichever way it came.
    #[track_caller]
    pub(crate) fn result(&self) -> Value {
        assert_eq!(self.status, 200, "{self:?}");
        let message = if self.is_json() {
            self.json()
        } else {
            self.messages().pop().expect("a stream ends with the answer")
        };
        assert!(message.get("result").is_some(), "{message}");
        message["result"].clone()
    }

    /// Checks that this is a refusal as every refusal must be, and returns what it says.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: i64) -> String {
        assert_eq!(self.status, status, "{self:?}");
        let body = self.json();
        assert_eq!(body["jsonrpc"], "2.0", "{body}");
        assert_eq!(body["error"]["code"], code, "{body}");
        assert!(body.get("id").is_some(), "{body}");
        let message = body["error"]["message"].as_str().unwrap().to_owned();
        assert!(message.len() > 10, "a refusal says why: {body}");
        message
    }
}

/// An answer that is still being written.
pub(crate) struct Events {
    response: Response<Incoming>,
    connection: SendRequest<Full<Bytes>>,
    text: String,
}

impl Events {
    pub(crate) fn status(&self) -> u16 {
        self.response.status().as_u16()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name).map(|value| value.to_str().unwrap())
    }

    /// The next event that holds a message; `None` at the end.
    pub(crate) async fn next(&mut self) -> Option<Event> {
        within(async {
            loop {
                if let Some((event, rest)) = self.text.split_once("\n\n") {
                    let event = Event::parse(event);
                    self.text = String::from(rest);
                    if event.data.as_ref().is_some_and(|data| !data.is_empty()) {
                        return Some(event);
                    }
                    continue;
                }
                let frame = self.response.body_mut().frame().await?.ok()?;
                let data = frame.into_data().unwrap_or_default();
                self.text.push_str(std::str::from_utf8(&data).unwrap());
            }
        })
        .await
    }

    /// The next message, which must be there.
    pub(crate) async fn message(&mut self) -> Value {
        self.next().await.expect("the stream goes on").message()
    }

    /// Goes away, as a client whose network breaks.
    pub(crate) fn hang_up(self) {
        drop(self.response);
        drop(self.connection);
    }
}

#[derive(Debug, Default)]
pub(crate) struct Event {
    pub(crate) id: Option<String>,
    pub(crate) data: Option<String>,
}

impl Event {
    fn parse(text: &str) -> Self {
        let mut event = Self::default();
        for line in text.lines() {
            if let Some(id) = line.strip_prefix("id:") {
                event.id = Some(id.trim().to_owned());
            } else if let Some(data) = line.strip_prefix("data:") {
                event.data = Some(data.trim().to_owned());
            }
        }
        event
    }

    pub(crate) fn message(&self) -> Value {
        serde_json::from_str(self.data.as_deref().unwrap_or_default()).unwrap()
    }
}
