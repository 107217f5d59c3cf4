//! Malloy, the SQL: from a compiled query to the text that a database runs.
//!
//! Start at [`write`]. The planner (`plan`) turns a [`Query`](malloy_model::ir::Query) into a list of selects
//! (`select`), each reading those before it, and a [`Dialect`] says how one database spells what they need. Nothing
//! here looks anything up, decides an order or checks a type: the intermediate form has all that.
//!
//! How nests are computed: the rows of a stage are scanned and joined once, each level of nesting groups those rows by
//! its dimensions and those of the levels around it, and inner levels are collected into lists that are joined to the outer
//! ones by these dimensions. So a level is always a plain `GROUP BY` with plain aggregates, whatever surrounds it
//! (docs/decisions/malloy-sql.md).

#![deny(clippy::disallowed_methods)]

mod dialect;
mod duckdb;
mod error;
mod expr;
mod fields;
mod functions;
mod names;
mod plan;
mod postgres;
mod scope;
mod select;
mod spark;
mod walk;
mod zone;

pub use dialect::Dialect;
pub use duckdb::DuckDb;
pub use error::Error;
pub use plan::{write, write_sql_text};
pub use postgres::Postgres;
pub use spark::Spark;
