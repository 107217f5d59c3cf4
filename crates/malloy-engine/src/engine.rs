//! The trait that databases implement.

use std::fmt::Debug;

use malloy_model::ir::Column;
use malloy_sql::Dialect;

use crate::{Cancel, Error, Kept, Limits, Rows};

/// A database that runs queries.
///
/// Calls block until the database has answered: call them where that is allowed (a thread of the blocking pool), never on a
/// thread that drives futures. Many may be made at the same time.
pub trait Engine: Debug + Send + Sync {
    /// How its SQL is written.
    fn dialect(&self) -> &dyn Dialect;

    /// What it is, for messages: `DuckDB`.
    fn name(&self) -> &str {
        self.dialect().name()
    }

    /// The columns of a table, the path as a model writes it in `connection.table('…')`.
    fn table_schema(&self, path: &str) -> Result<Vec<Column>, Error>;

    /// The columns of a SQL select, which is not run.
    fn select_schema(&self, sql: &str) -> Result<Vec<Column>, Error>;

    /// Runs one statement. Its columns are taken by position and named as `columns` names them; their types say how values are written.
    fn run(
        &self,
        sql: &str,
        columns: &[Column],
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Rows, Error>;

    /// The schemas (namespaces) that tables may be in, in order.
    fn schemas(&self) -> Result<Vec<String>, Error>;

    /// The tables and views of a schema, in order.
    fn tables(&self, schema: &str) -> Result<Vec<String>, Error>;

    /// Makes a table of a select that later statements of this engine can read, until [`Engine::forget`] or until the engine
    /// is gone. What was kept under this name before is replaced. Nothing else of the database is changed.
    ///
    /// `name` has small letters, digits and `_` only, and no other table has it: engines that keep such tables in one session
    /// know by it which statements belong there.
    fn keep(
        &self,
        name: &str,
        select: &str,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Kept, Error>;

    /// Lets go of what was kept under a name. Nothing happens where there is nothing.
    fn forget(&self, name: &str) -> Result<(), Error>;

    /// Whether the database can be reached and answers.
    fn check(&self) -> Result<(), Error> {
        self.select_schema("SELECT 1 AS one").map(drop)
    }
}
