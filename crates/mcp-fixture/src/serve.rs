//! The fixture behind the same guard and listener as the product.

use std::time::Duration;

use kit_http::{Guard, Metrics, Rules};
use kit_mcp::{Hub, Limits, Mode, Options, Server, http::Endpoint};
use kit_store::Store;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

/// How long running requests may take once the server is to stop.
const GRACE: Duration = Duration::from_secs(5);

/// How the fixture is served.
pub struct Setup {
    pub mode: Mode,
    pub limits: Limits,
    /// How long one call may take; `None` is the layer's default.
    pub time_limit: Option<Duration>,
    pub store: Store,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            limits: Limits::default(),
            time_limit: None,
            store: Store::memory(),
        }
    }
}

impl Setup {
    fn server(&self) -> Server {
        let hub = Hub::default();
        let mut app = crate::app(&hub);
        if let Some(limit) = self.time_limit {
            app = app.time_limit(limit);
        }
        Server::single(app, Options { hub, limits: self.limits.clone(), ..Options::default() })
    }
}

/// Serves `/mcp` until `shutdown`.
pub async fn serve(listener: TcpListener, setup: Setup, shutdown: CancellationToken) {
    let endpoint = Endpoint {
        name: "fixture".to_owned(),
        mode: setup.mode,
        sessions: setup.store.sessions.clone(),
        signals: setup.store.signals.clone(),
        shutdown: shutdown.clone(),
    };
    let routes = kit_mcp::http::routes(setup.server(), endpoint);
    let rules = Rules { bound: listener.local_addr().ok(), ..Rules::default() };
    let guard = Guard::new(rules, Metrics::default());
    kit_http::Server::new(routes, guard).serve(listener, shutdown, GRACE).await;
}

/// Serves standard input and output until the input ends.
pub async fn serve_stdio(setup: &Setup, shutdown: CancellationToken) -> std::io::Result<()> {
    kit_mcp::stdio::serve(setup.server(), shutdown).await
}
