//! A campaign as a whole: as it is, and what happened.

use kit_mcp::{
    Call,
    rmcp::{self, tool, tool_router},
};

use super::{
    Tools,
    answer::Answer,
    given::{Given, Nothing, schema},
    output,
    shape::{CampaignMade, InCampaign},
};
use crate::wire::{
    self,
    input::{Fork, Undo},
};

#[tool_router(router = journal, vis = "pub(super)")]
impl Tools {
    /// Read a whole campaign: participants, actors with sheets and state, sessions, which of them is active, Fear.
    #[tool(
        title = "Get campaign state",
        input_schema = schema::<InCampaign, Nothing, Nothing>(),
        output_schema = output::of::<wire::Table>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn campaign_state(&self, call: Call, given: Given<InCampaign>) -> Answer<wire::Table> {
        let (place, ..) = given.0?;
        let at = self.at(&call, place)?;
        Ok(self.backend.table(&at.caller, &at.campaign_id, None).await?.into())
    }

    /// Take an entry of the journal back, by a new entry that says so: the latest that can be undone, or the one with the
    /// number `seq`. Nothing is deleted.
    #[tool(
        title = "Undo",
        input_schema = schema::<InCampaign, Undo, Nothing>(),
        output_schema = output::of::<wire::Undone>(),
        annotations(read_only_hint = false, destructive_hint = true, idempotent_hint = false, open_world_hint = false)
    )]
    async fn campaign_undo(
        &self,
        call: Call,
        given: Given<InCampaign, Undo>,
    ) -> Answer<wire::Undone> {
        let (place, Undo { seq }, _) = given.0?;
        let at = self.at(&call, place)?;
        Ok(self.backend.undo(&at.caller, &at.campaign_id, seq).await?.into())
    }

    /// Make a new campaign with the same history, up to the entry `seq` if one is given. Participants, actors and sessions
    /// get new ids.
    #[tool(
        title = "Fork campaign",
        input_schema = schema::<InCampaign, Fork, Nothing>(),
        output_schema = output::of::<CampaignMade>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn campaign_fork(
        &self,
        call: Call,
        given: Given<InCampaign, Fork>,
    ) -> Answer<CampaignMade> {
        let (place, Fork { seq, name }, _) = given.0?;
        let at = self.at(&call, place)?;
        let fork = self.backend.fork(&at.caller, &at.campaign_id, seq, name).await?;
        Ok(CampaignMade::from(fork).into())
    }

    /// Walk the hash chain of a campaign's journal and say whether every entry is as it was written.
    #[tool(
        title = "Verify journal",
        input_schema = schema::<InCampaign, Nothing, Nothing>(),
        output_schema = output::of::<wire::Verdict>(),
        annotations(read_only_hint = true, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn campaign_verify(&self, call: Call, given: Given<InCampaign>) -> Answer<wire::Verdict> {
        let (place, ..) = given.0?;
        let at = self.at(&call, place)?;
        Ok(self.backend.verify(&at.caller, &at.campaign_id).await?.into())
    }
}
