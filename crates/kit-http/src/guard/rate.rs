//! How often one principal may ask.

use std::{
    sync::atomic::{AtomicU64, Ordering::Relaxed},
    time::{Duration, Instant},
};

/// A token bucket in one atomic number (the "generic cell rate algorithm"): the time at which the bucket
/// would be full again. A request moves it on by one interval and is refused when it lies too far ahead.
#[derive(Debug)]
pub(crate) struct Bucket {
    start: Instant,
    full_at: AtomicU64,
    /// Nanoseconds that one request costs; 0 is no limit.
    interval: u64,
    /// How far ahead `full_at` may lie.
    room: u64,
}

impl Bucket {
    pub(crate) fn new(per_second: u32, burst: u32) -> Self {
        let interval = 1_000_000_000_u64.checked_div(per_second.into()).unwrap_or(0);
        Self {
            start: Instant::now(),
            full_at: AtomicU64::new(0),
            interval,
            room: interval.saturating_mul(burst.max(1).into()),
        }
    }

    /// Takes one request's worth, or says how long to wait for it.
    pub(crate) fn take(&self, at: Instant) -> Result<(), Duration> {
        if self.interval == 0 {
            return Ok(());
        }
        let now = at.saturating_duration_since(self.start);
        let now = u64::try_from(now.as_nanos()).unwrap_or(u64::MAX);
        let taken = self.full_at.fetch_update(Relaxed, Relaxed, |full_at| {
            let next = full_at.max(now) + self.interval;
            (next - now <= self.room).then_some(next)
        });
        match taken {
            Ok(_) => Ok(()),
            Err(full_at) => {
                Err(Duration::from_nanos((full_at + self.interval).saturating_sub(now + self.room)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_passes_and_the_next_one_waits_its_turn() {
        let bucket = Bucket::new(10, 3);
        let now = Instant::now();
        for _ in 0..3 {
            assert_eq!(bucket.take(now), Ok(()));
        }
        let wait = bucket.take(now).unwrap_err();
        assert!(wait <= Duration::from_millis(100) && wait > Duration::from_millis(90), "{wait:?}");
        assert_eq!(bucket.take(now + wait), Ok(()));
        assert!(bucket.take(now + wait).is_err());
    }

    #[test]
    fn a_rate_of_zero_is_no_limit() {
        let bucket = Bucket::new(0, 1);
        let now = Instant::now();
        assert!((0..10_000).all(|_| bucket.take(now).is_ok()));
    }
}
