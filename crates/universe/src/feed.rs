//! Live feeds: what happens in a universe, as server-sent events.
//!
//! A universe with readers has one task that follows its log and prints each line once; all readers share the
//! bytes. A reader that comes back gets from the log what it missed. One that falls behind loses its
//! stream and comes back; nobody waits for it.

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use futures::{Stream, StreamExt, pin_mut, stream};
use kit_http::Frame;
use kit_store::{Recorded, Version, tail};
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::broadcast::{Receiver, Sender};
use tokio_util::sync::CancellationToken;
use tracing::warn;
use universe_core::{UniverseId, json::encode};

use crate::{Config, Error, Service};

/// Lines read from the log at once for one that comes back.
const PAGE: usize = 256;

/// The feeds of all universes. Clones share them.
#[derive(Clone)]
pub(crate) struct Feeds {
    service: Service,
    replay_events: u64,
    reader_events: usize,
    shutdown: CancellationToken,
    open: Arc<Mutex<HashMap<UniverseId, Sender<Line>>>>,
}

/// One line of a universe's log, printed.
#[derive(Clone)]
struct Line {
    revision: u64,
    frame: Frame,
    /// Nothing can follow: the universe is gone.
    last: bool,
}

impl Feeds {
    pub(crate) fn new(config: &Config, service: Service, shutdown: CancellationToken) -> Self {
        let (replay_events, reader_events) = (config.replay_events, config.reader_events);
        Self { service, replay_events, reader_events, shutdown, open: Arc::default() }
    }

    /// Everything that happens in `id` after revision `after`, or from now on.
    pub(crate) async fn read(
        &self,
        id: &UniverseId,
        after: Option<u64>,
    ) -> Result<impl Stream<Item = Frame> + Send + use<>, Error> {
        let now = self.service.get(id).await?.revision();
        // Subscribed before the log is read: what is written in between arrives twice and is passed over
        // once, instead of being missed.
        let live = self.subscribe(id, now);
        let (seen, resync) = match after {
            None => (now, None),
            Some(after) if after <= now && now - after <= self.replay_events => (after, None),
            Some(_) => (now, Some(resync(id, now))),
        };
        let reader = Reader {
            service: self.service.clone(),
            id: id.clone(),
            seen,
            missed: VecDeque::new(),
            caught_up: false,
            live,
            ended: false,
        };
        Ok(stream::iter(resync).chain(stream::unfold(reader, Reader::next)))
    }

    fn subscribe(&self, id: &UniverseId, after: u64) -> Receiver<Line> {
        let mut open = self.open.lock();
        if let Some(sender) = open.get(id) {
            return sender.subscribe();
        }
        let sender = Sender::new(self.reader_events);
        let receiver = sender.subscribe();
        open.insert(id.clone(), sender.clone());
        tokio::spawn(self.clone().pump(id.clone(), after, sender));
        receiver
    }

    /// Prints the log of one universe as it grows, for as long as somebody reads.
    async fn pump(self, id: UniverseId, after: u64, sender: Sender<Line>) {
        let universes = self.service.universes();
        let stream = universes.stream(id.as_str());
        let lines = tail(universes.journal().clone(), stream, Version(after));
        pin_mut!(lines);
        loop {
            tokio::select! {
                line = lines.next() => match line {
                    // Nobody left to read is noticed by the other branch.
                    Some(Ok(recorded)) => drop(sender.send(print(&id, &recorded))),
                    Some(Err(error)) => {
                        warn!(universe = %id, %error, "a feed ended, its readers come back");
                        break;
                    }
                    None => break,
                },
                () = sender.closed() => {
                    let mut open = self.open.lock();
                    // One may have come since the last one went.
                    if sender.receiver_count() == 0 {
                        open.remove(&id);
                        return;
                    }
                }
                () = self.shutdown.cancelled() => break,
            }
        }
        self.open.lock().remove(&id);
    }
}

/// One reader's way through the log and into the live feed.
struct Reader {
    service: Service,
    id: UniverseId,
    /// The last revision handed out.
    seen: u64,
    missed: VecDeque<Line>,
    /// The log holds nothing more; from here on the live feed has it.
    caught_up: bool,
    live: Receiver<Line>,
    ended: bool,
}

impl Reader {
    async fn next(mut self) -> Option<(Frame, Self)> {
        if self.ended {
            return None;
        }
        let line = self.next_line().await?;
        self.seen = line.revision;
        self.ended = line.last;
        Some((line.frame, self))
    }

    async fn next_line(&mut self) -> Option<Line> {
        while !self.caught_up || !self.missed.is_empty() {
            if let Some(line) = self.missed.pop_front() {
                return Some(line);
            }
            let universes = self.service.universes();
            let stream = universes.stream(self.id.as_str());
            let page = universes.journal().read(&stream, Version(self.seen), PAGE).await.ok()?;
            self.caught_up = page.len() < PAGE;
            self.missed = page.iter().map(|recorded| print(&self.id, recorded)).collect();
        }
        loop {
            // An error is a feed that ended or a reader that was too slow; both come back by their last id.
            let line = self.live.recv().await.ok()?;
            if line.revision > self.seen {
                return Some(line);
            }
        }
    }
}

/// The part of a line that readers are told.
#[derive(Deserialize)]
struct Told {
    change: Shown,
}

#[derive(Deserialize)]
struct Shown {
    command: Option<Value>,
    name: Option<String>,
}

fn print(id: &UniverseId, recorded: &Recorded) -> Line {
    let revision = recorded.version.0;
    let shown = serde_json::from_str(recorded.data.get()).map(|Told { change }| change);
    let data = match shown {
        Ok(Shown { command: Some(command), .. }) => command,
        Ok(Shown { name: Some(name), .. }) => {
            json!({"universeId": id, "revision": revision, "name": name})
        }
        Ok(_) | Err(_) => json!({"universeId": id, "revision": revision}),
    };
    let frame = Frame::new(revision, Some(&*recorded.kind), &encode(&data));
    Line { revision, frame, last: &*recorded.kind == "deleted" }
}

/// Told to one that is too far behind, or from another time: read the state, then go on from here.
fn resync(id: &UniverseId, revision: u64) -> Frame {
    let data = json!({"universeId": id, "revision": revision});
    Frame::new(revision, Some("resync"), &encode(&data))
}
