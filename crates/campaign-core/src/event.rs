//! What happened.

use serde::{Deserialize, Serialize};

/// One change of a log. Kept for ever: what was written once must be read for ever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Event {
    Added { text: String },
}

impl Event {
    /// Its name in the journal.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Added { .. } => "added",
        }
    }
}
