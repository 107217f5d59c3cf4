//! Small body fields, disks and nebulae: the same rules for each kind.

use std::collections::HashSet;

use crate::{Event, Fields, Refusal, State, around::Around};

/// What follows for one that is there, and what is said of one that is not.
pub(super) fn known<K: Around>(
    state: &State,
    id: K,
    event: impl FnOnce(K) -> Event,
    refusal: impl FnOnce(K) -> Refusal,
) -> Result<Event, Refusal> {
    if K::all(state).contains(&id) { Ok(event(id)) } else { Err(refusal(id)) }
}

/// Those that are there now and not among `all`.
pub(super) fn missing<K: Around>(state: &State, all: &[(K, Fields)]) -> Vec<K> {
    let staying: HashSet<&K> = all.iter().map(|(id, _)| id).collect();
    K::all(state).keys().filter(|id| !staying.contains(id)).cloned().collect()
}
