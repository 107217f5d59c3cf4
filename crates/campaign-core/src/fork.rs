//! Fork: a new campaign whose history is a copy of another's, up to an entry.
//!
//! Ids are unique across campaigns, so everything in the copy has a new one; what people wrote stays as it is. Entries
//! keep their places, so that a roll or an undo that names one by its seq still means the same.

use std::{collections::BTreeMap, sync::Arc};

use crate::{
    ActorController, ActorId, By, CampaignId, Entry, Envelope, Fact, Moment, ParticipantId,
    Refusal, SessionId,
    fact::{CampaignForked, EventUndone, TokenIssued},
    limits,
};

/// What the new campaign is to be, and who wants it.
#[derive(Debug, Clone)]
pub struct Fork {
    pub campaign: CampaignId,
    /// As the caller gave it; the old name unless one is given.
    pub name: Option<String>,
    pub at: Moment,
    /// By the old ids.
    pub by: By,
    pub request_id: Arc<str>,
    pub invocation_id: Arc<str>,
}

/// The journal of the new campaign, from `entries`, which are the other's from its first on.
///
/// Tokens are not copied: whoever holds one holds it for the other campaign.
pub fn fork(
    entries: &[Entry],
    fork: Fork,
    next_id: &mut dyn FnMut(&str) -> String,
) -> Result<Vec<Entry>, Refusal> {
    let name = match &fork.name {
        Some(name) => Some(limits::name(name, "name", "campaign name is required")?),
        None => None,
    };
    let (Some(first), Some(last)) = (entries.first(), entries.last()) else {
        return Err(Refusal::not_found("campaign not found").field("campaign_id"));
    };
    let mut copy = Copy { names: BTreeMap::new(), next_id, tail: (0, "".into()) };
    let mut journal = Vec::with_capacity(entries.len() + 1);
    for entry in entries {
        let mut fact = copy.fact(entry.fact());
        if let (Fact::CampaignCreated(created), Some(name)) = (&mut fact, name) {
            name.clone_into(&mut created.name);
        }
        let envelope = Envelope {
            campaign: fork.campaign.clone(),
            at: entry.at,
            request_id: entry.request_id.clone(),
            invocation_id: entry.invocation_id.clone(),
            by: copy.by(&entry.by),
        };
        let session = entry.session_id.as_ref().map(|id| copy.session(id));
        journal.push(copy.chain(envelope, session, fact));
    }
    let envelope = Envelope {
        by: copy.by(&fork.by),
        campaign: fork.campaign,
        at: fork.at,
        request_id: fork.request_id,
        invocation_id: fork.invocation_id,
    };
    let forked = CampaignForked { from: first.entity.id.as_ref().into(), seq: last.seq };
    journal.push(copy.chain(envelope, None, forked.into()));
    Ok(journal)
}

struct Copy<'a> {
    /// Old ids to new ones.
    names: BTreeMap<Arc<str>, Arc<str>>,
    next_id: &'a mut dyn FnMut(&str) -> String,
    tail: (u64, Arc<str>),
}

impl Copy<'_> {
    fn chain(&mut self, envelope: Envelope, session: Option<SessionId>, fact: Fact) -> Entry {
        let entry = Entry::chained(self.tail.clone(), envelope, session, fact);
        self.tail = (entry.seq, entry.hash.clone());
        entry
    }

    fn renamed(&mut self, old: &str, prefix: &str) -> &str {
        let next_id = &mut self.next_id;
        self.names.entry(old.into()).or_insert_with(|| next_id(prefix).into())
    }

    fn participant(&mut self, id: &ParticipantId) -> ParticipantId {
        self.renamed(id.as_str(), ParticipantId::PREFIX).into()
    }

    fn actor(&mut self, id: &ActorId) -> ActorId {
        self.renamed(id.as_str(), ActorId::PREFIX).into()
    }

    fn session(&mut self, id: &SessionId) -> SessionId {
        self.renamed(id.as_str(), SessionId::PREFIX).into()
    }

    fn controller(&mut self, controller: &ActorController) -> ActorController {
        match controller {
            ActorController::Gm => ActorController::Gm,
            ActorController::Participant(id) => ActorController::Participant(self.participant(id)),
        }
    }

    /// Somebody who joined after the entry at which the copy ends is nobody there.
    fn by(&self, by: &By) -> By {
        match self.names.get(&by.id) {
            Some(id) => By { kind: by.kind, id: id.clone() },
            None => By::system(),
        }
    }

    fn fact(&mut self, fact: &Fact) -> Fact {
        let mut fact = fact.clone();
        match &mut fact {
            Fact::CampaignCreated(_) | Fact::CampaignForked(_) | Fact::FearSet(_) => {}
            Fact::ParticipantJoined(joined) => {
                joined.participant_id = self.participant(&joined.participant_id);
            }
            Fact::TokenIssued(TokenIssued { participant_id, token_hash }) => {
                *participant_id = self.participant(participant_id);
                token_hash.clear();
            }
            Fact::ActorCreated(created) => created.actor_id = self.actor(&created.actor_id),
            Fact::ControlSet(set) => {
                set.actor_id = self.actor(&set.actor_id);
                set.controller = self.controller(&set.controller);
                set.before = set.before.as_ref().map(|before| self.controller(before));
            }
            Fact::SheetSet(set) => set.actor_id = self.actor(&set.actor_id),
            Fact::StateSet(set) => set.actor_id = self.actor(&set.actor_id),
            Fact::SessionStarted(started) => started.session_id = self.session(&started.session_id),
            Fact::SessionEnded(ended) => ended.session_id = self.session(&ended.session_id),
            Fact::NoteAdded(note) => {
                note.session_id = note.session_id.as_ref().map(|id| self.session(id));
            }
            Fact::RollResolved(roll) => {
                roll.actor_id = roll.actor_id.as_ref().map(|id| self.actor(id));
            }
            Fact::OutcomeApplied(applied) => {
                for change in &mut applied.changes {
                    change.actor_id = self.actor(&change.actor_id);
                }
            }
            Fact::EventUndone(EventUndone { session_id, fact, .. }) => {
                *session_id = session_id.as_ref().map(|id| self.session(id));
                **fact = self.fact(fact);
            }
        }
        fact
    }
}
