//! Undo and redo: taking back, or bringing back, what one change did, on top of whatever came since.
//!
//! The difference between the states before and after the change is found (`diff.rs`), looked for in the present state
//! (`check.rs`), and becomes one [`Event::Revised`]. Whatever the change did not touch stays as it is now.

mod check;
mod diff;
mod order;

use serde_json::Value;

use crate::{Event, Invalid, Refusal, State, Way, shape};

/// Takes back what the change at revision `of` did. `before` and `after` are the states at `of - 1` and `of`.
pub fn undo(now: &State, before: &State, after: &State, of: u64) -> Result<Vec<Event>, Refusal> {
    revise(Way::Undo, now, after, before, of)
}

/// Brings back what the change at revision `of` did and an undo took back.
pub fn redo(now: &State, before: &State, after: &State, of: u64) -> Result<Vec<Event>, Refusal> {
    revise(Way::Redo, now, before, after, of)
}

/// Does to `now` what leads from `from` to `to`, if all that it touches is still as it is in `from`.
fn revise(way: Way, now: &State, from: &State, to: &State, of: u64) -> Result<Vec<Event>, Refusal> {
    let patch = diff::diff(now, from, to);
    match check::check(now, from, to, &patch) {
        Ok(()) => Ok(vec![Event::Revised(Box::new(patch))]),
        Err(check::Changed(id)) => Err(Refusal::ChangedSince { way, revision: of, id }),
    }
}

/// The `revision` that an undo or a redo names, if it names one.
pub(crate) fn revision_of(command: &Value) -> Result<Option<u64>, Invalid> {
    let Some(value) = command.get("revision").filter(|value| !value.is_null()) else {
        return Ok(None);
    };
    match value.as_u64() {
        Some(revision) => Ok(Some(revision)),
        None => Err(Invalid {
            problems: vec![shape::mismatch("revision".into(), "the number of a change", value)],
        }),
    }
}
