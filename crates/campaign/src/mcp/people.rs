//! Campaigns, who takes part in them, and what a session is about.

use campaign_core::ControllerInput;
use kit_mcp::{
    Call,
    rmcp::{
        self,
        schemars::{self, JsonSchema},
        tool, tool_router,
    },
};
use serde::Deserialize;

use super::{
    Tools,
    answer::Answer,
    caller,
    context::Context,
    given::{Given, Nothing, schema},
    output,
    shape::{
        ActorMade, CampaignMade, ContextNow, ContextSet, Controlled, InCampaign, OfParticipant,
        SetContext,
    },
};
use crate::{
    Error,
    wire::{
        self,
        input::{NewActor, NewCampaign, NewParticipant},
    },
};

/// Who plays which actor.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["actor_id", "controller"]))]
struct ActorControl {
    /// Id of the actor.
    #[serde(default)]
    actor_id: String,
    /// `GM`, or the id of a participant.
    #[serde(default)]
    controller: String,
}

#[tool_router(router = people, vis = "pub(super)")]
impl Tools {
    /// Say what the calls that follow are about: the campaign, and optionally the session and the participant that you
    /// speak as. Replaces what was set before; what is left out is cleared. Kept for this MCP session alone, in memory.
    #[tool(
        title = "Set context",
        input_schema = schema::<SetContext, Nothing, Nothing>(),
        output_schema = output::of::<ContextSet>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = true, open_world_hint = false)
    )]
    async fn set_context(&self, call: Call, given: Given<SetContext>) -> Answer<ContextSet> {
        let (asked, ..) = given.0?;
        let text = |value: Option<String>, field: &'static str, message: &'static str| match value {
            Some(text) if text.trim().is_empty() => Err(Error::invalid(message).field(field)),
            Some(text) => Ok(Some(text.trim().to_owned())),
            None => Ok(None),
        };
        let required = "campaign id is required";
        let campaign_id = text(asked.campaign_id, "campaign_id", required)?;
        let campaign_id =
            campaign_id.ok_or_else(|| Error::invalid(required).field("campaign_id"))?;
        let context = Context {
            campaign_id,
            session_id: text(asked.session_id, "session_id", "session id must not be empty")?,
            participant_id: text(
                asked.participant_id,
                "participant_id",
                "participant id must not be empty",
            )?,
            participant_token: text(
                asked.participant_token,
                "participant_token",
                "participant token must not be empty",
            )?,
        };
        self.check(&call, &context).await?;
        let now = ContextNow {
            campaign_id: context.campaign_id.clone(),
            session_id: context.session_id.clone(),
            participant_id: context.participant_id.clone(),
        };
        self.contexts.set(&call, context)?;
        Ok(ContextSet { context: now }.into())
    }

    /// Create a campaign. `gm_mode` says who leads it: `HUMAN`, `AI` or `HYBRID`.
    #[tool(
        title = "Create campaign",
        input_schema = schema::<NewCampaign, Nothing, Nothing>(),
        output_schema = output::of::<CampaignMade>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn campaign_create(&self, call: Call, given: Given<NewCampaign>) -> Answer<CampaignMade> {
        let (new, ..) = given.0?;
        let caller = caller(&call, &Context::default());
        let campaign = self.backend.create_campaign(&caller, new).await?;
        Ok(CampaignMade::from(campaign).into())
    }

    /// Let somebody join a campaign, as `GM` or as `PLAYER`; `controller` says whether a `HUMAN` or an `AI` is behind it.
    #[tool(
        title = "Create participant",
        input_schema = schema::<InCampaign, NewParticipant, Nothing>(),
        output_schema = output::of::<wire::Participant>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn participant_create(
        &self,
        call: Call,
        given: Given<InCampaign, NewParticipant>,
    ) -> Answer<wire::Participant> {
        let (place, new, _) = given.0?;
        let at = self.at(&call, place)?;
        Ok(self.backend.create_participant(&at.caller, &at.campaign_id, new).await?.into())
    }

    /// Create an actor: a `PC`, whom a player plays, or an `NPC`. It gets the starting values of its kind;
    /// `actor_sheet_set` changes them.
    #[tool(
        title = "Create actor",
        input_schema = schema::<InCampaign, NewActor, Nothing>(),
        output_schema = output::of::<ActorMade>(),
        annotations(read_only_hint = false, destructive_hint = false, idempotent_hint = false, open_world_hint = false)
    )]
    async fn actor_create(
        &self,
        call: Call,
        given: Given<InCampaign, NewActor>,
    ) -> Answer<ActorMade> {
        let (place, new, _) = given.0?;
        let at = self.at(&call, place)?;
        let actor = self.backend.create_actor(&at.caller, &at.campaign_id, new).await?;
        Ok(ActorMade::from(actor).into())
    }

    /// Say who plays an actor by default: `GM`, or the id of a participant of the campaign.
    #[tool(
        title = "Set who plays an actor",
        input_schema = schema::<InCampaign, ActorControl, Nothing>(),
        output_schema = output::of::<Controlled>(),
        annotations(read_only_hint = false, destructive_hint = true, idempotent_hint = true, open_world_hint = false)
    )]
    async fn actor_control_set(
        &self,
        call: Call,
        given: Given<InCampaign, ActorControl>,
    ) -> Answer<Controlled> {
        let (place, asked, _) = given.0?;
        let at = self.at(&call, place)?;
        let controller = ControllerInput::Text(asked.controller);
        let set =
            self.backend.set_control(&at.caller, &at.campaign_id, &asked.actor_id, controller);
        let actor = set.await?;
        let controller = actor.controller.map(|controller| controller.to_string());
        Ok(Controlled {
            campaign_id: actor.campaign_id.to_string(),
            actor_id: actor.id.to_string(),
            controller: controller.unwrap_or_default(),
        }
        .into())
    }

    /// Issue a token for a participant, shown this once. Whoever speaks as that participant must then give it to
    /// `set_context`. Once a GM has a token, players change only what is theirs.
    #[tool(
        title = "Issue participant token",
        input_schema = schema::<InCampaign, OfParticipant, Nothing>(),
        output_schema = output::of::<wire::Token>(),
        annotations(read_only_hint = false, destructive_hint = true, idempotent_hint = false, open_world_hint = false)
    )]
    async fn participant_token_issue(
        &self,
        call: Call,
        given: Given<InCampaign, OfParticipant>,
    ) -> Answer<wire::Token> {
        let (place, OfParticipant { participant_id }, _) = given.0?;
        let at = self.at(&call, place)?;
        Ok(self.backend.issue_token(&at.caller, &at.campaign_id, &participant_id).await?.into())
    }
}

