//! `/changes` and what is below it.

use axum::{Extension, body::Bytes, extract::State};
use kit_core::{Kind, Principal, Report};
use kit_http::{Json, Path, Problem};
use serde::Deserialize;
use serde_json::Value;

use super::Api;
use crate::{Approved, ArchiveOptions, Archived, ChangeDiff, Service, wire};

pub(super) async fn list(State(api): State<Api>) -> Result<Json<Value>, Problem> {
    Ok(Json(api.service.ask(Service::changes_for_people).await?))
}

pub(super) async fn one(
    State(api): State<Api>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    Ok(Json(api.service.ask(move |spox| spox.change_for_people(&id)).await?))
}

/// What archiving would do to the specs, line by line.
pub(super) async fn diff(
    State(api): State<Api>,
    Path(id): Path<String>,
) -> Result<Json<ChangeDiff>, Problem> {
    Ok(Json(api.service.ask(move |spox| spox.diff_change(&id)).await?))
}

pub(super) async fn validate(State(api): State<Api>) -> Result<Json<wire::Validation>, Problem> {
    Ok(Json(api.service.ask(|spox| spox.validate_change(None)).await?))
}

pub(super) async fn validate_one(
    State(api): State<Api>,
    Path(id): Path<String>,
) -> Result<Json<wire::Validation>, Problem> {
    Ok(Json(api.service.ask(move |spox| spox.validate_change(Some(&id))).await?))
}

pub(super) async fn approve(
    State(api): State<Api>,
    principal: Option<Extension<Principal>>,
    Path(id): Path<String>,
) -> Result<Json<Approved>, Problem> {
    let by = principal.map_or_else(Principal::local, |Extension(principal)| principal);
    Ok(Json(api.service.ask(move |spox| spox.approve_change(&id, &by.to_string())).await?))
}

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Archive {
    force: bool,
}

pub(super) async fn archive(
    State(api): State<Api>,
    Path(id): Path<String>,
    body: Bytes,
) -> Result<Json<Archived>, Problem> {
    // No body is the usual case.
    let wish: Archive = if body.is_empty() {
        Archive::default()
    } else {
        serde_json::from_slice(&body).map_err(|error| {
            let report = Report::new(Kind::Invalid, format!("the body does not fit: {error}"));
            Problem::new(::http::StatusCode::BAD_REQUEST, report.hint("send `{\"force\":false}`"))
        })?
    };
    let options = ArchiveOptions { force: wish.force, ..ArchiveOptions::default() };
    Ok(Json(api.service.ask(move |spox| spox.archive_change(&id, &options)).await?))
}
