//! What the files say: specs, changes, deltas, and the sources they are read from.
//!
//! Everything is made by the functions of [`crate::parse`], which never fail: what is missing is empty here and reported by
//! [`crate::validate`]. Start at [`ParsedSpec`], then [`ParsedChange`]. Lines count from 1. Spans are bytes of the file
//! that was parsed and are not printed.

use std::{collections::BTreeMap, ops::Range, sync::Arc};

use serde::Serialize;

/// A file as the service found it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Text(Arc<str>),
    /// It is there but cannot be read or is not UTF-8, and why.
    Unreadable(String),
}

impl Source {
    /// The text, if it could be read.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Unreadable(_) => None,
        }
    }
}

impl From<&str> for Source {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

/// `specs/<id>/spec.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecFile {
    pub id: String,
    /// From the project root, with forward slashes.
    pub path: String,
    pub source: Source,
}

/// The folder of a change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ChangeFiles {
    pub id: String,
    /// `proposal.md`
    pub proposal: Option<Source>,
    /// `tasks.md`
    pub tasks: Option<Source>,
    /// `design.md`
    pub design: Option<Source>,
    /// `verification.md`
    pub verification: Option<Source>,
    /// `specs/<capability>/spec.md` by capability.
    pub deltas: BTreeMap<String, Source>,
    /// Files that look like deltas but belong to no capability, from the change's folder: `specs/spec.md`.
    pub stray: Vec<String>,
    /// `.base.json`
    pub base: Option<Source>,
}

/// A spec: what one capability of the system does now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ParsedSpec {
    pub id: String,
    /// The first `# ` heading, unchanged; the id where there is none.
    pub title: String,
    /// The text under `## Purpose` on one line.
    pub purpose: String,
    /// In document order.
    pub requirements: Vec<ParsedRequirement>,
    /// The `## ` headings in document order, with what is below them.
    #[serde(skip)]
    pub sections: Vec<Section>,
    /// What a reader would not see in the rest, for [`crate::validate`].
    #[serde(skip)]
    pub notes: Notes,
}

/// What a list tells of a spec.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// As in [`ParsedSpec::title`].
    pub title: String,
    /// As in [`ParsedSpec::purpose`].
    pub purpose: String,
    /// How many there are.
    pub requirements: usize,
}

impl ParsedSpec {
    /// The section with this heading, without regard to ASCII case; the first of them.
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.name.eq_ignore_ascii_case(name))
    }

    /// How many scenarios there are in all.
    pub fn scenario_count(&self) -> usize {
        self.requirements.iter().map(|requirement| requirement.scenarios.len()).sum()
    }
}

/// A `## ` heading and what is below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading without its `##`.
    pub name: String,
    pub line: u32,
    pub column: u32,
    /// From the heading up to the next `## ` heading or the end of the file.
    pub span: Range<usize>,
}

/// `### Requirement: <name>` and what is below it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ParsedRequirement {
    pub name: String,
    /// The text before the first scenario on one line.
    pub description: String,
    pub scenarios: Vec<ParsedScenario>,
    /// Of the heading.
    pub line: u32,
    #[serde(skip)]
    pub column: u32,
    /// The whole block in the file: from the heading up to the next heading of level 3 or higher.
    #[serde(skip)]
    pub span: Range<usize>,
}

/// `#### Scenario: <name>` and its clauses.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ParsedScenario {
    pub name: String,
    /// The conditions joined with ` AND `.
    pub when_clause: String,
    /// `GIVEN`, `WHEN` and the `AND`s and `OR`s before the first `THEN`; an `OR` keeps its word.
    pub conditions: Vec<String>,
    /// `THEN` and the `AND`s and `OR`s after it; an `OR` keeps its word.
    pub then_clauses: Vec<String>,
    /// Of the heading.
    pub line: u32,
    #[serde(skip)]
    pub column: u32,
    /// From the heading up to the next heading of level 4 or higher.
    #[serde(skip)]
    pub span: Range<usize>,
    /// Whether one of the conditions is a `WHEN`.
    #[serde(skip)]
    pub has_when: bool,
}

/// What the parser saw and left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notes {
    /// The line of the title.
    pub title: Option<u32>,
    /// Requirements outside the sections where they count: nobody sees them.
    pub outside: Vec<Remark>,
    /// Lines that look like a requirement or scenario heading but are none, with what to write instead.
    pub lookalikes: Vec<Remark>,
    /// Links to other specs and `spec:` references.
    pub references: Vec<Remark>,
    /// The line of a code fence that is never closed, and how many headings of requirements and scenarios it hides.
    pub open_fence: Option<(u32, usize)>,
}

/// Something at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    pub line: u32,
    pub column: u32,
    pub text: String,
}

/// A change: what somebody proposes to alter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ParsedChange {
    pub id: String,
    /// The proposal's title without `Change:`; the id with blanks for dashes where there is none.
    pub title: String,
    pub proposal: Option<Proposal>,
    pub tasks: Tasks,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub design: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verification: Option<String>,
    /// By capability. Files without a single item are not here.
    pub deltas: BTreeMap<String, Delta>,
}

