//! A change: its proposal, its tasks, and the deltas that `delta` reads.

use super::{
    delta::parse_delta,
    heading::{heading, level, strip_prefix_any_case},
};
use crate::{
    lines::{Line, after_bullet, lines},
    model::{ChangeFiles, ParsedChange, Proposal, Source, Task, TaskGroup, Tasks},
};

/// Reads a change. A file that is missing or cannot be read is as good as empty; [`crate::validate`] tells the difference.
pub fn parse_change(files: &ChangeFiles) -> ParsedChange {
    let proposal = text_of(files.proposal.as_ref()).map(parse_proposal);
    let title = proposal
        .as_ref()
        .and_then(|proposal| proposal.title.as_deref())
        .map(|title| strip_prefix_any_case(title, "change:").unwrap_or(title).trim().to_owned())
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| files.id.replace('-', " "));
    let deltas = files
        .deltas
        .iter()
        .filter_map(|(capability, source)| Some(parse_delta(capability, source.text()?)))
        .filter(|delta| !delta.items.is_empty())
        .map(|delta| (delta.capability.clone(), delta))
        .collect();
    ParsedChange {
        id: files.id.clone(),
        title,
        proposal,
        tasks: text_of(files.tasks.as_ref()).map(parse_tasks).unwrap_or_default(),
        design: text_of(files.design.as_ref()).map(str::to_owned),
        verification: text_of(files.verification.as_ref()).map(str::to_owned),
        deltas,
    }
}

/// Reads `proposal.md`.
pub fn parse_proposal(text: &str) -> Proposal {
    let mut proposal = Proposal::default();
    let mut part = Part::Other;
    for line in lines(text) {
        let heading = if line.fenced { None } else { heading(&line.text) };
        match heading {
            Some((1, title)) if proposal.title.is_none() && !title.is_empty() => {
                proposal.title = Some(title.to_owned());
            }
            Some((2, name)) => {
                close(&mut proposal, part);
                part = open(&mut proposal, name, line.number);
            }
            _ => {
                proposal.breaking |= !line.fenced
                    && after_bullet(&line.text).is_some_and(|text| text.contains("**BREAKING**"));
                if let Some(section) = part.text(&mut proposal) {
                    add_raw(section, line.raw);
                }
            }
        }
    }
    close(&mut proposal, part);
    proposal
}

/// Reads `tasks.md`.
pub fn parse_tasks(text: &str) -> Tasks {
    let mut tasks = Tasks { content: without_bom(text).to_owned(), ..Tasks::default() };
    let mut group = None;
    for line in lines(text).filter(|line| !line.fenced) {
        if level(&line.text).is_some_and(|level| level <= 2) {
            let found = heading(&line.text).and_then(|(level, name)| group_of(level, name, &line));
            group = found.as_ref().map(|group| format!("{}. {}", group.number, group.name));
            tasks.groups.extend(found);
        } else if let Some((done, text)) = checkbox(&line.text) {
            let (number, text) = task_number(text);
            tasks.completed += usize::from(done);
            tasks.total += 1;
            tasks.items.push(Task {
                number: number.map(str::to_owned),
                text: text.to_owned(),
                done,
                line: line.number,
                group: group.clone(),
                column: line.column(),
            });
        }
    }
    tasks
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Why,
    WhatChanges,
    Impact,
    Other,
}

impl Part {
    fn text(self, proposal: &mut Proposal) -> Option<&mut String> {
        match self {
            Self::Why => Some(&mut proposal.why),
            Self::WhatChanges => Some(&mut proposal.what_changes),
            Self::Impact => proposal.impact.as_mut(),
            Self::Other => None,
        }
    }
}

/// The section that begins with this heading; the first of each name counts.
fn open(proposal: &mut Proposal, name: &str, line: u32) -> Part {
    if name.eq_ignore_ascii_case("why") && proposal.why_line.is_none() {
        proposal.why_line = Some(line);
        Part::Why
    } else if name.eq_ignore_ascii_case("what changes") && proposal.what_changes_line.is_none() {
        proposal.what_changes_line = Some(line);
        Part::WhatChanges
    } else if name.eq_ignore_ascii_case("impact") && proposal.impact.is_none() {
        proposal.impact = Some(String::new());
        Part::Impact
    } else {
        Part::Other
    }
}

fn close(proposal: &mut Proposal, part: Part) {
    if let Some(text) = part.text(proposal) {
        text.truncate(text.trim_end().len());
    }
}

/// Line breaks inside stay, blank lines before the text do not.
fn add_raw(section: &mut String, raw: &str) {
    if section.is_empty() && raw.trim().is_empty() {
        return;
    }
    section.push_str(raw);
    section.push('\n');
}

/// `## N. <name>`
fn group_of(level: usize, heading: &str, line: &Line<'_>) -> Option<TaskGroup> {
    let (number, name) = heading.split_once('.')?;
    let is_group = level == 2
        && !number.is_empty()
        && number.bytes().all(|byte| byte.is_ascii_digit())
        && (name.is_empty() || name.starts_with(char::is_whitespace));
    is_group.then(|| TaskGroup {
        number: number.to_owned(),
        name: name.trim().to_owned(),
        line: line.number,
    })
}

/// Whether the task is done, and its text.
fn checkbox(text: &str) -> Option<(bool, &str)> {
    let rest = text.strip_prefix(['-', '*'])?.strip_prefix(" [")?;
    let done = match rest.as_bytes().first()? {
        b' ' => false,
        b'x' | b'X' => true,
        _ => return None,
    };
    Some((done, rest[1..].strip_prefix("] ")?.trim()))
}

/// `N.N(.N)*` before a blank or the end, and what follows it.
fn task_number(text: &str) -> (Option<&str>, &str) {
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let number = &text[..end];
    let mut parts = number.split('.');
    let is_number = number.contains('.')
        && parts.all(|part| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit()));
    if is_number { (Some(number), text[end..].trim_start()) } else { (None, text) }
}

fn text_of(source: Option<&Source>) -> Option<&str> {
    source.and_then(Source::text).map(without_bom)
}

fn without_bom(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
