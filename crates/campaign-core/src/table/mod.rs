//! The whole state of one campaign: what its journal adds up to.
//!
//! A table changes by [`Table::apply`] alone, and the same journal always gives the same table, byte for byte when it is
//! serialized. A clone costs nothing. What it holds besides what people see is what
//! [`decide`](crate::decide) needs to know, so that deciding never reads the journal.

mod apply;
mod revert;
mod roster;

use std::sync::Arc;

use rpds::{RedBlackTreeMapSync, RedBlackTreeSetSync};
use serde::{Deserialize, Serialize};

use self::roster::{Named, Roster};
use crate::{
    Actor, ActorId, Campaign, Fact, Participant, ParticipantId, Session, SessionId,
    duality::Outcome, token,
};

/// One campaign, or the empty place where one can be created.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    // Shared, as a theme prompt may be long.
    campaign: Option<Arc<Campaign>>,
    participants: Roster<Participant>,
    actors: Roster<Actor>,
    sessions: Roster<Session>,
    active: Option<SessionId>,
    gm_fear: i64,
    /// The latest that have an outcome, by seq.
    rolls: RedBlackTreeMapSync<u64, Roll>,
    /// The last roll that is no longer among them for its age.
    forgotten: u64,
    undone: RedBlackTreeSetSync<u64>,
    /// Hashes of tokens.
    tokens: RedBlackTreeMapSync<ParticipantId, Arc<str>>,
    guarded: bool,
    seq: u64,
    last_hash: Arc<str>,
}

impl Default for Table {
    fn default() -> Self {
        Self {
            campaign: None,
            participants: Roster::default(),
            actors: Roster::default(),
            sessions: Roster::default(),
            active: None,
            gm_fear: 0,
            rolls: RedBlackTreeMapSync::new_sync(),
            forgotten: 0,
            undone: RedBlackTreeSetSync::new_sync(),
            tokens: RedBlackTreeMapSync::new_sync(),
            guarded: false,
            seq: 0,
            last_hash: "".into(),
        }
    }
}

/// A roll whose outcome can be applied, or was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Roll {
    /// Who rolled, if it was somebody of the story.
    pub actor_id: Option<ActorId>,
    pub outcome: Outcome,
    pub session_id: Option<SessionId>,
    /// The entry that applied its outcome.
    pub applied_by: Option<u64>,
}

impl Table {
    /// Whether there is a campaign.
    pub fn exists(&self) -> bool {
        self.campaign.is_some()
    }

    pub fn campaign(&self) -> Option<&Campaign> {
        self.campaign.as_deref()
    }

    /// In the order in which they joined.
    pub fn participants(&self) -> impl DoubleEndedIterator<Item = &Participant> {
        self.participants.iter()
    }

    pub fn participant(&self, id: &ParticipantId) -> Option<&Participant> {
        self.participants.get(id)
    }

    /// In the order of their creation.
    pub fn actors(&self) -> impl DoubleEndedIterator<Item = &Actor> {
        self.actors.iter()
    }

    pub fn actor(&self, id: &ActorId) -> Option<&Actor> {
        self.actors.get(id)
    }

    /// In the order in which they started.
    pub fn sessions(&self) -> impl DoubleEndedIterator<Item = &Session> {
        self.sessions.iter()
    }

    pub fn session(&self, id: &SessionId) -> Option<&Session> {
        self.sessions.get(id)
    }

    /// The session that is being played; there is at most one.
    pub fn active_session(&self) -> Option<&Session> {
        self.sessions.get(self.active.as_ref()?)
    }

    pub fn gm_fear(&self) -> i64 {
        self.gm_fear
    }

    /// A roll that has an outcome, if it is one of the latest [`limits::ROLLS`](crate::limits::ROLLS).
    pub fn roll(&self, seq: u64) -> Option<&Roll> {
        self.rolls.get(&seq)
    }

    /// Whether what entry `seq` did was taken back.
    pub fn is_undone(&self, seq: u64) -> bool {
        self.undone.contains(&seq)
    }

    pub fn has_token(&self, id: &ParticipantId) -> bool {
        self.tokens.contains_key(id)
    }

    /// Whether this is the token of that participant.
    pub fn is_token_of(&self, id: &ParticipantId, token: &str) -> bool {
        self.tokens.get(id).is_some_and(|kept| token::matches(kept, token))
    }

    /// Whether only those with a token may change things: so it is once a GM has one.
    pub fn guarded(&self) -> bool {
        self.guarded
    }

    /// The number of entries, and so of the last one.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// The hash of the last entry; empty when there is none.
    pub fn last_hash(&self) -> &str {
        &self.last_hash
    }

    /// Where the next entry is chained to.
    pub(crate) fn tail(&self) -> (u64, Arc<str>) {
        (self.seq, self.last_hash.clone())
    }

    /// Whether a roll was so long ago that nobody knows any more what became of it.
    pub(crate) fn has_forgotten(&self, roll: u64) -> bool {
        roll <= self.forgotten
    }

    /// The session that a fact belongs to: its own, or the one that is being played.
    pub(crate) fn session_of(&self, fact: &Fact) -> Option<SessionId> {
        let own = match fact {
            Fact::SessionStarted(started) => Some(&started.session_id),
            Fact::SessionEnded(ended) => Some(&ended.session_id),
            Fact::NoteAdded(note) => note.session_id.as_ref(),
            Fact::OutcomeApplied(applied) => {
                self.roll(applied.roll_seq).and_then(|roll| roll.session_id.as_ref())
            }
            Fact::EventUndone(undone) => undone.session_id.as_ref(),
            _ => None,
        };
        own.or(self.active.as_ref()).cloned()
    }
}

impl Named for Participant {
    type Id = ParticipantId;

    fn id(&self) -> &ParticipantId {
        &self.id
    }
}

impl Named for Actor {
    type Id = ActorId;

    fn id(&self) -> &ActorId {
        &self.id
    }
}

impl Named for Session {
    type Id = SessionId;

    fn id(&self) -> &SessionId {
        &self.id
    }
}
