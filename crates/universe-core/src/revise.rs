//! Undo and redo: taking back, or bringing back, what one change did, on top of whatever came since.

use serde_json::Value;

use crate::{Event, Invalid, Refusal, State, Way, error::Problem, shape};

/// Takes back what the change at revision `of` did. `before` and `after` are the states at `of - 1` and `of`.
pub fn undo(now: &State, before: &State, after: &State, of: u64) -> Result<Vec<Event>, Refusal> {
    revise(Way::Undo, now, after, before, of)
}

/// Brings back what the change at revision `of` did and an undo took back.
pub fn redo(now: &State, before: &State, after: &State, of: u64) -> Result<Vec<Event>, Refusal> {
    revise(Way::Redo, now, before, after, of)
}

fn revise(
    way: Way,
    _now: &State,
    _from: &State,
    _to: &State,
    of: u64,
) -> Result<Vec<Event>, Refusal> {
    Err(Refusal::NotRevisable { way, revision: of })
}

/// The `revision` that an undo or a redo names, if it names one.
pub(crate) fn revision_of(command: &Value) -> Result<Option<u64>, Invalid> {
    match command.get("revision") {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_u64() {
            Some(revision) => Ok(Some(revision)),
            None => {
                let problem: Problem =
                    shape::mismatch("revision".into(), "the number of a change", value);
                Err(Invalid { problems: vec![problem] })
            }
        },
    }
}
