//! How taking back an entry changes the table.

use super::Table;
use crate::{Fact, Moment, Status};

impl Table {
    /// Takes back what `fact`, which was entry `seq`, did. Total, as [`Table::apply`] is.
    pub(super) fn revert(&mut self, fact: &Fact, seq: u64, at: Moment) {
        match fact {
            Fact::ParticipantJoined(joined) => {
                self.participants.remove(&joined.participant_id);
                self.recount(at);
            }
            Fact::ActorCreated(created) => {
                self.actors.remove(&created.actor_id);
                self.recount(at);
            }
            Fact::ControlSet(set) => {
                self.change(&set.actor_id, at, |actor| actor.controller.clone_from(&set.before));
            }
            Fact::SheetSet(set) => self.change(&set.actor_id, at, |actor| {
                actor.sheet = set.before.clone();
                actor.vitals = set.vitals.map_or(actor.vitals, |vitals| vitals.before);
                actor.vitals = actor.vitals.clamped(&actor.sheet);
            }),
            Fact::StateSet(set) => self.change(&set.actor_id, at, |actor| {
                actor.vitals = set.before.clamped(&actor.sheet);
            }),
            Fact::FearSet(set) => self.gm_fear = set.before,
            Fact::SessionStarted(started) => {
                self.active.take_if(|id| *id == started.session_id);
                self.sessions.remove(&started.session_id);
            }
            Fact::SessionEnded(ended) => {
                if let Some(session) = self.sessions.get_mut(&ended.session_id) {
                    session.status = Status::Active;
                    session.ended_at = None;
                    session.updated_at = session.updated_at.max(at);
                    self.active = Some(ended.session_id.clone());
                }
            }
            Fact::RollResolved(_) => {
                self.rolls.remove_mut(&seq);
            }
            Fact::OutcomeApplied(applied) => {
                self.add_deltas(applied, -1, at);
                self.set_applied(applied.roll_seq, None);
            }
            // A note is struck out where it is shown; the others cannot be undone.
            Fact::NoteAdded(_)
            | Fact::CampaignCreated(_)
            | Fact::CampaignForked(_)
            | Fact::TokenIssued(_)
            | Fact::EventUndone(_) => {}
        }
    }
}
