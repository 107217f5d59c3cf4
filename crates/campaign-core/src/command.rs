//! What may be asked.

/// What anyone (agent, browser, terminal) may ask of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Write `text` at the end.
    Add { text: String },
}
