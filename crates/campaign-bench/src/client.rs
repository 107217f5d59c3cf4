//! What is asked of every server, however it is spoken to.

use serde_json::Value;

use crate::task::Task;

/// Asks one thing after the other.
pub(crate) trait Client {
    /// Makes a campaign and gives its id.
    fn create_campaign(&mut self) -> anyhow::Result<String>;
    /// Makes one of the calls that are measured, and gives the tool's answer.
    fn call(&mut self, task: Task, campaign: &str) -> anyhow::Result<Value>;
    /// How many participants the campaign has by the server's own count.
    fn participants(&mut self, campaign: &str) -> anyhow::Result<u64>;
}
