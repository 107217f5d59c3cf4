//! Settings.

use kit_core::{Fault, Kind};
use serde::{Deserialize, Serialize};

/// What can be set for this application.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Largest request body, in bytes.
    pub body_bytes: usize,
    /// How many events a reader that comes back gets again; one further behind is told to read the state.
    pub replay_events: u64,
    /// How many events a reader may be behind before its stream ends.
    pub reader_events: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self { body_bytes: 10 * 1024 * 1024, replay_events: 1_000, reader_events: 256 }
    }
}

/// A setting that cannot work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`universe.{key}` must be at least 1")]
pub struct BadConfig {
    key: &'static str,
}

impl Fault for BadConfig {
    fn kind(&self) -> Kind {
        Kind::Invalid
    }
}

impl Config {
    pub(crate) fn check(&self) -> Result<(), BadConfig> {
        for (key, value) in [("body_bytes", self.body_bytes), ("reader_events", self.reader_events)]
        {
            if value == 0 {
                return Err(BadConfig { key });
            }
        }
        Ok(())
    }
}
