//! Why a change is not applied, archived or rebased. Nothing is to be written in every case.
//!
//! One [`Refusal`] is one reason: it names the capability, the requirement and the way out. [`Refused`] is all of them at
//! once, so that whoever mends the change mends it in one go. [`Refusal::rule`] is the validation rule that says the same.

use kit_core::{Fault, Kind, Report};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::{Conflict, Operation};

/// One reason why a change cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
pub enum Refusal {
    /// Tasks are open and nobody said that this is all right.
    #[error("change `{change}` has {open} open of {total} tasks")]
    OpenTasks { change: String, open: usize, total: usize },
    /// There is no delta spec at all.
    #[error("change `{change}` has no delta spec")]
    NoDeltas { change: String },
    /// A delta spec that belongs to no capability.
    #[error("{file} belongs to no capability")]
    Stray { file: String },
    /// A file that is not there as text.
    #[error("cannot read {file}: {detail}")]
    Unreadable { file: String, detail: String },
    /// `.base.json` is not what we wrote.
    #[error("cannot read the fingerprints of change `{change}`: {detail}")]
    BadBase { change: String, detail: String },
    /// There are no fingerprints to rebase from.
    #[error("change `{change}` has no fingerprints")]
    NoBase { change: String },

    /// A delta spec in which no requirement is added, modified, removed or renamed.
    #[error("the delta of `{capability}` names no requirement")]
    EmptyDelta { capability: String },
    /// An item of the delta of which nobody can tell what it means.
    #[error("the delta of `{capability}`, line {line}: {detail}")]
    BadItem { capability: String, line: u32, detail: String },
    /// The change retires a spec that would still have requirements.
    #[error(
        "`{capability}` is to be retired but would keep {}",
        listed("requirement", requirements)
    )]
    StillHolds { capability: String, requirements: Vec<String> },
    /// What would be written does not hold up when it is read again.
    #[error("`{capability}` would not be a valid spec: {detail}")]
    Broken { capability: String, detail: String },

    /// A requirement and what it was asked to become do not go together.
    #[error("`{requirement}` of `{capability}`: {problem}")]
    Requirement {
        capability: String,
        requirement: String,
        #[serde(flatten)]
        problem: Problem,
    },
    /// Both sides changed the same thing since the change was written.
    #[error("{0}")]
    Conflict(Box<Conflict>),

    /// The archive has a folder of this name.
    #[error("the archive already has `{folder}`")]
    Archived { change: String, folder: String },
    /// The id cannot be the name of a folder.
    #[error("`{change}` is no change id")]
    BadId { change: String },
}

/// What is wrong with an operation on one requirement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize)]
#[serde(tag = "problem", rename_all = "snake_case")]
pub enum Problem {
    /// One name twice under one operation.
    #[error("{} names it twice", operation.word())]
    Twice { operation: Operation },
    /// One name under two operations that exclude each other.
    #[error("both {} and {} name it", first.word(), second.word())]
    TwoOperations { first: Operation, second: Operation },
    /// MODIFIED uses the name that RENAMED takes away.
    #[error("MODIFIED uses the old name, RENAMED calls it `{to}`")]
    OldName { to: String },
    /// The main spec has no such requirement.
    #[error("{}, but the main spec has no such requirement", operation.word())]
    Missing { operation: Operation, nearest: Vec<String> },
    /// The main spec has it, spelled with other case or blanks.
    #[error("{}, but the main spec spells it `{exact}`", operation.word())]
    Spelling { operation: Operation, exact: String },
    /// The name is taken in the main spec.
    #[error("{}, but the main spec has another requirement of that name", operation.word())]
    Exists { operation: Operation },
    /// The main spec has the name twice, so nobody can tell which one is meant.
    #[error("the main spec has it twice, at lines {first} and {second}")]
    Ambiguous { first: u32, second: u32 },
    /// The main spec has the name where no tool looks for it.
    #[error("the main spec has it at line {line}, outside the Requirements section")]
    Outside { line: u32 },
    /// MODIFIED would delete scenarios that the main spec has.
    #[error("MODIFIED leaves out {}", listed("scenario", scenarios))]
    DropsScenarios { scenarios: Vec<String> },
    /// It is no longer the one that the change was written against.
    #[error("it changed in the main spec since the change was written")]
    Stale { operation: Operation },
    /// There is no main spec, and the delta does more than add.
    #[error("{}, but there is no such spec yet, so it can only be ADDED", operation.word())]
    OnlyAdded { operation: Operation },
}

