//! The states in memory.

use std::{
    num::NonZeroUsize,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use lru::LruCache;
use parking_lot::Mutex;
use tokio::sync::OwnedMutexGuard;

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
    /// Held from deciding to applying: commands of this process on one stream come one after another.
    turn: Arc<tokio::sync::Mutex<()>>,
    /// `None` before it is loaded, and again when it is no longer certain.
    live: Mutex<Option<Live<A>>>,
    /// The version of the last snapshot.
    kept: AtomicU64,
}

impl<A: Aggregate> Entry<A> {
    fn new(stream: StreamId) -> Self {
        Self { stream, turn: Arc::default(), live: Mutex::new(None), kept: AtomicU64::new(0) }
    }

    pub(super) fn stream(&self) -> &StreamId {
        &self.stream
    }

    pub(super) async fn turn(&self) -> OwnedMutexGuard<()> {
        self.turn.clone().lock_owned().await
    }

    pub(super) fn live(&self) -> Option<Live<A>> {
        self.live.lock().clone()
    }

    /// Starts from a snapshot at `kept`, unless somebody has already started.
    pub(super) fn begin(&self, live: Live<A>, kept: Version) {
        let mut slot = self.live.lock();
        if slot.is_none() {
            *slot = Some(live);
            self.kept.fetch_max(kept.0, Ordering::Relaxed);
        }
    }

    /// Forgets the state; the next one who asks reads the log.
    pub(super) fn reset(&self) {
        *self.live.lock() = None;
    }

    /// Applies the events that come next, passing over those that are in already.
    pub(super) fn advance<'e>(&self, events: impl Iterator<Item = (Version, &'e A::Event)>)
    where
        A::Event: 'e,
    {
        let mut slot = self.live.lock();
        // Out of its place while it changes: if `apply` panics, a half-applied state is not found there.
        let Some(mut live) = slot.take() else { return };
        for (version, event) in events {
            if version.0 == live.version.0 + 1 {
                Arc::make_mut(&mut live.state).apply(event);
                live.version = version;
            }
        }
        *slot = Some(live);
    }

    /// The state if it is `every` events past its last snapshot; it counts as kept from here on.
    pub(super) fn due(&self, every: u64) -> Option<Live<A>> {
        let slot = self.live.lock();
        let live = slot.as_ref()?;
        if live.version.0 < self.kept.load(Ordering::Relaxed).saturating_add(every) {
            return None;
        }
        self.kept.store(live.version.0, Ordering::Relaxed);
        Some(live.clone())
    }
}
