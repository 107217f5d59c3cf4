//! Why a request was not carried out. Every surface shows the same body, see [`crate::wire::failure`].

use kit_core::{Fault, Kind};
use kit_store::StoreError;
use serde_json::{Map, Value};
use universe_core::{Invalid, UniverseId};

/// The wording of the first four is what existing clients compare with, hence capitals and quotation marks.
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
    /// Values of the wrong type, each with its place.
    #[error("{source}")]
    Invalid { id: Option<UniverseId>, source: Invalid },
    /// The caller asked for a revision that is no longer the present one.
    #[error("universe `{id}` is at another revision than {expected}")]
    Stale { id: UniverseId, expected: u64 },
    #[error("the universe cannot be read or written now")]
    Store { id: Option<UniverseId>, source: StoreError },
}

impl Error {
    /// The universe that it is about.
    pub fn universe(&self) -> Option<&UniverseId> {
        match self {
            Self::NotFound { id } | Self::Stale { id, .. } => Some(id),
            Self::Invalid { id, .. } | Self::Store { id, .. } => id.as_ref(),
            Self::NoCommand | Self::Name(_) | Self::State(_) => None,
        }
    }
}

impl Fault for Error {
    fn kind(&self) -> Kind {
        match self {
            Self::NotFound { .. } => Kind::NotFound,
            Self::NoCommand | Self::Name(_) | Self::State(_) | Self::Invalid { .. } => {
                Kind::Invalid
            }
            Self::Stale { .. } => Kind::Conflict,
            Self::Store { source, .. } => source.kind(),
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::NotFound { .. } => Some("the resources `universe://…` list what is there".into()),
            Self::Stale { .. } => Some("read the universe again and repeat on what it says".into()),
            Self::Store { source, .. } => source.hint(),
            _ => None,
        }
    }
    fn context(&self) -> Map<String, Value> {
        let id = self.universe().map(|id| ("universeId".to_owned(), id.as_str().into()));
        id.into_iter().collect()
    }
}
