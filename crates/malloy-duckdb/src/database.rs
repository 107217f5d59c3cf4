//! A database that is locked down, and what may be asked of it. Start at [`Database::open`].

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use duckdb::{Config, Connection};
use malloy_engine::{Batches, Cancel, Error, Limits};
use malloy_model::ir::Column;

use crate::{Settings, deadline::Deadline, paths, types};

/// An open database. Queries may run at the same time; each has a connection of its own.
pub struct Database {
    connection: std::sync::Mutex<Connection>,
    root: Option<PathBuf>,
}

impl Database {
    /// Loads DuckDB if that has not happened yet, opens, and locks down: the directories of `settings` can be
    /// read and nothing else, no extension is loaded, and no later statement can change that.
    pub fn open(settings: &Settings) -> Result<Self, Error> {
        #[cfg(feature = "loaded")]
        crate::library::load().map_err(|why| Error::Unavailable {
            message: format!("the DuckDB library could not be loaded: {why}"),
            hint: Some(
                "put it beside the program, or name its directory in `DUCKDB_LIB_DIR`".to_owned(),
            ),
        })?;
        let opened = connect(settings).map_err(|error| not_opened(&error))?;
        let root = settings.root.as_deref().map(canonical).transpose()?;
        let database = Self { connection: std::sync::Mutex::new(opened), root };
        database.lock_down(settings)?;
        Ok(database)
    }

    fn lock_down(&self, settings: &Settings) -> Result<(), Error> {
        let mut statements = "SET GLOBAL TimeZone = 'UTC';\n".to_owned();
        for (name, file) in &settings.attached {
            let (name, file) = (name.replace('"', "\"\""), quoted(&canonical(file)?));
            let _infallible = writeln!(statements, "ATTACH {file} AS \"{name}\" (READ_ONLY);");
        }
        let mut allowed: Vec<String> = self.root.iter().map(|root| quoted(root)).collect();
        for directory in &settings.directories {
            allowed.push(quoted(&canonical(directory)?));
        }
        let _infallible = write!(
            statements,
            "SET allowed_directories = [{allowed}];\n\
             SET enable_external_access = false;\n\
             SET lock_configuration = true;",
            allowed = allowed.join(", "),
        );
        self.lock().execute_batch(&statements).map_err(|error| not_opened(&error))
    }

    fn describe(&self, select: &str) -> Result<Vec<Column>, Error> {
        let connection = self.connection()?;
        let sql = self.absolute(&format!("DESCRIBE {select}"));
        let mut statement = connection.prepare(&sql).map_err(|e| failed(&e))?;
        let mut rows = statement.query([]).map_err(|e| failed(&e))?;
        let mut columns = Vec::new();
        while let Some(row) = rows.next().map_err(|e| failed(&e))? {
            let name: String = row.get(0).map_err(|e| failed(&e))?;
            let text: String = row.get(1).map_err(|e| failed(&e))?;
            let ty =
                types::parse(&text).ok_or_else(|| Error::Type { column: name.clone(), text })?;
            columns.push(Column { name, ty });
        }
        Ok(columns)
    }

    /// The columns of a table: a file (`data/flights.parquet`), or a name with its schema before it.
    pub fn table_schema(&self, path: &str) -> Result<Vec<Column>, Error> {
        self.without_root(self.describe(&format!("SELECT * FROM {}", table_reference(path))))
    }

    /// The columns of a SQL select.
    pub fn sql_schema(&self, sql: &str) -> Result<Vec<Column>, Error> {
        // A comment at its end must not swallow the parenthesis.
        self.without_root(self.describe(&format!("SELECT * FROM (\n{sql}\n)")))
    }