impl Refusal {
    pub(crate) fn unreadable_delta(capability: &str, detail: &str) -> Self {
        let file = format!("specs/{capability}/spec.md");
        Self::Unreadable { file, detail: detail.to_owned() }
    }

    /// The validation rule that says the same before anybody applies.
    pub fn rule(&self) -> Option<&'static str> {
        match self {
            Self::EmptyDelta { .. } | Self::Stray { .. } => Some("C14"),
            Self::Requirement { problem, .. } => Some(problem.rule()),
            Self::Conflict(_) => Some("C20"),
            _ => None,
        }
    }

    pub fn capability(&self) -> Option<&str> {
        match self {
            Self::EmptyDelta { capability }
            | Self::BadItem { capability, .. }
            | Self::StillHolds { capability, .. }
            | Self::Broken { capability, .. }
            | Self::Requirement { capability, .. } => Some(capability),
            Self::Conflict(conflict) => Some(&conflict.capability),
            _ => None,
        }
    }

    pub fn requirement(&self) -> Option<&str> {
        match self {
            Self::Requirement { requirement, .. } => Some(requirement),
            Self::Conflict(conflict) => Some(&conflict.requirement),
            _ => None,
        }
    }
}

impl Problem {
    fn rule(&self) -> &'static str {
        match self {
            Self::Twice { .. } | Self::TwoOperations { .. } | Self::OldName { .. } => "C15",
            Self::Missing { .. } | Self::Spelling { .. } | Self::OnlyAdded { .. } => "C16",
            Self::Exists { .. } => "C17",
            Self::DropsScenarios { .. } => "C18",
            Self::Stale { .. } => "C20",
            Self::Ambiguous { .. } => "S11",
            Self::Outside { .. } => "S12",
        }
    }

    /// Whether the change contradicts itself, whatever the main specs say.
    fn is_invalid(&self) -> bool {
        matches!(self, Self::Spelling { .. }) || self.rule() == "C15"
    }

    fn way_out(&self) -> String {
        match self {
            Self::Twice { .. } => "keep one of the two".into(),
            Self::TwoOperations { first, second } => {
                format!("keep either {} or {}", first.word(), second.word())
            }
            Self::OldName { to } => format!("write `### Requirement: {to}` under MODIFIED"),
            Self::Missing { operation, nearest } => match (nearest.first(), operation) {
                (Some(name), _) => format!("did you mean `{name}`?"),
                (None, Operation::Modified) => {
                    "put it under ADDED, or write a name that the spec has".into()
                }
                (None, _) => "write a name that the spec has".into(),
            },
            Self::Spelling { operation: Operation::Added, exact } => {
                format!("use MODIFIED with `{exact}` to change it, or a name of its own")
            }
            Self::Spelling { operation: Operation::Renamed, exact } => {
                format!("write `{exact}`, or rename to a name of its own")
            }
            Self::Spelling { exact, .. } => format!("write `### Requirement: {exact}`"),
            Self::Exists { operation: Operation::Renamed } => "rename to another name".into(),
            Self::Exists { .. } => "use MODIFIED to change it, or another name".into(),
            Self::Ambiguous { .. } => "give one of the two another name in the main spec".into(),
            Self::Outside { .. } => "move it below `## Requirements` in the main spec".into(),
            Self::DropsScenarios { scenarios } => format!(
                "copy them into the delta, or allow it with a line `**Removed scenario**: {}` for each",
                scenarios.first().map_or("<name>", String::as_str)
            ),
            Self::Stale { .. } => "rebase the change, which merges both".into(),
            Self::OnlyAdded { .. } => {
                "put it under ADDED, or correct the name of the delta's folder".into()
            }
        }
    }
}

