//! The live feed, as server-sent events.

use axum::{extract::State, response::Response};

use super::Api;

/// Which specs and changes are edited, as it happens.
pub(super) async fn events(State(api): State<Api>) -> Response {
    kit_http::events(api.feed.read(&api.service), api.shutdown)
}
