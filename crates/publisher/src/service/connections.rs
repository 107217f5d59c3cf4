//! Databases beyond the files of a package, and what can be asked of them directly.

use malloy_model::{TypeName, ir::Column};
use publisher_core::connection::{Attributes, DUCKDB, attributes};
use serde::Serialize;
use serde_json::Value;

use super::Service;
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
        let of_project = found.connections.clone().map_err(|why| Error::new(What::Request, why))?;
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
        match all.iter().find(|connection| connection.name == reach.connection) {
            Some(found) => Ok(found.clone()),
            None => {
                let known = all.iter().map(|connection| connection.name.as_str());
                let message = format!("Connection {} not found", reach.connection);
                Err(Error::missing(What::Connection, message, &reach.connection, known))
            }
        }
    }

    /// Whether a connection works.
    pub async fn test_connection(&self, reach: &Reach) -> Result<(), Error> {
        self.connection(reach).await?;
        Err(not_yet())
    }

    /// The same for one that nobody has yet, as JSON.
    pub async fn test_new_connection(&self, _connection: &Value) -> Result<(), Error> {
        Err(not_yet())
    }

    pub async fn schemas(&self, reach: &Reach) -> Result<Vec<SchemaInfo>, Error> {
        self.connection(reach).await?;
        Err(not_yet())
    }

    pub async fn tables(&self, reach: &Reach, _schema: &str) -> Result<Vec<String>, Error> {
        self.connection(reach).await?;
        Err(not_yet())
    }

    /// The columns of a table, the path as a model writes it.
    pub async fn table_source(&self, reach: &Reach, _path: &str) -> Result<Vec<ColumnInfo>, Error> {
        self.connection(reach).await?;
        Err(not_yet())
    }

    /// The columns of a select, which is not run.
    pub async fn sql_source(&self, reach: &Reach, _sql: &str) -> Result<Vec<ColumnInfo>, Error> {
        self.connection(reach).await?;
        Err(not_yet())
    }

    /// The rows of a statement, at most so many.
    pub async fn query_data(
        &self,
        reach: &Reach,
        _sql: &str,
        _row_limit: Option<u64>,
    ) -> Result<QueryData, Error> {
        self.connection(reach).await?;
        Err(not_yet())
    }

    /// Makes a table of a select that lasts as long as the connection, and gives its name.
    pub async fn temporary_table(&self, reach: &Reach, _sql: &str) -> Result<String, Error> {
        self.connection(reach).await?;
        Err(not_yet())
    }
}

fn not_yet() -> Error {
    Error::new(What::NotImplemented, "connections cannot be asked directly yet")
}

fn own_duckdb() -> ConnectionInfo {
    let attributes = attributes(DUCKDB);
    let shown = serde_json::json!({"name": DUCKDB, "type": DUCKDB, "attributes": attributes});
    ConnectionInfo { name: DUCKDB.to_owned(), kind: DUCKDB.to_owned(), attributes, shown }
}

fn info(connection: &publisher_core::connection::Connection) -> ConnectionInfo {
    ConnectionInfo {
        name: connection.name.clone(),
        kind: connection.kind.clone(),
        attributes: connection.attributes(),
        shown: connection.shown(),
    }
}
