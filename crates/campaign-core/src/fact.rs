//! What happened, as the journal keeps it.
//!
//! A [`Fact`] has the outcome in it, so that folding the journal gives the same table whatever the rules of
//! [`decide`](crate::decide) have become since. Facts are kept for ever: a field may be added, with a default; none may
//! change its meaning.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};

use crate::{
    ActorController, ActorId, ActorKind, CampaignId, Controller, DiceRoll, GmMode, ParticipantId,
    Rng, Role, SessionId, Sheet, Trait, Vitals,
    duality::{Advantage, Outcome},
    event::{Entity, EntityKind},
    words::words,
};

/// The enum of all facts, their names in the journal, and the way between them and JSON text.
macro_rules! facts {
    ($($variant:ident $kind:literal,)+) => {
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub enum Fact {
            $($variant($variant),)+
        }

        impl Fact {
            /// The names of all types of entries.
            pub const KINDS: &[&str] = &[$($kind,)+];

            /// Its name in the journal.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $kind,)+
                }
            }

            /// What the journal keeps of it.
            pub fn payload(&self) -> Arc<RawValue> {
                let text = match self {
                    $(Self::$variant(data) => to_raw_value(data),)+
                };
                text.expect("a fact is plain JSON").into()
            }

            /// Reads it back.
            pub fn decode(kind: &str, payload: &RawValue) -> Result<Self, Unreadable> {
                let read = match kind {
                    $($kind => serde_json::from_str(payload.get()).map(Self::$variant),)+
                    _ => return Err(Unreadable::Kind(kind.to_owned())),
                };
                read.map_err(|source| Unreadable::Payload { kind: kind.to_owned(), source })
            }
        }

        $(impl From<$variant> for Fact {
            fn from(data: $variant) -> Self {
                Self::$variant(data)
            }
        })+
    };
}

facts! {
    CampaignCreated "campaign.created",
    CampaignForked "campaign.forked",
    ParticipantJoined "participant.joined",
    TokenIssued "participant.token_issued",
    ActorCreated "actor.created",
    ControlSet "actor.control_set",
    SheetSet "actor.sheet_set",
    StateSet "actor.state_set",
    FearSet "gm.fear_set",
    SessionStarted "session.started",
    SessionEnded "session.ended",
    NoteAdded "note.added",
    RollResolved "roll.resolved",
    OutcomeApplied "outcome.applied",
    EventUndone "event.undone",
}

/// Why an entry of a journal has no meaning here.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    #[error("no event type `{0}`")]
    Kind(String),
    #[error("the payload of a `{kind}` has another form")]
    Payload { kind: String, source: serde_json::Error },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignCreated {
    pub name: String,
    pub gm_mode: GmMode,
    pub theme_prompt: String,
}

