//! States as they were, for whoever looks back.
//!
//! The log holds every state there was; the way to one of them is what costs. States met on the way are kept, so
//! that the next look, which is mostly a step from the last one, begins nearby.

use std::{num::NonZeroUsize, sync::Arc};

use lru::LruCache;
use parking_lot::Mutex;

use crate::{Live, StreamId, Version};

/// How many are kept. With persistent collections inside, neighbours share most of what they hold.
const KEPT: NonZeroUsize = NonZeroUsize::MIN.saturating_add(31);

pub(super) struct Past<A> {
    states: Mutex<LruCache<(StreamId, Version), Arc<A>>>,
}

impl<A> Past<A> {
    pub(super) fn new() -> Self {
        Self { states: Mutex::new(LruCache::new(KEPT)) }
    }

    pub(super) fn keep(&self, stream: &StreamId, live: &Live<A>) {
        self.states.lock().put((stream.clone(), live.version), live.state.clone());
    }

    /// The last state kept that is not later than `version`.
    pub(super) fn nearest(&self, stream: &StreamId, version: Version) -> Option<Live<A>> {
        let mut states = self.states.lock();
        let earlier = states.iter().filter(|((of, at), _)| of == stream && *at <= version);
        let found = earlier.map(|((_, at), _)| *at).max()?;
        let state = states.get(&(stream.clone(), found))?.clone();
        Some(Live { version: found, state })
    }
}
