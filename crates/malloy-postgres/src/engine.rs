//! PostgreSQL as an engine of Malloy. Start at [`Postgres`].

use std::{error::Error as _, fmt, sync::Arc, time::Duration};

use deadpool_postgres::{
    Hook, HookError, Manager, ManagerConfig, Object, Pool, PoolError, RecyclingMethod, Runtime,
};
use futures::{StreamExt as _, pin_mut};
use malloy_engine::{Background, Cancel, Engine, Error, Kept, Limits, Meter, Rows};
use malloy_model::ir::Column;
use malloy_sql::Dialect;
use serde_json::{Map, Value};
use tokio::{sync::Notify, time::timeout};
use tokio_postgres::{Client, Statement, error::SqlState};
use tokio_postgres_rustls::MakeRustlsConnect;

use crate::{
    Settings, cell,
    kept::{Shelf, Used},
    tls,
    types::{self, Sent},
};

/// A database of PostgreSQL. Connections are made when they are first needed.
#[derive(Clone)]
pub struct Postgres {
    background: Background,
    inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pool: Pool,
    pub(crate) tls: MakeRustlsConnect,
    /// For messages: `host:port`, without who asks.
    place: String,
    /// The session with the tables that are kept.
    pub(crate) shelf: Shelf,
}

impl fmt::Debug for Postgres {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Postgres").field("place", &self.inner.place).finish_non_exhaustive()
    }
}

/// The server ends a statement that is this much over its time, should we not be there any more to do it.
pub(crate) const GRACE: Duration = Duration::from_secs(2);

/// What is the same for every connection: times come in UTC, and what is not said to read does not run.
const SESSION: &str = "SET TIME ZONE 'UTC'; SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY";

impl Postgres {
    /// Checks the settings; the server is asked later.
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        let (config, protection, certificates) = settings.config()?;
        let tls = tls::connector(protection, certificates.as_deref())?;
        let place = place(&config);
        let manager = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        let prepared = Hook::async_fn(|client: &mut deadpool_postgres::ClientWrapper, _| {
            Box::pin(async move { client.batch_execute(SESSION).await.map_err(HookError::Backend) })
        });
        let patience = Some(settings.patience);
        let pool = Pool::builder(Manager::from_config(config, tls.clone(), manager))
            .max_size(settings.connections.max(1))
            .wait_timeout(patience)
            .create_timeout(patience)
            .recycle_timeout(patience)
            .runtime(Runtime::Tokio1)
            .post_create(prepared)
            .build()
            .map_err(|error| Error::Open { message: error.to_string() })?;
        let inner = Inner { pool, tls, place, shelf: Shelf::default() };
        Ok(Self { background: Background::shared()?, inner: Arc::new(inner) })
    }

    /// The columns of a select, as the server describes it.
    fn described(&self, sql: String) -> Result<Vec<Column>, Error> {
        let inner = Arc::clone(&self.inner);
        self.background.wait(async move {
            let used = inner.used(&sql).await?;
            let prepared = used.client()?.prepare(&sql).await;
            let statement = prepared.map_err(|error| inner.failed(&error))?;
            let column = |column: &tokio_postgres::Column| Column {
                name: column.name().to_owned(),
                ty: types::malloy(column.type_()),
            };
            Ok(statement.columns().iter().map(column).collect())
        })
    }

    /// The only column of a question about the catalog.
    fn names(&self, sql: &'static str, parameter: Option<&str>) -> Result<Vec<String>, Error> {
        let (inner, parameter) = (Arc::clone(&self.inner), parameter.map(str::to_owned));
        self.background.wait(async move {
            let client = inner.client().await?;
            let rows = match &parameter {
                Some(parameter) => client.query(sql, &[parameter]).await,
                None => client.query(sql, &[]).await,
            };
            let rows = rows.map_err(|error| inner.failed(&error))?;
            Ok(rows.iter().map(|row| row.get(0)).collect())
        })
    }
}

impl Engine for Postgres {
    fn dialect(&self) -> &dyn Dialect {
        &malloy_sql::Postgres
    }

    fn table_schema(&self, path: &str) -> Result<Vec<Column>, Error> {
        self.described(format!("SELECT * FROM {}", self.dialect().table(path)))
    }