/// Everything before this is a copy of what happened in another campaign.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CampaignForked {
    pub from: CampaignId,
    /// The last entry that was copied.
    pub seq: u64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParticipantJoined {
    pub participant_id: ParticipantId,
    pub display_name: String,
    pub role: Role,
    pub controller: Controller,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenIssued {
    pub participant_id: ParticipantId,
    /// SHA-256 of the token, hex. Empty in a fork, which does not take tokens over: there it changes nothing.
    pub token_hash: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActorCreated {
    pub actor_id: ActorId,
    pub name: String,
    pub kind: ActorKind,
    pub notes: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ControlSet {
    pub actor_id: ActorId,
    pub controller: ActorController,
    pub before: Option<ActorController>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SheetSet {
    pub actor_id: ActorId,
    pub sheet: Sheet,
    pub before: Sheet,
    /// Where the new sheet allows less than the actor had.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vitals: Option<VitalsChange>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct VitalsChange {
    pub after: Vitals,
    pub before: Vitals,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StateSet {
    pub actor_id: ActorId,
    pub vitals: Vitals,
    pub before: Vitals,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FearSet {
    pub fear: i64,
    pub before: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionStarted {
    pub session_id: SessionId,
    pub name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionEnded {
    pub session_id: SessionId,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteAdded {
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
}

words! {
    /// What was rolled.
    RollKind {
        Duality = "DUALITY",
        Dice = "DICE",
        Action = "ACTION",
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RollResolved {
    pub roll: RollKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub actor_id: Option<ActorId>,
    #[serde(default, rename = "trait", skip_serializing_if = "Option::is_none")]
    pub with: Option<Trait>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub modifiers: Vec<Modifier>,
    /// All that was added to the dice: the trait and the modifiers, or the one that was given.
    pub modifier: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub difficulty: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advantage: Option<Advantage>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hope: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fear: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advantage_die: Option<i64>,
    pub total: i64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice: Option<Vec<DiceRoll>>,
    pub rng: Rng,
}

/// Something that helps or hinders, and by how much.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Modifier {
    pub source: String,
    pub value: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeApplied {
    pub roll_seq: u64,
    pub changes: Vec<VitalsDelta>,
    /// What the GM's Fear changed by.
    pub gm_fear: i64,
    pub requires_complication: bool,
}

/// What an actor's points changed by, after clamping.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VitalsDelta {
    pub actor_id: ActorId,
    pub hope: i64,
    pub stress: i64,
}

/// What entry `seq` did is taken back. Has that entry's content in it, so that the journal can be folded without looking
/// back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "StoredUndone", into = "StoredUndone")]
pub struct EventUndone {
    pub seq: u64,
    pub session_id: Option<SessionId>,
    pub fact: Box<Fact>,
}

#[derive(Serialize, Deserialize)]
struct StoredUndone {
    seq: u64,
    #[serde(rename = "type")]
    kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session_id: Option<SessionId>,
    payload: Box<RawValue>,
}

impl TryFrom<StoredUndone> for EventUndone {
    type Error = Unreadable;

    fn try_from(stored: StoredUndone) -> Result<Self, Unreadable> {
        // An undo cannot be undone; saying so here also keeps a forged journal from nesting without end.
        if stored.kind == "event.undone" {
            return Err(Unreadable::Kind(format!("{0} of {0}", stored.kind)));
        }
        let fact = Box::new(Fact::decode(&stored.kind, &stored.payload)?);
        Ok(Self { seq: stored.seq, session_id: stored.session_id, fact })
    }
}

impl From<EventUndone> for StoredUndone {
    fn from(undone: EventUndone) -> Self {
        let (seq, kind) = (undone.seq, undone.fact.kind().to_owned());
        let payload = (*undone.fact.payload()).to_owned();
        Self { seq, kind, session_id: undone.session_id, payload }
    }
}

impl Fact {
    /// What it is about, when it is entry `seq` of `campaign`.
    pub(crate) fn entity(&self, campaign: &CampaignId, seq: u64) -> Entity {
        match self {
            Self::CampaignCreated(_) | Self::CampaignForked(_) | Self::FearSet(_) => {
                Entity::new(EntityKind::Campaign, campaign.as_str())
            }
            Self::ParticipantJoined(ParticipantJoined { participant_id, .. })
            | Self::TokenIssued(TokenIssued { participant_id, .. }) => {
                Entity::new(EntityKind::Participant, participant_id.as_str())
            }
            Self::ActorCreated(ActorCreated { actor_id, .. })
            | Self::ControlSet(ControlSet { actor_id, .. })
            | Self::SheetSet(SheetSet { actor_id, .. })
            | Self::StateSet(StateSet { actor_id, .. }) => {
                Entity::new(EntityKind::Actor, actor_id.as_str())
            }
            Self::SessionStarted(SessionStarted { session_id, .. })
            | Self::SessionEnded(SessionEnded { session_id }) => {
                Entity::new(EntityKind::Session, session_id.as_str())
            }
            Self::NoteAdded(_) => Entity::new(EntityKind::Note, &seq.to_string()),
            Self::RollResolved(_) => Entity::new(EntityKind::Roll, &seq.to_string()),
            Self::OutcomeApplied(applied) => {
                Entity::new(EntityKind::Roll, &applied.roll_seq.to_string())
            }
            Self::EventUndone(undone) => undone.fact.entity(campaign, undone.seq),
        }
    }

    /// The actors that it says something of, their creation left out.
    pub(crate) fn mentions(&self) -> Vec<&ActorId> {
        match self {
            Self::ControlSet(ControlSet { actor_id, .. })
            | Self::SheetSet(SheetSet { actor_id, .. })
            | Self::StateSet(StateSet { actor_id, .. }) => vec![actor_id],
            Self::RollResolved(roll) => roll.actor_id.iter().collect(),
            Self::OutcomeApplied(applied) => {
                applied.changes.iter().map(|change| &change.actor_id).collect()
            }
            _ => Vec::new(),
        }
    }
}
