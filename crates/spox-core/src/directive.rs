//! What a delta says to the tool and not to the reader of a spec, and what remains without it.
//!
//! `**Removed scenario**: <name>` in a modified requirement allows that the scenario goes; `**Retired capability**: <reason>`
//! anywhere in a delta says that the spec goes with its last requirement.

use crate::{
    DeltaItem,
    lines::{after_bullet, lines},
    text::plain,
};

/// The lines of an item's block that belong into the main spec, with their numbers in the delta. One blank line stays where
/// a directive stood by itself between two of them.
pub(crate) fn spec_lines(item: &DeltaItem) -> Vec<(u32, &str)> {
    let mut directives = item.directives.iter().map(|span| span.start).peekable();
    let mut kept: Vec<(u32, &str)> = Vec::new();
    let (mut at, mut left_out) = (item.span.start, false);
    for (number, line) in (item.line..).zip(item.block.split_inclusive('\n')) {
        let is_directive = directives.next_if_eq(&at).is_some();
        at += line.len();
        let is_blank = |line: &str| line.trim().is_empty();
        let second_blank =
            left_out && is_blank(line) && kept.last().is_some_and(|(_, last)| is_blank(last));
        left_out = is_directive || second_blank;
        if !left_out {
            kept.push((number, line));
        }
    }
    while kept.pop_if(|(_, line)| line.trim().is_empty()).is_some() {}
    kept
}

/// What an added or modified requirement says in the main spec, as a plain block.
pub(crate) fn spec_block(item: &DeltaItem) -> String {
    if item.directives.is_empty() {
        return plain(&item.block);
    }
    plain(&spec_lines(item).into_iter().map(|(_, line)| line).collect::<String>())
}

/// Whether the delta says that the capability itself goes.
pub(crate) fn retires(delta_text: &str) -> bool {
    lines(delta_text).filter(|line| !line.fenced).any(|line| {
        let text = after_bullet(&line.text).unwrap_or(&line.text);
        let label = text.strip_prefix("**").and_then(|rest| rest.split_once("**"));
        label.is_some_and(|(label, rest)| {
            let colon = label.ends_with(':') || rest.trim_start().starts_with(':');
            colon && label.trim_end_matches(':').trim().eq_ignore_ascii_case("retired capability")
        })
    })
}
