//! PostgreSQL for Malloy: what a table holds, and the rows of a query.
//!
//! Start at [`Postgres`], the engine, and [`Settings`]. Every query is one statement in a transaction that may only read, on a connection of
//! a small pool. It ends with its time limit, also on the server, and a cancelled one is stopped there by the protocol's cancel
//! request (docs/decisions/malloy-postgres.md). Tables that are made of selects are temporary ones of a session of their own (`kept`).
//!
//! Lists and records are `jsonb` in what we write (`malloy_sql::Postgres`) and are put into their form by their Malloy types.

mod cell;
mod engine;
mod kept;
mod numeric;
mod settings;
mod tls;
mod types;

pub use engine::Postgres;
pub use settings::{Settings, Tls};