impl Fault for Refusal {
    /// Invalid: the change is wrong whatever the main specs say. Conflict: it does not go with them as they are now.
    fn kind(&self) -> Kind {
        match self {
            Self::OpenTasks { .. }
            | Self::StillHolds { .. }
            | Self::Conflict(_)
            | Self::Archived { .. } => Kind::Conflict,
            Self::Requirement { problem, .. } if !problem.is_invalid() => Kind::Conflict,
            _ => Kind::Invalid,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::OpenTasks { .. } => "tick them off in tasks.md, or force it",
            Self::NoDeltas { .. } => {
                "write specs/<capability>/spec.md in the change, with `## ADDED Requirements`"
            }
            Self::Stray { .. } => "move it to specs/<capability>/spec.md in the change",
            Self::Unreadable { .. } => "save the file as UTF-8 text",
            Self::BadBase { .. } => {
                "delete `.base.json` in the change and validate it, which records them anew"
            }
            Self::NoBase { .. } => "validate the change, which records them",
            Self::EmptyDelta { .. } => {
                "put `### Requirement: <name>` below `## ADDED Requirements` (or MODIFIED, REMOVED, RENAMED)"
            }
            Self::BadItem { .. } => "mend or delete it",
            Self::StillHolds { .. } => {
                "remove these, too, or take the line `**Retired capability**` out of the delta"
            }
            Self::Broken { .. } => "mend the requirement in the delta",
            Self::Requirement { problem, .. } => return Some(problem.way_out()),
            Self::Conflict(conflict) => conflict.way_out(),
            Self::Archived { .. } => "give the change another id, or move the archived one away",
            Self::BadId { .. } => "use letters, digits and dashes, as in `add-login`",
        };
        Some(hint.to_owned())
    }

    fn suggestions(&self) -> Vec<String> {
        match self {
            Self::Requirement { problem: Problem::Missing { nearest, .. }, .. } => nearest.clone(),
            Self::Requirement { problem: Problem::Spelling { exact, .. }, .. } => {
                vec![exact.clone()]
            }
            _ => Vec::new(),
        }
    }

    fn context(&self) -> Map<String, Value> {
        [
            ("rule", self.rule()),
            ("capability", self.capability()),
            ("requirement", self.requirement()),
        ]
        .into_iter()
        .filter_map(|(key, value)| Some((key.to_owned(), Value::from(value?))))
        .collect()
    }
}

/// All reasons against a change, in the order of its capabilities. Never empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refused {
    pub reasons: Vec<Refusal>,
}

impl Refused {
    pub(crate) fn unless_empty(reasons: Vec<Refusal>) -> Result<(), Self> {
        if reasons.is_empty() { Ok(()) } else { Err(Self { reasons }) }
    }
}

impl From<Refusal> for Refused {
    fn from(reason: Refusal) -> Self {
        Self { reasons: vec![reason] }
    }
}

impl std::error::Error for Refused {}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, reason) in self.reasons.iter().enumerate() {
            f.write_str(if at == 0 { "" } else { "; " })?;
            write!(f, "{reason}")?;
        }
        Ok(())
    }
}

impl Fault for Refused {
    /// Invalid as soon as one reason is: the change must be mended in any case.
    fn kind(&self) -> Kind {
        let invalid = self.reasons.iter().any(|reason| reason.kind() == Kind::Invalid);
        if invalid { Kind::Invalid } else { Kind::Conflict }
    }

    fn hint(&self) -> Option<String> {
        let mut hints: Vec<String> = self.reasons.iter().filter_map(Fault::hint).collect();
        hints.dedup();
        (!hints.is_empty()).then(|| hints.join("; "))
    }

    fn suggestions(&self) -> Vec<String> {
        self.reasons.iter().flat_map(Fault::suggestions).collect()
    }

    fn context(&self) -> Map<String, Value> {
        match &*self.reasons {
            [only] => only.context(),
            _ => Map::new(),
        }
    }

    /// Several reasons stand one by one beside the whole, and conflicts with all their texts.
    fn report(&self) -> Report {
        let mut report = Report::new(self.kind(), self.to_string());
        report.hint = self.hint();
        report.suggestions = self.suggestions();
        report.context = self.context();
        let conflicts: Vec<Value> = self
            .reasons
            .iter()
            .filter_map(|reason| match reason {
                Refusal::Conflict(conflict) => serde_json::to_value(conflict).ok(),
                _ => None,
            })
            .collect();
        if !conflicts.is_empty() {
            report = report.with("conflicts", conflicts);
        }
        if self.reasons.len() < 2 {
            return report;
        }
        let one = |reason: &Refusal| {
            let mut one = Map::from_iter([("error".to_owned(), json!(reason.to_string()))]);
            one.extend(reason.hint().map(|hint| ("hint".to_owned(), Value::from(hint))));
            one.extend(reason.context());
            Value::Object(one)
        };
        report.with("reasons", self.reasons.iter().map(one).collect::<Vec<_>>())
    }
}

/// ``scenario `a` ``, or ``scenarios `a`, `b` and 3 more``.
fn listed(what: &str, names: &[String]) -> String {
    const SHOWN: usize = 5;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
    let plural = if names.len() == 1 { "" } else { "s" };
    let more = match names.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{what}{plural} {}{more}", shown.join(", "))
}
