//! What changes, as it happens.

use axum::{extract::State, response::Response};
use futures::{StreamExt as _, future::ready};
use kit_http::Frame;
use serde_json::{Value, json};
use tokio_stream::wrappers::BroadcastStream;

use super::Api;
use crate::Change;

/// `event: change` for every package that is loaded or fails, every query, every change of what there is. A reader that is
/// too slow is let go, and asks again for whatever it shows.
pub(super) async fn events(State(api): State<Api>) -> Response {
    let changes = BroadcastStream::new(api.service.events());
    let frames = changes
        .take_while(|change| ready(change.is_ok()))
        .filter_map(|change| ready(change.ok()))
        .map(|change| Frame::without_id(Some("change"), &told(&change).to_string()));
    kit_http::events(frames, api.shutdown)
}

fn told(change: &Change) -> Value {
    match change {
        Change::Loaded { project, package, generation, models } => json!({
            "kind": "package_loaded",
            "project": project,
            "package": package,
            "generation": generation,
            "models": models,
        }),
        Change::Failed { project, package, message, stale } => json!({
            "kind": "package_failed",
            "project": project,
            "package": package,
            "message": message,
            "stale": stale,
        }),
        Change::Packages { project } => json!({"kind": "packages", "project": project}),
        Change::Projects => json!({"kind": "projects"}),
        Change::Connections { project, package } => {
            let mut made = json!({"kind": "connections", "project": project});
            if let Some(package) = package {
                made["package"] = json!(package);
            }
            made
        }
        Change::Query(run) => {
            let mut made = json!(**run);
            made["kind"] = json!("query");
            made
        }
    }
}
