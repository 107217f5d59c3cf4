//! Settings.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// What can be set for this application. Which projects there are is in the server root's `publisher.config.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The directory with `publisher.config.json`, or with packages (default: the working directory).
    pub server_root: Option<PathBuf>,
    /// Another configuration file than the server root's.
    pub config_file: Option<PathBuf>,
    /// Whether nothing may be changed while the server runs, whatever the configuration file says.
    pub frozen: bool,
    /// Whether edited files are loaded at once.
    pub watch: bool,
    /// Whether the text of a query may have SQL in it, read any table of its package and import files.
    pub allow_sql: bool,
    /// How many rows a query without a limit of its own gives.
    pub default_rows: u64,
    /// How many rows any query may give.
    pub max_rows: u64,
    /// How large a result may be.
    pub max_bytes: usize,
    /// How long a query may take.
    pub query_timeout_ms: u64,
    /// How many queries may run at once; more wait a moment.
    pub concurrent_queries: usize,
    /// How much memory results may take that are kept for the next who asks the same; 0: none are.
    pub cache_bytes: usize,
    /// How old a kept result may be.
    pub cache_seconds: u64,
    /// How many queries are remembered.
    pub history: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            server_root: None,
            config_file: None,
            frozen: false,
            watch: true,
            allow_sql: false,
            default_rows: 1000,
            max_rows: 100_000,
            max_bytes: 50_000_000,
            query_timeout_ms: 300_000,
            concurrent_queries: 32,
            cache_bytes: 64 << 20,
            cache_seconds: 300,
            history: 500,
        }
    }
}
