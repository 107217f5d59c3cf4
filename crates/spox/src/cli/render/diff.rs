//! `change diff`: what archiving would do to the specs.

use std::fmt::Write as _;

use spox_core::{CapabilityDiff, DiffLine, DiffState, LineKind, RequirementDiff};

use super::{
    change::color,
    layout::{Color, clean},
};
use crate::ChangeDiff;

pub(in crate::cli) fn diff(diff: &ChangeDiff) -> String {
    let parts: Vec<_> = diff.capabilities.iter().map(one).collect();
    let mut text = parts.join("\n");
    if diff.capabilities.is_empty() {
        let _ = writeln!(text, "Change '{}' does nothing to the specs", clean(&diff.change_id));
    }
    if let Some(refusal) = &diff.refusal {
        let _ =
            writeln!(text, "\n{} {}", Color::Red.paint("It could not be archived:"), refusal.error);
        if let Some(hint) = &refusal.hint {
            let _ = writeln!(text, "  {hint}");
        }
    }
    text
}

fn one(capability: &CapabilityDiff) -> String {
    let mut text = Color::Header.paint(&format!("{}/", capability.capability));
    text.push_str(match (capability.is_new, capability.retires) {
        (_, true) => " (retired)\n",
        (true, _) => " (new)\n",
        _ => "\n",
    });
    for requirement in &capability.requirements {
        text.push('\n');
        text.push_str(&of_requirement(requirement));
    }
    text
}

fn of_requirement(requirement: &RequirementDiff) -> String {
    let color = color(requirement.operation);
    let name = match &requirement.from {
        Some(from) => format!("{} → {}", clean(from), clean(&requirement.name)),
        None => clean(&requirement.name).into_owned(),
    };
    let state = match requirement.state {
        DiffState::Pending => String::new(),
        DiffState::Done => Color::Dim.paint(" (there already)"),
        DiffState::Missing => Color::Red.paint(" (the spec has no such requirement)"),
    };
    let word = color.paint(requirement.operation.word());
    let mut text = format!("{word} {name}{state}\n");
    for line in &requirement.lines {
        text.push_str(&of_line(line));
    }
    text
}

fn of_line(line: &DiffLine) -> String {
    let (sign, color) = match line.kind {
        LineKind::Kept => return format!("{}\n", format!("  {}", clean(&line.text)).trim_end()),
        LineKind::Added => ('+', Color::Green),
        LineKind::Removed => ('-', Color::Red),
    };
    format!("{}\n", color.paint(format!("{sign} {}", line.text).trim_end()))
}
