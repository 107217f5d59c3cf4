//! What a campaign is made of. Start at [`Table`](crate::Table), which holds all of it.
//!
//! The records are plain values. A table hands them out to read; they change by its journal alone.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{ActorId, CampaignId, Moment, ParticipantId, SessionId, Sheet, Vitals, words::words};

words! {
    /// Who leads the story.
    GmMode {
        Human = "HUMAN",
        Ai = "AI",
        Hybrid = "HYBRID",
    }
}

words! {
    /// What a participant does at the table.
    Role {
        Gm = "GM",
        Player = "PLAYER",
    }
}

words! {
    /// Who speaks for a participant.
    Controller {
        Human = "HUMAN",
        Ai = "AI",
    }
}

words! {
    /// Played by a player, or by the GM.
    ActorKind {
        Pc = "PC",
        Npc = "NPC",
    }
}

words! {
    /// Where a session is in its life.
    Status {
        Active = "ACTIVE",
        Paused = "PAUSED",
        Ended = "ENDED",
    }
}

/// A campaign's own record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Campaign {
    pub id: CampaignId,
    pub name: String,
    pub gm_mode: GmMode,
    /// As it was given, byte for byte.
    pub theme_prompt: String,
    /// The length of the list of participants, whatever their role.
    pub participant_count: usize,
    /// The length of the list of actors, whatever their kind.
    pub actor_count: usize,
    pub created_at: Moment,
    /// Moves when participants or actors come, or their coming is undone.
    pub updated_at: Moment,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Participant {
    pub id: ParticipantId,
    pub display_name: String,
    pub role: Role,
    pub controller: Controller,
    pub created_at: Moment,
    pub updated_at: Moment,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actor {
    pub id: ActorId,
    pub name: String,
    pub kind: ActorKind,
    pub notes: String,
    /// Nobody until somebody is named.
    pub controller: Option<ActorController>,
    pub sheet: Sheet,
    pub vitals: Vitals,
    pub created_at: Moment,
    /// Moves with everything above.
    pub updated_at: Moment,
    /// How many entries that are not undone are about it, its creation left out. While there are some, the creation
    /// cannot be undone.
    pub(crate) mentions: u64,
}

/// Who plays an actor when nothing else is said: on every surface `GM` or the id of a participant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ActorController {
    Gm,
    Participant(ParticipantId),
}

impl ActorController {
    /// No id is `GM`, in any case; see [`make`](crate::ids::make).
    pub(crate) const GM: &'static str = "GM";

    pub fn as_str(&self) -> &str {
        match self {
            Self::Gm => Self::GM,
            Self::Participant(id) => id.as_str(),
        }
    }

    pub fn participant(&self) -> Option<&ParticipantId> {
        match self {
            Self::Gm => None,
            Self::Participant(id) => Some(id),
        }
    }
}

impl fmt::Display for ActorController {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for ActorController {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.as_str())
    }
}

impl<'de> Deserialize<'de> for ActorController {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(if text == Self::GM { Self::Gm } else { Self::Participant(text.into()) })
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Session {
    pub id: SessionId,
    pub name: String,
    pub status: Status,
    pub started_at: Moment,
    pub updated_at: Moment,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended_at: Option<Moment>,
    /// How many entries that are not undone belong to it, its start left out.
    pub(crate) entries: u64,
}
