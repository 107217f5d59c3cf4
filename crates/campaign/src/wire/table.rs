//! A whole table, and its journal.

use std::sync::Arc;

use campaign_core::{CampaignId, Moment, SessionId};
use kit_mcp::rmcp::schemars::{self, JsonSchema};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{Actor, Campaign, Participant, Session, schema};

/// Everything about a campaign, as it is or was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Table {
    pub campaign: Campaign,
    pub participants: Vec<Participant>,
    pub actors: Vec<Actor>,
    pub sessions: Vec<Session>,
    /// The session that is being played, or null.
    #[schemars(with = "Option<String>")]
    pub active_session: Option<SessionId>,
    #[schemars(schema_with = "schema::gm_fear")]
    pub gm_fear: i64,
    /// A GM has a token: changes need one.
    pub guarded: bool,
    /// The number of the last entry of the journal.
    pub seq: u64,
    /// Its hash.
    pub head_hash: String,
}

/// One entry of a campaign's journal.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Event {
    #[schemars(with = "String")]
    pub campaign_id: CampaignId,
    /// Counts from 1 in each campaign, without gaps.
    pub seq: u64,
    #[serde(serialize_with = "milliseconds")]
    #[schemars(schema_with = "schema::time")]
    pub ts: Moment,
    /// What happened, such as `participant.joined`.
    #[serde(rename = "type")]
    pub kind: String,
    pub request_id: String,
    pub invocation_id: String,
    /// Who did it.
    pub actor: Said,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub session_id: Option<SessionId>,
    /// What it is about.
    pub entity: Entity,
    /// What the entry says, as it stands in the journal.
    #[schemars(with = "std::collections::BTreeMap<String, serde_json::Value>")]
    pub payload: Arc<RawValue>,
    /// Only if it is undone.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub undone: bool,
    pub event_hash: String,
    /// The hash of the entry before; empty for the first.
    pub prev_hash: String,
}

/// Who did something.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Said {
    /// `PARTICIPANT`, `GM` or `SYSTEM`.
    pub kind: String,
    pub id: String,
    /// The participant's name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

/// What an entry is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Entity {
    /// `CAMPAIGN`, `PARTICIPANT`, `ACTOR`, `SESSION`, `ROLL` or `NOTE`.
    pub kind: String,
    /// An id; for rolls and notes the number of their entry.
    pub id: String,
}

/// Part of a journal, the newest entry first.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Events {
    pub events: Vec<Event>,
    /// The page that goes on has this as `before`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<u64>,
}

/// An entry that was undone, and the entry that says so.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct Undone {
    pub undone: Event,
    pub entry: Event,
}

/// Whether a journal is as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Verdict {
    pub valid: bool,
    /// How many entries there are, if all are as they were written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub events: Option<u64>,
    /// The hash of the last one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub head_hash: Option<String>,
    /// The first entry that is not as it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u64>,
    /// What is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Verdict {
    pub fn valid(events: u64, head_hash: String) -> Self {
        let (events, head_hash) = (Some(events), Some(head_hash));
        Self { valid: true, events, head_hash, seq: None, why: None }
    }

    pub fn broken(seq: u64, why: String) -> Self {
        Self { valid: false, events: None, head_hash: None, seq: Some(seq), why: Some(why) }
    }
}

/// A participant's secret. It is told once and kept nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Token {
    pub participant_id: String,
    pub token: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
fn milliseconds<S: Serializer>(moment: &Moment, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&moment.rfc3339_millis())
}
