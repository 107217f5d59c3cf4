//! A database that is locked down, and what may be asked of it. Start at [`Database::open`].

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
};

use duckdb::{Config, Connection, InterruptHandle};

use crate::{Column, Error, Rows, paths, types};

/// What a database may use.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Relative paths of tables are below this directory. It may be read, with all that is below it.
    pub root: PathBuf,
    /// Further directories that may be read.
    pub directories: Vec<PathBuf>,
    /// A DuckDB file to open for reading; without one the database is in memory.
    pub file: Option<PathBuf>,
    /// Threads for one query; DuckDB's own choice without.
    pub threads: Option<u32>,
    /// Memory in megabytes; DuckDB's own choice (most of the machine) without.
    pub memory: Option<u32>,
}

impl Settings {
    /// A database in memory over the files below `root`.
    pub fn below(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into(), directories: Vec::new(), file: None, threads: None, memory: None }
    }
}

/// When a result is too large.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    pub rows: usize,
    /// Of the result in memory, as Arrow.
    pub bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { rows: 1_000_000, bytes: 1 << 30 }
    }
}

/// Stops a query from another thread. A clone stops the same query.
#[derive(Debug, Clone, Default)]
pub struct Cancel(Arc<Stop>);

#[derive(Debug, Default)]
struct Stop {
    asked: AtomicBool,
    running: std::sync::Mutex<Weak<InterruptHandleBox>>,
}

struct InterruptHandleBox(Arc<InterruptHandle>);

impl std::fmt::Debug for InterruptHandleBox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InterruptHandle")
    }
}

impl Cancel {
    pub fn new() -> Self {
        Self::default()
    }

    /// Stops the query that runs with this, and refuses those that would be started with it.
    pub fn cancel(&self) {
        self.0.asked.store(true, Ordering::SeqCst);
        let running =
            self.0.running.lock().unwrap_or_else(std::sync::PoisonError::into_inner).upgrade();
        if let Some(running) = running {
            running.0.interrupt();
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.0.asked.load(Ordering::SeqCst)
    }

    /// Has [`Cancel::cancel`] reach this connection for as long as the answer lives.
    fn attach(&self, connection: &Connection) -> Arc<InterruptHandleBox> {
        let handle = Arc::new(InterruptHandleBox(connection.interrupt_handle()));
        *self.0.running.lock().unwrap_or_else(std::sync::PoisonError::into_inner) =
            Arc::downgrade(&handle);
        handle
    }
}

/// An open database. Queries may run at the same time; each has a connection of its own.
pub struct Database {
    connection: std::sync::Mutex<Connection>,
    root: PathBuf,
}

impl Database {
    /// Loads DuckDB if that has not happened yet, opens, and locks down: the directories of `settings` can be
    /// read and nothing else, no extension is loaded, and no later statement can change that.
    pub fn open(settings: &Settings) -> Result<Self, Error> {
        #[cfg(feature = "loaded")]
        crate::library::load().map_err(|why| Error::Library { why })?;
        let opened = connect(settings).map_err(|error| match Error::query(&error) {
            Error::Query { message } => Error::Open { message },
            other => other,
        })?;
        let database =
            Self { connection: std::sync::Mutex::new(opened), root: canonical(&settings.root)? };
        database.lock_down(settings)?;
        Ok(database)
    }

    fn lock_down(&self, settings: &Settings) -> Result<(), Error> {
        let mut allowed = vec![quoted(&self.root)];
        for directory in &settings.directories {
            allowed.push(quoted(&canonical(directory)?));
        }
        let statements = format!(
            "SET GLOBAL TimeZone = 'UTC';\n\
             SET allowed_directories = [{allowed}];\n\
             SET enable_external_access = false;\n\
             SET lock_configuration = true;",
            allowed = allowed.join(", "),
        );
        let connection = self.lock();
        connection.execute_batch(&statements).map_err(|error| match Error::query(&error) {
            Error::Query { message } => Error::Open { message },
            other => other,
        })
    }

    fn describe(&self, select: &str) -> Result<Vec<Column>, Error> {
        let connection = self.connection()?;
        let sql = paths::absolute(&format!("DESCRIBE {select}"), &self.root);
        let mut statement = connection.prepare(&sql).map_err(|e| Error::query(&e))?;
        let mut rows = statement.query([]).map_err(|e| Error::query(&e))?;
        let mut columns = Vec::new();
        while let Some(row) = rows.next().map_err(|e| Error::query(&e))? {
            let name: String = row.get(0).map_err(|e| Error::query(&e))?;
            let text: String = row.get(1).map_err(|e| Error::query(&e))?;
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
    pub fn run(&self, sql: &str, limits: &Limits, cancel: &Cancel) -> Result<Rows, Error> {
        let connection = self.connection()?;
        let attached = cancel.attach(&connection);
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let rows = collect(&connection, &paths::absolute(sql, &self.root), limits, cancel);
        drop(attached);
        match rows {
            Err(Error::Query { .. }) if cancel.is_cancelled() => Err(Error::Cancelled),
            rows => self.without_root(rows),
        }
    }

    /// What the engine says, without telling where the root lies.
    fn without_root<T>(&self, outcome: Result<T, Error>) -> Result<T, Error> {
        outcome.map_err(|error| match error {
            Error::Query { message } => {
                Error::Query { message: paths::relative(&message, &self.root) }
            }
            other => other,
        })
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Connection> {
        self.connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// A connection of one's own to the same database, with the same settings, which are global.
    fn connection(&self) -> Result<Connection, Error> {
        self.lock().try_clone().map_err(|error| Error::query(&error))
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
) -> Result<Rows, Error> {
    let mut statement = connection.prepare(sql).map_err(|error| Error::query(&error))?;
    let schema = statement.stream_arrow([]).map_err(|error| Error::query(&error))?.get_schema();
    let mut rows = Rows::new(schema);
    // Not through the iterator of `stream_arrow`, which panics when a later batch fails.
    while let Some(batch) = statement.step().map_err(|error| Error::query(&error))? {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        rows.push(batch);
        if rows.len() > limits.rows {
            return Err(Error::TooManyRows { limit: limits.rows });
        }
        if rows.bytes() > limits.bytes {
            return Err(Error::TooManyBytes { limit: limits.bytes });
        }
    }
    Ok(rows)
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
    path.canonicalize()
        .map_err(|error| Error::Directory { path: path.to_owned(), message: error.to_string() })
}

fn quoted(path: &Path) -> String {
    quoted_text(&path.to_string_lossy())
}

fn quoted_text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
