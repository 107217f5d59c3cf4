//! The one way in: load → decide → append. The feeds hear of it from the journal.

use std::sync::Arc;

use kit_app::Clock;
use kit_core::Principal;
use kit_store::{
    Cause, Decision, Done, ExecuteError, Live, Store, StoreError, StreamInfo, Version,
};
use serde_json::{Value, json};
use tracing::{info, instrument};
use universe_core::{
    Change, Command, Entry, Event, Invalid, Refusal, Rejection, State, Universe, UniverseId,
    decide, json::canonical,
};

use crate::{
    Error, Ids,
    store::{Kept, Universes},
};

/// Everything that can be asked of universes. Clones share the same universes.
#[derive(Clone)]
pub struct Service {
    universes: Universes,
    clock: Arc<dyn Clock>,
    ids: Arc<dyn Ids>,
}

/// A universe to be made.
#[derive(Debug)]
pub struct NewUniverse {
    pub name: Value,
    pub state: Value,
}

/// What is to be set; what is absent stays.
#[derive(Debug, Default)]
pub struct Replacement {
    pub name: Option<Value>,
    pub state: Option<Value>,
    /// Only if the universe is still at this revision.
    pub expected: Option<u64>,
}

/// A universe as it was at some revision.
#[derive(Debug, Clone)]
pub struct Record {
    pub id: UniverseId,
    live: Live<Kept>,
}

/// What came of a command.
#[derive(Debug)]
pub enum Outcome {
    /// It happened and is durable.
    Applied { revision: u64, events: Vec<Event>, record: Record },
    /// A rule said no; nothing has changed and nobody was told.
    Refused { refusal: Refusal, record: Record },
}

impl Record {
    pub fn universe(&self) -> &Universe {
        &self.live.state.0
    }

    /// The number of the last change.
    pub fn revision(&self) -> u64 {
        self.live.version.0
    }
}

impl Outcome {
    pub fn record(&self) -> &Record {
        match self {
            Self::Applied { record, .. } | Self::Refused { record, .. } => record,
        }
    }
}

impl Service {
    pub fn new(store: &Store, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        Self { universes: Universes::new(store.journal.clone()), clock, ids }
    }

    /// Runs one command. Every surface enters here, so every rule holds everywhere.
    #[instrument(skip_all, fields(universe = %id))]
    pub async fn dispatch(
        &self,
        who: &Principal,
        id: &UniverseId,
        command: Value,
    ) -> Result<Outcome, Error> {
        if !is_command(&command) {
            return Err(Error::NoCommand);
        }
        let command = canonical(command);
        // A mistake in the values is told only after the universe was found.
        let parsed = Command::parse(&command);
        let mut refused = None;
        let judge = |universe: &Universe| {
            refused = None;
            match decide(&universe.state, parsed.clone()?) {
                Ok(events) => {
                    Ok(Decision::new(vec![Change::Command { command: command.clone(), events }]))
                }
                // Nothing happens, and the caller is told why and on which state.
                Err(Rejection::Refused(refusal)) => {
                    refused = Some(refusal);
                    Ok(Decision::new(Vec::new()))
                }
                Err(Rejection::Invalid(invalid)) => Err(Stop::Invalid(invalid)),
            }
        };
        let done = self.change(who, id, None, judge).await?;
        Ok(match refused {
            None => applied(id, done),
            Some(refusal) => {
                Outcome::Refused { refusal, record: Record { id: id.clone(), live: done.state } }
            }
        })
    }

    /// Makes a universe.
    #[instrument(skip_all)]
    pub async fn create(&self, who: &Principal, new: NewUniverse) -> Result<Record, Error> {
        let name =
            name_of(&new.name).ok_or(Error::Name("is required and must be a non-empty string"))?;
        if !new.state.is_object() {
            return Err(Error::State("is required and must be a JSON object"));
        }
        let state = State::from_json(new.state, 0.0, "state")
            .map_err(|source| Error::Invalid { id: None, source })?;
        let id = self.ids.next();
        let at = self.clock.now_ms();
        // Another universe of this name is a fault of the generator, and is not overwritten.
        let cause = Cause::new(who.as_str(), at).expecting(Version(0));
        let decide = |_: &Live<Kept>| {
            let change = Change::Created { name: name.clone(), state: state.clone() };
            let decision = Decision::new(vec![Entry::new(at, change)]).head(json!({"name": name}));
            Ok::<_, Stop>(decision)
        };
        let done = self.universes.execute(id.as_str(), cause, decide).await;
        let done = done.map_err(|error| failed(&id, error))?;
        info!(universe = %id, "created");
        Ok(Record { id, live: done.state })
    }

    pub async fn get(&self, id: &UniverseId) -> Result<Record, Error> {
        let live = self.universes.load(id.as_str()).await.map_err(|error| in_store(id, error))?;
        match live {
            Some(live) if !live.0.deleted => Ok(Record { id: id.clone(), live }),
            _ => Err(Error::NotFound { id: id.clone() }),
        }
    }

