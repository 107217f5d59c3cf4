//! A delta spec: `## ADDED Requirements` and its three sisters.

use std::ops::Range;

use super::{
    block::{Block, join},
    heading::{heading, level, operation, requirement_name, scenario_name, strip_prefix_any_case},
    lookalike, reference,
    spec::{is_structure, remark},
};
use crate::{
    lines::{Line, after_bullet, lines},
    model::{Delta, DeltaItem, DeltaSection, Operation, ParsedRequirement},
};

/// Reads what a change does to one capability.
pub fn parse_delta(capability: &str, text: &str) -> Delta {
    let mut reader = Reader {
        text,
        delta: Delta { capability: capability.to_owned(), ..Delta::default() },
        operation: None,
        in_purpose: false,
        block: None,
        field: None,
    };
    let mut lines = lines(text);
    let mut hidden = 0;
    while let Some(line) = lines.next() {
        if line.fenced {
            hidden = if lines.open_fence() == Some(line.number) { 0 } else { hidden };
            hidden += usize::from(is_structure(&line.text));
            reader.content(&line);
        } else {
            reader.line(&line);
        }
    }
    reader.end_block(text.len());
    let mut delta = reader.delta;
    delta.notes.open_fence = lines.open_fence().map(|line| (line, hidden));
    // Stable: within an operation the document's order stays.
    delta.items.sort_by_key(|item| item.operation);
    delta
}

struct Reader<'a> {
    text: &'a str,
    delta: Delta,
    /// Of the section that the line is in.
    operation: Option<Operation>,
    in_purpose: bool,
    /// An item that is written as a block, while its lines are read.
    block: Option<(Block<'a>, DeltaItem)>,
    /// What the next line goes on with.
    field: Option<Field>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    Reason,
    Migration,
}

impl<'a> Reader<'a> {
    /// A line outside code.
    fn line(&mut self, line: &Line<'a>) {
        reference::collect(line, &mut self.delta.notes.references);
        match level(&line.text) {
            Some(2) => self.section(line),
            Some(3) => self.third(line),
            Some(1) => {
                self.end_block(line.span.start);
                self.look(line);
            }
            found => {
                if found != Some(4) || scenario_name(&line.text).is_none() {
                    self.look(line);
                }
                self.body(line);
            }
        }
    }

    fn section(&mut self, line: &Line<'_>) {
        let Some((_, name)) = heading(&line.text) else { return };
        self.end_block(line.span.start);
        self.look(line);
        self.operation = operation(name);
        self.in_purpose = name.eq_ignore_ascii_case("purpose") && self.delta.purpose.is_none();
        if self.in_purpose {
            self.delta.purpose = Some(String::new());
        }
        self.delta.sections.push(DeltaSection {
            operation: self.operation,
            name: name.to_owned(),
            line: line.number,
            column: line.column(),
            items: 0,
        });
    }

    fn third(&mut self, line: &Line<'a>) {
        self.end_block(line.span.start);
        match (requirement_name(&line.text), self.operation) {
            (Some(name), Some(operation)) => {
                let item = item(operation, name, line);
                self.block = Some((Block::new(self.text, line, name), item));
            }
            (Some(name), None) => self.delta.notes.outside.push(remark(line, name)),
            (None, _) => {
                self.look(line);
                self.content(line);
            }
        }
    }

    /// A line below a heading: what is written as bullets, fields of an item, or text.
    fn body(&mut self, line: &Line<'a>) {
        let taken = match self.operation {
            Some(Operation::Renamed) => self.renaming(line),
            Some(Operation::Removed) => self.removed_bullet(line) || self.reason(line),
            Some(Operation::Modified) => self.removed_scenario(line),
            Some(Operation::Added) | None => false,
        };
        if !taken {
            self.content(line);
        }
    }

    fn content(&mut self, line: &Line<'a>) {
        if let Some((block, _)) = &mut self.block {
            block.feed(line);
        } else if self.in_purpose
            && !line.is_blank()
            && let Some(purpose) = &mut self.delta.purpose
        {
            join(purpose, &line.text);
        }
    }

    /// `- FROM: …` or `- TO: …`. In a block they complete its item; a pair of them is an item of its own.
    fn renaming(&mut self, line: &Line<'_>) -> bool {
        let text = after_bullet(&line.text).unwrap_or(&line.text);
        if let Some(name) = labelled(text, "from") {
            let name = bare_name(name);
            match &mut self.block {
                Some((_, open)) if open.from.is_none() => {
                    open.from = Some(name.to_owned());
                }
                _ => {
                    self.end_block(line.span.start);
                    let mut new = item(Operation::Renamed, name, line);
                    new.from = Some(name.to_owned());
                    self.push(new, line.span.clone());
                }
            }
            return true;
        }
        let Some(name) = labelled(text, "to") else { return false };
        let name = bare_name(name).to_owned();
        if let Some((_, open)) = &mut self.block {
            open.to = Some(name);
        } else if let Some(last) = self.last_of_section().filter(|last| last.to.is_none()) {
            last.to = Some(name);
            last.span.end = line.span.end;
            let span = last.span.clone();
            let block = self.text[span].to_owned();
            if let Some(last) = self.delta.items.last_mut() {
                last.block = block;
            }
        } else {
            let mut new = item(Operation::Renamed, &name, line);
            new.to = Some(name);
            self.push(new, line.span.clone());
        }
        true
    }

