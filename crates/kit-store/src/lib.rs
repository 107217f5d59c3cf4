//! Where truth is kept: append-only streams of events, snapshots of them, MCP sessions.
//!
//! An application appends what was decided and reads it back; [`Journal`] is the port, with the same
//! contract on SQLite (one machine, nothing to install), PostgreSQL (any number of replicas) and in memory
//! (tests). An append answers only when the events are durable. Start at [`Journal`]; [`Store`] bundles
//! what a running host has.

mod journal;
mod sessions;
mod signals;

use std::sync::Arc;

pub use journal::{
    Append, Appended, Expected, Journal, NewEvent, Recorded, Snapshot, StoreError, StreamId,
    StreamInfo, Version,
};
pub use sessions::{SessionRow, Sessions};
pub use signals::{Signal, Signals};

/// Everything that is kept, on one back end.
#[derive(Clone)]
pub struct Store {
    pub journal: Arc<dyn Journal>,
    pub sessions: Arc<dyn Sessions>,
    pub signals: Arc<dyn Signals>,
}
