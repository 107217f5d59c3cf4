//! Short messages between replicas: "session ended", "tools changed". Nothing depends on one arriving.

use std::sync::Arc;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::sync::broadcast;

use crate::StoreError;

/// How far a receiver may fall behind before it loses the oldest.
const KEPT: usize = 1024;

/// A message to every replica, the sender included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Signal {
    pub topic: Arc<str>,
    /// Under 7 KB as text together with the topic, so that it fits a PostgreSQL notification.
    pub payload: Value,
}

impl Signal {
    /// PostgreSQL takes 8000 bytes at most; the rest is room for what may come.
    pub const MAX_BYTES: usize = 7 * 1024;

    /// The signal as text. Every back end refuses what is too large for one of them.
    pub(crate) fn encode(&self) -> Result<String, StoreError> {
        let text = serde_json::to_string(self).map_err(StoreError::failed)?;
        if text.len() > Self::MAX_BYTES {
            let topic = self.topic.chars().take(64).collect();
            return Err(StoreError::TooLarge { topic, size: text.len(), limit: Self::MAX_BYTES });
        }
        Ok(text)
    }
}

/// Sends signals to every replica.
#[async_trait]
pub trait Signals: Send + Sync + 'static {
    async fn send(&self, signal: Signal) -> Result<(), StoreError>;
    fn receive(&self) -> broadcast::Receiver<Signal>;
}

/// Signals where this process is the only replica.
pub(crate) struct LocalSignals(broadcast::Sender<Signal>);

impl LocalSignals {
    pub(crate) fn new() -> Self {
        Self(broadcast::Sender::new(KEPT))
    }

    pub(crate) fn deliver(&self, signal: Signal) {
        // Nobody listening is fine: nothing depends on a signal arriving.
        drop(self.0.send(signal));
    }
}

#[async_trait]
impl Signals for LocalSignals {
    async fn send(&self, signal: Signal) -> Result<(), StoreError> {
        signal.encode()?;
        self.deliver(signal);
        Ok(())
    }

    fn receive(&self) -> broadcast::Receiver<Signal> {
        self.0.subscribe()
    }
}
