//! Headings: what a trimmed line outside code and comments says about the structure.

use crate::model::Operation;

/// The level (1 to 6) and the text of a heading. `###` alone is a heading without text, `###x` is none.
pub(crate) fn heading(text: &str) -> Option<(usize, &str)> {
    let rest = text.trim_start_matches('#');
    let level = text.len() - rest.len();
    let is_heading = (1..=6).contains(&level) && (rest.is_empty() || rest.starts_with(blank));
    is_heading.then(|| (level, rest.trim()))
}

/// The name in `### Requirement: <name>`, also without the blank and in any case.
pub(crate) fn requirement_name(text: &str) -> Option<&str> {
    labelled(text, "###", "requirement:")
}

/// The name in `#### Scenario: <name>`, also without the blank and in any case.
pub(crate) fn scenario_name(text: &str) -> Option<&str> {
    labelled(text, "####", "scenario:")
}

/// The level of a heading, with the two that may lack the blank after `#`.
pub(crate) fn level(text: &str) -> Option<usize> {
    if !text.starts_with('#') {
        return None;
    }
    heading(text)
        .map(|(level, _)| level)
        .or_else(|| requirement_name(text).map(|_| 3))
        .or_else(|| scenario_name(text).map(|_| 4))
}

/// The operation in `## ADDED Requirements`, given the text of the heading.
pub(crate) fn operation(section: &str) -> Option<Operation> {
    let (word, rest) = section.split_once(blank)?;
    if !rest.trim().eq_ignore_ascii_case("requirements") {
        return None;
    }
    Operation::ALL.into_iter().find(|operation| word.eq_ignore_ascii_case(operation.word()))
}

/// `text` without `prefix`, which is compared without regard to ASCII case.
pub(crate) fn strip_prefix_any_case<'a>(text: &'a str, prefix: &str) -> Option<&'a str> {
    let (head, rest) = text.split_at_checked(prefix.len())?;
    head.eq_ignore_ascii_case(prefix).then_some(rest)
}

fn labelled<'a>(text: &'a str, marks: &str, label: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(marks)?.trim_start();
    strip_prefix_any_case(rest, label).map(str::trim)
}

fn blank(c: char) -> bool {
    c.is_whitespace()
}
