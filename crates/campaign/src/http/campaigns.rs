//! Campaigns, whole tables, sessions, Fear.

use axum::extract::State;
use http::StatusCode;
use kit_http::{Json, Problem};
use serde::{Deserialize, Serialize};

use super::{
    Api,
    input::{Body, From, Path, Query},
};
use crate::{
    Backend as _, Error, PageRequest,
    wire::{self, input},
};

/// How many campaigns a page has unless it is told otherwise, and at most.
const USUAL_PAGE: usize = 100;
const LONGEST_PAGE: usize = 1000;

#[derive(Deserialize)]
pub(super) struct ListQuery {
    limit: Option<usize>,
    cursor: Option<String>,
}

#[derive(Serialize)]
pub(super) struct Campaigns {
    campaigns: Vec<wire::Campaign>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
}

pub(super) async fn list(
    State(api): State<Api>,
    From(caller): From,
    Query(query): Query<ListQuery>,
) -> Result<Json<Campaigns>, Problem> {
    let limit = query.limit.unwrap_or(USUAL_PAGE);
    if !(1..=LONGEST_PAGE).contains(&limit) {
        let message = format!("`limit` must be 1 to {LONGEST_PAGE}");
        return Err(Error::invalid(message).field("limit").into());
    }
    let page = PageRequest { limit: Some(limit), cursor: query.cursor };
    let page = api.service.list_campaigns(&caller, page).await?;
    Ok(Json(Campaigns { campaigns: page.items, next: page.next }))
}

pub(super) async fn create(
    State(api): State<Api>,
    From(caller): From,
    Body(new): Body<input::NewCampaign>,
) -> Result<(StatusCode, Json<wire::Campaign>), Problem> {
    let campaign = api.service.create_campaign(&caller, new).await?;
    Ok((StatusCode::CREATED, Json(campaign)))
}

#[derive(Deserialize)]
pub(super) struct TableQuery {
    seq: Option<u64>,
}

pub(super) async fn table(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Query(query): Query<TableQuery>,
) -> Result<Json<wire::Table>, Problem> {
    Ok(Json(api.service.table(&caller, &id, query.seq).await?))
}

#[derive(Serialize)]
pub(super) struct Fear {
    gm_fear: i64,
}

pub(super) async fn set_fear(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Body(input): Body<input::Fear>,
) -> Result<Json<Fear>, Problem> {
    let gm_fear = api.service.set_fear(&caller, &id, input.fear).await?;
    Ok(Json(Fear { gm_fear }))
}

pub(super) async fn start_session(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Body(new): Body<input::NewSession>,
) -> Result<(StatusCode, Json<wire::Session>), Problem> {
    let session = api.service.start_session(&caller, &id, &new.name).await?;
    Ok((StatusCode::CREATED, Json(session)))
}

pub(super) async fn end_session(
    State(api): State<Api>,
    From(caller): From,
    Path((id, session)): Path<(String, String)>,
) -> Result<Json<wire::Session>, Problem> {
    Ok(Json(api.service.end_session(&caller, &id, Some(session)).await?))
}
