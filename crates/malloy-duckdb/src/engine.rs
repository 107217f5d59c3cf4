//! DuckDB as an engine of Malloy.

use std::sync::OnceLock;

use malloy_engine::{Cancel, Engine, Error, Kept, Limits, Rows};
use malloy_model::ir::{Column, Type};
use malloy_sql::Dialect;

use crate::{Database, Settings, database::BESIDE, files, paths};

/// A database of DuckDB, opened when it is first asked for something.
#[derive(Debug)]
pub struct DuckDb {
    settings: Settings,
    database: OnceLock<Result<Database, Error>>,
}

impl DuckDb {
    pub fn new(settings: Settings) -> Self {
        Self { settings, database: OnceLock::new() }
    }

    fn database(&self) -> Result<&Database, Error> {
        self.database.get_or_init(|| Database::open(&self.settings)).as_ref().map_err(Clone::clone)
    }

    /// The only column of a statement about the catalog.
    fn names(&self, sql: &str) -> Result<Vec<String>, Error> {
        let column = Column { name: "name".to_owned(), ty: Type::String };
        let rows = self.run(sql, &[column], &Limits::default(), &Cancel::new())?.rows;
        Ok(rows.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect())
    }
}

impl Engine for DuckDb {
    fn dialect(&self) -> &dyn Dialect {
        &malloy_sql::DuckDb
    }

    fn table_schema(&self, path: &str) -> Result<Vec<Column>, Error> {
        self.database()?.table_schema(path)
    }

    fn select_schema(&self, sql: &str) -> Result<Vec<Column>, Error> {
        self.database()?.sql_schema(sql)
    }

    fn run(
        &self,
        sql: &str,
        columns: &[Column],
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Rows, Error> {
        let database = self.database()?;
        let mut rows = database.run(sql, limits, cancel)?.to_json(columns)?;
        if let Some(root) = database.root().filter(|_| paths::tells_places(sql)) {
            rows.rows.iter_mut().for_each(|row| paths::without(row, root));
        }
        Ok(rows)
    }

    fn keep(
        &self,
        name: &str,
        select: &str,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Kept, Error> {
        self.database()?.keep(name, select, limits, cancel)
    }

    fn forget(&self, name: &str) -> Result<(), Error> {
        self.database()?.forget(name)
    }

    /// Those of the database that was opened by their names, those of others with the name of the database before them.
    fn schemas(&self) -> Result<Vec<String>, Error> {
        self.names(&format!(
            "SELECT CASE WHEN database_name = current_database() THEN schema_name \
             ELSE database_name || '.' || schema_name END AS name FROM duckdb_schemas() \
             WHERE database_name NOT IN ('system', 'temp', '{BESIDE}') AND schema_name NOT IN ('information_schema', 'pg_catalog', '{}') ORDER BY 1",
            files::SCHEMA
        ))
    }

    fn tables(&self, schema: &str) -> Result<Vec<String>, Error> {
        let schema = crate::database::quoted_text(schema);
        let of = |kind: &str| {
            format!(
                "SELECT {kind}_name AS name FROM duckdb_{kind}s() WHERE NOT internal AND {schema} = \
                 CASE WHEN database_name = current_database() THEN schema_name \
                 ELSE database_name || '.' || schema_name END"
            )
        };
        self.names(&format!("{} UNION ALL {} ORDER BY 1", of("table"), of("view")))
    }
}
