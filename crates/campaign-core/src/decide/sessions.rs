//! Sessions, and what is written down in them.

use super::Ask;
use crate::{
    Fact, Refusal, Session, SessionId, Status,
    fact::{NoteAdded, SessionEnded, SessionStarted},
    ids::required,
    limits,
};

pub(super) fn start(
    ask: Ask<'_>,
    name: &str,
    next_id: &mut dyn FnMut(&str) -> String,
) -> Result<Vec<Fact>, Refusal> {
    let name = limits::short(name, "name")?;
    ask.may_lead("start sessions")?;
    if let Some(active) = ask.table.active_session() {
        let hint = format!("end session `{}` first", active.id);
        return Err(Refusal::precondition("active session exists").hint(hint));
    }
    let session_id = next_id(SessionId::PREFIX).into();
    Ok(vec![SessionStarted { session_id, name: name.to_owned() }.into()])
}

/// Ending twice changes nothing, so the first end stays.
pub(super) fn end(ask: Ask<'_>, id: Option<&str>) -> Result<Vec<Fact>, Refusal> {
    let id = given(id)?;
    ask.may_lead("end sessions")?;
    let session = match id {
        Some(id) => session(ask, id)?,
        None => active(ask)?,
    };
    if session.status == Status::Ended {
        return Ok(Vec::new());
    }
    Ok(vec![SessionEnded { session_id: session.id.clone() }.into()])
}

pub(super) fn add_note(ask: Ask<'_>, text: &str, id: Option<&str>) -> Result<Vec<Fact>, Refusal> {
    let text = required(text, "text", "note text is required")?;
    let text = limits::long(text, "text")?.to_owned();
    let id = given(id)?;
    ask.may_take_part("add notes")?;
    let session = match id {
        Some(id) => Some(session(ask, id)?),
        None => ask.table.active_session(),
    };
    let session_id = session.map(|session| session.id.clone());
    Ok(vec![NoteAdded { text, session_id }.into()])
}

/// An id that may be left out, but not be empty.
pub(super) fn given(id: Option<&str>) -> Result<Option<&str>, Refusal> {
    id.map(|id| required(id, "session_id", "session id is required")).transpose()
}

pub(super) fn session<'a>(ask: Ask<'a>, id: &str) -> Result<&'a Session, Refusal> {
    let session = ask.table.session(&id.into());
    session.ok_or_else(|| Refusal::not_found("session not found").field("session_id"))
}

pub(super) fn active(ask: Ask<'_>) -> Result<&Session, Refusal> {
    ask.table
        .active_session()
        .ok_or_else(|| Refusal::precondition("no active session").hint("start a session first"))
}
