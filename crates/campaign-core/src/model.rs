//! The state, which is the sum of its events.

use serde::{Deserialize, Serialize};

use crate::Event;

/// What was written, the oldest first.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Log {
    pub entries: Vec<String>,
}

impl Log {
    /// Folds one event in. Total: what was decided always applies.
    pub fn apply(&mut self, event: &Event) {
        match event {
            Event::Added { text } => self.entries.push(text.clone()),
        }
    }
}
