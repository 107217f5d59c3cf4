//! What happened in a session, kept until an agent asks.
//!
//! Many hosts show an agent nothing of a notification, so each event waits here as well. A queue is bounded: whoever
//! never asks costs no memory, and whoever asks late learns how much is gone.

use std::{collections::VecDeque, time::Duration};

use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::Notify;

/// Events that wait for one session.
const MOST: usize = 1_000;

/// The events of one session.
#[derive(Default)]
pub(crate) struct Events {
    kept: Mutex<Kept>,
    more: Notify,
}

#[derive(Default)]
struct Kept {
    waiting: VecDeque<Value>,
    /// Gone since somebody last asked.
    dropped: u64,
    /// Those who wait at this moment.
    waiters: usize,
    last_asked: Option<std::time::Instant>,
}

impl Events {
    pub(crate) fn push(&self, event: Value) {
        let mut kept = self.kept.lock();
        if kept.waiting.len() == MOST {
            kept.waiting.pop_front();
            kept.dropped += 1;
        }
        kept.waiting.push_back(event);
        drop(kept);
        self.more.notify_waiters();
    }

    /// Everything that waits, at once, so that no event is given to two.
    pub(crate) fn drain(&self) -> Vec<Value> {
        let mut kept = self.kept.lock();
        kept.last_asked = Some(std::time::Instant::now());
        let dropped = std::mem::take(&mut kept.dropped);
        let lost = (dropped > 0).then(|| json!({"event": "events_dropped", "count": dropped}));
        lost.into_iter().chain(kept.waiting.drain(..)).collect()
    }

    /// The same, waiting until there is something; nothing when the time is over.
    pub(crate) async fn wait(&self, longest: Duration) -> Vec<Value> {
        let _waiter = Waiter::new(self);
        let something = async {
            loop {
                let mut more = std::pin::pin!(self.more.notified());
                more.as_mut().enable();
                let events = self.drain();
                if !events.is_empty() {
                    return events;
                }
                more.await;
            }
        };
        tokio::time::timeout(longest, something).await.unwrap_or_default()
    }

    /// Whether an agent waits at this moment, and how long ago one asked.
    pub(crate) fn asked(&self) -> (bool, Option<Duration>) {
        let kept = self.kept.lock();
        (kept.waiters > 0, kept.last_asked.map(|at| at.elapsed()))
    }
}

/// Counts somebody who waits, also one who goes away in the middle.
struct Waiter<'a>(&'a Events);

impl<'a> Waiter<'a> {
    fn new(events: &'a Events) -> Self {
        events.kept.lock().waiters += 1;
        Self(events)
    }
}

impl Drop for Waiter<'_> {
    fn drop(&mut self) {
        self.0.kept.lock().waiters -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_first_and_are_counted() {
        let events = Events::default();
        for number in 0..MOST + 2 {
            events.push(json!(number));
        }
        let all = events.drain();
        assert_eq!(all.len(), MOST + 1);
        assert_eq!(all[..2], [json!({"event": "events_dropped", "count": 2}), json!(2)]);
        assert_eq!(events.drain(), [] as [Value; 0]);
    }

    #[tokio::test]
    async fn a_waiter_gets_what_comes_and_nothing_when_nothing_comes() {
        let events = std::sync::Arc::new(Events::default());
        assert_eq!(events.wait(Duration::from_millis(1)).await, [] as [Value; 0]);
        let waiting = tokio::spawn({
            let events = events.clone();
            async move { events.wait(Duration::from_mins(1)).await }
        });
        while !events.asked().0 {
            tokio::task::yield_now().await;
        }
        events.push(json!({"event": "saved"}));
        assert_eq!(waiting.await.unwrap(), [json!({"event": "saved"})]);
        assert!(!events.asked().0);
    }
}
