//! Why a database did not answer.

use std::time::Duration;

use kit_core::{Fault, Kind};

/// Why a database could not be asked or a query gave no rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The database cannot be reached: it is down, refuses us, or its library is missing.
    #[error("{message}")]
    Unavailable { message: String, hint: Option<String> },
    /// It cannot be opened with these settings. The message may name places of this machine.
    #[error("{message}")]
    Open { message: String },
    /// The type that the database names for a column cannot be read.
    #[error("column `{column}` has a type that cannot be read: {text}")]
    Type { column: String, text: String },
    /// The database refused the statement or failed while it ran.
    #[error("{message}")]
    Query { message: String },
    /// More rows than allowed.
    #[error("the result has more than {limit} rows")]
    TooManyRows { limit: usize },
    /// More bytes than allowed.
    #[error("the result has more than {limit} bytes")]
    TooManyBytes { limit: usize },
    /// It took longer than allowed.
    #[error("the query was stopped after {} ms", limit.as_millis())]
    TimedOut { limit: Duration },
    /// Stopped through its [`crate::Cancel`].
    #[error("the query was stopped")]
    Cancelled,
}

impl Error {
    /// The database refused the statement.
    pub fn query(message: impl Into<String>) -> Self {
        Self::Query { message: message.into() }
    }

    /// Whether the database as a whole is to blame, and not what was asked of it.
    pub fn is_about_the_database(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::Open { .. })
    }
}

impl Fault for Error {
    fn kind(&self) -> Kind {
        match self {
            Self::Query { .. }
            | Self::TooManyRows { .. }
            | Self::TooManyBytes { .. }
            | Self::Type { .. } => Kind::Invalid,
            Self::Cancelled | Self::TimedOut { .. } | Self::Unavailable { .. } => Kind::Unavailable,
            Self::Open { .. } => Kind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Unavailable { hint, .. } => hint.clone(),
            Self::TooManyRows { .. } | Self::TooManyBytes { .. } => {
                Some("add a `limit:`, or aggregate".to_owned())
            }
            Self::TimedOut { .. } => {
                Some("ask for less at once: filter, or aggregate more coarsely".to_owned())
            }
            _ => None,
        }
    }
}
