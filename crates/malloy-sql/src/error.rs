//! Why a query cannot be written for a dialect.

use kit_core::{Fault, Kind};

/// Why there is no SQL.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The database has nothing that would do this.
    #[error("{dialect} has no {what}")]
    Unsupported { dialect: &'static str, what: String },
    /// Expressions that use each other have grown out of bounds.
    #[error("the query grows past {limit} characters of SQL")]
    TooLarge { limit: usize },
    /// The intermediate form contradicts itself; the message says where.
    #[error("the compiled query is broken: {0}")]
    Broken(String),
}

impl Error {
    pub(crate) fn broken(what: impl Into<String>) -> Self {
        Self::Broken(what.into())
    }
}

impl Fault for Error {
    fn kind(&self) -> Kind {
        match self {
            Self::Unsupported { .. } | Self::TooLarge { .. } => Kind::Invalid,
            Self::Broken(_) => Kind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Unsupported { .. } => Some("run it on DuckDB, or ask without it".to_owned()),
            Self::TooLarge { .. } => {
                Some("name fewer fields that are built on each other".to_owned())
            }
            Self::Broken(_) => None,
        }
    }
}
