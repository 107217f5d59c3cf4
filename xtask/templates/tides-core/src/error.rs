//! Why a command was refused.

use kit_core::{Fault, Kind};

/// Why a command was refused. The log is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Rejection {
    /// There is nothing to write.
    #[error("`text` is empty")]
    EmptyText,
}

impl Fault for Rejection {
    fn kind(&self) -> Kind {
        match self {
            Self::EmptyText => Kind::Invalid,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::EmptyText => Some("write at least one word".into()),
        }
    }
}