    /// Runs one statement and keeps what it gives.
    pub fn run(&self, sql: &str, limits: &Limits, cancel: &Cancel) -> Result<Batches, Error> {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let connection = self.connection()?;
        let interrupt = connection.interrupt_handle();
        let deadline = Deadline::start(limits.time, move || interrupt.interrupt());
        let attached = cancel.attach(deadline.asking());
        let rows = collect(&connection, &self.absolute(sql), limits, cancel);
        drop(attached);
        match (rows, limits.time) {
            (Err(Error::Query { .. }), _) if cancel.is_cancelled() => Err(Error::Cancelled),
            (Err(Error::Query { .. }), Some(limit)) if deadline.has_passed() => {
                Err(Error::TimedOut { limit })
            }
            (rows, _) => self.without_root(rows),
        }
    }

    /// The statement with its relative paths below the root.
    fn absolute(&self, sql: &str) -> String {
        match &self.root {
            Some(root) => paths::absolute(sql, root),
            None => sql.to_owned(),
        }
    }

    /// What the engine says, without telling where the root lies.
    fn without_root<T>(&self, outcome: Result<T, Error>) -> Result<T, Error> {
        outcome.map_err(|error| match (error, &self.root) {
            (Error::Query { message }, Some(root)) => Error::query(paths::relative(&message, root)),
            (other, _) => other,
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A connection of one's own to the same database, with the same settings, which are global.
    fn connection(&self) -> Result<Connection, Error> {
        self.lock().try_clone().map_err(|error| failed(&error))
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Database").finish_non_exhaustive()
    }
}

fn connect(settings: &Settings) -> duckdb::Result<Connection> {
    let mut config = Config::default()
        .enable_autoload_extension(false)?
        .with("autoinstall_known_extensions", "false")?;
    if let Some(threads) = settings.threads {
        config = config.threads(threads.into())?;
    }
    if let Some(memory) = settings.memory {
        config = config.max_memory(&format!("{memory}MB"))?;
    }
    match &settings.file {
        Some(file) => {
            let config = config.access_mode(duckdb::AccessMode::ReadOnly)?;
            Connection::open_with_flags(file, config)
        }
        None => Connection::open_in_memory_with_flags(config),
    }
}

fn collect(
    connection: &Connection,
    sql: &str,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Batches, Error> {
    let mut statement = connection.prepare(sql).map_err(|error| failed(&error))?;
    let schema = statement.stream_arrow([]).map_err(|error| failed(&error))?.get_schema();
    let mut rows = Batches::new(schema.fields().len(), limits);
    // Not through the iterator of `stream_arrow`, which panics when a later batch fails.
    while let Some(batch) = statement.step().map_err(|error| failed(&error))? {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        if !rows.push(batch)? {
            break;
        }
    }
    Ok(rows)
}

fn failed(error: &duckdb::Error) -> Error {
    // Its `Display` repeats the error code; the message of the engine says it all.
    match error {
        duckdb::Error::DuckDBFailure(_, Some(message)) => Error::query(message),
        other => Error::query(other.to_string()),
    }
}

fn not_opened(error: &duckdb::Error) -> Error {
    Error::Open { message: format!("cannot open the database: {}", failed(error)) }
}

/// What to write after FROM for a table path: a name is quoted part by part, anything else is a file.
fn table_reference(path: &str) -> String {
    let is_name =
        |part: &str| part.chars().all(|c| c.is_alphanumeric() || c == '_') && !part.is_empty();
    let known = ["parquet", "csv", "json", "ndjson", "jsonl", "tsv", "gz"];
    let is_file = path.rsplit_once('.').is_some_and(|(_, ending)| known.contains(&ending));
    if !is_file && path.split('.').all(is_name) {
        let parts: Vec<_> = path.split('.').map(|part| format!("\"{part}\"")).collect();
        return parts.join(".");
    }
    quoted_text(path)
}

fn canonical(path: &Path) -> Result<PathBuf, Error> {
    path.canonicalize().map_err(|error| Error::Open {
        message: format!("cannot read {}: {error}", path.display()),
    })
}

fn quoted(path: &Path) -> String {
    quoted_text(&path.to_string_lossy())
}

pub(crate) fn quoted_text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