    /// Name and times of every universe, the newest first, without reading one.
    pub async fn summaries(&self) -> Result<Vec<StreamInfo>, Error> {
        self.universes.list().await.map_err(|source| Error::Store { id: None, source })
    }

    /// Every universe, the newest first.
    pub async fn list(&self) -> Result<Vec<Record>, Error> {
        let mut records = Vec::new();
        for info in self.summaries().await? {
            match self.get(&UniverseId::from(info.stream.id())).await {
                Ok(record) => records.push(record),
                // Deleted since the list was made.
                Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(records)
    }

    /// Sets name and state from outside; neither still counts as a change.
    #[instrument(skip_all, fields(universe = %id))]
    pub async fn replace(
        &self,
        who: &Principal,
        id: &UniverseId,
        new: Replacement,
    ) -> Result<Record, Error> {
        let name = match &new.name {
            Some(name) => {
                Some(name_of(name).ok_or(Error::Name("must be a non-empty string when provided"))?)
            }
            None => None,
        };
        if new.state.as_ref().is_some_and(|state| !state.is_object()) {
            return Err(Error::State("must be a JSON object when provided"));
        }
        let done = self
            .change(who, id, new.expected, |universe| {
                // A state without a time keeps the time that the universe has.
                let read = |state| State::from_json(state, universe.state.time(), "state");
                let state = new.state.clone().map(read).transpose()?;
                let change = Change::Replaced { name: name.clone(), state };
                let decision = Decision::new(vec![change]);
                Ok(match &name {
                    Some(name) => decision.head(json!({"name": name})),
                    None => decision,
                })
            })
            .await?;
        Ok(Record { id: id.clone(), live: done.state })
    }

    #[instrument(skip_all, fields(universe = %id))]
    pub async fn delete(&self, who: &Principal, id: &UniverseId) -> Result<(), Error> {
        let judge = |_: &Universe| Ok(Decision::new(vec![Change::Deleted]).closes());
        self.change(who, id, None, judge).await?;
        info!("deleted");
        Ok(())
    }

    pub(crate) fn universes(&self) -> &Universes {
        &self.universes
    }

    /// Decides on a universe that is there, and appends what follows.
    async fn change(
        &self,
        who: &Principal,
        id: &UniverseId,
        expected: Option<u64>,
        mut decide: impl FnMut(&Universe) -> Result<Decision<Change>, Stop>,
    ) -> Result<Done<Kept>, Error> {
        let at = self.clock.now_ms();
        let cause = Cause::new(who.as_str(), at);
        let judge = |live: &Live<Kept>| {
            let universe = &live.0;
            if live.version == Version(0) || universe.deleted {
                return Err(Stop::NotThere);
            }
            if let Some(expected) = expected.filter(|expected| *expected != live.version.0) {
                return Err(Stop::Stale(expected));
            }
            let Decision { events, head, closes } = decide(universe)?;
            let events = events.into_iter().map(|change| Entry::new(at, change)).collect();
            Ok(Decision { events, head, closes })
        };
        let done = self.universes.execute(id.as_str(), cause, judge).await;
        done.map_err(|error| failed(id, error))
    }
}

/// Why nothing was appended.
enum Stop {
    NotThere,
    Stale(u64),
    Invalid(Invalid),
}

impl From<Invalid> for Stop {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

fn is_command(command: &Value) -> bool {
    command.get("type").and_then(Value::as_str).is_some_and(|name| !name.trim().is_empty())
}

fn name_of(name: &Value) -> Option<String> {
    let name = name.as_str()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn applied(id: &UniverseId, done: Done<Kept>) -> Outcome {
    let events = done
        .events
        .into_iter()
        .flat_map(|entry| match entry.change {
            Change::Command { events, .. } => events,
            _ => Vec::new(),
        })
        .collect();
    let record = Record { id: id.clone(), live: done.state };
    Outcome::Applied { revision: done.version.0, events, record }
}

fn failed(id: &UniverseId, error: ExecuteError<Stop>) -> Error {
    let id = id.clone();
    match error {
        ExecuteError::Rejected(Stop::Stale(expected)) => Error::Stale { id, expected },
        ExecuteError::Rejected(Stop::Invalid(source)) => Error::Invalid { id: Some(id), source },
        ExecuteError::Rejected(Stop::NotThere) => Error::NotFound { id },
        ExecuteError::Store(error) => in_store(&id, error),
    }
}

fn in_store(id: &UniverseId, error: StoreError) -> Error {
    let id = id.clone();
    match error {
        // Deleted by another replica in this moment, or a name that cannot exist.
        StoreError::Closed(_) | StoreError::BadName { .. } => Error::NotFound { id },
        source => Error::Store { id: Some(id), source },
    }
}
