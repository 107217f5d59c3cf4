//! The application over a project, without a socket between.

use std::sync::Arc;

use axum::{Router, body::Body, response::Response};
use http::{Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use kit_app::{Clock, Deps};
use kit_mcp::{Hub, Options, Server, http::Endpoint};
use kit_store::Store;
use serde_json::Value;
use spox::Place;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt as _;

use crate::project::Project;

/// The day of these tests: 2026-11-17.
pub(crate) struct Today;

impl Clock for Today {
    fn now_ms(&self) -> i64 {
        1_794_909_600_000
    }
}

/// One server for one project.
pub(crate) struct World {
    pub(crate) project: Project,
    routes: Router,
    shutdown: CancellationToken,
}

impl Drop for World {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

impl World {
    pub(crate) fn sample() -> Self {
        Self::on(Project::sample())
    }

    pub(crate) fn on(project: Project) -> Self {
        let (store, hub, shutdown) = (Store::memory(), Hub::default(), CancellationToken::new());
        let deps = Deps {
            store: store.clone(),
            clock: Arc::new(Today),
            hub: hub.clone(),
            data_dir: "unused".into(),
            shutdown: shutdown.clone(),
        };
        let mount = spox::mount_at(Place::From(project.path().to_owned()), &deps);
        let server = Server::single(mount.mcp, Options { hub, ..Options::default() });
        let endpoint = Endpoint {
            name: mount.name.into(),
            mode: mount.mode,
            sessions: store.sessions,
            signals: store.signals,
            shutdown: shutdown.clone(),
        };
        let routes = mount.routes.merge(kit_mcp::http::routes(server, endpoint));
        Self { project, routes, shutdown }
    }

    pub(crate) async fn send(&self, request: Request<Body>) -> Response {
        self.routes.clone().oneshot(request).await.unwrap()
    }

    /// A request with a JSON body or none.
    pub(crate) async fn ask(
        &self,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> (StatusCode, Value) {
        let request = Request::builder()
            .method(method)
            .uri(path)
            .header("content-type", "application/json")
            .body(Body::from(body.map(|body| body.to_string()).unwrap_or_default()));
        let response = self.send(request.unwrap()).await;
        let (status, text) = (response.status(), text(response).await);
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let (status, answer) = self.ask(Method::GET, path, None).await;
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        answer
    }

    /// A request that must be refused: status and message.
    pub(crate) async fn refused(&self, method: Method, path: &str) -> (u16, String) {
        let (status, answer) = self.ask(method, path, None).await;
        assert!(!status.is_success(), "{path}: {answer}");
        (status.as_u16(), answer["error"].as_str().unwrap_or_default().to_owned())
    }
}

pub(crate) async fn text(response: Response) -> String {
    let body = response.into_body().collect().await.unwrap().to_bytes();
    String::from_utf8(body.into()).unwrap()
}
