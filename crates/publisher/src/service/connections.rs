//! Databases beyond the files of a package, and what can be asked of them directly.

use std::{sync::Arc, time::Duration};

use kit_core::{Fault as _, Principal};
use malloy_engine::{Beyond, Cancel, Engine, Limits};
use malloy_model::{TypeName, ir::Column};
use publisher_core::connection::{Attributes, Connection, DUCKDB, attributes};
use serde::Serialize;
use serde_json::Value;

use super::{Service, blocking, engines, query::StopOnDrop};
use crate::{Error, What};

/// A connection of a project, or of a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Reach {
    pub project: String,
    /// Without one, connections of the project are meant.
    pub package: Option<String>,
    pub connection: String,
}

/// A connection as it is shown: without its secrets.
#[derive(Debug, Clone, PartialEq)]
pub struct ConnectionInfo {
    pub name: String,
    pub kind: String,
    pub attributes: Attributes,
    /// The whole as JSON, a marker in the place of each secret.
    pub shown: Value,
}

/// A schema of a database.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SchemaInfo {
    pub name: String,
    pub is_default: bool,
    pub is_hidden: bool,
}

/// A column of a table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ColumnInfo {
    pub name: String,
    /// `string`, `number:integer`, …
    #[serde(rename = "type")]
    pub ty: String,
}

/// Rows of a statement in SQL.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryData {
    pub rows: Vec<Value>,
    pub columns: Vec<ColumnInfo>,
    /// Whether there are more rows than `rows` has.
    pub limit_hit: bool,
}

impl ColumnInfo {
    pub(super) fn of(column: &Column) -> Self {
        let ty = match serde_json::to_value(TypeName(column.ty.clone())) {
            Ok(Value::String(text)) => text,
            Ok(other) => other.to_string(),
            Err(_) => String::new(),
        };
        Self { name: column.name.clone(), ty }
    }
}

impl Service {
    /// The connections of a project; of a package also its own `duckdb`.
    pub async fn connections(
        &self,
        project: &str,
        package: Option<&str>,
    ) -> Result<Vec<ConnectionInfo>, Error> {
        let found = self.0.registry.read().project(project)?;
        let of_project =
            found.connections.clone().map_err(|why| Error::new(What::Database, why))?;
        let mut all: Vec<ConnectionInfo> = Vec::new();
        if let Some(package) = package {
            all.push(own_duckdb());
            let package = self.package(project, package).await?;
            all.extend(package.connections.iter().map(info));
        }
        for connection in &of_project {
            if all.iter().all(|known| known.name != connection.name) {
                all.push(info(connection));
            }
        }
        Ok(all)
    }

    /// One connection.
    pub async fn connection(&self, reach: &Reach) -> Result<ConnectionInfo, Error> {
        let all = self.connections(&reach.project, reach.package.as_deref()).await?;
        let found = all.iter().find(|connection| connection.name == reach.connection);
        found.cloned().ok_or_else(|| {
            let known = all.iter().map(|connection| connection.name.as_str());
            let message = format!("Connection {} not found", reach.connection);
            Error::missing(What::Connection, message, &reach.connection, known)
        })
    }

    /// Whether a connection works.
    pub async fn test_connection(&self, reach: &Reach) -> Result<(), Error> {
        self.ask_engine(reach, |engine| engine.check()).await
    }

    /// The same for one that nobody has yet, as JSON. Markers are filled in from the connection of that name, if `project` has it.
    pub async fn test_new_connection(
        &self,
        project: Option<&str>,
        connection: &Value,
    ) -> Result<(), Error> {
        let known = match (project, connection.get("name").and_then(Value::as_str)) {
            (Some(project), Some(name)) => {
                let project = self.0.registry.read().project(project)?;
                project.connections.iter().flatten().find(|known| known.name == name).cloned()
            }
            _ => None,
        };
        let connection = match known {
            Some(known) => known.updated(connection),
            None => Connection::parse(connection),
        };
        let connection = connection.map_err(|why| Error::new(What::Request, why.to_string()))?;
        let base = self.may_use_files(&connection)?;
        let engine = engines::engine(&connection, &base);
        let _turn = self.0.queries.turn().await?;
        blocking(move || engine.check().map_err(|error| engine_failed(&connection.name, &error)))
            .await
    }

    pub async fn schemas(&self, reach: &Reach) -> Result<Vec<SchemaInfo>, Error> {
        let names = self.ask_engine(reach, |engine| engine.schemas()).await?;
        let schema = |name: String| SchemaInfo {
            is_default: matches!(&*name, "main" | "public" | "default"),
            is_hidden: matches!(&*name, "information_schema" | "pg_catalog" | "pg_toast"),
            name,
        };
        Ok(names.into_iter().map(schema).collect())
    }

    /// The tables of a schema. In the package's own DuckDB its data files are tables of `main`.
    pub async fn tables(&self, reach: &Reach, schema: &str) -> Result<Vec<String>, Error> {
        let wanted = schema.to_owned();
        let mut tables = self.ask_engine(reach, move |engine| engine.tables(&wanted)).await?;
        if let (Some(package), DUCKDB, "main") = (&reach.package, &*reach.connection, schema) {
            let package = self.package(&reach.project, package).await?;
            tables.extend(package.databases.iter().map(|database| database.path.clone()));
        }
        Ok(tables)
    }

