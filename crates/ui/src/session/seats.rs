//! Who may do a session's work on a thread that serves sockets.
//!
//! Work that blocks belongs on threads of its own, since whoever blocks a thread that serves sockets keeps all others waiting. But handing a click
//! to another thread and its answer back takes longer than the click itself. So all threads but one may be taken; that one, and
//! threads of the pool, are left for everybody else, however long somebody's program takes.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::runtime::Handle;

/// The seats of one server of pages.
pub(crate) struct Seats {
    free: AtomicUsize,
}

impl Seats {
    /// As many as the runtime has threads for tasks, less one.
    pub(crate) fn of_runtime() -> Self {
        let threads = Handle::try_current().map_or(1, |handle| handle.metrics().num_workers());
        Self::new(threads.saturating_sub(1))
    }

    fn new(count: usize) -> Self {
        Self { free: AtomicUsize::new(count) }
    }

    /// A seat, if one is free. Given back when it is dropped.
    pub(crate) fn take(&self) -> Option<Seat<'_>> {
        let less = |free: usize| free.checked_sub(1);
        let taken = self.free.fetch_update(Ordering::Acquire, Ordering::Relaxed, less);
        taken.ok().map(|_| Seat(self))
    }
}

pub(crate) struct Seat<'a>(&'a Seats);

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.0.free.fetch_add(1, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_come_back() {
        let seats = Seats::new(1);
        let first = seats.take();
        assert!(first.is_some() && seats.take().is_none());
        drop(first);
        assert!(seats.take().is_some());
    }

    #[tokio::test]
    async fn one_thread_is_always_left() {
        assert!(Seats::of_runtime().take().is_none(), "this runtime has one");
    }
}
