//! How an entry changes the table.

use std::sync::Arc;

use super::{Roll, Table};
use crate::{
    Actor, ActorId, Campaign, Entry, Fact, Moment, Participant, Role, Session, SessionId, Sheet,
    Status, Vitals,
    fact::{
        ActorCreated, OutcomeApplied, ParticipantJoined, RollResolved, SessionEnded,
        SessionStarted, TokenIssued,
    },
    limits,
    sheet::FEAR_MAX,
};

impl Table {
    /// Folds one entry in. Total: what was decided always applies, and what could not have been decided changes nothing.
    pub fn apply(&mut self, entry: &Entry) {
        let at = entry.at;
        match entry.fact() {
            Fact::CampaignCreated(created) => {
                self.campaign = Some(Arc::new(Campaign {
                    id: entry.entity.id.as_ref().into(),
                    name: created.name.clone(),
                    gm_mode: created.gm_mode,
                    theme_prompt: created.theme_prompt.clone(),
                    participant_count: 0,
                    actor_count: 0,
                    created_at: at,
                    updated_at: at,
                }));
            }
            Fact::CampaignForked(_) => {
                // The copy is as old as the fork.
                if let Some(campaign) = self.campaign.as_mut().map(Arc::make_mut) {
                    (campaign.created_at, campaign.updated_at) = (at, at);
                }
            }
            Fact::ParticipantJoined(joined) => self.join(entry, joined),
            Fact::TokenIssued(issued) => self.issue(issued),
            Fact::ActorCreated(created) => self.create_actor(entry, created),
            Fact::ControlSet(set) => {
                self.change(&set.actor_id, at, |actor| {
                    actor.controller = Some(set.controller.clone());
                });
            }
            Fact::SheetSet(set) => self.change(&set.actor_id, at, |actor| {
                actor.sheet = set.sheet.clone();
                actor.vitals = set.vitals.map_or(actor.vitals, |vitals| vitals.after);
            }),
            Fact::StateSet(set) => {
                self.change(&set.actor_id, at, |actor| actor.vitals = set.vitals);
            }
            Fact::FearSet(set) => self.gm_fear = set.fear,
            Fact::SessionStarted(started) => self.start(entry, started),
            Fact::SessionEnded(ended) => self.end(ended, at),
            Fact::NoteAdded(_) => {}
            Fact::RollResolved(roll) => self.remember(entry, roll),
            Fact::OutcomeApplied(applied) => {
                self.add_deltas(applied, 1, at);
                self.set_applied(applied.roll_seq, Some(entry.seq));
            }
            Fact::EventUndone(undone) => {
                self.undone.insert_mut(undone.seq);
                self.revert(&undone.fact, undone.seq, at);
                self.count(&undone.fact, undone.session_id.as_ref(), false);
            }
        }
        self.count(entry.fact(), entry.session_id.as_ref(), true);
        self.seq = entry.seq;
        self.last_hash = entry.hash.clone();
    }

    /// Keeps count of the entries that are about an actor or belong to a session.
    fn count(&mut self, fact: &Fact, session: Option<&SessionId>, more: bool) {
        let step = |count: &mut u64| {
            *count = if more { *count + 1 } else { count.saturating_sub(1) };
        };
        for id in fact.mentions() {
            if let Some(actor) = self.actors.get_mut(id) {
                step(&mut actor.mentions);
            }
        }
        if matches!(fact, Fact::SessionStarted(_) | Fact::EventUndone(_)) {
            return;
        }
        if let Some(session) = session.and_then(|id| self.sessions.get_mut(id)) {
            step(&mut session.entries);
        }
    }

    fn join(&mut self, entry: &Entry, joined: &ParticipantJoined) {
        let participant = Participant {
            id: joined.participant_id.clone(),
            display_name: joined.display_name.clone(),
            role: joined.role,
            controller: joined.controller,
            created_at: entry.at,
            updated_at: entry.at,
        };
        self.participants.insert(entry.seq, participant);
        self.recount(entry.at);
    }

