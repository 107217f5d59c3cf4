//! A database that is locked down, and what may be asked of it. Start at [`Database::open`].

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
};

use duckdb::{Config, Connection};
use malloy_engine::{Batches, Cancel, Error, Kept, Limits};
use malloy_model::ir::Column;

use crate::{
    Settings,
    deadline::Deadline,
    files::{self, Files},
    paths, types,
};

/// An open database. Queries may run at the same time; each has a connection of its own.
pub struct Database {
    connection: std::sync::Mutex<Connection>,
    root: Option<PathBuf>,
    /// What stands before the names of tables that are kept.
    kept_in: &'static str,
    files: Option<Files>,
}

/// The database in memory beside a file, which is only read, for tables that are kept.
pub(crate) const BESIDE: &str = "tandem_kept";

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
        let kept_in = if settings.file.is_some() { "tandem_kept.main." } else { "" };
        // Beside a database that is only read there would have to be another for them, and nobody has asked for that yet.
        let has_files = root.is_some() && settings.file.is_none() && settings.files > 0;
        let files = has_files.then(|| Files::new(settings.files));
        let database = Self { connection: std::sync::Mutex::new(opened), root, kept_in, files };
        database.lock_down(settings)?;
        Ok(database)
    }

    fn lock_down(&self, settings: &Settings) -> Result<(), Error> {
        let mut statements = "SET GLOBAL TimeZone = 'UTC';\n".to_owned();
        for (name, file) in &settings.attached {
            let (name, file) = (name.replace('"', "\"\""), quoted(&canonical(file)?));
            let _infallible = writeln!(statements, "ATTACH {file} AS \"{name}\" (READ_ONLY);");
        }
        if settings.file.is_some() {
            let _infallible = writeln!(statements, "ATTACH ':memory:' AS {BESIDE} (READ_WRITE);");
        }
        if self.files.is_some() {
            let _infallible = writeln!(statements, "CREATE SCHEMA {};", files::SCHEMA);
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
        let sql = self.absolute(&format!("DESCRIBE {select}"))?;
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
        let as_files = self.absolute(sql)?;
        self.in_time(&connection, limits, cancel, |is_over| {
            if let Some(sql) = self.in_memory(&connection, sql, is_over) {
                match collect(&connection, &sql, limits, cancel) {
                    // Only of a file there may be more to ask than its columns, and only the file itself says what is wrong with it.
                    Err(Error::Query { .. }) if !is_over() => {}
                    done => return done,
                }
            }
            collect(&connection, &as_files, limits, cancel)
        })
    }

    /// The statement with tables in the place of files that are in memory; nothing where none is.
    fn in_memory(
        &self,
        connection: &Connection,
        sql: &str,
        is_over: &dyn Fn() -> bool,
    ) -> Option<String> {
        let (files, root) = (self.files.as_ref()?, self.root.as_deref()?);
        paths::replaced(sql, root, &mut |path| files.stand_in(connection, path, is_over))
    }

    /// Makes a table of a select, in memory, where every connection to this database sees it.
    pub fn keep(
        &self,
        name: &str,
        select: &str,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Kept, Error> {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let table = self.kept(name);
        let most = limits.rows.saturating_add(1);
        let make = self.absolute(&format!(
            "CREATE OR REPLACE TABLE {table} AS SELECT * FROM (\n{select}\n) AS asked LIMIT {most}"
        ))?;
        // A row as text is about what it takes, whatever its columns are.
        let measure = format!(
            "SELECT count(*), coalesce(sum(strlen(CAST({name} AS VARCHAR))), 0)::BIGINT FROM {table}"
        );
        let connection = self.connection()?;
        self.in_time(&connection, limits, cancel, |_is_over| {
            let failed = |error: duckdb::Error| failed(&error);
            connection.execute_batch("BEGIN TRANSACTION").map_err(failed)?;
            connection.execute_batch(&make).map_err(failed)?;
            let counted =
                |row: &duckdb::Row<'_>| Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?));
            let (rows, bytes) = connection.query_row(&measure, [], counted).map_err(failed)?;
            let size = |number: i64| usize::try_from(number).unwrap_or(usize::MAX);
            let kept = Kept { table: table.clone(), bytes: size(bytes) };
            // One that is too large goes with the connection, which has not committed.
            let kept = kept.within(size(rows), limits)?;
            connection.execute_batch("COMMIT").map_err(failed)?;
            Ok(kept)
        })
    }

    /// Lets go of a table that was kept.
    pub fn forget(&self, name: &str) -> Result<(), Error> {
        let sql = format!("DROP TABLE IF EXISTS {}", self.kept(name));
        self.connection()?.execute_batch(&sql).map_err(|error| failed(&error))
    }

    /// How statements name what is kept.
    fn kept(&self, name: &str) -> String {
        format!("{}{name}", self.kept_in)
    }

    /// Does something on a connection that ends when its time is up or somebody asks. It is told whether that was so.
    fn in_time<T>(
        &self,
        connection: &Connection,
        limits: &Limits,
        cancel: &Cancel,
        work: impl FnOnce(&dyn Fn() -> bool) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let interrupt = connection.interrupt_handle();
        let deadline = Deadline::start(limits.time, move || interrupt.interrupt());
        let attached = cancel.attach(deadline.asking());
        let done = work(&|| cancel.is_cancelled() || deadline.has_passed());
        drop(attached);
        match (done, limits.time) {
            (Err(Error::Query { .. }), _) if cancel.is_cancelled() => Err(Error::Cancelled),
            (Err(Error::Query { .. }), Some(limit)) if deadline.has_passed() => {
                Err(Error::TimedOut { limit })
            }
            (done, _) => self.without_root(done),
        }
    }

    /// The statement with its relative paths below the root. It is one: the library would run all that a text has, and what
    /// stands behind a select in brackets could be anything.
    fn absolute(&self, sql: &str) -> Result<String, Error> {
        if paths::has_several(sql) {
            return Err(Error::query("only one statement can be run at a time"));
        }
        Ok(match &self.root {
            Some(root) => paths::absolute(sql, root),
            None => sql.to_owned(),
        })
    }

    /// The root as messages must not have it.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
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
