//! The arguments of the tools. What may be left out may also be `null`.

use kit_mcp::rmcp::schemars::{self, JsonSchema};
use serde::Deserialize;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Nothing {}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfSpec {
    /// Id of the spec, from `list_specs`.
    pub(super) spec_id: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfScenario {
    /// Id of the spec, from `list_specs`.
    pub(super) spec_id: String,
    /// Name of the requirement, from `get_spec_requirements`.
    pub(super) requirement: String,
    /// Name of the scenario; without it, the first of the requirement.
    #[serde(default)]
    pub(super) scenario: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Search {
    /// What you want to know, as a question or in keywords.
    pub(super) query: String,
    /// At most so many results (default 10).
    #[serde(default)]
    #[schemars(range(min = 1, max = 100))]
    pub(super) top_k: Option<u32>,
    /// Also search what active changes propose; such results have a `change_id`.
    #[serde(default)]
    pub(super) include_changes: Option<bool>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OfChange {
    /// Id of the change, from `list_changes`.
    pub(super) change_id: String,
    /// Only this part: `proposal`, `tasks`, `design` or `deltas`.
    #[serde(default)]
    pub(super) section: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PerhapsSpec {
    /// Only the spec with this id; without it, all.
    #[serde(default)]
    pub(super) spec_id: Option<String>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PerhapsChange {
    /// Only the change with this id; without it, all active ones.
    #[serde(default)]
    pub(super) change_id: Option<String>,
}
