//! `change apply|archive|rebase`: what was done.

use std::fmt::Write as _;

use spox_core::{AppliedSpec, Fate, RebaseStep, Step};

use super::{
    change::{color, sign},
    layout::{Color, clean},
};
use crate::{Applied, Rebased};

/// A change whose deltas are in the specs; `archived_to` is where it lies now.
pub(in crate::cli) fn applied(done: &Applied, archived_to: Option<&str>) -> String {
    let id = clean(&done.change_id);
    let mut text = match (done.dry_run, archived_to) {
        (true, Some(_)) => format!("Would archive change '{id}':\n"),
        (true, None) => format!("Would apply change '{id}':\n"),
        (false, Some(_)) => format!("Archived change '{id}':\n"),
        (false, None) => format!("Applied change '{id}':\n"),
    };
    for spec in &done.specs {
        text.push_str(&one(spec));
    }
    if let Some(folder) = archived_to {
        let _ = writeln!(text, "\n  {} {}", Color::Dim.paint("->"), clean(folder));
    }
    text
}

fn one(spec: &AppliedSpec) -> String {
    let fate = match spec.fate {
        Fate::Created => Color::Green.paint("created"),
        Fate::Updated => Color::Yellow.paint("updated"),
        Fate::Unchanged => Color::Dim.paint("unchanged"),
        Fate::Retired => Color::Red.paint("retired"),
    };
    let mut text = format!("\n  {}/ ({fate})\n", clean(&spec.capability));
    for step in &spec.steps {
        text.push_str(&line(step));
    }
    for warning in &spec.warnings {
        let _ = writeln!(text, "    {} {}", Color::Yellow.paint("!"), clean(warning));
    }
    text
}

fn line(step: &Step) -> String {
    let color = color(step.operation);
    let name = match &step.from {
        Some(from) => format!("{} → {}", clean(from), clean(&step.requirement)),
        None => clean(&step.requirement).into_owned(),
    };
    let already =
        if step.already_done { Color::Dim.paint(" (there already)") } else { String::new() };
    let (sign, word) = (color.paint(sign(step.operation)), color.paint(step.operation.word()));
    format!("    {sign} {word}: {name}{already}\n")
}

pub(in crate::cli) fn rebased(done: &Rebased) -> String {
    let id = clean(&done.change_id);
    if done.files.is_empty() && done.steps.is_empty() {
        return format!("Change '{id}' is up to date\n");
    }
    let mut text = format!("Rebased change '{id}':\n");
    for step in &done.steps {
        text.push_str(&merged(step));
    }
    if !done.files.is_empty() {
        text.push('\n');
    }
    for file in &done.files {
        let _ = writeln!(text, "  {}  {}", Color::Yellow.paint("updated"), clean(file));
    }
    text
}

fn merged(step: &RebaseStep) -> String {
    let mut text = format!("\n  {} / {}\n", clean(&step.capability), clean(&step.requirement));
    for part in &step.from_main {
        let _ = writeln!(text, "    from the spec: {part}");
    }
    for part in &step.resolved {
        let _ = writeln!(text, "    both changed: {part}");
    }
    if step.unknown_base {
        text.push_str("    nothing to merge with: what it was written against is not known\n");
    }
    text
}
