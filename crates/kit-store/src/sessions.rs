//! MCP sessions as rows, so that any replica can go on with them.

use async_trait::async_trait;
use serde_json::Value;

use crate::StoreError;

/// One MCP session.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionRow {
    /// Random, unguessable; a name, not a proof.
    pub id: String,
    /// The endpoint it belongs to.
    pub app: String,
    /// Who opened it; nobody else may use it.
    pub principal: String,
    /// What the client said when it began, and what it subscribed to.
    pub data: Value,
    /// Milliseconds since 1970.
    pub seen_at: i64,
}

/// Keeps sessions.
#[async_trait]
pub trait Sessions: Send + Sync + 'static {
    /// [`StoreError::SessionExists`] if the id is taken.
    async fn create(&self, row: SessionRow) -> Result<(), StoreError>;
    async fn get(&self, id: &str) -> Result<Option<SessionRow>, StoreError>;
    /// Replaces the data of a session that is there; `false` if it is not.
    async fn update(&self, id: &str, data: Value) -> Result<bool, StoreError>;
    /// Notes that these sessions were used; callers batch, at most once a minute for each session.
    /// Never moves a session back in time: batches of two replicas may cross.
    async fn touch(&self, ids: &[String], at: i64) -> Result<(), StoreError>;
    /// `false` if it was not there.
    async fn delete(&self, id: &str) -> Result<bool, StoreError>;
    /// Removes the sessions not seen since `before` and returns their ids.
    async fn expire(&self, before: i64) -> Result<Vec<String>, StoreError>;
    async fn count(&self) -> Result<u64, StoreError>;
    /// Whether other processes write the same rows, so that a cached row must be checked again.
    fn shared(&self) -> bool;
}
