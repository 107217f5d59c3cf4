//! Entries of a journal: a fact with who, when and where, sealed into a chain.
//!
//! The payload of an entry is JSON text, made once when the entry is sealed. That text is what is hashed, stored and read
//! back, byte for byte: SQLite keeps text, and PostgreSQL's `json` (unlike `jsonb`) does too. So nothing that a later
//! version of this program might print differently can break a chain.

use std::{borrow::Cow, sync::Arc};

use serde::{Deserialize, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{CampaignId, Fact, Moment, SessionId, Table, chain, fact::Unreadable, words::words};

words! {
    /// In what capacity somebody acts.
    ByKind {
        Participant = "PARTICIPANT",
        Gm = "GM",
        /// Nobody in particular: the table itself.
        System = "SYSTEM",
    }
}

/// Who did it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct By {
    pub kind: ByKind,
    /// Of the participant; empty for the table itself.
    pub id: Arc<str>,
}

impl By {
    pub fn system() -> Self {
        Self { kind: ByKind::System, id: "".into() }
    }
}

words! {
    EntityKind {
        Campaign = "CAMPAIGN",
        Participant = "PARTICIPANT",
        Actor = "ACTOR",
        Session = "SESSION",
        /// By the seq of its entry.
        Roll = "ROLL",
        /// By the seq of its entry.
        Note = "NOTE",
    }
}

/// What an entry is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entity {
    pub kind: EntityKind,
    pub id: Arc<str>,
}

impl Entity {
    pub(crate) fn new(kind: EntityKind, id: &str) -> Self {
        Self { kind, id: id.into() }
    }
}

/// What entries of one request have in common.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    pub campaign: CampaignId,
    pub at: Moment,
    pub request_id: Arc<str>,
    pub invocation_id: Arc<str>,
    pub by: By,
}

/// One line of a campaign's journal.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Stored")]
pub struct Entry {
    /// From 1, without gaps.
    pub seq: u64,
    pub at: Moment,
    pub request_id: Arc<str>,
    pub invocation_id: Arc<str>,
    pub by: By,
    /// The session that it belongs to.
    pub session_id: Option<SessionId>,
    pub entity: Entity,
    /// The hash of the entry before; empty for the first.
    pub prev_hash: Arc<str>,
    pub hash: Arc<str>,
    // Two forms of one thing, so neither can be set alone.
    fact: Fact,
    payload: Arc<RawValue>,
}

/// An entry as it is stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    seq: u64,
    #[serde(rename = "type")]
    kind: Cow<'static, str>,
    at: Moment,
    request_id: Arc<str>,
    invocation_id: Arc<str>,
    actor: By,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    session_id: Option<SessionId>,
    entity: Entity,
    payload: Arc<RawValue>,
    prev_hash: Arc<str>,
    hash: Arc<str>,
}

impl Entry {
    /// Makes the entry that comes after `(seq, hash)`.
    pub(crate) fn chained(
        (seq, prev_hash): (u64, Arc<str>),
        envelope: Envelope,
        session_id: Option<SessionId>,
        fact: Fact,
    ) -> Self {
        let Envelope { campaign, at, request_id, invocation_id, by } = envelope;
        let seq = seq + 1;
        let entity = fact.entity(&campaign, seq);
        let payload = fact.payload();
        let hash = "".into();
        let mut entry = Self {
            seq,
            at,
            request_id,
            invocation_id,
            by,
            session_id,
            entity,
            prev_hash,
            hash,
            fact,
            payload,
        };
        entry.hash = chain::hash(&campaign, &entry).into();
        entry
    }

    /// Its type, such as `participant.joined`.
    pub fn kind(&self) -> &'static str {
        self.fact.kind()
    }

    /// What happened.
    pub fn fact(&self) -> &Fact {
        &self.fact
    }

    /// What happened, as the JSON text that is stored.
    pub fn payload(&self) -> &Arc<RawValue> {
        &self.payload
    }
}

/// Equal when they are stored as the same text.
impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.seq == other.seq
            && self.kind() == other.kind()
            && self.at == other.at
            && self.request_id == other.request_id
            && self.invocation_id == other.invocation_id
            && self.by == other.by
            && self.session_id == other.session_id
            && self.entity == other.entity
            && self.prev_hash == other.prev_hash
            && self.payload.get() == other.payload.get()
    }
}

impl Eq for Entry {}

impl TryFrom<Stored> for Entry {
    type Error = Unreadable;

    fn try_from(stored: Stored) -> Result<Self, Unreadable> {
        let fact = Fact::decode(&stored.kind, &stored.payload)?;
        Ok(Self {
            seq: stored.seq,
            at: stored.at,
            request_id: stored.request_id,
            invocation_id: stored.invocation_id,
            by: stored.actor,
            session_id: stored.session_id,
            entity: stored.entity,
            prev_hash: stored.prev_hash,
            hash: stored.hash,
            fact,
            payload: stored.payload,
        })
    }
}

impl Serialize for Entry {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let stored = Stored {
            seq: self.seq,
            kind: self.kind().into(),
            at: self.at,
            request_id: self.request_id.clone(),
            invocation_id: self.invocation_id.clone(),
            actor: self.by.clone(),
            session_id: self.session_id.clone(),
            entity: self.entity.clone(),
            payload: self.payload.clone(),
            prev_hash: self.prev_hash.clone(),
            hash: self.hash.clone(),
        };
        stored.serialize(serializer)
    }
}

/// Makes entries of what was decided on `table`, to be appended after its last.
pub fn seal(table: &Table, envelope: &Envelope, facts: Vec<Fact>) -> Vec<Entry> {
    seal_onto(&mut table.clone(), envelope, facts)
}

/// The same, with the entries applied to the table.
pub fn seal_onto(table: &mut Table, envelope: &Envelope, facts: Vec<Fact>) -> Vec<Entry> {
    let seal = |fact| {
        let session = table.session_of(&fact);
        let entry = Entry::chained(table.tail(), envelope.clone(), session, fact);
        table.apply(&entry);
        entry
    };
    facts.into_iter().map(seal).collect()
}
