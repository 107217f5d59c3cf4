//! How long, how large and how deep a piece of Lua may be, and how it is stopped.
//!
//! An entry into the VM arms a [`Meter`] with a deadline. A hook (`hook.rs`) looks at it every thousand instructions, and every function of ours that can
//! take long looks at it too. Once over, it stays over until the entry has ended.
//!
//! Every entry runs in a coroutine. The hook ends it by yielding out of it, which no handler sees and which runs nothing more of the user's;
//! the coroutine is dropped. Where Lua cannot yield, because a function of C has called back (`table.sort`, `gsub`), the hook raises an
//! error instead, and `pcall`, `xpcall`, `load` and the coroutine functions of the sandbox raise it again, so that no loop can swallow it.
//! Lua passes a hook on to the coroutines that a thread creates. It runs no hooks in finalizers, so those are not available.
//!
//! What remains: a function of C cannot be interrupted. Those that a program can keep busy for long are replaced or bounded (`lua/sandbox.lua`);
//! the longest that is left, sorting a million numbers, takes a fraction of a second.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::host::Host;
use crate::natives::lock;

/// What a session's Lua may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Time for one `ui_run`, for `main.lua` and for a reload.
    pub run: Duration,
    /// Time for one action, timer or write, and for all getters of one walk together.
    pub action: Duration,
    /// Bytes that the VM may hold.
    pub memory: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { run: Duration::from_secs(10), action: Duration::from_secs(2), memory: 64 << 20 }
    }
}

/// Which limit an entry has passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exceeded {
    Time,
    Memory,
    Depth,
}

/// The limits of the entry under way, shared between the VM, its hook and our functions inside it.
pub(crate) struct Meter {
    host: Arc<dyn Host>,
    memory: usize,
    /// Nanoseconds of the host's clock; the largest number when no entry is under way.
    deadline: AtomicU64,
    /// Nanoseconds that the entry was given, for the message.
    given: AtomicU64,
    exceeded: AtomicU8,
    /// Where it was exceeded: `lua/main.lua:3`, if that is known.
    place: Mutex<String>,
}

impl Meter {
    pub(crate) fn new(host: Arc<dyn Host>, memory: usize) -> Self {
        Self {
            host,
            memory,
            deadline: AtomicU64::new(u64::MAX),
            given: AtomicU64::new(0),
            exceeded: AtomicU8::new(0),
            place: Mutex::default(),
        }
    }

    /// Begins an entry that may take `time`.
    pub(crate) fn start(&self, time: Duration) {
        self.exceeded.store(0, Ordering::Relaxed);
        self.given.store(nanos(time), Ordering::Relaxed);
        self.deadline.store(nanos(self.host.elapsed().saturating_add(time)), Ordering::Relaxed);
    }

    /// Ends the entry. What it has exceeded, if anything, and the message for it.
    pub(crate) fn finish(&self) -> Option<(Exceeded, String)> {
        self.deadline.store(u64::MAX, Ordering::Relaxed);
        let exceeded = self.exceeded().map(|what| (what, self.message(what)));
        self.exceeded.store(0, Ordering::Relaxed);
        lock(&self.place).clear();
        exceeded
    }

    /// Whether the entry must end. Looks at the clock.
    pub(crate) fn is_over(&self) -> bool {
        if self.exceeded.load(Ordering::Relaxed) != 0 {
            return true;
        }
        let deadline = self.deadline.load(Ordering::Relaxed);
        let over = deadline != u64::MAX && nanos(self.host.elapsed()) >= deadline;
        if over {
            self.exceed(Exceeded::Time);
        }
        over
    }

    /// Notes that the entry has passed a limit. The first one counts.
    pub(crate) fn exceed(&self, what: Exceeded) {
        let _already =
            self.exceeded.compare_exchange(0, what as u8 + 1, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Notes where the limit was passed. The first place counts.
    pub(crate) fn locate(&self, place: impl FnOnce() -> Option<String>) {
        let mut known = lock(&self.place);
        if known.is_empty()
            && let Some(place) = place()
        {
            *known = place;
        }
    }

    pub(crate) fn exceeded(&self) -> Option<Exceeded> {
        match self.exceeded.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Exceeded::Time),
            2 => Some(Exceeded::Memory),
            _ => Some(Exceeded::Depth),
        }
    }

    /// Bytes that the VM may hold.
    pub(crate) fn memory(&self) -> usize {
        self.memory
    }

    /// For what is built outside the VM and handed in afterwards: it may be no larger than the VM.
    pub(crate) fn check_size(&self, bytes: usize) -> Result<(), ()> {
        if bytes > self.memory {
            self.exceed(Exceeded::Memory);
            return Err(());
        }
        Ok(())
    }

    /// The message for the limit that was passed.
    pub(crate) fn message(&self, what: Exceeded) -> String {
        let place = lock(&self.place);
        let separator = if place.is_empty() { "" } else { ": " };
        let what = match what {
            Exceeded::Time => {
                let given = Duration::from_nanos(self.given.load(Ordering::Relaxed));
                format!("time limit of {given:?} exceeded")
            }
            Exceeded::Memory => format!("memory limit of {} exceeded", bytes(self.memory)),
            Exceeded::Depth => "stack overflow: functions call each other too deeply".to_owned(),
        };
        format!("{place}{separator}{what}")
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

fn bytes(count: usize) -> String {
    if count.is_multiple_of(1 << 20) {
        format!("{} MB", count >> 20)
    } else {
        format!("{count} bytes")
    }
}
