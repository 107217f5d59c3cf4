//! Settings.

use serde::{Deserialize, Serialize};

/// What can be set for this application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Largest request body, in bytes.
    pub body_bytes: usize,
    /// How many entries a reader that comes back gets again; one further behind is told to read the table.
    pub replay_entries: u64,
}

impl Default for Config {
    fn default() -> Self {
        Self { body_bytes: 1024 * 1024, replay_entries: 1_000 }
    }
}
