//! A thread that drives futures, for engines that speak over a network while their callers wait.

use std::{
    future::Future,
    sync::{Arc, Mutex, PoisonError, Weak, mpsc},
};

use tokio::runtime::{Builder, Runtime};

use crate::Error;

/// Runs futures for callers that block. All that are in use share one thread, which ends with the last of them.
#[derive(Debug, Clone)]
pub struct Background(Arc<Driver>);

#[derive(Debug)]
struct Driver(Option<Runtime>);

impl Drop for Driver {
    fn drop(&mut self) {
        // Not by dropping it, which would wait, and panic where the last engine goes on a thread that drives futures.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

impl Background {
    /// The one that is running, or a new one.
    pub fn shared() -> Result<Self, Error> {
        static RUNNING: Mutex<Weak<Driver>> = Mutex::new(Weak::new());
        let mut running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(driver) = running.upgrade() {
            return Ok(Self(driver));
        }
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("malloy-engine")
            .enable_all()
            .build()
            .map_err(|error| Error::Open { message: format!("cannot start a thread: {error}") })?;
        let driver = Arc::new(Driver(Some(runtime)));
        *running = Arc::downgrade(&driver);
        Ok(Self(driver))
    }

    /// Waits for `work`, whatever thread this is called on.
    pub fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let gone = || Error::query("the query ended without an answer");
        let runtime = self.0.0.as_ref().ok_or_else(gone)?;
        let (answer, answered) = mpsc::sync_channel(1);
        runtime.spawn(async move {
            // Nobody waits any more when the caller is gone.
            answer.send(work.await).ok();
        });
        // The sender is gone without a word only if the work panicked.
        answered.recv().map_err(|_| gone())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_drives_futures_may_wait_too() {
        let outer = Builder::new_current_thread().build().expect("a runtime");
        let got = outer.block_on(async {
            let background = Background::shared()?;
            background.wait(async {
                tokio::time::sleep(std::time::Duration::from_millis(1)).await;
                Ok(7)
            })
        });
        assert_eq!(got, Ok(7));
    }

    #[test]
    fn work_that_panics_is_an_error() {
        let background = Background::shared().expect("a thread");
        let got: Result<(), Error> = background.wait(async { panic!("on purpose") });
        assert!(got.is_err());
    }
}
