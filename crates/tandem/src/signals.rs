//! The order to stop.

use tokio::signal::unix::{SignalKind, signal};

/// Returns when the process is asked to stop, by SIGTERM or Ctrl-C.
pub(crate) async fn asked_to_stop() {
    let wait = |kind| async move {
        match signal(kind) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(error) => {
                tracing::error!(%error, "cannot hear signals");
                std::future::pending().await
            }
        }
    };
    tokio::select! {
        () = wait(SignalKind::terminate()) => {}
        () = wait(SignalKind::interrupt()) => {}
    }
}
