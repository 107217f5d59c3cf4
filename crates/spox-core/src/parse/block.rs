//! A requirement's block, fed line by line: what specs and deltas have in common.

use super::{
    clause::{Clauses, Plain, Texts},
    heading::{level, scenario_name},
};
use crate::{
    lines::{Line, lines},
    model::{ParsedRequirement, ParsedScenario},
};

/// Reads one block, from `### Requirement:` to the next heading of level 3 or higher.
#[derive(Debug)]
pub(super) struct Block<'a> {
    text: &'a str,
    requirement: ParsedRequirement,
    /// How much of the description is its first paragraph, once that has ended.
    paragraph: Option<usize>,
    /// The scenario that is being read.
    scenario: Option<(ParsedScenario, Clauses<'a>)>,
    /// The first scenario has begun: what is outside of scenarios is no description any more.
    described: bool,
    texts: Texts,
}

impl<'a> Block<'a> {
    pub(super) fn new(text: &'a str, heading: &Line<'_>, name: &str) -> Self {
        let requirement = ParsedRequirement {
            name: name.to_owned(),
            line: heading.number,
            column: heading.column(),
            span: heading.span.clone(),
            ..ParsedRequirement::default()
        };
        let (paragraph, scenario) = (None, None);
        Self { text, requirement, paragraph, scenario, described: false, texts: Texts::Kept }
    }

    /// The same, with this done to what the clauses say.
    pub(super) fn with(self, texts: Texts) -> Self {
        Self { texts, ..self }
    }

    /// Takes a line of the block, which is not a heading of level 3 or higher.
    pub(super) fn feed(&mut self, line: &Line<'a>) {
        let heading = (!line.fenced).then(|| level(&line.text)).flatten();
        if heading == Some(4) && self.feed_heading(line) {
            return;
        }
        if let Some((_, clauses)) = &mut self.scenario {
            clauses.feed(line);
        } else if !self.described {
            self.describe(line);
        }
    }

    /// The requirement and the first paragraph of its description. `end` is where the block ends.
    pub(super) fn finish(mut self, end: usize) -> (ParsedRequirement, String) {
        self.close_scenario(end);
        self.requirement.span.end = end;
        let description = &self.requirement.description;
        let paragraph = description[..self.paragraph.unwrap_or(description.len())].to_owned();
        (self.requirement, paragraph)
    }

    /// Whether the heading ends the part before it. Before the first scenario any other heading is description.
    fn feed_heading(&mut self, line: &Line<'_>) -> bool {
        if let Some(name) = scenario_name(&line.text) {
            self.close_scenario(line.span.start);
            let scenario = ParsedScenario {
                name: name.to_owned(),
                line: line.number,
                column: line.column(),
                span: line.span.clone(),
                ..ParsedScenario::default()
            };
            self.scenario = Some((scenario, Clauses::new(Plain::Capitals)));
            self.described = true;
            return true;
        }
        self.close_scenario(line.span.start);
        self.described
    }

    fn describe(&mut self, line: &Line<'_>) {
        let description = &mut self.requirement.description;
        if line.is_blank() {
            if !description.is_empty() {
                self.paragraph.get_or_insert(description.len());
            }
            return;
        }
        join(description, &line.text);
    }

    fn close_scenario(&mut self, end: usize) {
        let Some((mut scenario, mut clauses)) = self.scenario.take() else { return };
        scenario.span.end = end;
        if !clauses.are_complete() {
            let mut lenient = Clauses::new(Plain::AnyCase);
            lines(&self.text[scenario.span.clone()]).skip(1).for_each(|line| lenient.feed(&line));
            if lenient.len() > clauses.len() {
                clauses = lenient;
            }
        }
        clauses.finish(&mut scenario, self.texts);
        self.requirement.scenarios.push(scenario);
    }
}

/// Adds `more` after one blank.
pub(super) fn join(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}
