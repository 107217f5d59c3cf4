//! What tools take and give where that is not what every surface takes and gives.

use campaign_core::{ActorId, ActorKind, CampaignId, GmMode, Moment};
use kit_mcp::rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};

use crate::wire::{self, schema, seconds};

/// Which campaign.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct InCampaign {
    /// Id of the campaign; the one of `set_context` if it is left out.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(super) campaign_id: Option<String>,
}

/// Which session.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct InSession {
    /// Id of the session; the one of `set_context` if it is left out, else the active one.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(super) session_id: Option<String>,
}

/// Which actor.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["actor_id"]))]
pub(super) struct OfActor {
    /// Id of the actor.
    #[serde(default)]
    pub(super) actor_id: String,
}

/// Which participant.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["participant_id"]))]
pub(super) struct OfParticipant {
    /// Id of the participant.
    #[serde(default)]
    pub(super) participant_id: String,
}

/// Which roll.
#[derive(Debug, Default, Deserialize, JsonSchema)]
pub(super) struct OfRoll {
    /// The `roll_seq` of the roll.
    pub(super) roll_seq: u64,
}

/// What later calls mean when they do not say.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[schemars(extend("required" = ["campaign_id"]))]
pub(super) struct SetContext {
    /// Id of the campaign.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(super) campaign_id: Option<String>,
    /// Id of a session of that campaign; cleared if it is left out.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(super) session_id: Option<String>,
    /// Id of the participant of that campaign that you speak as; cleared if it is left out.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(super) participant_id: Option<String>,
    /// The token of that participant, if one was issued.
    #[serde(default)]
    #[schemars(with = "String")]
    pub(super) participant_token: Option<String>,
}

/// The context that is set.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ContextSet {
    pub(super) context: ContextNow,
}

#[derive(Debug, Serialize, JsonSchema)]
#[expect(clippy::struct_field_names, reason = "the specification names them")]
pub(super) struct ContextNow {
    pub(super) campaign_id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) session_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub(super) participant_id: Option<String>,
}

/// A campaign that was created.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct CampaignMade {
    #[schemars(with = "String")]
    id: CampaignId,
    name: String,
    #[schemars(schema_with = "schema::gm_mode")]
    gm_mode: GmMode,
    participant_count: usize,
    actor_count: usize,
    theme_prompt: String,
}

impl From<wire::Campaign> for CampaignMade {
    fn from(campaign: wire::Campaign) -> Self {
        let wire::Campaign {
            id, name, gm_mode, participant_count, actor_count, theme_prompt, ..
        } = campaign;
        Self { id, name, gm_mode, participant_count, actor_count, theme_prompt }
    }
}

/// An actor that was created. Its sheet is in `actor://{actor_id}`.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ActorMade {
    #[schemars(with = "String")]
    id: ActorId,
    #[schemars(with = "String")]
    campaign_id: CampaignId,
    name: String,
    #[schemars(schema_with = "schema::actor_kind")]
    kind: ActorKind,
    notes: String,
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    created_at: Moment,
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    updated_at: Moment,
}

impl From<wire::Actor> for ActorMade {
    fn from(actor: wire::Actor) -> Self {
        let wire::Actor { id, campaign_id, name, kind, notes, created_at, updated_at, .. } = actor;
        Self { id, campaign_id, name, kind, notes, created_at, updated_at }
    }
}

/// Who plays an actor.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Controlled {
    pub(super) campaign_id: String,
    pub(super) actor_id: String,
    /// `GM`, or the id of a participant.
    pub(super) controller: String,
}

/// The GM's Fear as it is now.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FearNow {
    #[schemars(schema_with = "schema::gm_fear")]
    pub(super) gm_fear: i64,
}
