//! Why a command was refused.

use kit_core::{Fault, Kind};

/// Why a command was refused. The log is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// There is nothing to write.
    #[error("`text` is empty")]
    EmptyText,
    /// One more would be too many.
    #[error("the log is full: it holds {most} entries")]
    Full { most: usize },
}

impl Fault for Rejection {
    fn kind(&self) -> Kind {
        match self {
            Self::EmptyText => Kind::Invalid,
            Self::Full { .. } => Kind::Conflict,
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::EmptyText => "write at least one word".into(),
            Self::Full { .. } => "begin another log, or raise `campaign.entries`".into(),
        })
    }
}
