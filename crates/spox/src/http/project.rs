//! `/project`, `/index`: the project as a whole.

use axum::extract::State;
use kit_http::{Json, Problem};
use serde_json::Value;

use super::Api;
use crate::{Service, wire};

/// What there is; a folder that is no project yet is an answer too.
pub(super) async fn project(State(api): State<Api>) -> Result<Json<Value>, Problem> {
    let overview = api.service.ask(|spox| Ok(spox.overview())).await?;
    Ok(Json(overview))
}

/// Builds the search index, or brings it up to date.
pub(super) async fn index(State(api): State<Api>) -> Result<Json<wire::IndexBuilt>, Problem> {
    let built = api.service.ask(|spox: &Service| spox.rebuild_index(&|_, _| ())).await?;
    api.feed.index_changed(api.service.revision());
    Ok(Json(built))
}