impl ParsedChange {
    /// Whether the proposal announces a breaking change.
    pub fn breaking(&self) -> bool {
        self.proposal.as_ref().is_some_and(|proposal| proposal.breaking)
    }
}

/// `proposal.md`. The texts are as written, without blank lines around them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Proposal {
    pub why: String,
    pub what_changes: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<String>,
    /// A bullet holds `**BREAKING**`.
    pub breaking: bool,
    /// The title as written, `Change:` included.
    #[serde(skip)]
    pub title: Option<String>,
    /// The line of `## Why`.
    #[serde(skip)]
    pub why_line: Option<u32>,
    /// The line of `## What Changes`.
    #[serde(skip)]
    pub what_changes_line: Option<u32>,
}

/// `tasks.md`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Tasks {
    /// The file as written; empty where there is none.
    pub content: String,
    pub completed: usize,
    pub total: usize,
    pub items: Vec<Task>,
    /// The `## N. <name>` headings.
    #[serde(skip)]
    pub groups: Vec<TaskGroup>,
}

impl Tasks {
    /// How much is done, in percent: rounded down, so 100 only when everything is done.
    pub fn percent(&self) -> usize {
        (self.completed * 100).checked_div(self.total).unwrap_or(0)
    }
}

/// `- [ ] 1.1 <text>`
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Task {
    /// `1.1`, `2.3.1`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<String>,
    /// Without checkbox and number.
    pub text: String,
    pub done: bool,
    pub line: u32,
    /// The group it is in, as its heading says: `1. Storage`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    #[serde(skip)]
    pub column: u32,
}

/// `## N. <name>`
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskGroup {
    pub number: String,
    pub name: String,
    pub line: u32,
}

/// What a change does to one capability: `specs/<capability>/spec.md` of the change.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Delta {
    pub capability: String,
    /// For a capability that does not exist yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    /// All that is added, then modified, removed, renamed; each in document order.
    pub items: Vec<DeltaItem>,
    /// The `## ` headings in document order, delta headings and others.
    #[serde(skip)]
    pub sections: Vec<DeltaSection>,
    #[serde(skip)]
    pub notes: Notes,
}

impl Delta {
    /// The items of one operation, in document order.
    pub fn of(&self, operation: Operation) -> impl Iterator<Item = &DeltaItem> {
        self.items.iter().filter(move |item| item.operation == operation)
    }
}

/// A `## ` heading of a delta spec.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeltaSection {
    /// None for a heading that is no delta heading.
    pub operation: Option<Operation>,
    /// The heading without its `##`.
    pub name: String,
    pub line: u32,
    pub column: u32,
    /// How many items are below it.
    pub items: usize,
}

/// What happens to a requirement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Operation {
    Added,
    Modified,
    Removed,
    Renamed,
}

impl Operation {
    pub const ALL: [Self; 4] = [Self::Added, Self::Modified, Self::Removed, Self::Renamed];

    /// As its heading spells it: `ADDED`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Added => "ADDED",
            Self::Modified => "MODIFIED",
            Self::Removed => "REMOVED",
            Self::Renamed => "RENAMED",
        }
    }
}

/// One requirement of a delta.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeltaItem {
    pub operation: Operation,
    /// The requirement; of a renamed one the old name, since that is what the main spec has.
    pub name: String,
    /// The first paragraph before the first scenario on one line.
    pub text: String,
    /// The names of the scenarios.
    pub scenarios: Vec<String>,
    /// Renamed: the old name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Renamed: the new name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Removed: `**Reason**:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Removed: `**Migration**:`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub migration: Option<String>,
    /// Modified: `**Removed scenario**: <name>`, the scenarios that are left out on purpose.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed_scenarios: Vec<String>,
    pub line: u32,
    #[serde(skip)]
    pub column: u32,
    /// The block as written, heading included, up to the next heading of level 3 or higher; a bullet or a pair of
    /// lines where it is written so.
    #[serde(skip)]
    pub block: String,
    /// Where [`block`](Self::block) is in the file.
    #[serde(skip)]
    pub span: Range<usize>,
    /// The `**Removed scenario**:` lines, as spans of the file: they speak to the tool and are not part of the requirement.
    #[serde(skip)]
    pub directives: Vec<Range<usize>>,
    /// The block read as a requirement. Empty where it is not written as one.
    #[serde(skip)]
    pub requirement: ParsedRequirement,
}

impl DeltaItem {
    /// The block as it belongs into a spec: without the lines that speak to the tool.
    pub fn requirement_block(&self) -> String {
        let mut block = String::with_capacity(self.block.len());
        let mut at = 0;
        for directive in &self.directives {
            block.push_str(&self.block[at..directive.start - self.span.start]);
            at = directive.end - self.span.start;
        }
        block.push_str(&self.block[at..]);
        block
    }
}
