//! Stopping queries from another thread. Start at [`Cancel`].

use std::sync::{
    Arc, Mutex, PoisonError, Weak,
    atomic::{AtomicBool, Ordering},
};

/// Stops queries from another thread. A clone stops the same ones.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Stop>);

#[derive(Debug, Default)]
struct Stop {
    asked: AtomicBool,
    running: Mutex<Vec<Weak<Hook>>>,
}

struct Hook(Box<dyn Fn() + Send + Sync>);

impl std::fmt::Debug for Hook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Hook")
    }
}

/// As long as this lives, [`Cancel::cancel`] reaches what it was made for.
#[derive(Debug)]
#[must_use = "a hook that is dropped is not called"]
pub struct Attached {
    _hook: Arc<Hook>,
}

impl Cancel {
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the queries that run with this, and refuses those that would be started with it.
    pub fn cancel(&self) {
        self.0.asked.store(true, Ordering::SeqCst);
        // Called without the lock: a hook may end a query, which lets go of its own.
        let hooks = std::mem::take(&mut *self.running());
        for hook in hooks.iter().filter_map(Weak::upgrade) {
            (hook.0)();
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }

    /// Has [`Cancel::cancel`] call `stop` for as long as the answer lives; at once where it was called already.
    pub fn attach(&self, stop: impl Fn() + Send + Sync + 'static) -> Attached {
        let hook = Arc::new(Hook(Box::new(stop)));
        {
            let mut running = self.running();
            running.retain(|other| other.strong_count() > 0);
            running.push(Arc::downgrade(&hook));
        }
        if self.is_cancelled() {
            (hook.0)();
        }
        Attached { _hook: hook }
    }

    fn running(&self) -> std::sync::MutexGuard<'_, Vec<Weak<Hook>>> {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn every_query_that_runs_with_it_is_stopped_and_none_that_is_done() {
        let (cancel, calls) = (Cancel::new(), Arc::new(AtomicUsize::new(0)));
        let attach = || {
            let calls = Arc::clone(&calls);
            cancel.attach(move || {
                calls.fetch_add(1, Ordering::SeqCst);
            })
        };
        let (_one, _two) = (attach(), attach());
        drop(attach());
        cancel.cancel();
        assert!(cancel.is_cancelled());
        assert_eq!(calls.load(Ordering::SeqCst), 2);
        let _late = attach();
        assert_eq!(calls.load(Ordering::SeqCst), 3, "one that comes too late is told at once");
    }
}
