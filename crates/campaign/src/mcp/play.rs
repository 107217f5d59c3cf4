//! Sessions, sheets, and what an actor does.

use kit_mcp::{
    Call,
    rmcp::{self, tool, tool_router},
};

use super::{
    At, Tools,
    answer::Answer,
    given::{Given, Nothing, schema},
    output,
    shape::{FearNow, InCampaign, InSession, OfActor, OfRoll},
};
use crate::wire::{
    self,
    input::{ActionRoll, Apply, Fear, NewNote, NewSession, SheetPatch, StatePatch},
};

#[tool_router(router = play, vis = "pub(super)")]
impl Tools {
    /// Start a session. A campaign has at most one that is active.
    #[tool(
        title = "Start session",
        input_schema = schema::<InCampaign, NewSession, Nothing>(),
        output_schema = output::of::<wire::Session>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn session_start(
        &self,
        call: Call,
        given: Given<InCampaign, NewSession>,
    ) -> Answer<wire::Session> {
        let (place, new, _) = given.0?;
        let at = self.at(&call, place)?;
        Ok(self.backend.start_session(&at.caller, &at.campaign_id, &new.name).await?.into())
    }

    /// End a session; ending it again changes nothing. Another one can then be started.
    #[tool(
        title = "End session",
        input_schema = schema::<InCampaign, InSession, Nothing>(),
        output_schema = output::of::<wire::Session>(),
        annotations(read_only_hint = false, destructive_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    async fn session_end(
        &self,
        call: Call,
        given: Given<InCampaign, InSession>,
    ) -> Answer<wire::Session> {
        let (place, InSession { session_id }, _) = given.0?;
        let at = self.at(&call, place)?;
        let session = session_id.or(at.context.session_id);
        Ok(self.backend.end_session(&at.caller, &at.campaign_id, session).await?.into())
    }

    /// Roll for an actor in the active session: two d12 (hope and fear), the actor's trait and the modifiers, against the
    /// difficulty. The roll is in the journal; nothing changes until `session_roll_outcome_apply` is called with its
    /// `roll_seq`.
    #[tool(
        title = "Roll for an actor",
        input_schema = schema::<InCampaign, ActionRoll, Nothing>(),
        output_schema = output::of::<wire::ActionRolled>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn session_action_roll(
        &self,
        call: Call,
        given: Given<InCampaign, ActionRoll>,
    ) -> Answer<wire::ActionRolled> {
        let (place, mut roll, _) = given.0?;
        let At { caller, campaign_id, context } = self.at(&call, place)?;
        roll.session_id = roll.session_id.or(context.session_id);
        Ok(self.backend.roll_action(&caller, &campaign_id, roll).await?.into())
    }

    /// Apply the outcome of a roll, once: with hope the actor gains 1 Hope, with fear the GM gains 1 Fear and makes a move
    /// (`requires_complication`), a critical success also clears 1 Stress.
    #[tool(
        title = "Apply a roll's outcome",
        input_schema = schema::<InCampaign, OfRoll, Apply>(),
        output_schema = output::of::<wire::Applied>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn session_roll_outcome_apply(
        &self,
        call: Call,
        given: Given<InCampaign, OfRoll, Apply>,
    ) -> Answer<wire::Applied> {
        let (place, OfRoll { roll_seq }, Apply { targets }) = given.0?;
        let at = self.at(&call, place)?;
        let applied = self.backend.apply_outcome(&at.caller, &at.campaign_id, roll_seq, targets);
        Ok(applied.await?.into())
    }

    /// Set traits and limits of an actor's sheet; what is left out stays.
    #[tool(
        title = "Set actor sheet",
        input_schema = schema::<InCampaign, OfActor, SheetPatch>(),
        output_schema = output::of::<wire::Actor>(),
        annotations(read_only_hint = false, destructive_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    async fn actor_sheet_set(
        &self,
        call: Call,
        given: Given<InCampaign, OfActor, SheetPatch>,
    ) -> Answer<wire::Actor> {
        let (place, OfActor { actor_id }, patch) = given.0?;
        let at = self.at(&call, place)?;
        Ok(self.backend.set_sheet(&at.caller, &at.campaign_id, &actor_id, patch).await?.into())
    }

    /// Set an actor's Hope, Stress or hit points; what is left out stays.
    #[tool(
        title = "Set actor state",
        input_schema = schema::<InCampaign, OfActor, StatePatch>(),
        output_schema = output::of::<wire::Actor>(),
        annotations(read_only_hint = false, destructive_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    async fn actor_state_set(
        &self,
        call: Call,
        given: Given<InCampaign, OfActor, StatePatch>,
    ) -> Answer<wire::Actor> {
        let (place, OfActor { actor_id }, patch) = given.0?;
        let at = self.at(&call, place)?;
        Ok(self.backend.set_state(&at.caller, &at.campaign_id, &actor_id, patch).await?.into())
    }

    /// Set the GM's Fear, 0 to 12, such as when the GM spends some of it.
    #[tool(
        title = "Set Fear",
        input_schema = schema::<InCampaign, Fear, Nothing>(),
        output_schema = output::of::<FearNow>(),
        annotations(read_only_hint = false, destructive_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    async fn gm_fear_set(&self, call: Call, given: Given<InCampaign, Fear>) -> Answer<FearNow> {
        let (place, Fear { fear }, _) = given.0?;
        let at = self.at(&call, place)?;
        let gm_fear = self.backend.set_fear(&at.caller, &at.campaign_id, fear).await?;
        Ok(FearNow { gm_fear }.into())
    }

    /// Write a note into the journal, for everybody to read: what is said, seen and decided.
    #[tool(
        title = "Add note",
        input_schema = schema::<InCampaign, NewNote, Nothing>(),
        output_schema = output::of::<wire::Event>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn note_add(&self, call: Call, given: Given<InCampaign, NewNote>) -> Answer<wire::Event> {
        let (place, mut note, _) = given.0?;
        let At { caller, campaign_id, context } = self.at(&call, place)?;
        note.session_id = note.session_id.or(context.session_id);
        Ok(self.backend.add_note(&caller, &campaign_id, note).await?.into())
    }
}
