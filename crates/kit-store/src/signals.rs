//! Short messages between replicas: "session ended", "tools changed". Nothing depends on one arriving.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::Value;
use tokio::sync::broadcast;

use crate::StoreError;

/// A message to every replica, the sender included.
#[derive(Debug, Clone, PartialEq)]
pub struct Signal {
    pub topic: Arc<str>,
    /// Under 7 KB as text, so that it fits a PostgreSQL notification.
    pub payload: Value,
}

/// Sends signals to every replica.
#[async_trait]
pub trait Signals: Send + Sync + 'static {
    async fn send(&self, signal: Signal) -> Result<(), StoreError>;
    fn receive(&self) -> broadcast::Receiver<Signal>;
}
