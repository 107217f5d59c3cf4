//! What [`crate::Store`] asks of a back end beside its three ports.

use async_trait::async_trait;

use crate::StoreError;

#[async_trait]
pub(crate) trait Backend: Send + Sync + 'static {
    /// Whether an append could be answered now.
    async fn health(&self) -> Result<(), StoreError>;

    /// Finishes what was asked and lets go of files and connections. What is asked later is refused.
    async fn close(&self);
}
