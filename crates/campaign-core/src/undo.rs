//! Undo: a further entry that takes back what an earlier one did. Nothing is ever deleted.

use crate::{Entry, Fact, ParticipantId, Refusal, Table, decide::Ask, fact::EventUndone};

/// Decides to take back what `entry` did.
pub(crate) fn undo(
    ask: Ask<'_>,
    seq: Option<u64>,
    entry: Option<&Entry>,
) -> Result<Vec<Fact>, Refusal> {
    ask.may_lead("undo")?;
    let Some(entry) = entry else {
        return Err(match seq {
            Some(seq) => Refusal::not_found(format!("event {seq} not found")).field("seq"),
            None => Refusal::precondition("nothing to undo"),
        });
    };
    can_undo(ask.table, entry)?;
    let (seq, session_id) = (entry.seq, entry.session_id.clone());
    Ok(vec![EventUndone { seq, session_id, fact: Box::new(entry.fact().clone()) }.into()])
}

/// Whether what `entry` did can be taken back from the table as it is now.
///
/// To undo "the latest", walk the journal back to the first entry for which this is fine.
pub fn can_undo(table: &Table, entry: &Entry) -> Result<(), Refusal> {
    let seq = entry.seq;
    let refused = |message: String| Err(Refusal::precondition(message).field("seq"));
    if table.is_undone(seq) {
        return refused(format!("event {seq} is already undone"));
    }
    let why_not = match entry.fact() {
        Fact::CampaignCreated(_)
        | Fact::CampaignForked(_)
        | Fact::TokenIssued(_)
        | Fact::EventUndone(_) => return refused(format!("event {seq} cannot be undone")),
        Fact::NoteAdded(_) | Fact::OutcomeApplied(_) => None,
        fact => obstacle(table, fact, seq),
    };
    match why_not {
        Some(why) => refused(format!("event {seq} cannot be undone: {why}")),
        None => Ok(()),
    }
}

/// What stands in the way: something was built on the entry, or has changed since.
fn obstacle(table: &Table, fact: &Fact, seq: u64) -> Option<String> {
    match fact {
        Fact::ParticipantJoined(joined) => participant_needed(table, &joined.participant_id),
        Fact::ActorCreated(created) => {
            let actor = table.actor(&created.actor_id)?;
            let named = actor.mentions > 0;
            named.then(|| format!("later events are about actor `{}`", actor.id))
        }
        Fact::ControlSet(set) => {
            let actor = table.actor(&set.actor_id)?;
            let before = set.before.as_ref().and_then(|before| before.participant());
            if actor.controller.as_ref() != Some(&set.controller) {
                return Some(changed_since(&format!("who plays actor `{}`", actor.id)));
            }
            let gone = before.filter(|id| table.participant(id).is_none())?;
            Some(format!("participant `{gone}` is gone"))
        }
        Fact::SheetSet(set) => {
            let actor = table.actor(&set.actor_id)?;
            let same_vitals = set.vitals.is_none_or(|vitals| vitals.after == actor.vitals);
            let same = actor.sheet == set.sheet && same_vitals;
            (!same).then(|| changed_since(&format!("actor `{}`", actor.id)))
        }
        Fact::StateSet(set) => {
            let actor = table.actor(&set.actor_id)?;
            let same = actor.vitals == set.vitals;
            (!same).then(|| changed_since(&format!("actor `{}`", actor.id)))
        }
        Fact::FearSet(set) => (table.gm_fear() != set.fear).then(|| changed_since("the GM's Fear")),
        Fact::SessionStarted(started) => {
            let session = table.session(&started.session_id)?;
            let used = session.entries > 0;
            used.then(|| format!("something was entered in session `{}`", session.id))
        }
        Fact::SessionEnded(_) => {
            let active = table.active_session()?;
            Some(format!("session `{}` is active", active.id))
        }
        Fact::RollResolved(roll) => {
            roll.outcome?;
            if table.has_forgotten(seq) {
                return Some("it is too long ago".into());
            }
            let by = table.roll(seq)?.applied_by?;
            Some(format!("its outcome is applied, undo event {by} first"))
        }
        Fact::CampaignCreated(_)
        | Fact::CampaignForked(_)
        | Fact::TokenIssued(_)
        | Fact::NoteAdded(_)
        | Fact::OutcomeApplied(_)
        | Fact::EventUndone(_) => None,
    }
}

fn participant_needed(table: &Table, id: &ParticipantId) -> Option<String> {
    let controls = |controller: &crate::ActorController| controller.participant() == Some(id);
    let played = table.actors().find(|actor| actor.controller.as_ref().is_some_and(controls));
    match played {
        Some(actor) => Some(format!("participant `{id}` controls actor `{}`", actor.id)),
        None if table.has_token(id) => Some(format!("participant `{id}` has a token")),
        None => None,
    }
}

fn changed_since(what: &str) -> String {
    format!("{what} was changed since")
}
