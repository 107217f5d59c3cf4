//! The states in memory.

use std::{
    num::NonZeroUsize,
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use lru::LruCache;
use parking_lot::Mutex;
use tokio::sync::{Notify, OwnedMutexGuard};

use crate::{Aggregate, Live, StreamId, Version};

/// The streams used last, at most so many, not counting those in use.
pub(super) struct Cache<A> {
    entries: Mutex<LruCache<StreamId, Arc<Entry<A>>>>,
    most: usize,
}

impl<A: Aggregate> Cache<A> {
    pub(super) fn new(most: NonZeroUsize) -> Self {
        Self { entries: Mutex::new(LruCache::unbounded()), most: most.get() }
    }

    pub(super) fn entry(&self, stream: StreamId) -> Arc<Entry<A>> {
        let mut entries = self.entries.lock();
        let entry = entries.get_or_insert(stream.clone(), || Arc::new(Entry::new(stream))).clone();
        for _ in self.most..entries.len() {
            let Some((stream, oldest)) = entries.pop_lru() else { break };
            // Whoever works with an entry must find it here again: a second one for the same stream would
            // not hear of what is appended through the first.
            if Arc::strong_count(&oldest) > 1 {
                entries.put(stream, oldest);
            }
        }
        entry
    }

    /// Drops the caller's entry unless others use it: names that do not exist must not push out those that do.
    pub(super) fn forget(&self, entry: &Arc<Entry<A>>) {
        let mut entries = self.entries.lock();
        // One is the caller's, one the table's.
        if Arc::strong_count(entry) == 2 {
            entries.pop(entry.stream());
        }
    }
}

/// One stream.
pub(super) struct Entry<A> {
    stream: StreamId,
    /// Held from deciding to being in line: commands of this process on one stream come one after another.
    turn: Arc<tokio::sync::Mutex<()>>,
    states: Mutex<States<A>>,
    /// Wakes those who wait for what is ahead to become durable.
    moved: Notify,
    kept: Kept,
}

/// A stream's state, twice.
struct States<A> {
    /// What the log holds, and what readers see. `None` before it is loaded, and again when it is no longer certain.
    live: Option<Live<A>>,
    /// With what is in line to be written, and what the next command is decided on. `None` if that is the same.
    ahead: Option<Live<A>>,
}

/// How far the last snapshot is behind.
#[derive(Default)]
struct Kept {
    version: AtomicU64,
    /// How large it was.
    bytes: AtomicU64,
    /// How much the log has grown since.
    grown: AtomicU64,
}

impl<A: Aggregate> Entry<A> {
    fn new(stream: StreamId) -> Self {
        let states = Mutex::new(States { live: None, ahead: None });
        let (turn, moved, kept) = (Arc::default(), Notify::new(), Kept::default());
        Self { stream, turn, states, moved, kept }
    }

    pub(super) fn stream(&self) -> &StreamId {
        &self.stream
    }

    pub(super) async fn turn(&self) -> OwnedMutexGuard<()> {
        self.turn.clone().lock_owned().await
    }

    pub(super) fn live(&self) -> Option<Live<A>> {
        self.states.lock().live.clone()
    }

    /// What the next command is decided on; nothing if it has to be loaded.
    pub(super) fn newest(&self) -> Option<Live<A>> {
        let states = self.states.lock();
        states.ahead.as_ref().or(states.live.as_ref()).cloned()
    }

    /// A snapshot of this version and size was loaded.
    pub(super) fn started(&self, version: Version, bytes: u64) {
        self.kept.version.fetch_max(version.0, Relaxed);
        self.kept.bytes.store(bytes, Relaxed);
    }

    /// `read` is what the log held a moment ago; never a state on its way there, which a reader would take for the
    /// whole.
    pub(super) fn publish(&self, read: &Live<A>, grown: usize) {
        let mut states = self.states.lock();
        if states.live.as_ref().is_none_or(|live| live.version < read.version) {
            states.live = Some(read.clone());
        }
        self.kept.grown.fetch_add(grown as u64, Relaxed);
    }

    /// Forgets the state; the next one who asks reads the log.
    pub(super) fn reset(&self) {
        *self.states.lock() = States { live: None, ahead: None };
        self.moved.notify_waiters();
    }

    /// `next` is in line to be written.
    pub(super) fn hold(&self, next: Live<A>) {
        self.states.lock().ahead = Some(next);
    }

    /// `next` is durable, with everything before it. Told in any order: a state has all earlier ones in it.
    pub(super) fn settle(&self, next: Live<A>, bytes: usize) {
        let mut states = self.states.lock();
        let States { live, ahead } = &mut *states;
        if ahead.as_ref().is_some_and(|ahead| ahead.version <= next.version) {
            *ahead = None;
        }
        // After a reset the log is asked, which may know more by now.
        if live.as_ref().is_some_and(|live| live.version < next.version) {
            *live = Some(next);
        }
        drop(states);
        self.kept.grown.fetch_add(bytes as u64, Relaxed);
        self.moved.notify_waiters();
    }

    /// Waits until `version` is durable; `false` if it will not be, because writing it failed.
    pub(super) async fn durable(&self, version: Version) -> bool {
        loop {
            let mut moved = pin!(self.moved.notified());
            // Before looking, so that what happens in between is heard.
            moved.as_mut().enable();
            {
                let states = self.states.lock();
                if states.live.as_ref().is_some_and(|live| live.version >= version) {
                    return true;
                }
                if states.ahead.as_ref().is_none_or(|ahead| ahead.version < version) {
                    return false;
                }
            }
            moved.await;
        }
    }

    /// The state if a snapshot of it is due; it counts as kept from here on. Due is one that is `every` events
    /// past the last, when as much was appended since as the last one has: so snapshots never cost more than the log,
    /// and reading the log's rest takes no longer than reading the snapshot. With a fixed number of events, a small
    /// change of a large state would pay for the whole state.
    pub(super) fn due(&self, every: u64) -> Option<Live<A>> {
        let states = self.states.lock();
        let live = states.live.as_ref()?;
        let Kept { version, bytes, grown } = &self.kept;
        let enough = grown.load(Relaxed) >= bytes.load(Relaxed);
        if live.version.0 < version.load(Relaxed).saturating_add(every) || !enough {
            return None;
        }
        version.store(live.version.0, Relaxed);
        grown.store(0, Relaxed);
        Some(live.clone())
    }

    /// A snapshot of this size was written.
    pub(super) fn kept(&self, bytes: usize) {
        self.kept.bytes.store(bytes as u64, Relaxed);
    }
}
