//! Tables that are kept of selects: temporary tables of one session, which every statement that names one of them is run in.
//!
//! The rest of the database is only read here as everywhere: the table is made without running the select, and it is filled in a
//! transaction that may write to temporary tables and to nothing else, whatever functions the select calls. Start at
//! [`Inner::keep`].

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use deadpool_postgres::{ClientWrapper, Object};
use malloy_engine::{Error, Kept, Limits};
use tokio::{
    sync::{Mutex, Notify, OwnedMutexGuard},
    time::timeout,
};
use tokio_postgres::Client;

use crate::engine::{GRACE, Inner, rolled_back};

/// The session, if anything is kept.
#[derive(Default)]
pub(crate) struct Shelf {
    session: Arc<Mutex<Option<ClientWrapper>>>,
    names: std::sync::Mutex<BTreeSet<String>>,
}

/// A connection that a statement is run on.
pub(crate) enum Used {
    /// Any will do.
    Pooled(Box<Object>),
    /// The one that has the tables that the statement names. It runs one statement at a time.
    Kept(OwnedMutexGuard<Option<ClientWrapper>>),
}

impl Used {
    pub(crate) fn client(&self) -> Result<&Client, Error> {
        match self {
            Self::Pooled(client) => {
                let client: &Client = client;
                Ok(client)
            }
            Self::Kept(session) => session.as_deref().ok_or_else(gone),
        }
    }
}

impl Shelf {
    /// Whether a statement names something that is kept. Names are like nothing else, so that it does not matter where in the text.
    fn is_named_by(&self, sql: &str) -> bool {
        self.names().iter().any(|name| sql.contains(&**name))
    }

    fn names(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.names.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Inner {
    /// The connection for a statement.
    pub(crate) async fn used(&self, sql: &str) -> Result<Used, Error> {
        if self.shelf.is_named_by(sql) {
            let session = Arc::clone(&self.shelf.session).lock_owned().await;
            if session.as_ref().is_some_and(|client| !client.is_closed()) {
                return Ok(Used::Kept(session));
            }
            // The server has ended the session, and with it what was kept.
            self.shelf.names().clear();
        }
        Ok(Used::Pooled(Box::new(self.client().await?)))
    }

    /// Makes a table of a select, under limits.
    pub(crate) async fn keep(
        &self,
        name: &str,
        select: &str,
        limits: Limits,
        stop: &Notify,
    ) -> Result<Kept, Error> {
        let begin = async {
            let mut session = Arc::clone(&self.shelf.session).lock_owned().await;
            if session.as_ref().is_none_or(|client| client.is_closed()) {
                self.shelf.names().clear();
                *session = Some(Object::take(self.client().await?));
            }
            Ok(session)
        };
        let session = tokio::select! {
            session = begin => session?,
            () = stop.notified() => return Err(Error::Cancelled),
        };
        let client = session.as_deref().ok_or_else(gone)?;
        let made = async {
            let made = self.fill(client, name, select, &limits);
            match limits.time {
                Some(limit) => timeout(limit, made).await.unwrap_or(Err(Error::TimedOut { limit })),
                None => made.await,
            }
        };
        let made = tokio::select! {
            made = made => made,
            () = stop.notified() => Err(Error::Cancelled),
        };
        if made.is_ok() {
            self.shelf.names().insert(name.to_owned());
            return made;
        }
        // Half a table is none.
        let cleared = rolled_back(client, self.tls.clone()).await
            && client.batch_execute(&drop_table(name)).await.is_ok();
        if !cleared {
            self.settle(session).await;
        }
        made
    }

    async fn fill(
        &self,
        client: &Client,
        name: &str,
        select: &str,
        limits: &Limits,
    ) -> Result<Kept, Error> {
        let failed = |error: tokio_postgres::Error| self.failed(&error);
        let within = limits.time.map_or(Duration::ZERO, |time| time + GRACE).as_millis();
        client.batch_execute(&drop_table(name)).await.map_err(failed)?;
        client.batch_execute("BEGIN READ WRITE").await.map_err(failed)?;
        // Prepared by itself, so that it is one statement whatever the select has in it; without data nothing of it runs.
        let make = format!(
            "CREATE TEMPORARY TABLE {name} AS SELECT * FROM (\n{select}\n) AS asked WITH NO DATA"
        );
        client.execute(&make, &[]).await.map_err(failed)?;
        client.batch_execute("COMMIT").await.map_err(failed)?;
        let begin = format!("BEGIN READ ONLY; SET LOCAL statement_timeout = {within}");
        client.batch_execute(&begin).await.map_err(failed)?;
        let most = limits.rows.saturating_add(1);
        let fill = format!(
            "INSERT INTO pg_temp.{name} SELECT * FROM (\n{select}\n) AS asked LIMIT {most}"
        );
        let rows = client.execute(&fill, &[]).await.map_err(failed)?;
        let size = format!("SELECT pg_total_relation_size('pg_temp.{name}')");
        let bytes: i64 = client.query_one(&size, &[]).await.map_err(failed)?.get(0);
        let kept =
            Kept { table: name.to_owned(), bytes: usize::try_from(bytes).unwrap_or(usize::MAX) };
        let kept = kept.within(usize::try_from(rows).unwrap_or(usize::MAX), limits)?;
        client.batch_execute("COMMIT").await.map_err(failed)?;
        Ok(kept)
    }

    /// Lets go of a table; with the last of them, of the session.
    pub(crate) async fn forget(&self, name: &str) -> Result<(), Error> {
        let mut session = Arc::clone(&self.shelf.session).lock_owned().await;
        if !self.shelf.names().remove(name) {
            return Ok(());
        }
        if self.shelf.names().is_empty() {
            *session = None;
            return Ok(());
        }
        let Some(client) = session.as_deref() else { return Ok(()) };
        client.batch_execute(&drop_table(name)).await.map_err(|error| self.failed(&error))
    }

    /// Makes the session ready for the next, or lets go of it where that does not work.
    pub(crate) async fn settle(&self, mut session: OwnedMutexGuard<Option<ClientWrapper>>) {
        let settled = match session.as_deref() {
            Some(client) => rolled_back(client, self.tls.clone()).await,
            None => false,
        };
        if !settled {
            self.shelf.names().clear();
            *session = None;
        }
    }
}

fn drop_table(name: &str) -> String {
    format!("BEGIN READ WRITE; DROP TABLE IF EXISTS pg_temp.{name}; COMMIT")
}

fn gone() -> Error {
    Error::Unavailable {
        message: "the session with the temporary tables has ended".to_owned(),
        hint: Some("make the table again".to_owned()),
    }
}
