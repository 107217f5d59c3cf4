//! What happened, read from the log.

use std::sync::Arc;

use kit_store::{Recorded, Version};
use serde::Deserialize;
use serde_json::value::RawValue;
use universe_core::{Clock, Event, UniverseId};

use super::Service;
use crate::Error;

/// The most lines that one page has.
pub(crate) const LONGEST_PAGE: usize = 1_000;

/// Part of a history, the latest change first.
#[derive(Debug)]
pub struct Page {
    pub lines: Vec<Line>,
    /// The page that goes on ends before this revision.
    pub next: Option<u64>,
}

/// One change as the log has it, without the states that it may hold.
#[derive(Debug)]
pub struct Line {
    pub revision: u64,
    /// Milliseconds since 1970.
    pub at: i64,
    pub by: Arc<str>,
    pub kind: Arc<str>,
    pub told: Told,
}

/// What a line says besides.
#[derive(Debug, Default, Deserialize)]
pub struct Told {
    #[serde(default)]
    pub via: Option<Arc<str>>,
    pub change: Said,
}

/// The parts of all kinds of changes that are told; a state is passed over without being read.
#[derive(Debug, Default, Deserialize)]
pub struct Said {
    #[serde(default)]
    pub command: Option<Box<RawValue>>,
    #[serde(default)]
    pub events: Vec<Event>,
    #[serde(default)]
    pub of: Option<u64>,
    #[serde(default)]
    pub name: Option<String>,
    #[serde(default)]
    pub clock: Option<Clock>,
    #[serde(default)]
    pub time: Option<f64>,
}

impl Line {
    /// A line that cannot be read is shown by what the journal itself knows of it.
    pub fn read(recorded: &Recorded) -> Self {
        let told = serde_json::from_str(recorded.data.get()).unwrap_or_default();
        let Recorded { version, at, actor, kind, .. } = recorded;
        Self { revision: version.0, at: *at, by: actor.clone(), kind: kind.clone(), told }
    }
}

impl Service {
    /// Up to `limit` changes before revision `before`, or the latest.
    pub async fn history(
        &self,
        id: &UniverseId,
        before: Option<u64>,
        limit: usize,
    ) -> Result<Page, Error> {
        let latest = self.get(id).await?.revision();
        let last = before.map_or(latest, |before| before.saturating_sub(1).min(latest));
        let limit = limit.clamp(1, LONGEST_PAGE) as u64;
        let skipped = last.saturating_sub(limit);
        let count = usize::try_from(last - skipped).unwrap_or(LONGEST_PAGE);
        let mut lines: Vec<_> = match count {
            0 => Vec::new(),
            _ => self.read_log(id, skipped, count).await?.iter().map(Line::read).collect(),
        };
        lines.reverse();
        Ok(Page { lines, next: (skipped > 0).then_some(skipped + 1) })
    }

    /// `count` lines of the log after a revision.
    pub(super) async fn read_log(
        &self,
        id: &UniverseId,
        after: u64,
        count: usize,
    ) -> Result<Vec<Recorded>, Error> {
        let stream = self.universes.stream(id.as_str());
        let lines = self.universes.journal().read(&stream, Version(after), count).await;
        lines.map_err(|error| super::in_store(id, error))
    }
}
