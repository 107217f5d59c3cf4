//! DuckDB for Malloy: what a table holds, and the rows of a query.
//!
//! The only crate that knows DuckDB. Its library is loaded when the first [`Database`] is opened, not when
//! the program starts (docs/decisions/duckdb.md). Start at [`DuckDb`], the engine, which opens its database when it is first
//! asked, or at [`Database::open`]. A database reads only the directories and files it is given, has no network and loads no extension.

mod database;
mod deadline;
mod engine;
mod files;
#[cfg(feature = "loaded")]
mod library;
mod paths;
mod settings;
mod types;

pub use database::Database;
pub use engine::DuckDb;
pub use malloy_engine::{Cancel, Error, Limits};
pub use settings::Settings;
