//! Where truth is kept: append-only streams of events, snapshots of them, MCP sessions.
//!
//! An application appends what was decided and reads it back; [`Journal`] is the port, with the same
//! contract on SQLite (one machine, nothing to install), PostgreSQL (any number of replicas) and in memory
//! (tests). An append answers only when the events are durable. Start at [`Journal`]; [`Store`] bundles
//! what a running host has; [`Repository`] is what an event-sourced application sits on; [`tail`] follows
//! a stream live.
//!
//! ```
//! use kit_store::{Aggregate, Cause, Repository, Store};
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Debug, Clone, Default, Serialize, Deserialize)]
//! struct Counter { total: u64 }
//!
//! #[derive(Debug, Serialize, Deserialize)]
//! enum Event { Added(u64) }
//!
//! impl Aggregate for Counter {
//!     type Event = Event;
//!     const CATEGORY: &str = "counter";
//!
//!     fn kind(event: &Event) -> &str {
//!         match event { Event::Added(_) => "added" }
//!     }
//!
//!     fn apply(&mut self, event: &Event) {
//!         match event { Event::Added(amount) => self.total += amount }
//!     }
//! }
//!
//! /// The domain: what follows from a request. A refusal leaves everything as it was.
//! fn add(counter: &Counter, amount: u64) -> Result<Vec<Event>, std::fmt::Error> {
//!     if counter.total + amount > 100 { return Err(std::fmt::Error) }
//!     Ok(vec![Event::Added(amount)])
//! }
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = Store::memory();
//! let counters: Repository<Counter> = Repository::new(store.journal.clone());
//!
//! // Durable when it answers; decided again on fresh state if somebody else was first.
//! let now = 1_700_000_000_000;
//! let done = counters.execute("apples", Cause::new("ann", now), |counter| add(counter, 3)).await?;
//! assert_eq!(done.version.0, 1);
//! assert_eq!(done.state.total, 3);
//!
//! // A read is a pointer to a state that never changes under its reader.
//! let counter = counters.load("apples").await?.expect("it was just made");
//! assert_eq!(counter.total, 3);
//! # Ok(())
//! # }
//! ```

mod aggregate;
mod announce;
mod backend;
mod error;
mod journal;
mod memory;
mod postgres;
mod repository;
mod sessions;
mod signals;
mod sqlite;
mod store;
mod tail;

pub use aggregate::{Aggregate, Cause, Decided, Decision, Done, ExecuteError, Live};
pub use error::StoreError;
pub use journal::{
    Append, Appended, Expected, Journal, NewEvent, Recorded, Snapshot, StreamId, StreamInfo,
    Submitted, Version,
};
pub use repository::{Repository, Settings};
pub use sessions::{SessionRow, Sessions};
pub use signals::{Signal, Signals};
pub use store::{Store, StoreConfig};
pub use tail::tail;
