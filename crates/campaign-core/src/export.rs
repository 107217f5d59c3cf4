//! A session as Markdown, for people.

use crate::{Entry, Session, Table};

/// Writes down a session: who was there, what was rolled, what came of it. `entries` are those of the session, in order.
pub fn markdown<'a>(
    table: &Table,
    session: &Session,
    entries: impl IntoIterator<Item = &'a Entry>,
) -> String {
    let _ = (table, session, entries.into_iter());
    todo!()
}
