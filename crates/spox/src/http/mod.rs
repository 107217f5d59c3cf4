//! What the page and programs ask: [`table`] has all routes.

mod changes;
mod live;
mod project;
mod specs;

use axum::{
    Router,
    routing::{MethodRouter, get, post},
};
use kit_app::Deps;
use tokio_util::sync::CancellationToken;

use crate::{Service, watch::Feed};

/// The whole HTTP surface but `/mcp`.
pub(crate) fn routes(service: &Service, feed: Feed, deps: &Deps) -> Router {
    let api = Api { service: service.clone(), feed, shutdown: deps.shutdown.clone() };
    let add = |routes: Router<Api>, (path, methods)| routes.route(path, methods);
    table().into_iter().fold(Router::new(), add).with_state(api)
}

fn table() -> Vec<(&'static str, MethodRouter<Api>)> {
    vec![
        ("/project", get(project::project)),
        ("/specs", get(specs::list)),
        ("/specs/{id}", get(specs::one)),
        ("/changes", get(changes::list)),
        ("/changes/{id}", get(changes::one)),
        ("/changes/{id}/diff", get(changes::diff)),
        ("/changes/{id}/approve", post(changes::approve)),
        ("/changes/{id}/archive", post(changes::archive)),
        ("/validate", get(specs::validate_all)),
        ("/validate/specs", get(specs::validate)),
        ("/validate/specs/{id}", get(specs::validate_one)),
        ("/validate/changes", get(changes::validate)),
        ("/validate/changes/{id}", get(changes::validate_one)),
        ("/search", get(specs::search)),
        ("/index", post(project::index)),
        ("/events", get(live::events)),
    ]
}

/// What the handlers work with.
#[derive(Clone)]
struct Api {
    service: Service,
    feed: Feed,
    shutdown: CancellationToken,
}
