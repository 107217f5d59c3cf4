//! The six dice tools. With an active session in the context, what is rolled is written down.

use campaign_core::duality::{self, Advantage, Explanation, Odds, Resolved, Rules};
use kit_mcp::{
    Call,
    rmcp::{self, tool, tool_router},
};

use super::{
    Tools,
    answer::{Answer, Object},
    caller,
    given::{Given, Nothing, schema},
    output,
};
use crate::{
    Caller, Place,
    wire::{
        self,
        input::{Considered, DiceRoll, DualityRoll, Explain, KnownDice},
    },
};

#[tool_router(router = dice, vis = "pub(super)")]
impl Tools {
    /// Say by which rules Duality rolls are judged.
    #[tool(
        title = "Duality rules",
        input_schema = schema::<Nothing, Nothing, Nothing>(),
        output_schema = output::object(output::rules),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn duality_rules_version(&self, given: Given) -> Answer<Rules> {
        given.0?;
        Ok(duality::rules().into())
    }

    /// Roll the Duality dice, a d12 of hope and one of fear, and judge them. The higher die says whether it is with hope or
    /// with fear; equal dice are a critical success. For an actor use `session_action_roll`.
    #[tool(
        title = "Roll Duality dice",
        input_schema = schema::<DualityRoll, Nothing, Nothing>(),
        output_schema = output::of::<wire::DualityRolled>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn duality_action_roll(
        &self,
        call: Call,
        given: Given<DualityRoll>,
    ) -> Answer<wire::DualityRolled> {
        let (roll, ..) = given.0?;
        let (caller, place) = self.table_of(&call);
        Ok(self.backend.roll_duality(&caller, place, roll).await?.into())
    }

    /// Judge Duality dice that are known, without rolling.
    #[tool(
        title = "Duality outcome",
        input_schema = schema::<KnownDice, Nothing, Nothing>(),
        output_schema = output::object(output::resolved),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn duality_outcome(&self, given: Given<KnownDice>) -> Answer<Resolved> {
        let (KnownDice { hope, fear, modifier, difficulty }, ..) = given.0?;
        Ok(duality::outcome(hope, fear, modifier, difficulty)?.into())
    }

    /// Say step by step why known Duality dice mean what they mean.
    #[tool(
        title = "Explain Duality dice",
        input_schema = schema::<Explain, Nothing, Nothing>(),
        output_schema = output::object(output::explanation),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn duality_explain(&self, given: Given<Explain>) -> Answer<Explanation> {
        let (Explain { hope, fear, modifier, difficulty, request_id }, ..) = given.0?;
        let explanation = duality::explain(hope, fear, modifier, difficulty)?;
        Ok(Object::from(explanation).answering(request_id))
    }

    /// Count the outcomes of a roll over all 144 pairs of dice (864 with advantage or disadvantage), exactly. Critical
    /// successes, other successes and failures are counted apart.
    #[tool(
        title = "Duality probability",
        input_schema = schema::<Considered, Nothing, Nothing>(),
        output_schema = output::object(output::odds),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn duality_probability(&self, given: Given<Considered>) -> Answer<Odds> {
        let (Considered { modifier, difficulty, advantage }, ..) = given.0?;
        let advantage = advantage.as_deref().map(|text| Advantage::read(text, "advantage"));
        let advantage = advantage.transpose()?.unwrap_or(Advantage::None);
        Ok(duality::probability(modifier, difficulty, advantage)?.into())
    }

    /// Roll dice of any kind, such as `[{"sides":20,"count":2},{"sides":6,"count":1}]`.
    #[tool(
        title = "Roll dice",
        input_schema = schema::<DiceRoll, Nothing, Nothing>(),
        output_schema = output::of::<wire::DiceRolled>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn roll_dice(&self, call: Call, given: Given<DiceRoll>) -> Answer<wire::DiceRolled> {
        let (roll, ..) = given.0?;
        let (caller, place) = self.table_of(&call);
        Ok(self.backend.roll_dice(&caller, place, roll).await?.into())
    }
}

impl Tools {
    /// Who rolls, and the session of the context where the roll is written down, if there is one.
    fn table_of(&self, call: &Call) -> (Caller, Option<Place>) {
        let context = self.contexts.of(call).unwrap_or_default();
        let caller = caller(call, &context);
        let place = context.session_id.map(|session_id| Place {
            campaign_id: context.campaign_id,
            session_id: Some(session_id),
        });
        (caller, place)
    }
}
