//! The journal: one append-only log per stream.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use kit_core::{Fault, Kind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use tokio::sync::broadcast;

/// Names a stream: `<category>/<id>`, for example `universe/7d0c…`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StreamId(Arc<str>);

impl StreamId {
    pub fn new(category: &str, id: &str) -> Self {
        Self(format!("{category}/{id}").into())
    }

    /// Reads a name back as it was printed.
    pub fn parse(name: &str) -> Option<Self> {
        name.contains('/').then(|| Self(name.into()))
    }

    pub fn category(&self) -> &str {
        self.0.split_once('/').map_or(&*self.0, |(category, _)| category)
    }

    pub fn id(&self) -> &str {
        self.0.split_once('/').map_or("", |(_, id)| id)
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for StreamId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// How many events a stream has: 0 before the first, then the number of the last one.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
pub struct Version(pub u64);

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What the appender believes the stream to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// Exactly this version (`Version(0)`: the stream does not exist yet).
    Exactly(Version),
    /// Whatever it is.
    Any,
}

/// An event to append. The data is JSON text, encoded once and never looked into here.
#[derive(Debug, Clone)]
pub struct NewEvent {
    pub kind: Arc<str>,
    pub data: Arc<RawValue>,
}

/// One atomic append.
#[derive(Debug, Clone)]
pub struct Append {
    pub stream: StreamId,
    pub expected: Expected,
    pub events: Vec<NewEvent>,
    /// Who caused it.
    pub actor: Arc<str>,
    /// Milliseconds since 1970, from the caller's clock.
    pub at: i64,
    /// A small summary of the stream, listed without reading it; `None` keeps the one there is.
    pub head: Option<Value>,
    /// The stream is over: it is no longer listed, and nothing more can be appended.
    pub closes: bool,
}

/// An event as it stands in the log.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub stream: StreamId,
    /// Its number in the stream, from 1, without gaps.
    pub version: Version,
    pub kind: Arc<str>,
    pub data: Arc<RawValue>,
    pub actor: Arc<str>,
    /// Milliseconds since 1970.
    pub at: i64,
}

/// Told to watchers after an append is durable. Wakes; what happened is read from the log, except that an
/// append of this process brings its events along.
#[derive(Debug, Clone)]
pub struct Appended {
    pub stream: StreamId,
    pub version: Version,
    /// Empty when another replica appended.
    pub events: Arc<[Recorded]>,
}

/// The state at a version, so that a load need not replay from the start.
#[derive(Debug, Clone)]
pub struct Snapshot {
    pub version: Version,
    pub data: Arc<RawValue>,
}

/// One stream in a listing.
#[derive(Debug, Clone)]
pub struct StreamInfo {
    pub stream: StreamId,
    pub version: Version,
    pub head: Value,
    /// Time of the first append, milliseconds since 1970.
    pub created_at: i64,
    /// Time of the last append.
    pub updated_at: i64,
    pub closed: bool,
}

/// Keeps streams of events.
#[async_trait]
pub trait Journal: Send + Sync + 'static {
    /// Appends all of it or nothing; returns the version of the last event once it is durable.
    /// [`StoreError::Conflict`] if the stream is not where the caller believed.
    async fn append(&self, append: Append) -> Result<Version, StoreError>;

    /// Up to `limit` events after `after`, in order. An unknown stream has none.
    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, StoreError>;

    /// What is known of one stream without reading it.
    async fn info(&self, stream: &StreamId) -> Result<Option<StreamInfo>, StoreError>;

    /// The open streams of a category, the newest created first.
    async fn list(&self, category: &str) -> Result<Vec<StreamInfo>, StoreError>;

    /// Keeps `snapshot` as the latest of `stream`, unless a later one is there already.
    async fn save_snapshot(&self, stream: &StreamId, snapshot: Snapshot) -> Result<(), StoreError>;

    async fn snapshot(&self, stream: &StreamId) -> Result<Option<Snapshot>, StoreError>;

    /// Wakes after every append on any stream, by any replica. A receiver that lags reads the log.
    fn watch(&self) -> broadcast::Receiver<Appended>;
}

/// Why the store refused or failed. Nothing was written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("stream `{stream}` is at version {actual}, not {expected}")]
    Conflict { stream: StreamId, expected: Version, actual: Version },
    #[error("stream `{0}` is closed")]
    Closed(StreamId),
    #[error("the store is busy")]
    Busy,
    #[error("the store failed")]
    Failed(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Fault for StoreError {
    fn kind(&self) -> Kind {
        match self {
            Self::Conflict { .. } | Self::Closed(_) => Kind::Conflict,
            Self::Busy => Kind::Unavailable,
            Self::Failed(_) => Kind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Conflict { .. } => Some("read the stream again and retry on what it says".into()),
            Self::Busy => Some("repeat the request in a moment".into()),
            Self::Closed(_) | Self::Failed(_) => None,
        }
    }
}
