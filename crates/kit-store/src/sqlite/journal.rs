//! Streams in SQLite.

use std::sync::Arc;

use async_trait::async_trait;
use futures::{FutureExt, TryFutureExt};
use rusqlite::{Connection, OptionalExtension, Row, named_params, types::Type};
use serde_json::value::RawValue;
use tokio::sync::broadcast;

use super::{Sqlite, failed, integer, ledger::Ledger, names};
use crate::{
    Append, Appended, Journal, Recorded, Snapshot, StoreError, StreamId, StreamInfo, Submitted,
    Version,
};

const READ: &str = "
    SELECT e.place & ((1 << 36) - 1), e.kind, e.data, e.actor, e.at
    FROM streams s CROSS JOIN events e
        ON e.place > ((s.id << 36) | min(:after, (1 << 36) - 1)) AND e.place < ((s.id + 1) << 36)
    WHERE s.name = :name
    ORDER BY e.place LIMIT :limit";
const INFO: &str = "
    SELECT name, version, head, created_at, updated_at, closed FROM streams WHERE name = :name";
const LIST: &str = "
    SELECT name, version, head, created_at, updated_at, closed FROM streams
    WHERE category = :category AND NOT closed ORDER BY created_at DESC, id DESC";
const LIST_AFTER: &str = "
    SELECT name, version, head, created_at, updated_at, closed FROM streams
    WHERE category = :category AND NOT closed AND (created_at, name) > (:at, :name)
    ORDER BY created_at, name LIMIT :limit";
const SAVE_SNAPSHOT: &str = "
    INSERT INTO snapshots (stream, version, data)
    SELECT id, :version, :data FROM streams WHERE name = :name AND version >= :version
    ON CONFLICT (stream) DO UPDATE SET version = excluded.version, data = excluded.data
    WHERE excluded.version > snapshots.version";
const SNAPSHOT: &str = "
    SELECT p.version, p.data FROM snapshots p JOIN streams s ON s.id = p.stream
    WHERE s.name = :name";

#[async_trait]
impl Journal for Sqlite {
    async fn append(&self, append: Append) -> Result<Version, StoreError> {
        self.submit(append).await?.await
    }

    async fn submit(&self, append: Append) -> Result<Submitted, StoreError> {
        append.check()?;
        let announcer = self.announcer.clone();
        let work = move |ledger: &mut Ledger<'_>| ledger.append(&append);
        let told = move |appended: &Appended| announcer.announce(appended.clone());
        let answer = self.writer.submit(work, told).await?;
        Ok(answer.map_ok(|appended| appended.version).boxed())
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, StoreError> {
        let stream = stream.clone();
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(READ)?;
            let parameters = named_params! {
                ":name": stream.as_str(), ":after": integer(after.0), ":limit": integer(limit),
            };
            statement.query_map(parameters, |row| recorded(&stream, row))?.collect()
        };
        self.readers.run(read).await
    }

    async fn info(&self, stream: &StreamId) -> Result<Option<StreamInfo>, StoreError> {
        let stream = stream.clone();
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(INFO)?;
            statement.query_row(named_params! { ":name": stream.as_str() }, info).optional()
        };
        self.readers.run(read).await
    }

    async fn find(&self, category: &str, alias: &str) -> Result<Option<StreamId>, StoreError> {
        let (category, alias) = (category.to_owned(), alias.to_owned());
        self.readers.run(move |connection| names::find(connection, &category, &alias)).await
    }

    async fn list(&self, category: &str) -> Result<Vec<StreamInfo>, StoreError> {
        let category = category.to_owned();
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(LIST)?;
            statement.query_map(named_params! { ":category": category }, info)?.collect()
        };
        self.readers.run(read).await
    }

    async fn list_after(
        &self,
        category: &str,
        after: Option<(i64, &StreamId)>,
        limit: usize,
    ) -> Result<Vec<StreamInfo>, StoreError> {
        let category = category.to_owned();
        let (at, name) =
            after.map_or((i64::MIN, String::new()), |(at, stream)| (at, stream.to_string()));
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(LIST_AFTER)?;
            let parameters = named_params! {
                ":category": category, ":at": at, ":name": name, ":limit": integer(limit),
            };
            statement.query_map(parameters, info)?.collect()
        };
        self.readers.run(read).await
    }

    async fn save_snapshot(&self, stream: &StreamId, snapshot: Snapshot) -> Result<(), StoreError> {
        let stream = stream.clone();
        let save = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(SAVE_SNAPSHOT).map_err(failed)?;
            let parameters = named_params! {
                ":name": stream.as_str(),
                ":version": integer(snapshot.version.0),
                ":data": snapshot.data.get(),
            };
            statement.execute(parameters).map(drop).map_err(failed)
        };
        self.writer.run(save).await
    }

    async fn snapshot(&self, stream: &StreamId) -> Result<Option<Snapshot>, StoreError> {
        let stream = stream.clone();
        let read = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(SNAPSHOT)?;
            let snapshot =
                |row: &Row<'_>| Ok(Snapshot { version: version(row, 0)?, data: json(row, 1)? });
            statement.query_row(named_params! { ":name": stream.as_str() }, snapshot).optional()
        };
        self.readers.run(read).await
    }

    fn watch(&self) -> broadcast::Receiver<Appended> {
        self.announcer.watch()
    }

    fn watch_stream(&self, stream: &StreamId) -> broadcast::Receiver<Appended> {
        self.announcer.watch_stream(stream)
    }

    fn shared(&self) -> bool {
        false
    }
}

fn recorded(stream: &StreamId, row: &Row<'_>) -> Result<Recorded, rusqlite::Error> {
    Ok(Recorded {
        stream: stream.clone(),
        version: version(row, 0)?,
        kind: text(row, 1)?,
        data: json(row, 2)?,
        actor: text(row, 3)?,
        at: row.get(4)?,
    })
}

fn info(row: &Row<'_>) -> Result<StreamInfo, rusqlite::Error> {
    let name: String = row.get(0)?;
    let head: String = row.get(2)?;
    Ok(StreamInfo {
        stream: StreamId::stored(&name),
        version: version(row, 1)?,
        head: serde_json::from_str(&head).map_err(|cause| not_json(2, cause))?,
        created_at: row.get(3)?,
        updated_at: row.get(4)?,
        closed: row.get(5)?,
    })
}

pub(super) fn version(row: &Row<'_>, column: usize) -> Result<Version, rusqlite::Error> {
    row.get(column).map(|number: i64| Version(number.unsigned_abs()))
}

fn text(row: &Row<'_>, column: usize) -> Result<Arc<str>, rusqlite::Error> {
    Ok(row.get_ref(column)?.as_str()?.into())
}

fn json(row: &Row<'_>, column: usize) -> Result<Arc<RawValue>, rusqlite::Error> {
    let text: String = row.get(column)?;
    RawValue::from_string(text).map(Arc::from).map_err(|cause| not_json(column, cause))
}

fn not_json(column: usize, cause: serde_json::Error) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, cause.into())
}