impl Tools {
    /// Whether all that a context names is there, and belongs together.
    async fn check(&self, call: &Call, context: &Context) -> Result<(), Error> {
        let caller = caller(call, context);
        let table = self.backend.table(&caller, &context.campaign_id, None).await?;
        if let Some(id) = &context.session_id
            && !table.sessions.iter().any(|session| session.id.as_str() == id)
        {
            return Err(self.stranger(&caller, id, "session").await?);
        }
        if let Some(id) = &context.participant_id
            && !table.participants.iter().any(|participant| participant.id.as_str() == id)
        {
            return Err(self.stranger(&caller, id, "participant").await?);
        }
        Ok(())
    }

    /// What is wrong with an id that is not of the campaign: it is of another one, or of none.
    async fn stranger(
        &self,
        caller: &crate::Caller,
        id: &str,
        what: &'static str,
    ) -> Result<Error, Error> {
        let field = if what == "session" { "session_id" } else { "participant_id" };
        // An actor of this name would be another kind of thing.
        let prefix = if what == "session" { "sess_" } else { "part_" };
        let elsewhere =
            id.starts_with(prefix) && self.backend.owner_of(caller, id).await?.is_some();
        Ok(if elsewhere {
            Error::invalid(format!("{what} belongs to another campaign")).field(field)
        } else {
            Error::not_found(format!("{what} not found")).field(field)
        })
    }
}
