//! The pieces of work of one session, in order.

use std::{collections::VecDeque, time::Instant};

use parking_lot::Mutex;
use tokio::task::AbortHandle;

use super::Stage;

/// Pieces beyond which agents are sent away.
const MOST: usize = 256;

/// A piece of work; what it gives is done when browsers have been told what changed.
pub(super) type Work = Box<dyn FnOnce(&mut Option<Stage>) -> Done + Send>;
pub(super) type Done = Box<dyn FnOnce() + Send>;

/// Whether a piece may have changed what the session holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Effect {
    Stirs,
    /// It only looked, and whoever waits for changes is not woken by it.
    Looks,
}

/// The queue of one session.
#[derive(Default)]
pub(super) struct Queue(Mutex<Inner>);

#[derive(Default)]
struct Inner {
    waiting: VecDeque<(Work, Effect)>,
    /// A thread works it off.
    working: bool,
    closed: bool,
    timer: Option<(Instant, AbortHandle)>,
}

/// Whether somebody has to begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Queued {
    Start,
    Working,
}

impl Queue {
    pub(super) fn push(&self, work: Work, effect: Effect) -> Queued {
        let mut inner = self.0.lock();
        if inner.closed {
            // Dropping it tells whoever waits.
            return Queued::Working;
        }
        inner.waiting.push_back((work, effect));
        if std::mem::replace(&mut inner.working, true) { Queued::Working } else { Queued::Start }
    }

    /// How many pieces wait.
    pub(super) fn len(&self) -> usize {
        self.0.lock().waiting.len()
    }

    /// Whether more waits than agents may have waiting.
    pub(super) fn is_full(&self) -> bool {
        self.len() >= MOST
    }

    /// The next piece; with none the thread that asked is done.
    pub(super) fn next(&self) -> Option<(Work, Effect)> {
        let mut inner = self.0.lock();
        let next = inner.waiting.pop_front();
        inner.working = next.is_some();
        next
    }

    pub(super) fn close(&self) {
        let mut inner = self.0.lock();
        inner.closed = true;
        let waiting = std::mem::take(&mut inner.waiting);
        if let Some((_, timer)) = inner.timer.take() {
            timer.abort();
        }
        drop(inner);
        // Outside of the lock: who waits for one of them may ask for the queue at once.
        drop(waiting);
    }

    pub(super) fn is_closed(&self) -> bool {
        self.0.lock().closed
    }

    /// Has `wake` run, in the place of the timer before it, unless that is the same.
    pub(super) fn arm(&self, at: Instant, wake: impl Future<Output = ()> + Send + 'static) {
        let mut inner = self.0.lock();
        if inner.closed {
            return;
        }
        if let Some((_, timer)) = inner.timer.take() {
            timer.abort();
        }
        inner.timer = Some((at, tokio::spawn(wake).abort_handle()));
    }

    pub(super) fn disarm(&self) {
        if let Some((_, timer)) = self.0.lock().timer.take() {
            timer.abort();
        }
    }
}
