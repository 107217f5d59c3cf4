//! `/specs`, `/validate`, `/search`.

use axum::extract::State;
use kit_http::{Json, Path, Problem, Query};
use serde::Deserialize;
use serde_json::{Value, json};

use super::Api;
use crate::{SearchQuery, Service, wire};

pub(super) async fn list(State(api): State<Api>) -> Result<Json<Value>, Problem> {
    Ok(Json(api.service.ask(Service::specs_for_people).await?))
}

pub(super) async fn one(
    State(api): State<Api>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    Ok(Json(api.service.ask(move |spox| spox.spec_for_people(&id)).await?))
}

pub(super) async fn validate(State(api): State<Api>) -> Result<Json<wire::Validation>, Problem> {
    Ok(Json(api.service.ask(|spox| spox.validate_spec(None)).await?))
}

pub(super) async fn validate_one(
    State(api): State<Api>,
    Path(id): Path<String>,
) -> Result<Json<wire::Validation>, Problem> {
    Ok(Json(api.service.ask(move |spox| spox.validate_spec(Some(&id))).await?))
}

/// Specs and changes together.
pub(super) async fn validate_all(State(api): State<Api>) -> Result<Json<Value>, Problem> {
    let both = |spox: &Service| Ok((spox.validate_spec(None)?, spox.validate_change(None)?));
    let (specs, changes) = api.service.ask(both).await?;
    Ok(Json(json!({"specs": specs, "changes": changes})))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    query: String,
    top_k: Option<usize>,
    #[serde(default)]
    include_changes: bool,
}

pub(super) async fn search(
    State(api): State<Api>,
    Query(Search { query, top_k, include_changes }): Query<Search>,
) -> Result<Json<wire::SearchResults>, Problem> {
    let query = SearchQuery { query, top_k, include_changes };
    Ok(Json(api.service.ask(move |spox| spox.search(&query)).await?))
}
