//! All universes, without reading one: what a list shows of each stands in the head of its stream.

use kit_store::StreamInfo;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use universe_core::{Change, Clock, Entry, Event, Invalid, Universe, UniverseId};

use super::{Record, Service};
use crate::Error;

/// Part of the list of universes, the newest first.
#[derive(Debug)]
pub struct Listing<T> {
    pub items: Vec<T>,
    /// Where the next part begins.
    pub next: Option<String>,
}

/// A universe in a list.
#[derive(Debug, Clone)]
pub struct Summary {
    pub id: UniverseId,
    pub name: String,
    pub clock: Clock,
    /// The simulation time at `now`.
    pub time: f64,
    /// The moment that it is shown at.
    pub now: i64,
    pub created_at: i64,
    pub updated_at: i64,
    pub revision: u64,
}

/// What the journal keeps of a universe for lists.
#[derive(Debug, Serialize, Deserialize)]
struct Head {
    name: String,
    clock: Clock,
    time: f64,
}

/// The head after `entries`, if they change what it says.
pub(super) fn head(universe: &Universe, entries: &[Entry]) -> Option<Value> {
    let (name, time) = (universe.name.clone(), universe.state.time());
    let mut head = Head { name, clock: universe.clock, time };
    let mut changed = false;
    for entry in entries {
        changed |= head.follow(entry);
    }
    changed.then(|| serde_json::to_value(head).unwrap_or_default())
}

impl Head {
    fn follow(&mut self, entry: &Entry) -> bool {
        match &entry.change {
            Change::Created { name, state } => {
                self.name.clone_from(name);
                self.time = state.time();
                self.clock = Clock { since_ms: entry.at, ..Clock::default() };
                true
            }
            Change::Replaced { name, state } => {
                if let Some(name) = name {
                    self.name.clone_from(name);
                }
                if let Some(state) = state {
                    self.time = state.time();
                    self.clock.since_ms = entry.at;
                }
                name.is_some() || state.is_some()
            }
            Change::Clock { clock, time, .. } => {
                (self.clock, self.time) = (*clock, *time);
                true
            }
            change => {
                let ticked = change.events().iter().rev().find_map(|event| match event {
                    Event::Ticked { time } => Some(*time),
                    _ => None,
                });
                self.time = ticked.unwrap_or(self.time);
                ticked.is_some()
            }
        }
    }
}

impl Service {
    /// Every universe, the newest first, without reading one.
    pub async fn summaries(&self) -> Result<Vec<Summary>, Error> {
        Ok(self.list_summaries(None, None).await?.items)
    }

    /// A part of the list, at most `limit` long, beginning at `cursor`.
    pub async fn list_summaries(
        &self,
        limit: Option<usize>,
        cursor: Option<&str>,
    ) -> Result<Listing<Summary>, Error> {
        let Listing { items, next } = self.infos(limit, cursor).await?;
        let now = self.now();
        let mut summaries = Vec::with_capacity(items.len());
        for info in items {
            match serde_json::from_value::<Head>(info.head.clone()) {
                Ok(head) => summaries.push(summary(&info, head, now)),
                // Written before heads had clocks.
                Err(_) => match self.get(&UniverseId::from(info.stream.id())).await {
                    Ok(record) => summaries.push(Summary::of(&record)),
                    Err(Error::NotFound { .. }) => {}
                    Err(error) => return Err(error),
                },
            }
        }
        Ok(Listing { items: summaries, next })
    }

    /// The same with what is in them.
    pub async fn list(
        &self,
        limit: Option<usize>,
        cursor: Option<&str>,
    ) -> Result<Listing<Record>, Error> {
        let Listing { items, next } = self.infos(limit, cursor).await?;
        let mut records = Vec::with_capacity(items.len());
        for info in items {
            match self.get(&UniverseId::from(info.stream.id())).await {
                Ok(record) => records.push(record),
                // Deleted since the list was made.
                Err(Error::NotFound { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Listing { items: records, next })
    }

    async fn infos(
        &self,
        limit: Option<usize>,
        cursor: Option<&str>,
    ) -> Result<Listing<StreamInfo>, Error> {
        let all = self.universes.list().await;
        let mut all = all.map_err(|source| Error::Store { id: None, source })?;
        if let Some(cursor) = cursor {
            let begin = position(&all, cursor)?;
            all.drain(..begin);
        }
        let more = limit.is_some_and(|limit| all.len() > limit);
        all.truncate(limit.unwrap_or(usize::MAX));
        let last = all.last().filter(|_| more);
        let next = last.map(|info| format!("{}.{}", info.created_at, info.stream.id()));
        Ok(Listing { items: all, next })
    }
}

/// Where the list goes on after the universe that `cursor` names, also when that one is gone.
fn position(all: &[StreamInfo], cursor: &str) -> Result<usize, Error> {
    let read = cursor.split_once('.').and_then(|(at, id)| Some((at.parse::<i64>().ok()?, id)));
    let Some((at, id)) = read else {
        let source = Invalid::new("cursor", "must be one that a `Link` header gave");
        return Err(Error::Invalid { id: None, source });
    };
    let there = all.iter().position(|info| info.stream.id() == id);
    Ok(there.map_or_else(|| all.partition_point(|info| info.created_at > at), |at| at + 1))
}

fn summary(info: &StreamInfo, head: Head, now: i64) -> Summary {
    let Head { name, clock, time } = head;
    let mut universe = Universe { clock, ..Universe::default() };
    universe.state.apply(&Event::Ticked { time });
    Summary {
        id: UniverseId::from(info.stream.id()),
        name,
        clock,
        time: universe.time_at(now),
        now,
        created_at: info.created_at,
        updated_at: info.updated_at,
        revision: info.version.0,
    }
}

impl Summary {
    /// The same of a universe that was read.
    pub fn of(record: &Record) -> Self {
        let universe = record.universe();
        Self {
            id: record.id.clone(),
            name: universe.name.clone(),
            clock: universe.clock,
            time: record.time(),
            now: record.now,
            created_at: universe.created_at,
            updated_at: universe.updated_at,
            revision: record.revision(),
        }
    }
}
