//! Malloy over the files of a folder: models are compiled, queries run on DuckDB or on the databases of other connections.
//!
//! Start at [`Workspace`]: it fetches what the compiler asks for (texts of imported files, columns of tables) and runs
//! what comes out. [`cli`] is `tandem malloy …`. The language itself is in `malloy-syntax`, `malloy-model` and
//! `malloy-sql`, which know no files.

mod answer;
pub mod cli;
mod connections;
mod csv;
mod failure;
mod run_text;
mod table;
mod workspace;

pub use answer::{Answer, schema};
pub use cli::describe::description;
pub use connections::{Connections, DEFAULT};
pub use csv::csv;
pub use failure::{Failure, Issue};
pub use malloy_engine::{Beyond, Cancel, Cut, Engine, Limits, Rows};
pub use run_text::RunText;
pub use table::table;
pub use workspace::{Compiled, Workspace, givens};

/// The name of the group of commands.
pub const NAME: &str = "malloy";
