//! `duality.v1.DualityService`.

use std::sync::Arc;

use campaign_core::duality::{Advantage, explain, outcome, probability, rules};
use campaign_proto::duality::v1::{self as pb, duality_service_server::DualityService};
use tonic::{Request, Response, Status};

use super::{
    answer, asked,
    roll::{self, advantage_input, rng_input},
};
use crate::{
    Backend, Error, Place,
    wire::input::{Dice, DiceRoll, DualityRoll},
};

pub(super) struct Duality {
    pub(super) backend: Arc<dyn Backend>,
}

#[tonic::async_trait]
impl DualityService for Duality {
    async fn action_roll(
        &self,
        request: Request<pb::ActionRollRequest>,
    ) -> Result<Response<pb::ActionRollResponse>, Status> {
        let (caller, asked) = asked(request);
        let roll = DualityRoll {
            modifier: asked.modifier.into(),
            difficulty: asked.difficulty.map(Into::into),
            advantage: advantage_input(asked.advantage),
            rng: asked.rng.map(rng_input),
            ..DualityRoll::default()
        };
        let place = place(asked.campaign_id, asked.session_id);
        answer(self.backend.roll_duality(&caller, place, roll).await?)
    }

    async fn duality_outcome(
        &self,
        request: Request<pb::DualityOutcomeRequest>,
    ) -> Result<Response<pb::DualityOutcomeResponse>, Status> {
        let pb::DualityOutcomeRequest { hope, fear, modifier, difficulty } = request.into_inner();
        let difficulty = difficulty.map(Into::into);
        let resolved = outcome(hope.into(), fear.into(), modifier.into(), difficulty);
        answer(roll::outcome(&resolved.map_err(Error::from)?))
    }

    async fn duality_explain(
        &self,
        request: Request<pb::DualityExplainRequest>,
    ) -> Result<Response<pb::DualityExplainResponse>, Status> {
        let pb::DualityExplainRequest { hope, fear, modifier, difficulty, .. } =
            request.into_inner();
        let difficulty = difficulty.map(Into::into);
        let explanation = explain(hope.into(), fear.into(), modifier.into(), difficulty);
        answer(roll::explanation(explanation.map_err(Error::from)?))
    }

    async fn duality_probability(
        &self,
        request: Request<pb::DualityProbabilityRequest>,
    ) -> Result<Response<pb::DualityProbabilityResponse>, Status> {
        let pb::DualityProbabilityRequest { modifier, difficulty, advantage } =
            request.into_inner();
        let advantage = match advantage_input(advantage) {
            Some(word) => Advantage::read(&word, "advantage").map_err(Error::from)?,
            None => Advantage::None,
        };
        let odds = probability(modifier.into(), difficulty.into(), advantage);
        answer(roll::odds(&odds.map_err(Error::from)?))
    }

    async fn rules_version(
        &self,
        _: Request<pb::RulesVersionRequest>,
    ) -> Result<Response<pb::RulesVersionResponse>, Status> {
        answer(roll::rules(rules()))
    }

    async fn roll_dice(
        &self,
        request: Request<pb::RollDiceRequest>,
    ) -> Result<Response<pb::RollDiceResponse>, Status> {
        let (caller, asked) = asked(request);
        let dice = asked.dice.into_iter();
        let roll = DiceRoll {
            dice: dice
                .map(|dice| Dice { sides: dice.sides.into(), count: dice.count.into() })
                .collect(),
            rng: asked.rng.map(rng_input),
            ..DiceRoll::default()
        };
        let place = place(asked.campaign_id, asked.session_id);
        answer(self.backend.roll_dice(&caller, place, roll).await?)
    }
}

/// Where a roll is written down. A session alone is a mistake that the backend names.
fn place(campaign_id: Option<String>, session_id: Option<String>) -> Option<Place> {
    if campaign_id.is_none() && session_id.is_none() {
        return None;
    }
    Some(Place { campaign_id: campaign_id.unwrap_or_default(), session_id })
}
