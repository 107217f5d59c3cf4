//! Rolls, in a campaign and without one.

use axum::{
    extract::State,
    response::{IntoResponse as _, Response},
};
use campaign_core::{
    RollKind,
    duality::{self, Advantage, Explanation, Odds, Resolved, Rules},
};
use http::StatusCode;
use kit_http::{Json, Problem};
use serde::{Deserialize, Serialize};

use super::{
    Api,
    input::{Body, From, Path, Raw},
};
use crate::{
    Backend as _, Place,
    wire::{self, input},
};

pub(super) async fn rules() -> Json<Rules> {
    Json(duality::rules())
}

pub(super) async fn outcome(Body(dice): Body<input::KnownDice>) -> Result<Json<Resolved>, Problem> {
    let input::KnownDice { hope, fear, modifier, difficulty } = dice;
    Ok(Json(duality::outcome(hope, fear, modifier, difficulty)?))
}

pub(super) async fn explain(
    Body(dice): Body<input::Explain>,
) -> Result<Json<Explanation>, Problem> {
    let input::Explain { hope, fear, modifier, difficulty, request_id: _ } = dice;
    Ok(Json(duality::explain(hope, fear, modifier, difficulty)?))
}

pub(super) async fn probability(
    Body(roll): Body<input::Considered>,
) -> Result<Json<Odds>, Problem> {
    let advantage = roll.advantage.as_deref().map(|text| Advantage::read(text, "advantage"));
    let advantage = advantage.transpose()?.unwrap_or(Advantage::None);
    Ok(Json(duality::probability(roll.modifier, roll.difficulty, advantage)?))
}

pub(super) async fn roll(
    State(api): State<Api>,
    From(caller): From,
    Body(roll): Body<input::DualityRoll>,
) -> Result<Json<wire::DualityRolled>, Problem> {
    Ok(Json(api.service.roll_duality(&caller, None, roll).await?))
}

pub(super) async fn roll_dice(
    State(api): State<Api>,
    From(caller): From,
    Body(roll): Body<input::DiceRoll>,
) -> Result<Json<wire::DiceRolled>, Problem> {
    Ok(Json(api.service.roll_dice(&caller, None, roll).await?))
}

#[derive(Deserialize)]
struct Asked {
    #[serde(default)]
    kind: Option<String>,
}

/// What was rolled, whatever the kind.
#[derive(Serialize)]
#[serde(untagged)]
enum AnyRolled {
    Duality(wire::DualityRolled),
    Dice(wire::DiceRolled),
    Action(wire::ActionRolled),
}

/// The kind says what else the body holds, so the body is read twice.
pub(super) async fn roll_in(
    State(api): State<Api>,
    From(caller): From,
    Path(id): Path<String>,
    body: Raw,
) -> Result<Response, Problem> {
    let Asked { kind } = body.read().await?;
    let kind = RollKind::read(kind.as_deref().unwrap_or_default(), "kind")?;
    let place = Some(Place { campaign_id: id.clone(), session_id: None });
    let rolled = match kind {
        RollKind::Duality => {
            let roll = body.read().await?;
            AnyRolled::Duality(api.service.roll_duality(&caller, place, roll).await?)
        }
        RollKind::Dice => {
            let roll = body.read().await?;
            AnyRolled::Dice(api.service.roll_dice(&caller, place, roll).await?)
        }
        RollKind::Action => {
            let roll = body.read().await?;
            AnyRolled::Action(api.service.roll_action(&caller, &id, roll).await?)
        }
    };
    Ok((StatusCode::CREATED, Json(rolled)).into_response())
}

pub(super) async fn apply(
    State(api): State<Api>,
    From(caller): From,
    Path((id, seq)): Path<(String, u64)>,
    Body(input): Body<input::Apply>,
) -> Result<Json<wire::Applied>, Problem> {
    Ok(Json(api.service.apply_outcome(&caller, &id, seq, input.targets).await?))
}
