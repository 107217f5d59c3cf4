//! Why a request was not carried out. Every surface shows the same body, see [`crate::wire::failure`].

use kit_core::{Fault, Kind};
use kit_store::{Recorded, StoreError};
use serde_json::{Map, Value};
use universe_core::{Invalid, UniverseId};

use crate::service::{LONGEST_KEY, MOST_COMMANDS};

/// The wording of the first five is what existing clients compare with, hence capitals and quotation marks.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("Universe not found")]
    NotFound { id: UniverseId },
    #[error("Request body must be a JSON object with a non-empty \"type\" string property")]
    NoCommand,
    #[error("\"name\" {0}")]
    Name(&'static str),
    #[error("\"state\" {0}")]
    State(&'static str),
    #[error("Revision not found")]
    NoRevision { id: UniverseId, revision: u64, latest: u64 },
    #[error("\"commands\" must be a list of 1 to {MOST_COMMANDS} commands")]
    Commands,
    #[error("the idempotency key must be 1 to {LONGEST_KEY} visible ASCII characters")]
    Key,
    /// The key stands for something else, which happened at this revision.
    #[error("the idempotency key was used for another command, at revision {revision}")]
    KeyTaken { id: UniverseId, revision: u64 },
    /// Values of the wrong type, each with its place.
    #[error("{source}")]
    Invalid { id: Option<UniverseId>, source: Invalid },
    /// The caller asked for a revision that is no longer the present one.
    #[error("universe `{id}` is at another revision than {expected}")]
    Stale { id: UniverseId, expected: u64 },
    /// Others were always first.
    #[error("universe `{id}` is changed too fast by others")]
    Busy { id: UniverseId },
    /// The work ended before it was done.
    #[error("the work was stopped before it was done")]
    Stopped,
    #[error("the universe cannot be read or written now")]
    Store { id: Option<UniverseId>, source: StoreError },
}

impl Error {
    /// The universe that it is about.
    pub fn universe(&self) -> Option<&UniverseId> {
        match self {
            Self::NotFound { id }
            | Self::NoRevision { id, .. }
            | Self::KeyTaken { id, .. }
            | Self::Stale { id, .. }
            | Self::Busy { id } => Some(id),
            Self::Invalid { id, .. } | Self::Store { id, .. } => id.as_ref(),
            Self::NoCommand
            | Self::Name(_)
            | Self::State(_)
            | Self::Commands
            | Self::Key
            | Self::Stopped => None,
        }
    }

    /// A line of the log that this program does not understand.
    pub(crate) fn unreadable(id: &UniverseId, line: &Recorded, source: serde_json::Error) -> Self {
        let (stream, version) = (line.stream.clone(), line.version);
        let source = StoreError::Unreadable { stream, version, source: source.into() };
        Self::Store { id: Some(id.clone()), source }
    }
}

impl Fault for Error {
    fn kind(&self) -> Kind {
        match self {
            Self::NotFound { .. } | Self::NoRevision { .. } => Kind::NotFound,
            Self::NoCommand
            | Self::Name(_)
            | Self::State(_)
            | Self::Commands
            | Self::Key
            | Self::Invalid { .. } => Kind::Invalid,
            Self::Stale { .. } | Self::KeyTaken { .. } => Kind::Conflict,
            Self::Busy { .. } | Self::Stopped => Kind::Unavailable,
            Self::Store { source, .. } => source.kind(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound { .. } => Some("the resources `universe://…` list what is there".into()),
            Self::NoRevision { latest, .. } => Some(format!("there are 1 to {latest}")),
            Self::KeyTaken { .. } => Some("use a new key for a new command".into()),
            Self::Stale { .. } => Some("read the universe again and repeat on what it says".into()),
            Self::Busy { .. } | Self::Stopped => Some("repeat the request in a moment".into()),
            Self::Store { source, .. } => source.hint(),
            _ => None,
        }
    }

    fn context(&self) -> Map<String, Value> {
        let mut context = Map::new();
        if let Some(id) = self.universe() {
            context.insert("universeId".to_owned(), id.as_str().into());
        }
        if let Self::NoRevision { revision, latest, .. } = self {
            context.insert("revision".to_owned(), (*revision).into());
            context.insert("latest".to_owned(), (*latest).into());
        }
        context
    }
}

/// A failure of the store while `id` was read.
pub(crate) fn store(id: &UniverseId, source: StoreError) -> Error {
    Error::Store { id: Some(id.clone()), source }
}
