//! Malloy over the files of a folder: models are compiled, queries run on DuckDB.
//!
//! Start at [`Workspace`]: it fetches what the compiler asks for (texts of imported files, columns of tables) and runs
//! what comes out. [`cli`] is `tandem malloy …`. The language itself is in `malloy-syntax`, `malloy-model` and
//! `malloy-sql`, which know no files.

mod answer;
pub mod cli;
mod csv;
mod failure;
mod table;
mod workspace;

pub use answer::{Answer, schema};
pub use failure::{Failure, Issue};
pub use workspace::{Compiled, Workspace};

/// The name of the group of commands.
pub const NAME: &str = "malloy";
