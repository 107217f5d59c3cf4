//! The order to stop.

use anyhow::Context;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Hears SIGTERM and Ctrl-C from the moment it is made; until then they end the process at once.
pub(crate) struct Orders {
    terminate: Signal,
    interrupt: Signal,
}

impl Orders {
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let hear = |kind| signal(kind).context("cannot listen to signals");
        Ok(Self {
            terminate: hear(SignalKind::terminate())?,
            interrupt: hear(SignalKind::interrupt())?,
        })
    }

    /// Returns when the process is asked to stop, again with each further order.
    pub(crate) async fn stop(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
