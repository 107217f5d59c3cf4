//! The application over a server root, without a socket between.

use std::sync::Arc;

use axum::{Router, body::Body, response::Response};
use http::{Method, Request, StatusCode, header};
use http_body_util::BodyExt as _;
use kit_app::{Deps, SystemClock};
use kit_mcp::Hub;
use kit_store::Store;
use publisher::{Config, Service};
use serde_json::Value;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::helper::Root;

pub(crate) struct World {
    pub(crate) routes: Router,
    pub(crate) root: Root,
    shutdown: CancellationToken,
}

impl Drop for World {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

impl World {
    pub(crate) fn on(root: Root) -> Self {
        Self::with(root, |_| {})
    }

    pub(crate) fn with(root: Root, change: impl FnOnce(&mut Config)) -> Self {
        Self::of(&root.service(change), root)
    }

    fn of(service: &Service, root: Root) -> Self {
        let shutdown = CancellationToken::new();
        let deps = Deps {
            store: Store::memory(),
            clock: Arc::new(SystemClock),
            hub: Hub::default(),
            data_dir: "unused".into(),
            shutdown: shutdown.clone(),
        };
        let routes = publisher::mount_service(service, None, &deps).routes;
        Self { routes, root, shutdown }
    }

    /// Where the files are, which nobody may be told.
    pub(crate) fn place(&self) -> String {
        self.root.dir.path().to_string_lossy().into_owned()
    }

    pub(crate) async fn raw(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Response {
        let mut request = Request::builder().method(method).uri(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(Body::from(body.to_owned())).unwrap();
        self.routes.clone().oneshot(request).await.unwrap()
    }

    pub(crate) async fn send(&self, method: Method, path: &str) -> (StatusCode, Value) {
        read(self.raw(method, path, &[], "").await).await
    }

    pub(crate) async fn get(&self, path: &str) -> (StatusCode, Value) {
        self.send(Method::GET, path).await
    }

    pub(crate) async fn send_json(
        &self,
        method: Method,
        path: &str,
        body: &Value,
    ) -> (StatusCode, Value) {
        let kind = [(header::CONTENT_TYPE.as_str(), "application/json")];
        read(self.raw(method, path, &kind, &body.to_string()).await).await
    }
}

async fn read(response: Response) -> (StatusCode, Value) {
    let status = response.status();
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, serde_json::from_slice(&body).unwrap_or(Value::Null))
}

/// JSON that is sent as text.
pub(crate) fn parsed(text: &Value) -> Value {
    serde_json::from_str(text.as_str().unwrap_or_else(|| panic!("{text}"))).unwrap()
}
