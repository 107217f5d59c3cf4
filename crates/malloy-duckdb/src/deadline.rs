//! Stopping a query when its time is up, or when somebody asks: DuckDB itself has no limit of time, and forgets an interrupt that
//! comes a moment before the query begins.

use std::{
    sync::{
        Arc, Condvar, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

/// How often a query is told to stop until it has.
const AGAIN: Duration = Duration::from_millis(10);

/// Calls back when the time is up or somebody asks, again and again until it is dropped.
pub(crate) struct Deadline(Arc<State>);

#[derive(Default)]
struct State {
    phase: Mutex<Phase>,
    wake: Condvar,
    passed: AtomicBool,
}

#[derive(Default)]
struct Phase {
    asked: bool,
    done: bool,
}

impl Deadline {
    pub(crate) fn start(time: Option<Duration>, stop: impl Fn() + Send + 'static) -> Self {
        let state = Arc::new(State::default());
        let watched = Arc::clone(&state);
        thread::spawn(move || watched.watch(time, stop));
        Self(state)
    }

    /// What to call to have the query stopped before its time.
    pub(crate) fn asking(&self) -> impl Fn() + Send + Sync + 'static {
        let state = Arc::clone(&self.0);
        move || {
            state.phase().asked = true;
            state.wake.notify_one();
        }
    }

    pub(crate) fn has_passed(&self) -> bool {
        self.0.passed.load(Ordering::SeqCst)
    }
}

impl State {
    fn watch(&self, time: Option<Duration>, stop: impl Fn()) {
        let waits = |phase: &mut Phase| !phase.done && !phase.asked;
        let mut phase = self.phase();
        match time {
            None => {
                phase = self.wake.wait_while(phase, waits).unwrap_or_else(PoisonError::into_inner);
            }
            Some(time) => {
                let waited = self.wake.wait_timeout_while(phase, time, waits);
                let (after, timeout) = waited.unwrap_or_else(PoisonError::into_inner);
                phase = after;
                self.passed.store(timeout.timed_out(), Ordering::SeqCst);
            }
        }
        while !phase.done {
            stop();
            let waited = self.wake.wait_timeout_while(phase, AGAIN, |phase| !phase.done);
            phase = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Deadline {
    fn drop(&mut self) {
        self.0.phase().done = true;
        self.0.wake.notify_one();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn who_does_not_hear_the_first_time_is_told_again() {
        let (told, heard) = mpsc::channel();
        let deadline = Deadline::start(None, move || told.send(()).unwrap_or_default());
        deadline.asking()();
        for _ in 0..3 {
            heard.recv().unwrap();
        }
        assert!(!deadline.has_passed());
        drop(deadline);
        while heard.recv().is_ok() {}
    }

    #[test]
    fn when_the_time_is_up_it_says_so() {
        let (told, heard) = mpsc::channel();
        let time = Some(Duration::from_millis(1));
        let deadline = Deadline::start(time, move || told.send(()).unwrap_or_default());
        heard.recv().unwrap();
        assert!(deadline.has_passed());
    }
}
