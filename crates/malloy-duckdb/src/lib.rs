//! DuckDB for Malloy: what a table holds, and the rows of a query.
//!
//! The only crate that knows DuckDB. Its library is loaded when the first [`Database`] is opened, not when
//! the program starts (docs/decisions/duckdb.md). Start at [`Database::open`]; a database reads only the
//! directories it is given, has no network and loads no extension.
//!
//! [`Database::table_schema`] and [`Database::sql_schema`] tell columns with their [`Type`];
//! [`Database::run`] executes under [`Limits`] and can be stopped from another thread by a [`Cancel`];
//! [`Rows::to_json`] writes what came, by the Malloy type of each column ([`Shape`]).

mod cell;
mod database;
mod error;
#[cfg(feature = "loaded")]
mod library;
mod paths;
mod rows;
mod types;

pub use cell::Shape;
pub use database::{Cancel, Database, Limits, Settings};
pub use error::Error;
pub use rows::Rows;
pub use types::{Column, Type};
