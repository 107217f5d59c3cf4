//! The routes of the application, without a socket between.

use std::sync::Arc;

use axum::{Router, body::Body, response::Response};
use campaign::{Config, mount_with};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use kit_app::Deps;
use kit_mcp::Hub;
use kit_store::Store;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::bed::{Counted, FakeClock};

/// One server whose ids are `camp_1`, `part_2`, … and whose time stands still.
pub(crate) struct World {
    routes: Router,
    pub(crate) clock: Arc<FakeClock>,
    shutdown: CancellationToken,
}

impl Drop for World {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

impl World {
    pub(crate) fn start() -> Self {
        Self::with(&Config::default(), Store::memory())
    }

    pub(crate) fn with(config: &Config, store: Store) -> Self {
        let (clock, shutdown) = (Arc::new(FakeClock::default()), CancellationToken::new());
        let deps = Deps {
            store,
            clock: clock.clone(),
            hub: Hub::default(),
            data_dir: "unused".into(),
            shutdown: shutdown.clone(),
        };
        let mount = mount_with(config, &deps, Arc::new(Counted::default()));
        Self { routes: mount.routes, clock, shutdown }
    }

    /// Any request, the response as it comes.
    pub(crate) async fn raw(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.routes.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap()
    }

    /// A request with a JSON body or none, by somebody or nobody.
    pub(crate) async fn send_as(
        &self,
        who: &[(&str, &str)],
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let headers =
            [&[("content-type", "application/json"), ("x-request-id", "r1")], who].concat();
        let body = body.map(|body| body.to_string()).unwrap_or_default();
        let response = self.raw(method, path, &headers, body).await;
        let status = response.status();
        let text = text(response).await;
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        self.send_as(&[], method, path, body).await
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, answer) = self.send(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    /// A POST that must succeed.
    pub(crate) async fn post(&self, path: &str, body: Value) -> Value {
        let (status, answer) = self.send(Method::POST, path, Some(body)).await;
        assert!(status.is_success(), "{path}: {status} {answer}");
        answer
    }

    /// A request that must be refused: status, code and message.
    pub(crate) async fn refused(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (u16, String, String) {
        let (status, answer) = self.send(method, path, body).await;
        assert!(!status.is_success(), "{path}: {answer}");
        let part = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
        (status.as_u16(), part("code"), part("error"))
    }

    /// A new campaign's path.
    pub(crate) async fn campaign(&self) -> String {
        let made = self.post("/campaigns", json!({"name": "Test", "gm_mode": "HUMAN"})).await;
        format!("/campaigns/{}", made["id"].as_str().unwrap())
    }

    /// Opens a stream of events.
    pub(crate) async fn events(&self, path: &str, headers: &[(&str, &str)]) -> Events {
        let response = self.raw(Method::GET, path, headers, "").await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        let mut events = Events { response, text: String::new() };
        assert_eq!(events.next().await, ":connected");
        events
    }
}

pub(crate) async fn text(response: Response) -> String {
    let body = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(body.into()).unwrap()
}

/// A stream of server-sent events.
pub(crate) struct Events {
    response: Response,
    text: String,
}

impl Events {
    /// The next block, without the empty line that ends it.
    pub(crate) async fn next(&mut self) -> String {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.text = rest;
                return block;
            }
            let frame = crate::bed::soon(self.response.body_mut().frame()).await.unwrap().unwrap();
            self.text.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap());
        }
    }

    /// The next event's id, name and data.
    pub(crate) async fn event(&mut self) -> (Option<u64>, String, Value) {
        let block = self.next().await;
        let field = |name: &str| {
            block.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().to_owned()
        };
        let data = serde_json::from_str(&field("data: ")).unwrap();
        (field("id: ").parse().ok(), field("event: "), data)
    }
}
