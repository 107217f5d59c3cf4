//! Tandem's own layer, `kit-mcp`, with everything it checks switched on.

use axum::Router;
use kit_mcp::{
    App, Mode, Options, Server,
    http::{Endpoint, routes as mcp_routes},
};
use kit_store::Store;
use tokio_util::sync::CancellationToken;

use crate::echo::{self, Echo};

pub(super) fn routes(mode: Mode, store: &Store) -> Router {
    let endpoint = Endpoint {
        name: "echo".into(),
        mode,
        sessions: store.sessions.clone(),
        signals: store.signals.clone(),
        shutdown: CancellationToken::new(),
    };
    mcp_routes(server(), endpoint)
}

pub(super) async fn stdio() -> anyhow::Result<()> {
    kit_mcp::stdio::serve(server(), CancellationToken::new()).await?;
    Ok(())
}

fn server() -> Server {
    let app = App::new("echo", "1.0.0").tools(Echo, echo::router());
    Server::single(app, Options::default())
}
