//! The one way in: load → decide → append. The feeds hear of it from the journal.
//!
//! Start at [`Service::dispatch`], where all commands go through. This file has the universes themselves:
//! made, read, listed, replaced, forked, deleted.

mod dispatch;
mod generate;
mod history;
mod list;
mod order;

use std::sync::Arc;

use kit_app::Clock;
use kit_store::{Cause, Decision, Done, ExecuteError, Live, Store, StoreError, Version};
use serde_json::Value;
use tracing::{info, instrument};
use universe_core::{
    Change, Entry, Event, Invalid, Refusal, Rejection, SetClock, State, Universe, UniverseId,
    set_clock,
};

pub use self::{
    dispatch::{Outcome, Step},
    generate::{Blueprint, Made},
    history::{Line, Page},
    list::{Listing, Summary},
    order::{Caller, Order},
};
pub(crate) use self::{
    history::LONGEST_PAGE,
    order::{LONGEST_KEY, LONGEST_VIA, MOST_COMMANDS},
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
    workshop: generate::Workshop,
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
    /// The moment, in milliseconds since 1970, that it is shown at: a playing clock goes on without a change.
    pub now: i64,
    live: Live<Kept>,
}

impl Record {
    pub fn universe(&self) -> &Universe {
        &self.live.state.0
    }

    /// The number of the last change.
    pub fn revision(&self) -> u64 {
        self.live.version.0
    }

    /// The simulation time at the moment that it is shown at.
    pub fn time(&self) -> f64 {
        self.universe().time_at(self.now)
    }

    /// What is in it, at that time. Costs nothing.
    pub fn state(&self) -> State {
        let mut state = self.universe().state.clone();
        state.apply(&Event::Ticked { time: self.time() });
        state
    }
}

impl Service {
    pub fn new(store: &Store, clock: Arc<dyn Clock>, ids: Arc<dyn Ids>) -> Self {
        let universes = Universes::new(store.journal.clone());
        Self { universes, clock, ids, workshop: generate::Workshop::default() }
    }

    /// Makes a universe.
    pub async fn create(&self, caller: &Caller, new: NewUniverse) -> Result<Record, Error> {
        let name =
            name_of(&new.name).ok_or(Error::Name("is required and must be a non-empty string"))?;
        if !new.state.is_object() {
            return Err(Error::State("is required and must be a JSON object"));
        }
        let state = State::from_json(new.state, 0.0, "state")
            .map_err(|source| Error::Invalid { id: None, source })?;
        self.begin(caller, name, state).await
    }

    /// Makes a universe of what another one is, or was at a revision.
    #[instrument(skip_all, fields(universe = %id))]
    pub async fn fork(
        &self,
        caller: &Caller,
        id: &UniverseId,
        revision: Option<u64>,
        name: Option<&Value>,
    ) -> Result<Record, Error> {
        let name = name.map(given_name).transpose()?;
        let origin = match revision {
            Some(revision) => self.at(id, revision).await?,
            None => self.get(id).await?,
        };
        let name = name.unwrap_or_else(|| format!("{} (fork)", origin.universe().name));
        self.begin(caller, name, origin.state()).await
    }

    #[instrument(skip_all)]
    async fn begin(&self, caller: &Caller, name: String, state: State) -> Result<Record, Error> {
        let (id, at) = (self.ids.next(), self.now());
        // Another universe of this name is a fault of the generator, and is not overwritten.
        let cause = Cause::new(caller.who.as_str(), at).expecting(Version(0));
        let decide = |live: &Live<Kept>| {
            let change = Change::Created { name: name.clone(), state: state.clone() };
            let entries = vec![Entry { at, via: Some(caller.via.clone()), key: None, change }];
            let head = list::head(&live.0, &entries);
            Ok::<_, Stop>(Decision { head, ..Decision::new(entries) })
        };
        let done = self.universes.execute(id.as_str(), cause, decide).await;
        let done = done.map_err(|error| failed(&id, error))?;
        info!(universe = %id, "created");
        Ok(self.record(&id, done.state))
    }

    pub async fn get(&self, id: &UniverseId) -> Result<Record, Error> {
        self.since(id, 0).await
    }

    /// The universe, with the change `revision` in it if there is one: readers of a feed may know of it a moment before.
    pub(crate) async fn since(&self, id: &UniverseId, revision: u64) -> Result<Record, Error> {
        let live = self.universes.load_since(id.as_str(), Version(revision)).await;
        match live.map_err(|error| in_store(id, error))? {
            Some(live) if !live.0.deleted => Ok(self.record(id, live)),
            _ => Err(Error::NotFound { id: id.clone() }),
        }
    }

    /// The universe as it was right after a change.
    pub async fn at(&self, id: &UniverseId, revision: u64) -> Result<Record, Error> {
        let latest = self.get(id).await?;
        if revision == latest.revision() {
            return Ok(latest);
        }
        let live = self.universes.load_at(id.as_str(), Version(revision)).await;
        let (live, id) = (live.map_err(|error| in_store(id, error))?, id.clone());
        match live {
            Some(live) => Ok(Record { id, now: live.0.updated_at, live }),
            None => Err(Error::NoRevision { id, revision, latest: latest.revision() }),
        }
    }

