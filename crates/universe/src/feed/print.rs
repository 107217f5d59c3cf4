//! How a line of a universe's log looks on each of the two feeds.

use kit_http::Frame;
use kit_store::{Aggregate, Recorded, Version};
use serde::Deserialize;
use serde_json::{Value, json};
use universe_core::{UniverseId, json::encode};

use crate::{Error, Service, error, store::Kept, wire};

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Feed {
    /// `/events`: commands as they were sent.
    Events,
    /// `/changes`: every change, with what it left.
    Changes,
}

/// One line, printed.
#[derive(Clone)]
pub(super) struct Line {
    pub(super) revision: u64,
    pub(super) frame: Frame,
    /// Nothing can follow: the universe is gone.
    pub(super) last: bool,
}

/// Prints the lines of one universe, one after the other.
pub(super) enum Printer {
    Events,
    /// With the universe as the lines so far have made it, so that a line costs what it changes.
    Changes(Box<Kept>),
}

impl Printer {
    /// A printer for the lines after revision `after`.
    pub(super) async fn begin(
        feed: Feed,
        service: &Service,
        id: &UniverseId,
        after: u64,
    ) -> Result<Self, Error> {
        match feed {
            Feed::Events => Ok(Self::Events),
            Feed::Changes => {
                let found = service.universes().load_at(id.as_str(), Version(after)).await;
                let found = found.map_err(|source| error::store(id, source))?;
                let kept = found.map(|live| Kept::clone(&live.state)).unwrap_or_default();
                Ok(Self::Changes(Box::new(kept)))
            }
        }
    }

    pub(super) fn print(&mut self, id: &UniverseId, line: &Recorded) -> Result<Line, Error> {
        let revision = line.version.0;
        let frame = match self {
            Self::Events => told(id, line),
            Self::Changes(kept) => {
                let entry = Kept::decode(&line.kind, &line.data)
                    .map_err(|source| Error::unreadable(id, line, source))?;
                kept.apply(&entry);
                Frame::new(revision, Some("change"), &wire::change(line, &entry, &kept.0))
            }
        };
        Ok(Line { revision, frame, last: &*line.kind == "deleted" })
    }
}

/// The part of a line that readers of `/events` are told.
#[derive(Deserialize)]
struct Told {
    change: Shown,
}

#[derive(Deserialize)]
struct Shown {
    command: Option<Value>,
    name: Option<String>,
}

fn told(id: &UniverseId, line: &Recorded) -> Frame {
    let revision = line.version.0;
    let shown = serde_json::from_str(line.data.get()).map(|Told { change }| change);
    let (name, data) = match shown {
        // Whatever was sent as a command is one, also an undo.
        Ok(Shown { command: Some(command), .. }) => ("command", command),
        Ok(Shown { name: Some(name), .. }) => {
            (&*line.kind, json!({"universeId": id, "revision": revision, "name": name}))
        }
        Ok(_) | Err(_) => (&*line.kind, json!({"universeId": id, "revision": revision})),
    };
    Frame::new(revision, Some(name), &encode(&data))
}

/// Told to one that is too far behind, or from another time: read the state, then go on from here.
pub(super) fn resync(id: &UniverseId, revision: u64) -> Frame {
    let data = json!({"universeId": id, "revision": revision});
    Frame::new(revision, Some("resync"), &encode(&data))
}
