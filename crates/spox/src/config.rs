//! Settings.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What can be set for this application. What concerns a project is in its own `.spox/config.toml`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The folder of the project (default: the working directory, or the nearest above it that has `.spox`).
    pub root: Option<PathBuf>,
}
