//! Tandem's own layers, as `tandem serve` puts them together: `kit-mcp` behind the guard of `kit-http`.

use std::time::Duration;

use axum::Router;
use kit_cli::log::{Line, Lines};
use kit_http::{Guard, Limits, Metrics, Rules};
use kit_mcp::{App, Mode, Options, Server, http::Endpoint};
use kit_store::Store;
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::echo::{self, Echo};

/// The endpoint alone, without what stands in front of it.
pub(super) fn routes(mode: Mode, store: &Store) -> Router {
    let endpoint = Endpoint {
        name: "echo".into(),
        mode,
        sessions: store.sessions.clone(),
        signals: store.signals.clone(),
        shutdown: CancellationToken::new(),
    };
    kit_mcp::http::routes(server(), endpoint)
}

/// Serves behind the guard, every limit at its default but the rate, which this load is there to exceed.
pub(super) async fn guarded(routes: Router, listener: TcpListener) -> anyhow::Result<()> {
    let limits = Limits { requests_per_second: 0, ..Limits::default() };
    let rules = Rules { bound: Some(listener.local_addr()?), limits, ..Rules::default() };
    let server = kit_http::Server::new(routes, Guard::new(rules, Metrics::default()));
    server.serve(listener, CancellationToken::new(), Duration::ZERO).await;
    Ok(())
}

/// Writes the log that `tandem serve` writes where nobody watches, into a file that goes with the process.
pub(super) fn start_log() -> anyhow::Result<()> {
    tracing_subscriber::fmt()
        .with_env_filter("info,rmcp=off")
        .with_ansi(false)
        .event_format(Line::Json)
        .with_writer(Lines::to(tempfile::tempfile()?)?)
        .try_init()
        .map_err(|error| anyhow::anyhow!(error))
}

pub(super) async fn stdio() -> anyhow::Result<()> {
    kit_mcp::stdio::serve(server(), CancellationToken::new()).await?;
    Ok(())
}

fn server() -> Server {
    let app = App::new("echo", "1.0.0").tools(Echo, echo::router());
    Server::single(app, Options::default())
}
