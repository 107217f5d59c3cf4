//! Why the store said no.

use std::{error::Error, path::PathBuf};

use kit_core::{Fault, Kind};

use crate::{StreamId, Version};

/// What went wrong below us; for the log, never for an answer.
pub(crate) type BoxError = Box<dyn Error + Send + Sync>;

/// Why the store refused or failed. Nothing was written, unless it says so ([`StoreError::InDoubt`]).
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("stream `{stream}` is at version {actual}, not {expected}")]
    Conflict { stream: StreamId, expected: Version, actual: Version },
    #[error("stream `{0}` is closed")]
    Closed(StreamId),
    /// An append must say what happened.
    #[error("append to `{0}` has no events")]
    NoEvents(StreamId),
    /// Empty, too long, or with control characters. It may be hostile, so it is not repeated.
    #[error("{what} is not 1 to {} printable bytes", StreamId::MAX_BYTES)]
    BadName { what: &'static str },
    #[error("signal `{topic}` has {size} bytes, {limit} at most")]
    TooLarge { topic: String, size: usize, limit: usize },
    #[error("session is there already")]
    SessionExists,
    /// An event that this program does not understand: written by a newer one, or damaged.
    #[error("event {version} of `{stream}` cannot be read")]
    Unreadable { stream: StreamId, version: Version, source: BoxError },
    /// Another process has the directory.
    #[error("data directory `{}` is in use{}", path.display(), by(*process))]
    InUse { path: PathBuf, process: Option<u32> },
    #[error("cannot open the store `{what}`")]
    Open { what: String, source: BoxError },
    #[error("store `{what}` has schema {found}, this program knows up to {known}")]
    Newer { what: String, found: i64, known: i64 },
    #[error("database URL begins with `{0}`, not with `postgres://`")]
    UnknownScheme(String),
    #[error("the store is busy")]
    Busy,
    #[error("the store is closed")]
    Stopped,
    #[error("the store cannot be reached")]
    Unreachable(#[source] BoxError),
    /// The connection broke between the request and the answer, or an event's `apply` panicked.
    #[error("append to `{stream}` got no answer and may be there or not")]
    InDoubt { stream: StreamId, source: BoxError },
    #[error("the store failed")]
    Failed(#[source] BoxError),
}

impl StoreError {
    pub(crate) fn failed(cause: impl Into<BoxError>) -> Self {
        Self::Failed(cause.into())
    }
}

impl Fault for StoreError {
    fn kind(&self) -> Kind {
        match self {
            Self::Conflict { .. } | Self::Closed(_) | Self::SessionExists => Kind::Conflict,
            Self::NoEvents(_)
            | Self::BadName { .. }
            | Self::TooLarge { .. }
            | Self::UnknownScheme(_) => Kind::Invalid,
            Self::InUse { .. } | Self::Busy | Self::Stopped | Self::Unreachable(_) => {
                Kind::Unavailable
            }
            Self::Unreadable { .. }
            | Self::Open { .. }
            | Self::Newer { .. }
            | Self::InDoubt { .. }
            | Self::Failed(_) => Kind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Conflict { .. } => "read the stream again and retry on what it says",
            Self::Busy | Self::Unreachable(_) => "repeat the request in a moment",
            Self::InDoubt { .. } => "read the stream to see whether it is there before repeating",
            Self::TooLarge { .. } => "send the id of what changed and let the receiver read it",
            Self::InUse { .. } => {
                "stop the other process, choose another directory with `--data-dir`, \
                 or share a PostgreSQL with `--database-url`"
            }
            Self::Newer { .. } | Self::Unreadable { .. } => "run the newer version that wrote it",
            Self::UnknownScheme(_) => "give `postgres://user@host/database`, or none for SQLite",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}

fn by(process: Option<u32>) -> String {
    process.map(|id| format!(" by process {id}")).unwrap_or_default()
}
