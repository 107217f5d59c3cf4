//! Settings.

use serde::{Deserialize, Serialize};

/// What can be set for this application, in its part of `tandem.toml`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// How many entries one log may hold.
    pub entries: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { entries: 10_000 }
    }
}
