//! JSON as MCP and HTTP speak it. The comments here are the tools' schema.

use campaign_core::Command;
use kit_mcp::rmcp::schemars::{self, JsonSchema};
use kit_store::Live;
use serde::{Deserialize, Serialize};

use crate::store::Kept;

/// Something to write.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add {
    /// What to write, at least one word.
    pub text: String,
}

impl From<Add> for Command {
    fn from(add: Add) -> Self {
        Self::Add { text: add.text }
    }
}

/// The same, with the log named beside it, since a tool has no path.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AddTo {
    /// Which log to write to; one that does not exist yet begins with this.
    pub log: String,
    /// What to write, at least one word.
    pub text: String,
}

/// A log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Log {
    /// How many changes it has seen.
    pub version: u64,
    /// What was written, the oldest first.
    pub entries: Vec<String>,
}

impl From<Live<Kept>> for Log {
    fn from(live: Live<Kept>) -> Self {
        Self { version: live.version.0, entries: live.0.entries.clone() }
    }
}
