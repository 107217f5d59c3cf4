//! What happened: read, undone, copied, checked, told.

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use http::{HeaderValue, StatusCode, header};
use kit_http::{Json, Problem};
use serde::Deserialize;

use super::{
    Api,
    input::{Body, From, Path, Query},
};
use crate::{
    Backend as _, EventQuery,
    wire::{self, input},
};

pub(super) async fn add_note(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Body(note): Body<input::NewNote>,
) -> Result<(StatusCode, Json<wire::Event>), Problem> {
    let entry = api.service.add_note(&caller, &id, note).await?;
    Ok((StatusCode::CREATED, Json(entry)))
}

#[derive(Deserialize)]
pub(super) struct JournalQuery {
    session: Option<String>,
    before: Option<u64>,
    after: Option<u64>,
    limit: Option<usize>,
}

pub(super) async fn events(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Query(query): Query<JournalQuery>,
) -> Result<Json<wire::Events>, Problem> {
    let JournalQuery { session: session_id, before, after, limit } = query;
    let query = EventQuery { session_id, before, after, limit };
    Ok(Json(api.service.events(&caller, &id, query).await?))
}

pub(super) async fn undo(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Body(input): Body<input::Undo>,
) -> Result<Json<wire::Undone>, Problem> {
    Ok(Json(api.service.undo(&caller, &id, input.seq).await?))
}

pub(super) async fn fork(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Body(input): Body<input::Fork>,
) -> Result<(StatusCode, Json<wire::Campaign>), Problem> {
    let campaign = api.service.fork(&caller, &id, input.seq, input.name).await?;
    Ok((StatusCode::CREATED, Json(campaign)))
}

pub(super) async fn verify(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
) -> Result<Json<wire::Verdict>, Problem> {
    Ok(Json(api.service.verify(&caller, &id).await?))
}

pub(super) async fn export(
    State(api): State<Api>,
    From(caller): From,
    Path(session): Path<String>,
) -> Result<Response, Problem> {
    let text = api.service.export(&caller, &session).await?;
    let markdown = HeaderValue::from_static("text/markdown; charset=utf-8");
    Ok(([(header::CONTENT_TYPE, markdown)], text).into_response())
}