    /// The columns of a table, the path as a model writes it.
    pub async fn table_source(&self, reach: &Reach, path: &str) -> Result<Vec<ColumnInfo>, Error> {
        let path = path.to_owned();
        let columns = self.ask_engine(reach, move |engine| engine.table_schema(&path)).await?;
        Ok(columns.iter().map(ColumnInfo::of).collect())
    }

    /// The columns of a select, which is not run.
    pub async fn sql_source(&self, reach: &Reach, sql: &str) -> Result<Vec<ColumnInfo>, Error> {
        let sql = select(sql)?;
        let columns = self.ask_engine(reach, move |engine| engine.select_schema(&sql)).await?;
        Ok(columns.iter().map(ColumnInfo::of).collect())
    }

    /// The rows of a select, at most so many. Stopped when the caller leaves.
    pub async fn query_data(
        &self,
        reach: &Reach,
        sql: &str,
        row_limit: Option<u64>,
        caller: &Principal,
    ) -> Result<QueryData, Error> {
        self.may_ask_sql(caller)?;
        let sql = select(sql)?;
        let config = &self.0.config;
        let most = row_limit.unwrap_or(config.default_rows).min(config.max_rows);
        let limits = Limits {
            rows: usize::try_from(most).unwrap_or(usize::MAX),
            bytes: config.max_bytes,
            time: Some(Duration::from_millis(config.query_timeout_ms)),
            beyond: Beyond::Cut,
        };
        let cancel = Cancel::new();
        let _leaving = StopOnDrop(cancel.clone());
        self.ask_engine(reach, move |engine| {
            let columns = engine.select_schema(&sql)?;
            // In brackets it can only be a select, whatever the database would take by itself.
            let bounded = format!("SELECT * FROM (\n{sql}\n) AS asked LIMIT {}", most + 1);
            let rows = engine.run(&bounded, &columns, &limits, &cancel)?;
            let columns = columns.iter().map(ColumnInfo::of).collect();
            Ok(QueryData { rows: rows.rows, columns, limit_hit: rows.cut.is_some() })
        })
        .await
    }

    /// Refuses SQL of those for whom givens are fixed.
    pub(super) fn may_ask_sql(&self, caller: &Principal) -> Result<(), Error> {
        if self.0.config.identities.contains_key(caller.as_str()) {
            let message = "SQL would pass by the givens that are fixed for you";
            return Err(Error::new(What::Forbidden, message).hint("ask a model"));
        }
        Ok(())
    }

    /// The database of a connection.
    pub(super) async fn engine(&self, reach: &Reach) -> Result<Arc<dyn Engine>, Error> {
        self.connection(reach).await?;
        let engine = match &reach.package {
            None => {
                let project = self.0.registry.read().project(&reach.project)?;
                project.engines().get(&reach.connection).cloned()
            }
            Some(package) => {
                let package = self.package(&reach.project, package).await?;
                package.workspace()?.connections().get(&reach.connection).cloned()
            }
        };
        engine.map_err(|error| engine_failed(&reach.connection, &error))
    }

    /// Asks the database of a connection, on a thread that may wait.
    async fn ask_engine<T: Send + 'static>(
        &self,
        reach: &Reach,
        ask: impl FnOnce(&dyn Engine) -> Result<T, malloy_engine::Error> + Send + 'static,
    ) -> Result<T, Error> {
        let engine = self.engine(reach).await?;
        let name = reach.connection.clone();
        let turn = self.0.queries.turn().await?;
        blocking(move || {
            let _turn = turn;
            ask(&*engine).map_err(|error| engine_failed(&name, &error))
        })
        .await
    }
}

/// A statement that stands in brackets.
pub(super) fn select(sql: &str) -> Result<String, Error> {
    let sql = sql.trim().trim_end_matches(';').trim_end();
    if sql.is_empty() {
        return Err(Error::new(What::Request, "there is no SQL statement"));
    }
    if sql.len() > 1 << 20 {
        return Err(Error::new(What::TooLarge, "the statement is longer than a megabyte"));
    }
    Ok(sql.to_owned())
}

pub(super) fn engine_failed(connection: &str, error: &malloy_engine::Error) -> Error {
    use malloy_engine::Error as Engine;
    let what = match error {
        Engine::Unavailable { .. } => What::Database,
        // It may name places of this machine.
        Engine::Open { message } => {
            tracing::warn!(connection, message, "a connection cannot be opened");
            let message = format!("connection `{connection}` cannot be opened");
            return Error::new(What::Database, message).hint("the server's log says why");
        }
        Engine::Type { .. } | Engine::Query { .. } => What::Run,
        Engine::TooManyRows { .. } | Engine::TooManyBytes { .. } => What::TooLarge,
        Engine::TimedOut { .. } => What::TimedOut,
        Engine::Cancelled => What::Cancelled,
    };
    let failed = Error::new(what, format!("connection `{connection}`: {error}"));
    match error.hint() {
        Some(hint) => failed.hint(hint),
        None => failed,
    }
}

fn own_duckdb() -> ConnectionInfo {
    let attributes = attributes(DUCKDB);
    let shown = serde_json::json!({"name": DUCKDB, "type": DUCKDB, "attributes": attributes});
    ConnectionInfo { name: DUCKDB.to_owned(), kind: DUCKDB.to_owned(), attributes, shown }
}

fn info(connection: &Connection) -> ConnectionInfo {
    ConnectionInfo {
        name: connection.name.clone(),
        kind: connection.kind.clone(),
        attributes: connection.attributes(),
        shown: connection.shown(),
    }
}
