//! Live feeds: what happens in a universe, as server-sent events.
//!
//! A universe with readers has one task that follows its log and prints each line once; all readers share the
//! bytes. A reader that comes back gets from the log what it missed. One that falls behind loses its
//! stream and comes back; nobody waits for it. [`print`] has the two ways to show a line.

mod print;

use std::{
    collections::{HashMap, VecDeque},
    sync::Arc,
};

use futures::{Stream, StreamExt, pin_mut, stream};
use kit_http::Frame;
use kit_store::{Version, tail};
use parking_lot::Mutex;
use tokio::sync::broadcast::{Receiver, Sender};
use tokio_util::sync::CancellationToken;
use tracing::warn;
use universe_core::UniverseId;

pub(crate) use self::print::Feed;
use self::print::{Line, Printer, resync};
use crate::{Config, Error, Service, error};

/// Lines read from the log at once for one that comes back.
const PAGE: usize = 256;

/// Which feed of which universe.
type Key = (Feed, UniverseId);

/// The feeds of all universes. Clones share them.
#[derive(Clone)]
pub(crate) struct Feeds {
    service: Service,
    replay_events: u64,
    reader_events: usize,
    shutdown: CancellationToken,
    open: Arc<Mutex<HashMap<Key, Sender<Line>>>>,
}

impl Feeds {
    pub(crate) fn new(config: &Config, service: Service, shutdown: CancellationToken) -> Self {
        let (replay_events, reader_events) = (config.replay_events, config.reader_events);
        Self { service, replay_events, reader_events, shutdown, open: Arc::default() }
    }

    /// Everything that happens in `id` after revision `after`, or from now on.
    pub(crate) async fn read(
        &self,
        feed: Feed,
        id: &UniverseId,
        after: Option<u64>,
    ) -> Result<impl Stream<Item = Frame> + Send + use<>, Error> {
        let now = self.service.since(id, after.unwrap_or(0)).await?.revision();
        // Subscribed before the log is read: what is written in between arrives twice and is passed over
        // once, instead of being missed.
        let live = self.subscribe(feed, id, now);
        let (seen, resync) = match after {
            None => (now, None),
            Some(after) if after <= now && now - after <= self.replay_events => (after, None),
            Some(_) => (now, Some(resync(id, now))),
        };
        let printer = Printer::begin(feed, &self.service, id, seen).await?;
        let reader = Reader {
            service: self.service.clone(),
            id: id.clone(),
            seen,
            printer: Some(printer),
            missed: VecDeque::new(),
            caught_up: false,
            live,
            ended: false,
        };
        Ok(stream::iter(resync).chain(stream::unfold(reader, Reader::next)))
    }

    fn subscribe(&self, feed: Feed, id: &UniverseId, after: u64) -> Receiver<Line> {
        let mut open = self.open.lock();
        let key = (feed, id.clone());
        if let Some(sender) = open.get(&key) {
            return sender.subscribe();
        }
        let sender = Sender::new(self.reader_events);
        let receiver = sender.subscribe();
        open.insert(key.clone(), sender.clone());
        tokio::spawn(self.clone().pump(key, after, sender));
        receiver
    }

    /// Prints the log of one universe as it grows, for as long as somebody reads.
    async fn pump(self, key: Key, after: u64, sender: Sender<Line>) {
        if let Err(error) = self.follow(&key, after, &sender).await {
            let error = &error as &dyn std::error::Error;
            warn!(universe = %key.1, error, "a feed ended, its readers come back");
        }
        let mut open = self.open.lock();
        // Another one may have been opened under this name since.
        if open.get(&key).is_some_and(|open| open.same_channel(&sender)) {
            open.remove(&key);
        }
    }

    async fn follow(&self, key: &Key, after: u64, sender: &Sender<Line>) -> Result<(), Error> {
        let (feed, id) = key;
        let universes = self.service.universes();
        let stream = universes.stream(id.as_str());
        let lines = tail(universes.journal().clone(), stream, Version(after));
        let mut printer = Printer::begin(*feed, &self.service, id, after).await?;
        pin_mut!(lines);
        loop {
            tokio::select! {
                line = lines.next() => match line {
                    Some(line) => {
                        let line = line.map_err(|source| error::store(id, source))?;
                        // Nobody left to read is noticed by the other branch.
                        drop(sender.send(printer.print(id, &line)?));
                    }
                    None => return Ok(()),
                },
                () = sender.closed() => {
                    let mut open = self.open.lock();
                    // One may have come since the last one went.
                    if sender.receiver_count() == 0 {
                        open.remove(key);
                        return Ok(());
                    }
                }
                () = self.shutdown.cancelled() => return Ok(()),
            }
        }
    }
}

/// One reader's way through the log and into the live feed.
struct Reader {
    service: Service,
    id: UniverseId,
    /// The last revision handed out.
    seen: u64,
    /// For what was missed, and gone with it, since it holds on to an old state; the live feed is printed for all.
    printer: Option<Printer>,
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
            let printer = self.printer.as_mut()?;
            let lines = page.iter().map(|line| printer.print(&self.id, line));
            self.missed = lines.collect::<Result<_, _>>().ok()?;
            self.printer.take_if(|_| self.caught_up);
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
