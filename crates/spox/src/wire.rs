//! The JSON that MCP, HTTP and `--json` share.
//!
//! Names and shapes are what existing clients rely on; what ours adds is marked by being optional or by standing last.

use std::collections::BTreeMap;

use kit_mcp::rmcp::schemars::{self, JsonSchema};
use serde::{Deserialize, Serialize};
use spox_core::{Issue, Operation, Severity};

/// All specs, without their requirements.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpecList {
    pub specs: Vec<SpecSummary>,
}

/// A spec in the list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpecSummary {
    /// The folder of the spec, such as `auth` or `platform/auth`.
    pub id: String,
    pub title: String,
    pub purpose: String,
    pub requirement_count: usize,
}

/// The requirements of a spec, without their texts.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpecRequirements {
    pub spec_id: String,
    /// In the order of the document.
    pub requirements: Vec<RequirementSummary>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RequirementSummary {
    pub name: String,
    pub scenario_count: usize,
    /// Where its heading stands in the spec's file.
    pub line: u32,
}

/// A scenario with the requirement that it belongs to. Each part has two names: older clients know the longer ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ScenarioFound {
    pub spec_id: String,
    pub requirement: String,
    pub requirement_description: String,
    pub name: String,
    /// The conditions, joined with ` AND `.
    pub when: String,
    /// The outcomes.
    pub then: Vec<String>,
    pub scenario_name: String,
    pub when_clause: String,
    pub then_clauses: Vec<String>,
    /// The conditions one by one.
    pub conditions: Vec<String>,
    pub line: u32,
}

/// What a search found, the best first.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchResults {
    pub results: Vec<SearchHit>,
    /// Whether specs were edited since their texts were embedded; words are fresh all the same.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub stale: bool,
    /// Whether the index was built for this search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index_built: Option<bool>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchHit {
    pub spec_id: String,
    /// `null` for a hit on the purpose of a spec.
    pub requirement: Option<String>,
    /// From 0 to 1, to four digits.
    pub score: f64,
    /// The sentence or clause that matched best.
    pub snippet: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The change that proposes it; absent for what is in the main specs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub change_id: Option<String>,
}

/// The active changes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeList {
    pub changes: Vec<ChangeSummary>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeSummary {
    pub id: String,
    pub title: String,
    pub task_progress: TaskProgress,
    /// Whether the proposal says that it breaks something.
    pub breaking: bool,
    pub approved: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TaskProgress {
    pub completed: usize,
    pub total: usize,
}

/// A change, whole or the section that was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ChangeFound {
    pub change_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposal: Option<Proposal>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tasks: Option<Tasks>,
    /// `design.md` as it is; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub design: Option<String>,
    /// By capability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deltas: Option<BTreeMap<String, Delta>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Proposal {
    pub why: String,
    pub what_changes: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub impact: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Tasks {
    /// `tasks.md` as it is.
    pub content: String,
    pub completed: usize,
    pub total: usize,
}

/// What a change does to one capability.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Delta {
    pub capability: String,
    pub items: Vec<DeltaItem>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DeltaItem {
    pub operation: DeltaOperation,
    pub name: String,
    /// The first paragraph of the requirement.
    pub text: String,
    /// The names of its scenarios.
    pub scenarios: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DeltaOperation {
    Added,
    Modified,
    Removed,
    Renamed,
}

impl From<Operation> for DeltaOperation {
    fn from(operation: Operation) -> Self {
        match operation {
            Operation::Added => Self::Added,
            Operation::Modified => Self::Modified,
            Operation::Removed => Self::Removed,
            Operation::Renamed => Self::Renamed,
        }
    }
}

/// Whether specs or changes are well formed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Validation {
    /// Whether there are no errors.
    pub valid: bool,
    pub errors: Vec<Finding>,
    pub warnings: Vec<Finding>,
    pub summary: String,
}

/// Something that is wrong at some place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// From the root of the project for specs, from the change's folder for changes.
    pub file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    pub description: String,
    /// Which part of a change: `proposal`, `tasks`, `design` or `deltas`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<String>,
    /// The rule, such as `S06`.
    pub code: String,
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// What to write instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

impl From<&Issue> for Finding {
    fn from(issue: &Issue) -> Self {
        Self {
            file: issue.file.clone(),
            line: issue.line,
            column: issue.column,
            description: issue.message.clone(),
            section: issue.section.map(|section| section.name().to_owned()),
            code: issue.code.to_owned(),
            severity: match issue.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "info",
            }
            .to_owned(),
            fix: issue.fix.clone(),
        }
    }
}

/// The index was built.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct IndexBuilt {
    pub specs_indexed: usize,
    /// How many texts have a vector.
    pub texts: usize,
}