    fn issue(&mut self, issued: &TokenIssued) {
        let Some(participant) = self.participants.get(&issued.participant_id) else { return };
        if issued.token_hash.is_empty() {
            return;
        }
        self.guarded |= participant.role == Role::Gm;
        self.tokens.insert_mut(issued.participant_id.clone(), issued.token_hash.as_str().into());
    }

    fn create_actor(&mut self, entry: &Entry, created: &ActorCreated) {
        let sheet = Sheet::starting(created.kind);
        let actor = Actor {
            id: created.actor_id.clone(),
            name: created.name.clone(),
            kind: created.kind,
            notes: created.notes.clone(),
            controller: None,
            vitals: Vitals::starting(&sheet),
            sheet,
            created_at: entry.at,
            updated_at: entry.at,
            mentions: 0,
        };
        self.actors.insert(entry.seq, actor);
        self.recount(entry.at);
    }

    fn start(&mut self, entry: &Entry, started: &SessionStarted) {
        let session = Session {
            id: started.session_id.clone(),
            name: started.name.clone(),
            status: Status::Active,
            started_at: entry.at,
            updated_at: entry.at,
            ended_at: None,
            entries: 0,
        };
        self.active = Some(session.id.clone());
        self.sessions.insert(entry.seq, session);
    }

    fn end(&mut self, ended: &SessionEnded, at: Moment) {
        self.active.take_if(|id| *id == ended.session_id);
        if let Some(session) = self.sessions.get_mut(&ended.session_id) {
            session.status = Status::Ended;
            session.updated_at = session.updated_at.max(at);
            // A clock that went back must not end a session before it began.
            session.ended_at = Some(session.started_at.max(at));
        }
    }

    fn remember(&mut self, entry: &Entry, roll: &RollResolved) {
        let Some(outcome) = roll.outcome else { return };
        let (actor_id, session_id) = (roll.actor_id.clone(), entry.session_id.clone());
        let roll = Roll { actor_id, outcome, session_id, applied_by: None };
        self.rolls.insert_mut(entry.seq, roll);
        if self.rolls.size() > limits::ROLLS
            && let Some(oldest) = self.rolls.first().map(|(seq, _)| *seq)
        {
            self.rolls.remove_mut(&oldest);
            self.forgotten = oldest;
        }
    }

    /// The lengths of the lists, which is all that the counts of a campaign ever are.
    pub(super) fn recount(&mut self, at: Moment) {
        if let Some(campaign) = self.campaign.as_mut().map(Arc::make_mut) {
            campaign.participant_count = self.participants.len();
            campaign.actor_count = self.actors.len();
            campaign.updated_at = campaign.updated_at.max(at);
        }
    }

    pub(super) fn change(&mut self, id: &ActorId, at: Moment, change: impl FnOnce(&mut Actor)) {
        if let Some(actor) = self.actors.get_mut(id) {
            change(actor);
            actor.updated_at = actor.updated_at.max(at);
        }
    }

    /// Gives what an outcome brought, or takes it back.
    pub(super) fn add_deltas(&mut self, applied: &OutcomeApplied, sign: i64, at: Moment) {
        for delta in &applied.changes {
            self.change(&delta.actor_id, at, |actor| {
                let now = actor.vitals;
                let hope = now.hope.saturating_add(sign * delta.hope);
                let stress = now.stress.saturating_add(sign * delta.stress);
                actor.vitals = Vitals { hope, stress, ..now }.clamped(&actor.sheet);
            });
        }
        self.gm_fear = self.gm_fear.saturating_add(sign * applied.gm_fear).clamp(0, FEAR_MAX);
    }

    pub(super) fn set_applied(&mut self, roll: u64, by: Option<u64>) {
        if let Some(roll) = self.rolls.get_mut(&roll) {
            roll.applied_by = by;
        }
    }
}