    fn select_schema(&self, sql: &str) -> Result<Vec<Column>, Error> {
        self.described(sql.to_owned())
    }

    fn run(
        &self,
        sql: &str,
        columns: &[Column],
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Rows, Error> {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let stop = Arc::new(Notify::new());
        let told = Arc::clone(&stop);
        let _attached = cancel.attach(move || told.notify_one());
        let (inner, limits) = (Arc::clone(&self.inner), *limits);
        let (sql, columns) = (sql.to_owned(), columns.to_vec());
        self.background.wait(async move { inner.run(&sql, &columns, limits, &stop).await })
    }

    fn keep(
        &self,
        name: &str,
        select: &str,
        limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Kept, Error> {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let stop = Arc::new(Notify::new());
        let told = Arc::clone(&stop);
        let _attached = cancel.attach(move || told.notify_one());
        let (inner, limits) = (Arc::clone(&self.inner), *limits);
        let (name, select) = (name.to_owned(), select.to_owned());
        self.background.wait(async move { inner.keep(&name, &select, limits, &stop).await })
    }

    fn forget(&self, name: &str) -> Result<(), Error> {
        let (inner, name) = (Arc::clone(&self.inner), name.to_owned());
        self.background.wait(async move { inner.forget(&name).await })
    }

    fn schemas(&self) -> Result<Vec<String>, Error> {
        self.names(
            "SELECT nspname::text FROM pg_catalog.pg_namespace WHERE nspname <> 'information_schema' \
             AND nspname NOT LIKE 'pg\\_%' ORDER BY 1",
            None,
        )
    }

    fn tables(&self, schema: &str) -> Result<Vec<String>, Error> {
        self.names(
            "SELECT c.relname::text FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace \
             WHERE n.nspname = $1 AND c.relkind IN ('r', 'p', 'v', 'm', 'f') ORDER BY 1",
            Some(schema),
        )
    }
}

impl Inner {
    pub(crate) async fn client(&self) -> Result<Object, Error> {
        self.pool.get().await.map_err(|error| match error {
            PoolError::Timeout(deadpool_postgres::TimeoutType::Wait) => Error::Unavailable {
                message: format!("all connections to {} are in use", self.place),
                hint: Some("try again when other queries have ended".to_owned()),
            },
            PoolError::Backend(error) => self.failed(&error),
            other => self.unreachable(&other.to_string()),
        })
    }

    async fn run(
        &self,
        sql: &str,
        columns: &[Column],
        limits: Limits,
        stop: &Notify,
    ) -> Result<Rows, Error> {
        let used = tokio::select! {
            used = self.used(sql) => used?,
            () = stop.notified() => return Err(Error::Cancelled),
        };
        let client = used.client()?;
        let read = async {
            let read = self.read(client, sql, columns, &limits);
            match limits.time {
                Some(limit) => timeout(limit, read).await.unwrap_or(Err(Error::TimedOut { limit })),
                None => read.await,
            }
        };
        let outcome = tokio::select! {
            outcome = read => outcome,
            () = stop.notified() => Err(Error::Cancelled),
        };
        let done = match &outcome {
            Ok(rows) => rows.cut.is_none(),
            // The server has ended it itself.
            Err(error) => matches!(error, Error::Query { .. } | Error::Type { .. }),
        };
        if !done || client.batch_execute("ROLLBACK").await.is_err() {
            match used {
                // Not for the caller to wait for.
                Used::Pooled(client) => {
                    tokio::spawn(stopped(*client, self.tls.clone()));
                }
                // What is kept there is wanted further.
                Used::Kept(session) => self.settle(session).await,
            }
        }
        outcome
    }

    async fn read(
        &self,
        client: &Client,
        sql: &str,
        columns: &[Column],
        limits: &Limits,
    ) -> Result<Rows, Error> {
        let failed = |error: tokio_postgres::Error| self.failed(&error);
        let most = limits.time.map_or(0, |time| (time + GRACE).as_millis());
        let begin = format!("BEGIN READ ONLY; SET LOCAL statement_timeout = {most}");
        client.batch_execute(&begin).await.map_err(failed)?;
        let mut statement = client.prepare(sql).await.map_err(failed)?;
        if let Some(readable) = readable(&statement, sql) {
            statement = client.prepare(&readable).await.map_err(failed)?;
        }
        let (wanted, got) = (columns.len(), statement.columns().len());
        if wanted != got {
            let message = format!("the query was to give {wanted} columns and gave {got}");
            return Err(Error::query(message));
        }
        let none: [&str; 0] = [];
        let rows = client.query_raw(&statement, none).await.map_err(failed)?;
        pin_mut!(rows);
        let mut meter = Meter::new(limits);
        let mut kept = Vec::new();
        while let Some(row) = rows.next().await {
            let row = row.map_err(failed)?;
            let mut object = Map::with_capacity(columns.len());
            let mut bytes = 0;
            for (index, column) in columns.iter().enumerate() {
                let (value, size) = cell::json(&row, index, &column.ty);
                bytes += size;
                object.insert(column.name.clone(), value);
            }
            if meter.take(1, bytes)? == 0 {
                break;
            }
            kept.push(Value::Object(object));
        }
        Ok(Rows { rows: kept, cut: meter.cut() })
    }

    pub(crate) fn failed(&self, error: &tokio_postgres::Error) -> Error {
        let Some(told) = error.as_db_error() else {
            let cause = error.source().map_or_else(|| error.to_string(), ToString::to_string);
            return self.unreachable(&cause);
        };
        if is_about_the_server(told.code()) {
            return self.unreachable(told.message());
        }
        let mut message = told.message().to_owned();
        for more in [told.detail(), told.hint()].into_iter().flatten() {
            message.push_str("; ");
            message.push_str(more);
        }
        Error::Query { message }
    }

    fn unreachable(&self, why: &str) -> Error {
        Error::Unavailable {
            message: format!("cannot ask PostgreSQL at {}: {why}", self.place),
            hint: Some("check the connection's settings, and whether the server runs".to_owned()),
        }
    }
}

/// Stops what still runs on a connection, and lets go of it. A cancel request that comes before the server has begun is lost, so it is
/// told until it answers.
async fn stopped(client: Object, tls: MakeRustlsConnect) {
    let client = Object::take(client);
    rolled_back(&client, tls).await;
}

/// Stops what runs on a connection; whether it is of use again.
pub(crate) async fn rolled_back(client: &Client, tls: MakeRustlsConnect) -> bool {
    let token = client.cancel_token();
    let end = client.batch_execute("ROLLBACK");
    pin_mut!(end);
    for _ in 0..ATTEMPTS {
        // One that does not get through is told again.
        timeout(GRACE, token.cancel_query(tls.clone())).await.ok();
        if let Ok(ended) = timeout(BETWEEN, &mut end).await {
            return ended.is_ok();
        }
    }
    false
}

/// How often and at what distance a server is told to stop. After that it stops by its own time limit, or when it has nobody to send to.
const ATTEMPTS: u32 = 20;
const BETWEEN: Duration = Duration::from_millis(250);

/// Refused as a client, whatever was asked: wrong password, no such database, going down.
fn is_about_the_server(code: &SqlState) -> bool {
    let about = ["08", "28", "3D", "53", "57P"];
    about.iter().any(|class| code.code().starts_with(class))
}

/// The statement with columns of types that we do not read sent as others; `None` where it is fine as it is.
fn readable(statement: &Statement, sql: &str) -> Option<String> {
    let sent: Vec<Sent> =
        statement.columns().iter().map(|column| types::sent(column.type_())).collect();
    if sent.iter().all(|sent| *sent == Sent::Plain) {
        return None;
    }
    let names: Vec<String> = (0..sent.len()).map(|index| format!("c{index}")).collect();
    let columns = names.iter().zip(&sent).map(|(name, sent)| match sent {
        Sent::Plain => name.clone(),
        Sent::Json => format!("TO_JSONB({name})"),
        Sent::Text => format!("CAST({name} AS TEXT)"),
    });
    let columns: Vec<String> = columns.collect();
    // A comment at its end must not swallow the parenthesis.
    Some(format!("SELECT {} FROM (\n{sql}\n) AS t({})", columns.join(", "), names.join(", ")))
}

fn place(config: &tokio_postgres::Config) -> String {
    let host = match config.get_hosts().first() {
        Some(tokio_postgres::config::Host::Tcp(host)) => host.clone(),
        Some(_) => "a local socket".to_owned(),
        None => "no host".to_owned(),
    };
    match config.get_ports().first() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}
