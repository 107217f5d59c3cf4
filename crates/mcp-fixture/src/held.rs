//! Calls that wait to be let go, so that a test decides the order of things without sleeping.

use std::collections::{HashMap, HashSet};

use parking_lot::Mutex;
use tokio::sync::Notify;

/// Calls by the name that the test gave them.
#[derive(Default)]
pub(crate) struct Held {
    state: Mutex<State>,
    changed: Notify,
}

#[derive(Default)]
struct State {
    waiting: HashMap<String, usize>,
    released: HashSet<String>,
    dropped: HashSet<String>,
}

impl Held {
    /// Waits until `name` is released. When the caller is dropped instead, that is remembered.
    pub(crate) async fn hold(&self, name: &str) {
        let mut guard = Guard { held: self, name, done: false };
        *self.state.lock().waiting.entry(name.to_owned()).or_default() += 1;
        self.changed.notify_waiters();
        self.until(|state| state.released.contains(name)).await;
        guard.done = true;
    }

    pub(crate) fn release(&self, name: &str) {
        self.state.lock().released.insert(name.to_owned());
        self.changed.notify_waiters();
    }

    /// Waits until a call holds under `name`.
    pub(crate) async fn until_held(&self, name: &str) {
        self.until(|state| state.waiting.contains_key(name)).await;
    }

    /// Waits until a call that held under `name` was given up.
    pub(crate) async fn until_dropped(&self, name: &str) {
        self.until(|state| state.dropped.contains(name)).await;
    }

    async fn until(&self, mut true_of: impl FnMut(&State) -> bool) {
        loop {
            // Registered before looking, so that a change in between is not missed.
            let changed = self.changed.notified();
            tokio::pin!(changed);
            changed.as_mut().enable();
            if true_of(&self.state.lock()) {
                return;
            }
            changed.await;
        }
    }
}

struct Guard<'a> {
    held: &'a Held,
    name: &'a str,
    done: bool,
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if !self.done {
            self.held.state.lock().dropped.insert(self.name.to_owned());
            self.held.changed.notify_waiters();
        }
    }
}
