//! Spark as an engine of Malloy. Start at [`Spark`].

use std::{fmt, sync::Arc, time::Duration};

use malloy_engine::{Background, Cancel, Engine, Error, Kept, Limits, Rows};
use malloy_model::ir::{Column, Type};
use malloy_sql::Dialect;
use serde_json::Value;
use tokio::{
    sync::{Mutex, Notify, Semaphore},
    time::timeout,
};
use uuid::Uuid;

use crate::{Settings, session::Session};

/// A Spark Connect server. The session with it begins when it is first asked for something.
#[derive(Clone)]
pub struct Spark {
    background: Background,
    inner: Arc<Inner>,
}

struct Inner {
    settings: Settings,
    session: Mutex<Option<Session>>,
    running: Semaphore,
}

impl fmt::Debug for Spark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spark").field("place", &self.inner.settings.place()).finish_non_exhaustive()
    }
}

/// How long the server may take to hear that nobody waits any more.
const GRACE: Duration = Duration::from_secs(2);

impl Spark {
    pub fn new(settings: Settings) -> Result<Self, Error> {
        let running = Semaphore::new(settings.connections.max(1));
        let inner = Inner { settings, session: Mutex::new(None), running };
        Ok(Self { background: Background::shared()?, inner: Arc::new(inner) })
    }

    fn described(&self, sql: String) -> Result<Vec<Column>, Error> {
        let inner = Arc::clone(&self.inner);
        self.background.wait(async move {
            let session = inner.session().await?;
            inner.noted(session.columns(&sql).await).await
        })
    }

    /// Runs a statement that gives nothing.
    fn command(&self, sql: String) -> Result<(), Error> {
        let inner = Arc::clone(&self.inner);
        self.background.wait(async move {
            let session = inner.session().await?;
            inner.noted(session.command(&sql).await).await
        })
    }

    /// The rows of a statement about the catalog, which cannot be described before it runs.
    fn catalog(&self, sql: String) -> Result<Vec<Vec<String>>, Error> {
        let inner = Arc::clone(&self.inner);
        let rows = self.background.wait(async move {
            let session = inner.session().await?;
            let operation = Uuid::new_v4().to_string();
            let rows = session.rows(&sql, &operation, 0, &Limits::default()).await;
            let rows = inner.noted(rows).await?;
            let columns: Vec<Column> = (0..rows.width())
                .map(|index| Column { name: index.to_string(), ty: Type::String })
                .collect();
            rows.to_json(&columns)
        })?;
        let texts = |row: &Value| {
            let cells = row.as_object().into_iter().flat_map(serde_json::Map::values);
            cells.map(|cell| cell.as_str().unwrap_or_default().to_owned()).collect()
        };
        Ok(rows.rows.iter().map(texts).collect())
    }
}

impl Engine for Spark {
    fn dialect(&self) -> &dyn Dialect {
        &malloy_sql::Spark
    }

    fn table_schema(&self, path: &str) -> Result<Vec<Column>, Error> {
        self.described(format!("SELECT * FROM {}", self.dialect().table(path)))
    }

    fn select_schema(&self, sql: &str) -> Result<Vec<Column>, Error> {
        // Inside of FROM only a select can stand. A comment at its end must not swallow the parenthesis.
        self.described(format!("SELECT * FROM (\n{sql}\n)"))
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

    /// A temporary view, of the session that all statements share: Spark has no temporary tables. Its select runs whenever it is
    /// read, so that it takes nothing and its limits are those of the statement that reads it.
    fn keep(
        &self,
        name: &str,
        select: &str,
        _limits: &Limits,
        cancel: &Cancel,
    ) -> Result<Kept, Error> {
        if cancel.is_cancelled() {
            return Err(Error::Cancelled);
        }
        // What is wrong with the select is told before anything is made.
        self.select_schema(select)?;
        self.command(format!(
            "CREATE OR REPLACE TEMPORARY VIEW {name} AS SELECT * FROM (\n{select}\n)"
        ))?;
        Ok(Kept { table: name.to_owned(), bytes: 0 })
    }

    fn forget(&self, name: &str) -> Result<(), Error> {
        self.command(format!("DROP VIEW IF EXISTS {name}"))
    }

    fn schemas(&self) -> Result<Vec<String>, Error> {
        let rows = self.catalog("SHOW SCHEMAS".to_owned())?;
        let mut names: Vec<String> =
            rows.into_iter().filter_map(|row| row.into_iter().next()).collect();
        names.sort();
        Ok(names)
    }

    fn tables(&self, schema: &str) -> Result<Vec<String>, Error> {
        let rows = self.catalog(format!("SHOW TABLES IN {}", self.dialect().table(schema)))?;
        // Columns are the schema, the table, and whether it is temporary: those are of the session and of no schema.
        let in_schema = rows.into_iter().filter(|row| row.first().is_some_and(|of| !of.is_empty()));
        let mut names: Vec<String> = in_schema.filter_map(|row| row.into_iter().nth(1)).collect();
        names.sort();
        Ok(names)
    }
}

impl Inner {
    /// The session, begun if there is none.
    async fn session(&self) -> Result<Session, Error> {
        let mut session = self.session.lock().await;
        if let Some(session) = &*session {
            return Ok(session.clone());
        }
        let begun = Session::open(&self.settings).await?;
        Ok(session.insert(begun).clone())
    }

    /// Forgets the session where the server is gone: a new one knows nothing of it.
    async fn noted<T>(&self, outcome: Result<T, Error>) -> Result<T, Error> {
        if matches!(&outcome, Err(error) if error.is_about_the_database()) {
            *self.session.lock().await = None;
        }
        outcome
    }

    async fn run(
        &self,
        sql: &str,
        columns: &[Column],
        limits: Limits,
        stop: &Notify,
    ) -> Result<Rows, Error> {
        let ready = async {
            let running = self.running.acquire().await;
            (running, self.session().await)
        };
        let (_running, session) = tokio::select! {
            ready = ready => ready,
            () = stop.notified() => return Err(Error::Cancelled),
        };
        let session = session?;
        let operation = Uuid::new_v4().to_string();
        let read = async {
            let read = session.rows(sql, &operation, columns.len(), &limits);
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
            Ok(batches) => batches.cut().is_none(),
            Err(error) => matches!(error, Error::Query { .. } | Error::Unavailable { .. }),
        };
        if !done {
            timeout(GRACE, session.interrupt(&operation)).await.ok();
        }
        self.noted(outcome).await?.to_json(columns)
    }
}
