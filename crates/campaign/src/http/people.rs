//! Participants and actors.

use axum::extract::State;
use campaign_core::{ActorController, ActorId, CampaignId, ControllerInput};
use http::StatusCode;
use kit_http::{Json, Problem};
use serde::Serialize;

use super::{
    Api,
    input::{Body, From, Path},
};
use crate::{
    Backend as _,
    wire::{self, input},
};

pub(super) async fn join(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Body(new): Body<input::NewParticipant>,
) -> Result<(StatusCode, Json<wire::Participant>), Problem> {
    let participant = api.service.create_participant(&caller, &id, new).await?;
    Ok((StatusCode::CREATED, Json(participant)))
}

pub(super) async fn issue_token(
    State(api): State<Api>,
    From(caller): From,
    Path((id, participant)): Path<(String, String)>,
) -> Result<(StatusCode, Json<wire::Token>), Problem> {
    let token = api.service.issue_token(&caller, &id, &participant).await?;
    Ok((StatusCode::CREATED, Json(token)))
}

pub(super) async fn create_actor(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    Body(new): Body<input::NewActor>,
) -> Result<(StatusCode, Json<wire::Actor>), Problem> {
    let actor = api.service.create_actor(&caller, &id, new).await?;
    Ok((StatusCode::CREATED, Json(actor)))
}

/// As the tool answers.
#[derive(Serialize)]
pub(super) struct Controlled {
    campaign_id: CampaignId,
    actor_id: ActorId,
    controller: Option<ActorController>,
}

pub(super) async fn set_control(
    State(api): State<Api>,
    From(caller): From,
    Path((id, actor)): Path<(String, String)>,
    Body(input): Body<input::Control>,
) -> Result<Json<Controlled>, Problem> {
    let controller = ControllerInput::Text(input.controller);
    let actor = api.service.set_control(&caller, &id, &actor, controller).await?;
    let wire::Actor { id: actor_id, campaign_id, controller, .. } = actor;
    Ok(Json(Controlled { campaign_id, actor_id, controller }))
}

pub(super) async fn set_sheet(
    State(api): State<Api>,
    From(caller): From,
    Path((id, actor)): Path<(String, String)>,
    Body(patch): Body<input::SheetPatch>,
) -> Result<Json<wire::Actor>, Problem> {
    Ok(Json(api.service.set_sheet(&caller, &id, &actor, patch).await?))
}

pub(super) async fn set_state(
    State(api): State<Api>,
    From(caller): From,
    Path((id, actor)): Path<(String, String)>,
    Body(patch): Body<input::StatePatch>,
) -> Result<Json<wire::Actor>, Problem> {
    Ok(Json(api.service.set_state(&caller, &id, &actor, patch).await?))
}
