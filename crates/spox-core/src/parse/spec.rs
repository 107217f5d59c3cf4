//! A main spec: `# <title>`, `## Purpose`, `## Requirements`.

use super::{
    block::{Block, join},
    clause::Texts,
    heading::{heading, level, requirement_name, scenario_name},
    lookalike, reference,
};
use crate::{
    lines::{Line, lines},
    model::{Outline, ParsedSpec, Remark, Section},
};

/// Reads of a spec what a list tells, which costs a fraction of reading it all.
pub fn parse_outline(id: &str, text: &str) -> Outline {
    let mut reader = Reader::new(text, Depth::Outline);
    for line in lines(text) {
        if line.fenced {
            reader.content(&line);
        } else if line.text.starts_with('#') || reader.place == Place::Purpose {
            reader.line(&line);
        }
    }
    let Reader { spec: ParsedSpec { title, purpose, .. }, requirements, .. } = reader;
    let title = if title.is_empty() { id.to_owned() } else { title };
    Outline { title, purpose, requirements }
}

/// Reads a spec. A missing title falls back to the id, everything else to nothing.
pub fn parse_spec(id: &str, text: &str) -> ParsedSpec {
    parse(id, text, Depth::Whole)
}

/// The same without what the clauses say, for a check: it wants to know that they are there.
pub(crate) fn parse_for_check(id: &str, text: &str) -> ParsedSpec {
    parse(id, text, Depth::Check)
}

fn parse(id: &str, text: &str, depth: Depth) -> ParsedSpec {
    let mut reader = Reader::new(text, depth);
    let mut lines = lines(text);
    let mut hidden = 0;
    while let Some(line) = lines.next() {
        if line.fenced {
            // Asked of the scanner only if the fence turns out to be open at the end.
            hidden = if lines.open_fence() == Some(line.number) { 0 } else { hidden };
            hidden += usize::from(is_structure(&line.text));
            reader.content(&line);
        } else {
            reader.line(&line);
        }
    }
    reader.end_section(text.len());
    let mut spec = reader.spec;
    spec.notes.open_fence = lines.open_fence().map(|line| (line, hidden));
    id.clone_into(&mut spec.id);
    if spec.title.is_empty() {
        id.clone_into(&mut spec.title);
    }
    spec
}

struct Reader<'a> {
    text: &'a str,
    depth: Depth,
    spec: ParsedSpec,
    /// How many have begun.
    requirements: usize,
    place: Place,
    block: Option<Block<'a>>,
}

/// How much is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Depth {
    Whole,
    /// Not what the clauses say.
    Check,
    /// Not what is in the requirements, and no notes.
    Outline,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Purpose,
    Requirements,
    Elsewhere,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, depth: Depth) -> Self {
        let (spec, place) = (ParsedSpec::default(), Place::Elsewhere);
        Self { text, depth, spec, requirements: 0, place, block: None }
    }

    /// A line outside code.
    fn line(&mut self, line: &Line<'a>) {
        if self.depth != Depth::Outline {
            reference::collect(line, &mut self.spec.notes.references);
        }
        match level(&line.text) {
            Some(2) => self.section(line),
            Some(3) => self.third(line),
            Some(1) => self.first(line),
            found => {
                if found != Some(4) || scenario_name(&line.text).is_none() {
                    self.look(line);
                }
                self.content(line);
            }
        }
    }

    /// `# <title>`; only the first one is the title.
    fn first(&mut self, line: &Line<'a>) {
        let Some((_, title)) = heading(&line.text) else { return };
        self.end_block(line.span.start);
        if self.spec.notes.title.is_none() && !title.is_empty() {
            self.spec.notes.title = Some(line.number);
            title.clone_into(&mut self.spec.title);
        } else {
            self.content(line);
        }
        self.look(line);
    }

    fn section(&mut self, line: &Line<'_>) {
        let Some((_, name)) = heading(&line.text) else { return };
        self.end_section(line.span.start);
        self.place = if name.eq_ignore_ascii_case("requirements") {
            Place::Requirements
        } else if name.eq_ignore_ascii_case("purpose") && self.spec.section("purpose").is_none() {
            Place::Purpose
        } else {
            Place::Elsewhere
        };
        self.look(line);
        self.spec.sections.push(Section {
            name: name.to_owned(),
            line: line.number,
            column: line.column(),
            span: line.span.clone(),
        });
    }

    fn third(&mut self, line: &Line<'a>) {
        self.end_block(line.span.start);
        let name = requirement_name(&line.text);
        match (name, self.place) {
            (Some(name), Place::Requirements) => {
                self.requirements += 1;
                let texts = match self.depth {
                    Depth::Whole => Texts::Kept,
                    Depth::Check => Texts::Counted,
                    Depth::Outline => return,
                };
                self.block = Some(Block::new(self.text, line, name).with(texts));
            }
            (Some(name), _) => self.spec.notes.outside.push(remark(line, name)),
            (None, _) => {
                self.look(line);
                self.content(line);
            }
        }
    }

    /// Whatever is not structure.
    fn content(&mut self, line: &Line<'a>) {
        if let Some(block) = &mut self.block {
            block.feed(line);
        } else if self.place == Place::Purpose && !line.is_blank() {
            join(&mut self.spec.purpose, &line.text);
        }
    }

    fn look(&mut self, line: &Line<'_>) {
        if self.depth == Depth::Outline {
            return;
        }
        if let Some(meant) = lookalike::meant(&line.text) {
            self.spec.notes.lookalikes.push(remark(line, &meant));
        }
    }

    fn end_section(&mut self, end: usize) {
        self.end_block(end);
        if let Some(section) = self.spec.sections.last_mut() {
            section.span.end = end;
        }
    }

    fn end_block(&mut self, end: usize) {
        if let Some(block) = self.block.take() {
            self.spec.requirements.push(block.finish(end).0);
        }
    }
}

/// Whether a line in code would be the heading of a requirement or scenario outside of it.
pub(super) fn is_structure(text: &str) -> bool {
    requirement_name(text).or_else(|| scenario_name(text)).is_some()
}

pub(super) fn remark(line: &Line<'_>, text: &str) -> Remark {
    Remark { line: line.number, column: line.column(), text: text.to_owned() }
}
