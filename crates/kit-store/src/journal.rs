//! The journal: one append-only log per stream.

use std::{fmt, sync::Arc};

use async_trait::async_trait;
use futures::future::BoxFuture;
use serde::{Deserialize, Serialize};
use serde_json::{Value, value::RawValue};
use tokio::sync::broadcast;

use crate::StoreError;

/// Names a stream: `<category>/<id>`, for example `universe/7d0c…`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct StreamId(Arc<str>);

impl StreamId {
    /// Longer names are refused: a name must fit into a PostgreSQL notification and an index entry.
    pub const MAX_BYTES: usize = 512;

    pub fn new(category: &str, id: &str) -> Self {
        Self([category, "/", id].concat().into())
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

    /// A name that was checked when it was written.
    pub(crate) fn stored(name: &str) -> Self {
        Self(name.into())
    }

    /// Whether any back end can have a stream of this name.
    pub(crate) fn is_storable(&self) -> bool {
        is_name(&self.0)
    }
}

/// What every back end can keep as a name: PostgreSQL knows no NUL, and a log line no line break.
pub(crate) fn is_name(text: &str) -> bool {
    let controls = if text.is_ascii() {
        text.bytes().any(|byte| byte.is_ascii_control())
    } else {
        text.chars().any(char::is_control)
    };
    (1..=StreamId::MAX_BYTES).contains(&text.len()) && !controls
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
    pub head: Option<Arc<Value>>,
    /// The stream is over: it is no longer listed, and nothing more can be appended.
    pub closes: bool,
    /// Further names that the stream is found by from now on, unique in its category; the first stream that takes a name
    /// keeps it.
    pub aliases: Vec<Arc<str>>,
}

impl Append {
    /// Judges what can be judged without looking at the stream.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        let names = [("stream name", self.stream.as_str()), ("actor", &self.actor)];
        let kinds = self.events.iter().map(|event| ("event kind", &*event.kind));
        let aliases = self.aliases.iter().map(|alias| ("alias", &**alias));
        let mut all = names.into_iter().chain(kinds).chain(aliases);
        if let Some((what, _)) = all.find(|(_, name)| !is_name(name)) {
            return Err(StoreError::BadName { what });
        }
        if self.events.is_empty() {
            return Err(StoreError::NoEvents(self.stream.clone()));
        }
        Ok(())
    }

    /// Judges against the stream as it is. A closed stream is closed whatever was expected.
    pub(crate) fn judge(&self, actual: Version, closed: bool) -> Result<(), StoreError> {
        match self.expected {
            _ if closed => Err(StoreError::Closed(self.stream.clone())),
            Expected::Exactly(expected) if expected != actual => {
                Err(StoreError::Conflict { stream: self.stream.clone(), expected, actual })
            }
            Expected::Exactly(_) | Expected::Any => Ok(()),
        }
    }

    /// The events as they stand in the log when the stream was at `before`.
    pub(crate) fn recorded(&self, before: Version) -> Arc<[Recorded]> {
        let Self { stream, events, actor, at, .. } = self;
        let record = |(number, event): (usize, &NewEvent)| Recorded {
            stream: stream.clone(),
            version: Version(before.0 + 1 + number as u64),
            kind: event.kind.clone(),
            data: event.data.clone(),
            actor: actor.clone(),
            at: *at,
        };
        // Counted from the events, whose number is known: so the slice is made in one piece.
        events.iter().enumerate().map(record).collect()
    }
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
    /// Empty when another replica appended. Wakes of one stream may come out of order and twice.
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

/// The answer to an append that is in line.
pub type Submitted = BoxFuture<'static, Result<Version, StoreError>>;

/// Keeps streams of events.
#[async_trait]
pub trait Journal: Send + Sync + 'static {
    /// Appends all of it or nothing; returns the version of the last event once it is durable.
    /// [`StoreError::Conflict`] if the stream is not where the caller believed. Watchers hear of it before
    /// the caller does.
    async fn append(&self, append: Append) -> Result<Version, StoreError>;

    /// Puts an append in line: whatever is submitted after this returns is written after it, perhaps in the same
    /// wait for the disk. What becomes of it is told by the future. A journal without a line waits here.
    async fn submit(&self, append: Append) -> Result<Submitted, StoreError> {
        let answer = self.append(append).await;
        Ok(Box::pin(std::future::ready(answer)))
    }

    /// Up to `limit` events after `after`, in order. An unknown stream has none.
    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, StoreError>;

    /// What is known of one stream without reading it.
    async fn info(&self, stream: &StreamId) -> Result<Option<StreamInfo>, StoreError>;

    /// The stream of a category that took this alias.
    async fn find(&self, category: &str, alias: &str) -> Result<Option<StreamId>, StoreError>;

    /// The open streams of a category, the newest created first.
    async fn list(&self, category: &str) -> Result<Vec<StreamInfo>, StoreError>;

    /// The open streams of a category in the order of their creation, equal times by name: up to `limit` after the one
    /// that was created then under that name, whether or not it is still there.
    async fn list_after(
        &self,
        category: &str,
        after: Option<(i64, &StreamId)>,
        limit: usize,
    ) -> Result<Vec<StreamInfo>, StoreError>;

    /// Keeps `snapshot` as the latest of `stream`, unless a later one is there already. A snapshot of what
    /// the log does not hold is not kept.
    async fn save_snapshot(&self, stream: &StreamId, snapshot: Snapshot) -> Result<(), StoreError>;

    async fn snapshot(&self, stream: &StreamId) -> Result<Option<Snapshot>, StoreError>;

    /// Wakes after every append on any stream, by any replica. A receiver that lags reads the log.
    fn watch(&self) -> broadcast::Receiver<Appended>;

    /// The same for one stream, so that a thousand readers of other streams sleep on.
    /// [`crate::tail`] is the way to follow a stream without missing anything.
    fn watch_stream(&self, stream: &StreamId) -> broadcast::Receiver<Appended>;

    /// Whether other processes append to the same streams, so that a cached state must be checked again.
    fn shared(&self) -> bool;
}
