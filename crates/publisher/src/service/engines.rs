//! Databases behind connections.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use malloy::Connections;
use malloy_duckdb::{DuckDb, Settings};
use malloy_engine::{Cancel, Engine, Error, Kept, Limits, Rows};
use malloy_model::ir::Column;
use malloy_sql::Dialect;
use publisher_core::connection::{Connection, DUCKDB};
use serde_json::Value;

/// A database for a connection. Nothing is opened before it is asked something; what cannot work says so then.
pub(super) fn engine(connection: &Connection, base: &Path) -> Arc<dyn Engine> {
    let made = match &*connection.kind {
        "duckdb" => duckdb(connection, base),
        "postgres" => postgres(connection),
        "spark" => spark(connection),
        kind => {
            Err(format!("connections of type `{kind}` are kept and cannot be asked by this server"))
        }
    };
    made.unwrap_or_else(|why| Arc::new(Broken { name: connection.kind.clone(), why }))
}

/// All that a package may ask: its own files, its own connections, those of its project. Bytes bound the memory of its own
/// database, and the files that it keeps there.
pub(super) fn of_package(
    root: &Path,
    own: &[Connection],
    of_project: &Connections,
    (memory, files): (Option<u64>, u64),
) -> Connections {
    let mut all = of_project.clone();
    for connection in own {
        all.insert(connection.name.clone(), engine(connection, root));
    }
    let megabytes = memory.map(|bytes| u32::try_from(bytes >> 20).unwrap_or(u32::MAX).max(64));
    // Most of the memory is for the queries.
    let files = memory.map_or(files, |bytes| files.min(bytes / 8));
    let settings = Settings { memory: megabytes, files, ..Settings::below(root) };
    all.insert(DUCKDB, Arc::new(DuckDb::new(settings)));
    all
}

/// Database files: one that is opened, others that are attached. Read and never written.
fn duckdb(connection: &Connection, base: &Path) -> Result<Arc<dyn Engine>, String> {
    let place = |text: &str| -> PathBuf { base.join(text) };
    let file = ["path", "databasePath", "file"].iter().find_map(|key| connection.text(key));
    let mut attached = Vec::new();
    if let Some(items) = connection.settings.get("attachedDatabases") {
        let items = items.as_array().ok_or("`attachedDatabases` must be a list")?;
        for item in items {
            let text = |key: &str| item.get(key).and_then(Value::as_str);
            let name = text("name").ok_or("an attached database has no `name`")?;
            let path = text("path").or_else(|| text("databasePath"));
            let path = path.ok_or_else(|| {
                format!("the attached database `{name}` has no `path`: only files can be attached")
            })?;
            attached.push((name.to_owned(), place(path)));
        }
    }
    if file.is_none() && attached.is_empty() {
        return Err("it has neither a `path` nor `attachedDatabases`".to_owned());
    }
    Ok(Arc::new(DuckDb::new(Settings { file: file.map(place), attached, ..Settings::default() })))
}

/// A PostgreSQL server, by a connection string or by its parts.
fn postgres(connection: &Connection) -> Result<Arc<dyn Engine>, String> {
    let text = |key: &str| connection.text(key).map(str::to_owned);
    let settings = malloy_postgres::Settings {
        url: text("connectionString"),
        host: text("host"),
        port: port(connection)?,
        database: text("databaseName"),
        user: text("userName"),
        password: text("password"),
        ..malloy_postgres::Settings::default()
    };
    let made = malloy_postgres::Postgres::new(&settings).map_err(|error| error.to_string())?;
    Ok(Arc::new(made))
}

/// `sparkConnection`: a `url` (or `remote`) as clients of Spark Connect take it, or `host`, `port`, `userName`, `token`, `useTls`, `setup`.
fn spark(connection: &Connection) -> Result<Arc<dyn Engine>, String> {
    let url = connection.text("url").or_else(|| connection.text("remote"));
    let mut settings = match url {
        Some(url) => malloy_spark::Settings::url(url).map_err(|error| error.to_string())?,
        None => malloy_spark::Settings::default(),
    };
    if let Some(host) = connection.text("host") {
        host.clone_into(&mut settings.host);
    }
    if let Some(port) = port(connection)? {
        settings.port = port;
    }
    if let Some(user) = connection.text("userName") {
        user.clone_into(&mut settings.user);
    }
    if let Some(token) = connection.text("token") {
        settings.token = Some(token.to_owned());
    }
    if let Some(tls) = connection.settings.get("useTls").and_then(Value::as_bool) {
        settings.tls = tls;
    }
    let setup = connection.settings.get("setup").and_then(Value::as_array);
    settings.setup.extend(setup.into_iter().flatten().filter_map(Value::as_str).map(str::to_owned));
    let made = malloy_spark::Spark::new(settings).map_err(|error| error.to_string())?;
    Ok(Arc::new(made))
}

/// A number, or a text that is one.
fn port(connection: &Connection) -> Result<Option<u16>, String> {
    let number = match connection.settings.get("port") {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::Number(number)) => number.as_u64().and_then(|port| u16::try_from(port).ok()),
        Some(Value::String(text)) => text.parse().ok(),
        Some(_) => None,
    };
    number.map(Some).ok_or_else(|| "`port` must be a number up to 65535".to_owned())
}

/// The files of this machine that a connection names.
pub(super) fn files(connection: &Connection) -> Vec<String> {
    let mut found = Vec::new();
    if connection.kind == "duckdb" {
        let keys = ["path", "databasePath", "file"];
        found.extend(keys.iter().filter_map(|key| connection.text(key)).map(str::to_owned));
        let items = connection.settings.get("attachedDatabases").and_then(Value::as_array);
        for item in items.into_iter().flatten() {
            let paths = keys.iter().filter_map(|key| item.get(*key).and_then(Value::as_str));
            found.extend(paths.map(str::to_owned));
        }
    }
    found
}

/// A connection that cannot be asked, and why.
#[derive(Debug)]
struct Broken {
    name: String,
    why: String,
}

impl Broken {
    fn error(&self) -> Error {
        Error::Unavailable { message: self.why.clone(), hint: None }
    }
}

impl Engine for Broken {
    fn dialect(&self) -> &dyn Dialect {
        &malloy_sql::DuckDb
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn table_schema(&self, _path: &str) -> Result<Vec<Column>, Error> {
        Err(self.error())
    }

    fn select_schema(&self, _sql: &str) -> Result<Vec<Column>, Error> {
        Err(self.error())
    }

    fn run(
        &self,
        _sql: &str,
        _columns: &[Column],
        _limits: &Limits,
        _cancel: &Cancel,
    ) -> Result<Rows, Error> {
        Err(self.error())
    }

    fn keep(
        &self,
        _name: &str,
        _select: &str,
        _limits: &Limits,
        _cancel: &Cancel,
    ) -> Result<Kept, Error> {
        Err(self.error())
    }

    fn forget(&self, _name: &str) -> Result<(), Error> {
        Ok(())
    }

    fn schemas(&self) -> Result<Vec<String>, Error> {
        Err(self.error())
    }

    fn tables(&self, _schema: &str) -> Result<Vec<String>, Error> {
        Err(self.error())
    }
}
