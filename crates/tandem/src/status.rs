//! How the host is: for load balancers, for Prometheus, for the home page.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::{Duration, Instant},
};

use axum::{
    Json, Router,
    extract::{Request, State},
    response::{IntoResponse, Response},
    routing::get,
};
use futures::future::join_all;
use http::{HeaderMap, StatusCode, header};
use kit_app::{Health, Link};
use prometheus_client::registry::Registry;
use serde::Serialize;

use crate::host::Host;

/// An application that has not said how it is by then is not well.
const PATIENCE: Duration = Duration::from_secs(2);

/// What is known of the host while it serves. Cloning shares it.
#[derive(Clone)]
pub(crate) struct Status(Arc<Inner>);

struct Inner {
    host: Arc<Host>,
    begun: Instant,
    stopping: AtomicBool,
    registry: Registry,
    site: Site,
}

/// How the host is reached.
pub(crate) struct Site {
    /// Whether every request must carry a token.
    pub(crate) locked: bool,
    pub(crate) public_url: Option<String>,
    /// Whether there is one application, at the root.
    pub(crate) alone: bool,
}

impl Status {
    pub(crate) fn new(host: &Arc<Host>, http: &kit_http::Metrics, site: Site) -> Self {
        let mut registry = Registry::with_prefix("tandem");
        http.register(&mut registry);
        host.mcp_metrics.register(&mut registry);
        Self(Arc::new(Inner {
            host: host.clone(),
            begun: Instant::now(),
            stopping: AtomicBool::new(false),
            registry,
            site,
        }))
    }

    /// From now on the host is not ready: no new work should be sent to it.
    pub(crate) fn stopping(&self) {
        self.0.stopping.store(true, Relaxed);
    }

    /// `/health`, `/ready`, `/metrics` and `/api/status`.
    pub(crate) fn routes(&self) -> Router {
        Router::new()
            .route("/health", get(health))
            .route("/ready", get(ready))
            .route("/metrics", get(metrics))
            .route("/api/status", get(status))
            .with_state(self.clone())
    }

    async fn store(&self) -> Health {
        let asked = tokio::time::timeout(PATIENCE, self.0.host.store.health()).await;
        match asked {
            Ok(Ok(())) => Health::Well,
            Ok(Err(error)) => Health::Ill { reason: error.to_string() },
            Err(_) => Health::Ill { reason: "the store does not answer".into() },
        }
    }

    async fn applications(&self) -> Vec<(&'static str, Health)> {
        let ask = |mount: &kit_app::Mount| {
            let (name, asked) = (mount.name, (mount.health)());
            async move {
                let health = tokio::time::timeout(PATIENCE, asked).await;
                let silent = || Health::Ill { reason: "it does not answer".into() };
                (name, health.unwrap_or_else(|_| silent()))
            }
        };
        join_all(self.0.host.mounts.iter().map(ask)).await
    }
}

/// The process is up. Says nothing of the rest, so that a broken store does not get it killed.
async fn health(State(status): State<Status>) -> Json<Alive> {
    Json(Alive { ok: true, uptime_seconds: status.0.begun.elapsed().as_secs() })
}

#[derive(Serialize)]
struct Alive {
    ok: bool,
    uptime_seconds: u64,
}

/// Whether new work may be sent here.
async fn ready(State(status): State<Status>) -> Response {
    let (store, applications) = tokio::join!(status.store(), status.applications());
    let stopping = status.0.stopping.load(Relaxed);
    let well = store == Health::Well && applications.iter().all(|(_, h)| *h == Health::Well);
    let ready = well && !stopping;
    let applications = applications.into_iter().map(|(name, h)| (name.to_owned(), h)).collect();
    let code = if ready { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE };
    (code, Json(Readiness { ready, stopping, store, applications })).into_response()
}

#[derive(Serialize)]
struct Readiness {
    ready: bool,
    stopping: bool,
    store: Health,
    applications: std::collections::BTreeMap<String, Health>,
}

async fn metrics(State(status): State<Status>) -> Response {
    let mut text = String::new();
    match prometheus_client::encoding::text::encode(&mut text, &status.0.registry) {
        Ok(()) => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            ([(header::CONTENT_TYPE, kind)], text).into_response()
        }
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// What the home page shows.
#[derive(Serialize)]
struct Overview {
    name: &'static str,
    version: &'static str,
    uptime_seconds: u64,
    ready: bool,
    auth: Auth,
    store: Health,
    mcp: Endpoint,
    applications: Vec<Shown>,
}

#[derive(Serialize)]
struct Auth {
    required: bool,
}

/// The two ways in which an MCP client reaches something.
#[derive(Serialize)]
struct Endpoint {
    url: String,
    command: Vec<String>,
}

#[derive(Serialize)]
struct Shown {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    health: Health,
    links: Vec<Place>,
    mcp: Endpoint,
}

#[derive(Serialize)]
struct Place {
    label: &'static str,
    href: String,
}

async fn status(State(status): State<Status>, request: Request) -> Json<Overview> {
    let base = status.base(request.headers(), request.uri());
    let (store, applications) = tokio::join!(status.store(), status.applications());
    let shown =
        status.0.host.mounts.iter().zip(applications).map(|(mount, (name, health))| Shown {
            name,
            title: mount.title,
            about: mount.about,
            health,
            links: mount.links.iter().map(|link| place(&status.root(name), link)).collect(),
            mcp: Endpoint {
                url: format!("{base}{}/mcp", status.root(name)),
                command: vec!["tandem".to_owned(), name.to_owned(), "mcp".to_owned()],
            },
        });
    let applications: Vec<Shown> = shown.collect();
    let mut command = vec!["tandem".to_owned(), "mcp".to_owned()];
    if status.0.site.alone {
        command.insert(1, applications[0].name.to_owned());
    }
    let well = applications.iter().all(|app| app.health == Health::Well);
    Json(Overview {
        name: "tandem",
        version: env!("CARGO_PKG_VERSION"),
        uptime_seconds: status.0.begun.elapsed().as_secs(),
        ready: well && store == Health::Well && !status.0.stopping.load(Relaxed),
        auth: Auth { required: status.0.site.locked },
        store,
        mcp: Endpoint { url: format!("{base}/mcp"), command },
        applications,
    })
}

impl Status {
    /// The path in front of an application's own.
    fn root(&self, app: &str) -> String {
        if self.0.site.alone { String::new() } else { format!("/{app}") }
    }

    /// Where the reader finds this server: the name that it used, which the guard has checked.
    fn base(&self, headers: &HeaderMap, uri: &http::Uri) -> String {
        if let Some(url) = &self.0.site.public_url {
            return url.trim_end_matches('/').to_owned();
        }
        let named = headers.get(header::HOST).and_then(|host| host.to_str().ok());
        let named = named.or(uri.authority().map(http::uri::Authority::as_str));
        format!("http://{}", named.unwrap_or("localhost"))
    }
}

fn place(root: &str, link: &Link) -> Place {
    Place { label: link.label, href: format!("{root}/{}", link.href.trim_start_matches('/')) }
}
