//! What looks like a mistake in programs, told to whoever brought them.
//!
//! A view definition is audited when it is uploaded (`viewdefs`). Programs are files: they are audited when a server starts, when they
//! are edited, and when an agent runs code. What is found is a remark beside the answer and changes nothing.

use std::fs;

use ui_view::{Finding, LuaContext, audit_lua};

use crate::{project::Project, viewdefs::Shelf, watch};

/// Remarks that an agent is given at once; who has more has read enough.
const MOST: usize = 20;
/// A program larger than this was not written by hand.
const LARGEST: u64 = 1 << 20;

/// What looks wrong in the programs of a project, by file and place.
pub(crate) fn of_programs(project: &Project, shelf: &Shelf) -> Vec<String> {
    let mut notes = Vec::new();
    for (name, path) in watch::programs(project) {
        if fs::metadata(&path).is_ok_and(|about| about.len() <= LARGEST)
            && let Ok(text) = fs::read(&path)
        {
            let text = String::from_utf8_lossy(&text);
            notes.extend(of_program(&text, shelf).iter().map(|found| format!("{name}:{found}")));
        }
    }
    bounded(notes)
}

/// What looks wrong in the text of a program.
pub(crate) fn of_program(text: &str, shelf: &Shelf) -> Vec<Finding> {
    let viewed = shelf.types();
    audit_lua(text, &LuaContext { syntax: None, viewed: Some(&viewed) })
}

/// What looks wrong in code that an agent runs. It is in no file, so nothing of it is ever run again.
pub(crate) fn of_code(code: &str, shelf: &Shelf) -> Vec<String> {
    let once = |found: &Finding| found.code != "reload-guard";
    let found = of_program(code, shelf);
    bounded(
        found.iter().filter(|found| once(found)).map(|found| format!("ui_run:{found}")).collect(),
    )
}

fn bounded(mut notes: Vec<String>) -> Vec<String> {
    if notes.len() > MOST {
        let more = notes.len() - MOST;
        notes.truncate(MOST);
        notes.push(format!("and {more} more; the log has those of files that are edited"));
    }
    notes
}
