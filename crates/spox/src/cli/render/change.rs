//! `change show`: a change in a box, or its deltas alone.

use std::fmt::Write as _;

use spox_core::{Delta, DeltaItem, Operation, ParsedChange};

use super::{
    Canvas,
    layout::{Align, Color, bar, boxed, clean, percent, wrap},
};

pub(in crate::cli) fn change(change: &ParsedChange, canvas: Canvas) -> String {
    let mut text = boxed("Change: ", &change.id, 61, Align::Left, canvas);
    text.push_str("\n\n");
    if let Some(proposal) = &change.proposal {
        section(&mut text, "Why:", &proposal.why, canvas);
        section(&mut text, "What Changes:", &proposal.what_changes, canvas);
    }
    let (done, total) = (change.tasks.completed, change.tasks.total);
    if total > 0 {
        let (bar, percent) = (bar(done, total), percent(done, total));
        let _ = writeln!(text, "Tasks: {bar} {done}/{total} ({percent}%)\n");
    }
    if !change.deltas.is_empty() {
        let _ = writeln!(text, "{}\n", Color::Yellow.paint("Deltas:"));
    }
    for delta in change.deltas.values() {
        let _ = writeln!(text, "  {}/", clean(&delta.capability));
        for item in &delta.items {
            let color = color(item.operation);
            let (sign, word) = (sign(item.operation), item.operation.word());
            let _ =
                writeln!(text, "    {} {}: {}", color.paint(sign), color.paint(word), title(item));
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// The deltas alone, with the text of each requirement.
pub(in crate::cli) fn deltas(change: &ParsedChange, canvas: Canvas) -> String {
    let mut text = format!("Deltas for: {}\n", Color::Header.paint(&change.id));
    for delta in change.deltas.values() {
        let _ = writeln!(text, "\n{}/", clean(&delta.capability));
        for (at, item) in delta.items.iter().enumerate() {
            if at > 0 {
                text.push('\n');
            }
            text.push_str(&requirement(item, canvas));
        }
    }
    text
}

fn section(text: &mut String, label: &str, body: &str, canvas: Canvas) {
    let _ = writeln!(text, "{}", Color::Yellow.paint(label));
    for line in wrap(body, 2, canvas) {
        let _ = writeln!(text, "{}", format!("  {line}").trim_end());
    }
    text.push('\n');
}

fn requirement(item: &DeltaItem, canvas: Canvas) -> String {
    let color = color(item.operation);
    let mut text = format!("  {} {}", color.paint(sign(item.operation)), title(item));
    if item.operation == Operation::Modified {
        let _ = write!(text, " ({})", color.paint(item.operation.word()));
    }
    text.push('\n');
    for line in wrap(&item.text, 4, canvas) {
        let _ = writeln!(text, "    {line}");
    }
    if !item.scenarios.is_empty() {
        for line in wrap(&format!("Scenarios: {}", item.scenarios.join(", ")), 4, canvas) {
            let _ = writeln!(text, "    {}", Color::Dim.paint(&line));
        }
    }
    text
}

/// The name; of a renamed requirement both.
fn title(item: &DeltaItem) -> String {
    match (&item.from, &item.to) {
        (Some(from), Some(to)) => format!("{} → {}", clean(from), clean(to)),
        _ => clean(&item.name).into_owned(),
    }
}

/// `auth (+1, ~2, -1)`; renaming counts as modifying.
pub(in crate::cli) fn delta_summary(delta: &Delta) -> String {
    let count = |operation| delta.of(operation).count();
    let modified = count(Operation::Modified) + count(Operation::Renamed);
    let counts = [
        (Color::Green, '+', count(Operation::Added)),
        (Color::Yellow, '~', modified),
        (Color::Red, '-', count(Operation::Removed)),
    ];
    let parts = counts.iter().filter(|(.., count)| *count > 0);
    let parts: Vec<_> =
        parts.map(|(color, sign, count)| color.paint(&format!("{sign}{count}"))).collect();
    let capability = clean(&delta.capability);
    if parts.is_empty() {
        capability.into_owned()
    } else {
        format!("{capability} ({})", parts.join(", "))
    }
}

pub(in crate::cli) fn color(operation: Operation) -> Color {
    match operation {
        Operation::Added => Color::Green,
        Operation::Modified => Color::Yellow,
        Operation::Removed => Color::Red,
        Operation::Renamed => Color::Blue,
    }
}

pub(in crate::cli) fn sign(operation: Operation) -> &'static str {
    match operation {
        Operation::Added => "+",
        Operation::Modified => "~",
        Operation::Removed => "-",
        Operation::Renamed => ">",
    }
}

#[cfg(test)]
pub(in crate::cli::render) mod tests {
    use std::collections::BTreeMap;

    use anstream::adapter::strip_str;
    use insta::assert_snapshot;
    use spox_core::{Proposal, Tasks, parse_delta};

    use super::*;

    const DELTA: &str = "## ADDED Requirements\n\n### Requirement: Remembered Devices\nThe system SHALL remember a device for 30 days.\n\n\
        #### Scenario: Known device\n- **WHEN** x\n- **THEN** y\n\n#### Scenario: Forgotten device\n- **WHEN** x\n- **THEN** y\n\n\
        ## MODIFIED Requirements\n\n### Requirement: User Login\nThe system SHALL ask for a second factor.\n\n\
        ## REMOVED Requirements\n\n### Requirement: Guest Login\n**Reason**: nobody uses it\n\n\
        ## RENAMED Requirements\n\n- FROM: `### Requirement: Log Out`\n- TO: `### Requirement: Sign Out`\n";

    /// A change that does everything that a change can do.
    pub(in crate::cli::render) fn example() -> ParsedChange {
        ParsedChange {
            id: "add-remembered-devices".into(),
            title: "Remember devices".into(),
            proposal: Some(Proposal {
                why: "People are asked for a code each time they come back, which they hate.\n\nThey said so.".into(),
                what_changes: "- **BREAKING** sessions carry a device\n- codes are asked for once".into(),
                ..Proposal::default()
            }),
            tasks: Tasks { completed: 4, total: 6, ..Tasks::default() },
            deltas: BTreeMap::from([("auth".into(), parse_delta("auth", DELTA))]),
            ..ParsedChange::default()
        }
    }

    #[test]
    fn a_change_is_shown_in_a_box() {
        assert_snapshot!(strip_str(&change(&example(), Canvas::default())));
    }

    #[test]
    fn its_deltas_can_be_shown_alone() {
        assert_snapshot!(strip_str(&deltas(&example(), Canvas { columns: Some(50) })));
    }

    #[test]
    fn a_change_with_nothing_in_it_is_a_box() {
        let empty = ParsedChange { id: "add-x".into(), ..ParsedChange::default() };
        assert_snapshot!(strip_str(&change(&empty, Canvas { columns: Some(20) })), @r"
        ┌──────────────────┐
        │ Change: add-x    │
        └──────────────────┘
        ");
        assert_eq!(
            strip_str(&deltas(&empty, Canvas::default())).to_string(),
            "Deltas for: add-x\n"
        );
    }

    #[test]
    fn a_summary_counts_what_is_added_modified_and_removed() {
        let delta = &example().deltas["auth"];
        assert_eq!(strip_str(&delta_summary(delta)).to_string(), "auth (+1, ~2, -1)");
    }
}
