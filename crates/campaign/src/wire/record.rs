//! The records of a campaign, as every surface shows them.

use campaign_core::{
    self as core, ActorController, ActorId, ActorKind, CampaignId, Controller, GmMode, Moment,
    ParticipantId, Role, SessionId, Sheet, Status, Vitals,
};
use kit_mcp::rmcp::schemars::{self, JsonSchema};
use serde::Serialize;

use super::{schema, seconds, seconds_if_any};

/// A campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Campaign {
    #[schemars(with = "String")]
    pub id: CampaignId,
    pub name: String,
    /// Who leads the story.
    #[schemars(schema_with = "schema::gm_mode")]
    pub gm_mode: GmMode,
    /// The length of the list of participants, whatever their role.
    pub participant_count: usize,
    /// The length of the list of actors, whatever their kind.
    pub actor_count: usize,
    pub theme_prompt: String,
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    pub created_at: Moment,
    /// Moves when participants or actors come.
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    pub updated_at: Moment,
}

impl From<&core::Campaign> for Campaign {
    fn from(campaign: &core::Campaign) -> Self {
        Self {
            id: campaign.id.clone(),
            name: campaign.name.clone(),
            gm_mode: campaign.gm_mode,
            participant_count: campaign.participant_count,
            actor_count: campaign.actor_count,
            theme_prompt: campaign.theme_prompt.clone(),
            created_at: campaign.created_at,
            updated_at: campaign.updated_at,
        }
    }
}

/// Somebody who takes part in a campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Participant {
    #[schemars(with = "String")]
    pub id: ParticipantId,
    #[schemars(with = "String")]
    pub campaign_id: CampaignId,
    pub display_name: String,
    #[schemars(schema_with = "schema::role")]
    pub role: Role,
    /// Who speaks for the participant.
    #[schemars(schema_with = "schema::controller")]
    pub controller: Controller,
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    pub created_at: Moment,
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    pub updated_at: Moment,
}

impl Participant {
    pub fn of(campaign_id: &CampaignId, participant: &core::Participant) -> Self {
        Self {
            id: participant.id.clone(),
            campaign_id: campaign_id.clone(),
            display_name: participant.display_name.clone(),
            role: participant.role,
            controller: participant.controller,
            created_at: participant.created_at,
            updated_at: participant.updated_at,
        }
    }
}

/// A character of the story.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Actor {
    #[schemars(with = "String")]
    pub id: ActorId,
    #[schemars(with = "String")]
    pub campaign_id: CampaignId,
    pub name: String,
    /// Played by a player, or by the GM.
    #[schemars(schema_with = "schema::actor_kind")]
    pub kind: ActorKind,
    pub notes: String,
    /// `GM`, the id of a participant, or null while nobody was named.
    #[schemars(with = "Option<String>")]
    pub controller: Option<ActorController>,
    /// What it can do.
    #[schemars(schema_with = "schema::sheet")]
    pub sheet: Sheet,
    /// How it is doing.
    #[schemars(schema_with = "schema::vitals")]
    pub state: Vitals,
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    pub created_at: Moment,
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    pub updated_at: Moment,
}

impl Actor {
    pub fn of(campaign_id: &CampaignId, actor: &core::Actor) -> Self {
        Self {
            id: actor.id.clone(),
            campaign_id: campaign_id.clone(),
            name: actor.name.clone(),
            kind: actor.kind,
            notes: actor.notes.clone(),
            controller: actor.controller.clone(),
            sheet: actor.sheet.clone(),
            state: actor.vitals,
            created_at: actor.created_at,
            updated_at: actor.updated_at,
        }
    }
}

/// One sitting.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Session {
    #[schemars(with = "String")]
    pub id: SessionId,
    #[schemars(with = "String")]
    pub campaign_id: CampaignId,
    pub name: String,
    #[schemars(schema_with = "schema::status")]
    pub status: Status,
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    pub started_at: Moment,
    #[serde(serialize_with = "seconds")]
    #[schemars(schema_with = "schema::time")]
    pub updated_at: Moment,
    /// Only of a session that has ended.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "seconds_if_any")]
    #[schemars(schema_with = "schema::time")]
    pub ended_at: Option<Moment>,
}

impl Session {
    pub fn of(campaign_id: &CampaignId, session: &core::Session) -> Self {
        Self {
            id: session.id.clone(),
            campaign_id: campaign_id.clone(),
            name: session.name.clone(),
            status: session.status,
            started_at: session.started_at,
            updated_at: session.updated_at,
            ended_at: session.ended_at,
        }
    }
}
