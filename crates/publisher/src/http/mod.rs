//! REST: `/api/v0`.

use axum::Router;
use kit_app::Deps;

use crate::Service;

/// The whole HTTP surface but the page and `/mcp`.
pub(crate) fn routes(_service: &Service, _deps: &Deps) -> Router {
    Router::new()
}
