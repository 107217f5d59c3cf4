//! What an event-sourced application says about itself and about each request.

use std::{fmt, ops::Deref, sync::Arc};

use kit_core::{Fault, Kind, Report};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, value::RawValue};

use crate::{StoreError, Version};

/// A state that is the sum of its events.
///
/// `Clone` must be cheap, since a command works on a clone while others read the state: keep what grows in
/// persistent collections (`imbl::OrdMap`, `imbl::Vector`), whose clone is a pointer and shares all but what is
/// changed. Small states need nothing special.
pub trait Aggregate:
    Default + Clone + Serialize + DeserializeOwned + Send + Sync + 'static
{
    type Event: Serialize + DeserializeOwned + Send + Sync + 'static;

    /// The first part of its streams' names.
    const CATEGORY: &'static str;

    /// Raise it when the shape of the serialised state changes: older snapshots are then left aside and the
    /// log is replayed.
    const SNAPSHOT_FORMAT: u32 = 1;

    /// The event's name in the log.
    fn kind(event: &Self::Event) -> &str;

    /// Folds one event in. Total: what was decided always applies.
    fn apply(&mut self, event: &Self::Event);

    /// Reads an event from the log; an application that has changed its events translates old ones here.
    fn decode(kind: &str, data: &RawValue) -> Result<Self::Event, serde_json::Error> {
        let _ = kind;
        serde_json::from_str(data.get())
    }
}

/// A state at a version. It never changes under its reader, who may keep it across awaits.
#[derive(Debug)]
pub struct Live<A> {
    pub version: Version,
    pub state: Arc<A>,
}

impl<A> Clone for Live<A> {
    fn clone(&self) -> Self {
        Self { version: self.version, state: self.state.clone() }
    }
}

impl<A> Deref for Live<A> {
    type Target = A;

    fn deref(&self) -> &A {
        &self.state
    }
}

/// Who asks, when, and of which version.
#[derive(Debug, Clone)]
pub struct Cause {
    pub actor: Arc<str>,
    /// Milliseconds since 1970.
    pub at: i64,
    /// What the caller has seen, if it wants a refusal when that is no longer so.
    pub expected: Option<Version>,
}

impl Cause {
    pub fn new(actor: impl Into<Arc<str>>, at: i64) -> Self {
        Self { actor: actor.into(), at, expected: None }
    }

    /// Only if the stream is still at `version` (0: if it does not exist yet).
    #[must_use]
    pub fn expecting(mut self, version: Version) -> Self {
        self.expected = Some(version);
        self
    }
}

/// What follows from a request. A `Vec` of events is one.
#[derive(Debug, Clone)]
pub struct Decision<E> {
    /// None: nothing changes and nothing is written.
    pub events: Vec<E>,
    /// The new summary in listings, if it changes.
    pub head: Option<Value>,
    /// The stream ends with these events.
    pub closes: bool,
    /// Further names that the stream is found by, see [`crate::Journal::find`].
    pub aliases: Vec<Arc<str>>,
}

impl<E> Decision<E> {
    pub fn new(events: Vec<E>) -> Self {
        Self { events, head: None, closes: false, aliases: Vec::new() }
    }

    #[must_use]
    pub fn head(mut self, head: Value) -> Self {
        self.head = Some(head);
        self
    }

    #[must_use]
    pub fn alias(mut self, name: impl Into<Arc<str>>) -> Self {
        self.aliases.push(name.into());
        self
    }

    #[must_use]
    pub fn closes(mut self) -> Self {
        self.closes = true;
        self
    }
}

impl<E> From<Vec<E>> for Decision<E> {
    fn from(events: Vec<E>) -> Self {
        Self::new(events)
    }
}

/// A decision, and the state that it leads to where that was made on the way: then nobody makes it again.
#[derive(Debug)]
pub struct Decided<A: Aggregate> {
    pub decision: Decision<A::Event>,
    /// Exactly what applying the events gives.
    pub next: Option<Arc<A>>,
}

impl<A: Aggregate> From<Decision<A::Event>> for Decided<A> {
    fn from(decision: Decision<A::Event>) -> Self {
        Self { decision, next: None }
    }
}

impl<A: Aggregate> From<Vec<A::Event>> for Decided<A> {
    fn from(events: Vec<A::Event>) -> Self {
        Decision::new(events).into()
    }
}

/// A request that was carried out.
#[derive(Debug)]
pub struct Done<A: Aggregate> {
    /// The version of the last of its events; the current one if it changed nothing.
    pub version: Version,
    pub events: Vec<A::Event>,
    /// A state with these events in it, and perhaps already with later ones.
    pub state: Live<A>,
}

/// Why a request was not carried out. Nothing has changed, unless it is [`StoreError::InDoubt`].
#[derive(Debug)]
pub enum ExecuteError<E> {
    /// The domain said no.
    Rejected(E),
    Store(StoreError),
}

impl<E> From<StoreError> for ExecuteError<E> {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl<E: fmt::Display> fmt::Display for ExecuteError<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rejected(rejection) => rejection.fmt(f),
            Self::Store(error) => error.fmt(f),
        }
    }
}

impl<E: std::error::Error + 'static> std::error::Error for ExecuteError<E> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Rejected(rejection) => rejection.source(),
            Self::Store(error) => error.source(),
        }
    }
}

/// Speaks as the one inside does.
impl<E: Fault + 'static> Fault for ExecuteError<E> {
    fn kind(&self) -> Kind {
        self.inner().kind()
    }

    fn hint(&self) -> Option<String> {
        self.inner().hint()
    }

    fn suggestions(&self) -> Vec<String> {
        self.inner().suggestions()
    }

    fn context(&self) -> Map<String, Value> {
        self.inner().context()
    }

    fn report(&self) -> Report {
        self.inner().report()
    }
}

impl<E: Fault + 'static> ExecuteError<E> {
    fn inner(&self) -> &dyn Fault {
        match self {
            Self::Rejected(rejection) => rejection,
            Self::Store(error) => error,
        }
    }
}
