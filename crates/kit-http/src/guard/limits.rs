//! How much is enough.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What one process takes before it refuses. Each refusal says which of these it was.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Largest body of a request.
    pub body_bytes: usize,
    /// Requests per second that one principal may make in the long run; 0 is no limit.
    pub requests_per_second: u32,
    /// Requests that one principal may make at once after a pause.
    pub burst: u32,
    /// Requests in work at the same time; streams that are already open do not count.
    pub concurrent_requests: u32,
    /// Open connections.
    pub connections: u32,
    /// Time for the first request's head to arrive.
    pub head_seconds: u64,
    /// Time that a body may pause while it arrives.
    pub body_pause_seconds: u64,
    /// Time that a connection may stay open without a request.
    pub idle_seconds: u64,
    /// Time that a reader may take nothing of its answer.
    pub write_stall_seconds: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 10 << 20,
            requests_per_second: 1000,
            burst: 2000,
            concurrent_requests: 4096,
            connections: 10_000,
            head_seconds: 10,
            body_pause_seconds: 30,
            idle_seconds: 75,
            write_stall_seconds: 30,
        }
    }
}

impl Limits {
    pub(crate) fn head(&self) -> Duration {
        Duration::from_secs(self.head_seconds)
    }

    pub(crate) fn body_pause(&self) -> Duration {
        Duration::from_secs(self.body_pause_seconds)
    }

    pub(crate) fn idle(&self) -> Duration {
        Duration::from_secs(self.idle_seconds)
    }

    pub(crate) fn write_stall(&self) -> Duration {
        Duration::from_secs(self.write_stall_seconds)
    }
}
