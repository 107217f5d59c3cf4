//! Rules about a delta spec by itself: C10 to C15, and C21 about its requirements.

use std::collections::HashMap;

use super::{
    flaw::{Rule, flaws},
    issue::{Severity, Sheet},
};
use crate::{
    model::{Delta, DeltaItem, Operation},
    names::fold,
};

pub(super) fn check(sheet: &mut Sheet<'_>, delta: &Delta) {
    headings(sheet, delta);
    misplaced(sheet, delta);
    for item in &delta.items {
        match item.operation {
            Operation::Added | Operation::Modified => requirement(sheet, item),
            Operation::Removed => named(sheet, item),
            Operation::Renamed => renamed(sheet, item),
        }
    }
    contradictions(sheet, delta);
}

fn headings(sheet: &mut Sheet<'_>, delta: &Delta) {
    const HEADINGS: &str = "## ADDED Requirements, ## MODIFIED Requirements, ## REMOVED Requirements, ## RENAMED Requirements";
    if delta.sections.iter().all(|section| section.operation.is_none()) {
        let meant = delta.sections.iter().find(|section| has_operation_word(&section.name));
        if let Some(section) = meant {
            sheet
                .error("C10", format!("Delta spec has invalid headers. Use: {HEADINGS}"))
                .at(section.line, section.column)
                .fix(format!("write one of them instead of `## {}`", section.name));
        } else {
            sheet
                .error("C14", "Delta spec has no delta heading")
                .at(1, 1)
                .fix(format!("put the requirements below one of: {HEADINGS}"));
        }
        return;
    }
    for section in &delta.sections {
        if section.operation.is_some() && section.items == 0 {
            sheet
                .error("C14", format!("Delta section \"## {}\" has no requirements", section.name))
                .at(section.line, section.column)
                .fix("add `### Requirement: <name>` below it, or remove the heading");
        }
    }
}

/// What nobody sees: requirements elsewhere, in a code block without end, or under a heading that is none.
fn misplaced(sheet: &mut Sheet<'_>, delta: &Delta) {
    // Without a delta heading each of them is outside; that is said already.
    let has_section = delta.sections.iter().any(|section| section.operation.is_some());
    for remark in delta.notes.outside.iter().filter(|_| has_section) {
        sheet
            .error("C14", format!("Requirement \"{}\" is outside the delta sections", remark.text))
            .at(remark.line, remark.column)
            .fix("move it below `## ADDED Requirements` or another delta heading");
    }
    if let Some((line, hidden)) = delta.notes.open_fence.filter(|(_, hidden)| *hidden > 0) {
        sheet
            .error("C14", format!("Code block is never closed; headings hidden below it: {hidden}"))
            .at(line, 1)
            .fix("close it with a fence of the same kind");
    }
    for remark in &delta.notes.lookalikes {
        sheet
            .warn("C21", format!("This looks like \"{}\" but is not read as one", remark.text))
            .at(remark.line, remark.column)
            .fix(format!("write `{}`", remark.text));
    }
}

/// Of ADDED and MODIFIED.
fn requirement(sheet: &mut Sheet<'_>, item: &DeltaItem) {
    let is_added = item.operation == Operation::Added;
    let name = &item.name;
    if !is_added && item.requirement.description.is_empty() && item.scenarios.is_empty() {
        sheet
            .warn(
                "C13",
                format!(
                    "MODIFIED requirement \"{name}\" should include the complete requirement text"
                ),
            )
            .at(item.line, item.column)
            .fix("copy the requirement from the main spec and change it here");
        return;
    }
    if is_added && item.scenarios.is_empty() {
        sheet
            .warn("C11", format!("ADDED requirement \"{name}\" should have at least one scenario"))
            .at(item.line, item.column)
            .fix("add `#### Scenario: <name>` with `- **WHEN** …` and `- **THEN** …`");
    }
    flaws(&item.requirement, |flaw| {
        let (severity, code) = match flaw.rule {
            Rule::NoWhen | Rule::NoThen => (Severity::Error, "C12"),
            Rule::NoName if flaw.line == item.line => (Severity::Error, "C14"),
            // C11 has said it.
            Rule::NoScenario if is_added => return,
            _ => (Severity::Warning, "C21"),
        };
        sheet.add(severity, code, flaw.message).at(flaw.line, flaw.column).fix(flaw.fix);
    });
}

fn named(sheet: &mut Sheet<'_>, item: &DeltaItem) {
    if item.name.is_empty() {
        sheet
            .error("C14", "REMOVED requirement has no name")
            .at(item.line, item.column)
            .fix("write its name after `### Requirement:`");
    }
}

fn renamed(sheet: &mut Sheet<'_>, item: &DeltaItem) {
    let given = |name: &Option<String>| name.as_deref().is_some_and(|name| !name.is_empty());
    let message = match (given(&item.from), given(&item.to)) {
        (true, true) if item.from == item.to => {
            format!("RENAMED requirement \"{}\" keeps its name", item.name)
        }
        (true, true) => return,
        (true, false) => format!("RENAMED requirement \"{}\" has no new name", item.name),
        (false, _) => "RENAMED requirement does not say which requirement it renames".to_owned(),
    };
    sheet.error("C14", message).at(item.line, item.column).fix(
        "write `- FROM: `### Requirement: Old`` and `- TO: `### Requirement: New`` below each other",
    );
}

/// C15: two things that cannot both happen to one requirement.
fn contradictions(sheet: &mut Sheet<'_>, delta: &Delta) {
    let mut named: HashMap<String, &DeltaItem> = HashMap::new();
    let mut targets: HashMap<String, &DeltaItem> = HashMap::new();
    for item in delta.items.iter().filter(|item| !item.name.is_empty()) {
        let first = *named.entry(fold(&item.name)).or_insert(item);
        // The name that a rename frees may be given to a new requirement.
        let is_reuse = first.operation == Operation::Added && item.operation == Operation::Renamed;
        if !std::ptr::eq(first, item) && !is_reuse {
            clash(sheet, first, item, &item.name);
        }
        let to =
            item.to.as_deref().filter(|to| !to.is_empty() && item.operation == Operation::Renamed);
        if let Some(to) = to {
            let first = *targets.entry(fold(to)).or_insert(item);
            if !std::ptr::eq(first, item) {
                clash(sheet, first, item, to);
            }
        }
    }
    for item in delta.of(Operation::Added) {
        if let Some(renamed) = targets.get(&fold(&item.name)) {
            clash(sheet, item, renamed, &item.name);
        }
    }
}

fn clash(sheet: &mut Sheet<'_>, first: &DeltaItem, second: &DeltaItem, name: &str) {
    let message = if first.operation == second.operation {
        format!(
            "Requirement \"{name}\" is a duplicate in {}: lines {} and {}",
            first.operation.word(),
            first.line,
            second.line
        )
    } else {
        format!(
            "Requirement \"{name}\" is both {} (line {}) and {} (line {})",
            first.operation.word(),
            first.line,
            second.operation.word(),
            second.line
        )
    };
    let fix = match (first.operation, second.operation) {
        (Operation::Modified, Operation::Renamed) => "use the new name under MODIFIED",
        _ => "keep one of the two",
    };
    let later = if first.line > second.line { first } else { second };
    sheet.error("C15", message).at(later.line, later.column).fix(fix);
}

fn has_operation_word(heading: &str) -> bool {
    heading.split(|c: char| !c.is_alphanumeric()).any(|word| {
        Operation::ALL.iter().any(|operation| word.eq_ignore_ascii_case(operation.word()))
    })
}
