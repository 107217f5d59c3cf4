//! When which timer is due. The functions themselves stay in Lua.

use std::collections::BTreeMap;
use std::time::Duration;

/// How many timers a session may have at a time.
const MOST: usize = 10_000;

/// The timers of a session, by the host's clock.
#[derive(Debug, Default)]
pub(crate) struct Timers {
    /// Due times, ties in the order in which they were set.
    due: BTreeMap<(Duration, u64), u64>,
    /// Where each timer stands in `due`, and its interval if it comes again.
    known: BTreeMap<u64, (Duration, u64, Option<Duration>)>,
    vended: u64,
}

/// A timer whose time has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Due {
    pub(crate) handle: u64,
    /// Whether it comes again.
    pub(crate) again: bool,
}

impl Timers {
    /// Sets a timer. Its handle, or nothing if there are too many.
    pub(crate) fn set(&mut self, now: Duration, after: Duration, repeats: bool) -> Option<u64> {
        if self.known.len() >= MOST {
            return None;
        }
        self.vended += 1;
        let handle = self.vended;
        // An interval of nothing would never let anybody else run.
        let interval = repeats.then(|| after.max(Duration::from_millis(1)));
        self.put(handle, now.saturating_add(interval.unwrap_or(after)), interval);
        Some(handle)
    }

    pub(crate) fn clear(&mut self, handle: u64) {
        if let Some((due, turn, _)) = self.known.remove(&handle) {
            self.due.remove(&(due, turn));
        }
    }

    /// When the next one is due.
    pub(crate) fn next(&self) -> Option<Duration> {
        self.due.first_key_value().map(|((due, _), _)| *due)
    }

    /// How many are due at `now`.
    pub(crate) fn due_at(&self, now: Duration) -> usize {
        self.due.range(..=(now, u64::MAX)).count()
    }

    /// Takes the first that is due at `now`. One that repeats is set again, from now on if it is late, so that a slow session does
    /// not run after a queue of its own.
    pub(crate) fn take(&mut self, now: Duration) -> Option<Due> {
        let (&(due, turn), &handle) = self.due.first_key_value()?;
        if due > now {
            return None;
        }
        self.due.remove(&(due, turn));
        let (_, _, interval) = self.known.remove(&handle)?;
        if let Some(interval) = interval {
            let next = due.saturating_add(interval);
            self.put(
                handle,
                if next > now { next } else { now.saturating_add(interval) },
                Some(interval),
            );
        }
        Some(Due { handle, again: interval.is_some() })
    }

    fn put(&mut self, handle: u64, due: Duration, interval: Option<Duration>) {
        self.vended += 1;
        let turn = self.vended;
        self.due.insert((due, turn), handle);
        self.known.insert(handle, (due, turn, interval));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(count: u64) -> Duration {
        Duration::from_millis(count)
    }

    #[test]
    fn timers_come_in_the_order_of_their_time_and_then_of_their_setting() {
        let mut timers = Timers::default();
        let late = timers.set(ms(0), ms(20), false).unwrap();
        let first = timers.set(ms(0), ms(10), false).unwrap();
        let second = timers.set(ms(0), ms(10), false).unwrap();
        assert_eq!(timers.next(), Some(ms(10)));
        assert_eq!(timers.take(ms(9)), None);
        let order: Vec<_> =
            std::iter::from_fn(|| timers.take(ms(30))).map(|due| due.handle).collect();
        assert_eq!(order, [first, second, late]);
        assert_eq!(timers.next(), None);
    }

    #[test]
    fn an_interval_that_is_late_does_not_catch_up() {
        let mut timers = Timers::default();
        let handle = timers.set(ms(0), ms(10), true).unwrap();
        assert_eq!(timers.take(ms(95)), Some(Due { handle, again: true }));
        assert_eq!(timers.take(ms(95)), None);
        assert_eq!(timers.next(), Some(ms(105)));
        timers.clear(handle);
        timers.clear(handle);
        assert_eq!(timers.next(), None);
    }
}