    /// ``- `### Requirement: Name` ``
    fn removed_bullet(&mut self, line: &Line<'_>) -> bool {
        let Some(name) = after_bullet(&line.text)
            .map(|text| text.trim_matches('`').trim())
            .and_then(requirement_name)
        else {
            return false;
        };
        self.end_block(line.span.start);
        let new = item(Operation::Removed, name, line);
        self.push(new, line.span.clone());
        true
    }

    /// `**Reason**: …` and `**Migration**: …`, and the lines they go on with. Part of the text all the same.
    fn reason(&mut self, line: &Line<'_>) -> bool {
        let text = after_bullet(&line.text).unwrap_or(&line.text);
        let (field, more) = if let Some(reason) = labelled(text, "reason") {
            (Some(Field::Reason), reason)
        } else if let Some(migration) = labelled(text, "migration") {
            (Some(Field::Migration), migration)
        } else if line.is_blank() {
            (None, "")
        } else {
            (self.field, text)
        };
        self.field = field;
        let item = match &mut self.block {
            Some((_, item)) => Some(item),
            None => self.last_of_section(),
        };
        if let (Some(field), Some(item)) = (field, item) {
            let value = match field {
                Field::Reason => &mut item.reason,
                Field::Migration => &mut item.migration,
            };
            join(value.get_or_insert_default(), more);
        }
        false
    }

    /// `**Removed scenario**: <name>`
    fn removed_scenario(&mut self, line: &Line<'_>) -> bool {
        let text = after_bullet(&line.text).unwrap_or(&line.text);
        let Some((_, item)) = &mut self.block else { return false };
        let Some(name) = labelled(text, "removed scenario") else { return false };
        let name = name.trim_matches('`').trim();
        item.removed_scenarios.push(scenario_name(name).unwrap_or(name).to_owned());
        item.directives.push(line.span.clone());
        true
    }

    /// The last item, if it is of the section that the line is in.
    fn last_of_section(&mut self) -> Option<&mut DeltaItem> {
        let section = self.delta.sections.last().filter(|section| section.items > 0)?;
        let line = section.line;
        self.delta.items.last_mut().filter(|item| item.line > line)
    }

    fn look(&mut self, line: &Line<'_>) {
        if let Some(meant) = lookalike::meant(&line.text) {
            self.delta.notes.lookalikes.push(remark(line, &meant));
        }
    }

    fn end_block(&mut self, end: usize) {
        self.field = None;
        let Some((block, mut item)) = self.block.take() else { return };
        let (requirement, text) = block.finish(end);
        item.text = text;
        item.scenarios =
            requirement.scenarios.iter().map(|scenario| scenario.name.clone()).collect();
        if item.operation == Operation::Renamed {
            complete_rename(&mut item, &requirement);
        }
        item.requirement = requirement;
        let span = item.span.start..end;
        self.push(item, span);
    }

    fn push(&mut self, mut item: DeltaItem, span: Range<usize>) {
        self.text[span.clone()].clone_into(&mut item.block);
        item.span = span;
        self.delta.items.push(item);
        if let Some(section) = self.delta.sections.last_mut() {
            section.items += 1;
        }
    }
}

/// `### Requirement: Old → New`, or the heading says one of the two and `FROM:` or `TO:` below it the other.
fn complete_rename(item: &mut DeltaItem, requirement: &ParsedRequirement) {
    let heading = requirement.name.as_str();
    let arrow = heading.split_once('→').or_else(|| heading.split_once("->"));
    if let (Some((from, to)), None, None) = (arrow, &item.from, &item.to) {
        item.from = Some(bare_name(from).to_owned());
        item.to = Some(bare_name(to).to_owned());
    } else if item.from.is_none() {
        item.from = Some(heading.to_owned());
    } else if item.to.is_none() {
        item.to = Some(heading.to_owned());
    }
    if let Some(from) = &item.from {
        item.name.clone_from(from);
    }
}

fn item(operation: Operation, name: &str, line: &Line<'_>) -> DeltaItem {
    DeltaItem {
        operation,
        name: name.to_owned(),
        text: String::new(),
        scenarios: Vec::new(),
        from: None,
        to: None,
        reason: None,
        migration: None,
        removed_scenarios: Vec::new(),
        line: line.number,
        column: line.column(),
        block: String::new(),
        span: line.span.clone(),
        directives: Vec::new(),
        requirement: ParsedRequirement::default(),
    }
}

/// What follows `label:`, `**label**:` or `**label:**`, in any case.
fn labelled<'a>(text: &'a str, label: &str) -> Option<&'a str> {
    let rest = strip_prefix_any_case(text.trim_start_matches('*'), label)?;
    let rest = rest.trim_start_matches('*').trim_start().strip_prefix(':')?;
    Some(rest.trim_start_matches('*').trim())
}

/// A name as it may stand after `FROM:`: with back-ticks and with `### Requirement:`, or without.
fn bare_name(text: &str) -> &str {
    let text = text.trim().trim_matches('`').trim();
    requirement_name(text).unwrap_or(text)
}
