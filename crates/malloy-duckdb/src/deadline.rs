//! Stopping a query when its time is up: DuckDB itself has no limit of time.

use std::{
    sync::{
        Arc, Condvar, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// Calls back when the time is up, unless it was dropped before.
pub(crate) struct Deadline(Option<Arc<State>>);

#[derive(Default)]
struct State {
    done: Mutex<bool>,
    wake: Condvar,
    passed: AtomicBool,
}

impl Deadline {
    pub(crate) fn start(time: Option<Duration>, stop: impl FnOnce() + Send + 'static) -> Self {
        let Some(time) = time else { return Self(None) };
        let state = Arc::new(State::default());
        let watched = Arc::clone(&state);
        thread::spawn(move || {
            let done = watched.done.lock().unwrap_or_else(PoisonError::into_inner);
            let (done, _) = watched
                .wake
                .wait_timeout_while(done, time, |done| !*done)
                .unwrap_or_else(PoisonError::into_inner);
            if !*done {
                watched.passed.store(true, Ordering::SeqCst);
                stop();
            }
        });
        Self(Some(state))
    }

    pub(crate) fn has_passed(&self) -> bool {
        self.0.as_ref().is_some_and(|state| state.passed.load(Ordering::SeqCst))
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        if let Some(state) = &self.0 {
            *state.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
            state.wake.notify_one();
        }
    }
}