    /// Keeps a record at hand for somebody who will ask for it again by its revision.
    pub(crate) fn keep(&self, record: &Record) {
        self.universes.keep(record.id.as_str(), &record.live);
    }

    /// Sets name and state from outside; neither still counts as a change.
    #[instrument(skip_all, fields(universe = %id))]
    pub async fn replace(
        &self,
        caller: &Caller,
        id: &UniverseId,
        new: Replacement,
    ) -> Result<Record, Error> {
        let name = new.name.as_ref().map(given_name).transpose()?;
        if new.state.as_ref().is_some_and(|state| !state.is_object()) {
            return Err(Error::State("must be a JSON object when provided"));
        }
        let at = self.now();
        let judge = |universe: &Universe| {
            // A state without a time keeps the time that the universe has.
            let read = |state| State::from_json(state, universe.time_at(at), "state");
            let state = new.state.clone().map(read).transpose()?;
            let change = Change::Replaced { name: name.clone(), state };
            Ok(Decision::new(vec![entry(caller, at, change)]))
        };
        let done = self.change(caller, id, at, new.expected, judge).await;
        let done = done.map_err(|error| failed(id, error))?;
        Ok(self.record(id, done.state))
    }

    /// Sets the shared clock.
    #[instrument(skip_all, fields(universe = %id))]
    pub async fn set_clock(
        &self,
        caller: &Caller,
        id: &UniverseId,
        asked: &Value,
    ) -> Result<Record, Error> {
        let asked = SetClock::parse(asked);
        let at = self.now();
        let judge = |universe: &Universe| {
            let (clock, time) = set_clock(universe, asked.clone()?, at);
            Ok(Decision::new(vec![entry(caller, at, Change::Clock { command: None, clock, time })]))
        };
        let done = self.change(caller, id, at, None, judge).await;
        let done = done.map_err(|error| failed(id, error))?;
        Ok(self.record(id, done.state))
    }

    #[instrument(skip_all, fields(universe = %id))]
    pub async fn delete(&self, caller: &Caller, id: &UniverseId) -> Result<(), Error> {
        let at = self.now();
        let judge =
            |_: &Universe| Ok(Decision::new(vec![entry(caller, at, Change::Deleted)]).closes());
        self.change(caller, id, at, None, judge).await.map_err(|error| failed(id, error))?;
        info!("deleted");
        Ok(())
    }

    pub(crate) fn universes(&self) -> &Universes {
        &self.universes
    }

    pub(crate) fn now(&self) -> i64 {
        self.clock.now_ms()
    }

    fn record(&self, id: &UniverseId, live: Live<Kept>) -> Record {
        Record { id: id.clone(), now: self.now(), live }
    }

    /// Decides on a universe that is there, and appends what follows.
    async fn change(
        &self,
        caller: &Caller,
        id: &UniverseId,
        at: i64,
        expected: Option<u64>,
        mut decide: impl FnMut(&Universe) -> Result<Decision<Entry>, Stop>,
    ) -> Result<Done<Kept>, ExecuteError<Stop>> {
        let cause = Cause::new(caller.who.as_str(), at);
        let judge = |live: &Live<Kept>| {
            let universe = &live.0;
            if live.version == Version(0) || universe.deleted {
                return Err(Stop::NotThere);
            }
            if let Some(expected) = expected.filter(|expected| *expected != live.version.0) {
                return Err(Stop::Stale(expected));
            }
            let decision = decide(universe)?;
            let head = list::head(universe, &decision.events);
            Ok(Decision { head, ..decision })
        };
        self.universes.execute(id.as_str(), cause, judge).await
    }
}

/// Why nothing was appended.
enum Stop {
    NotThere,
    Stale(u64),
    Invalid(Invalid),
    Refused(Refusal),
    /// The key was used for something else, at this revision.
    KeyTaken(u64),
    /// What was prepared no longer fits what is there.
    Moved,
}

impl From<Invalid> for Stop {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

impl From<Rejection> for Stop {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Refused(refusal) => Self::Refused(refusal),
            Rejection::Invalid(invalid) => Self::Invalid(invalid),
        }
    }
}

fn entry(caller: &Caller, at: i64, change: Change) -> Entry {
    Entry { at, via: Some(caller.via.clone()), key: None, change }
}

fn name_of(name: &Value) -> Option<String> {
    let name = name.as_str()?.trim();
    (!name.is_empty()).then(|| name.to_owned())
}

fn given_name(name: &Value) -> Result<String, Error> {
    name_of(name).ok_or(Error::Name("must be a non-empty string when provided"))
}

fn failed(id: &UniverseId, error: ExecuteError<Stop>) -> Error {
    let id = id.clone();
    match error {
        ExecuteError::Rejected(stop) => match stop {
            Stop::NotThere => Error::NotFound { id },
            Stop::Stale(expected) => Error::Stale { id, expected },
            Stop::Invalid(source) => Error::Invalid { id: Some(id), source },
            Stop::KeyTaken(revision) => Error::KeyTaken { id, revision },
            // Refusals are answers and taken out before; a move that nobody waited for is a fault of ours.
            Stop::Refused(_) | Stop::Moved => Error::Busy { id },
        },
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
