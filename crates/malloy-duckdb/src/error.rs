//! Why DuckDB did not answer.

use std::path::PathBuf;

use kit_core::{Fault, Kind};

/// Why a database could not be opened or a query gave no rows.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The shared library is missing or of another version.
    #[error("the DuckDB library could not be loaded: {why}")]
    Library { why: String },
    /// The database refused to open with these settings.
    #[error("cannot open the database: {message}")]
    Open { message: String },
    /// A directory that queries may read is not there.
    #[error("cannot read {}: {message}", path.display())]
    Directory { path: PathBuf, message: String },
    /// The type DuckDB names for a column cannot be read.
    #[error("column `{column}` has a type that cannot be read: {text}")]
    Type { column: String, text: String },
    /// DuckDB refused the statement or failed while it ran.
    #[error("{message}")]
    Query { message: String },
    /// More rows than allowed.
    #[error("the result has more than {limit} rows")]
    TooManyRows { limit: usize },
    /// More bytes than allowed.
    #[error("the result has more than {limit} bytes")]
    TooManyBytes { limit: usize },
    /// Stopped through its [`crate::Cancel`].
    #[error("the query was stopped")]
    Cancelled,
}

impl Error {
    pub(crate) fn query(error: &duckdb::Error) -> Self {
        // Its `Display` repeats the error code; the message of the engine says it all.
        let message = match error {
            duckdb::Error::DuckDBFailure(_, Some(message)) => message.clone(),
            other => other.to_string(),
        };
        Self::Query { message }
    }
}

impl Fault for Error {
    fn kind(&self) -> Kind {
        match self {
            Self::Query { .. }
            | Self::TooManyRows { .. }
            | Self::TooManyBytes { .. }
            | Self::Type { .. } => Kind::Invalid,
            Self::Cancelled | Self::Library { .. } => Kind::Unavailable,
            Self::Open { .. } | Self::Directory { .. } => Kind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Library { .. } => Some(
                "put it beside the program, or name its directory in `DUCKDB_LIB_DIR`".to_owned(),
            ),
            Self::TooManyRows { .. } | Self::TooManyBytes { .. } => {
                Some("add a `limit:`, or aggregate".to_owned())
            }
            _ => None,
        }
    }
}
