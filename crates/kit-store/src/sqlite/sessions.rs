//! Sessions in SQLite.

use async_trait::async_trait;
use rusqlite::{Connection, ErrorCode, OptionalExtension, Row, named_params};
use serde_json::Value;

use super::{Sqlite, failed};
use crate::{SessionRow, Sessions, StoreError};

const CREATE: &str = "
    INSERT INTO sessions (id, app, principal, data, seen_at)
    VALUES (:id, :app, :principal, :data, :seen_at)";
const GET: &str = "SELECT id, app, principal, data, seen_at FROM sessions WHERE id = :id";
const UPDATE: &str = "UPDATE sessions SET data = :data WHERE id = :id";
const TOUCH: &str = "UPDATE sessions SET seen_at = max(seen_at, :at) WHERE id = :id";
const DELETE: &str = "DELETE FROM sessions WHERE id = :id";
const EXPIRE: &str = "DELETE FROM sessions WHERE seen_at < :before RETURNING id";
const COUNT: &str = "SELECT count(*) FROM sessions";

#[async_trait]
impl Sessions for Sqlite {
    async fn create(&self, row: SessionRow) -> Result<(), StoreError> {
        let insert = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(CREATE).map_err(failed)?;
            let inserted = statement.execute(named_params! {
                ":id": row.id,
                ":app": row.app,
                ":principal": row.principal,
                ":data": row.data.to_string(),
                ":seen_at": row.seen_at,
            });
            inserted.map(drop).map_err(|cause| match cause.sqlite_error_code() {
                Some(ErrorCode::ConstraintViolation) => StoreError::SessionExists,
                _ => failed(cause),
            })
        };
        self.writer.run(insert).await
    }

    async fn get(&self, id: &str) -> Result<Option<SessionRow>, StoreError> {
        let id = id.to_owned();
        let read = move |connection: &Connection| {
            connection.prepare_cached(GET)?.query_row(named_params! { ":id": id }, row).optional()
        };
        let found = self.readers.run(read).await?;
        found
            .map(|(row, data)| {
                let data = serde_json::from_str(&data).map_err(StoreError::failed)?;
                Ok(SessionRow { data, ..row })
            })
            .transpose()
    }

    async fn update(&self, id: &str, data: Value) -> Result<bool, StoreError> {
        let (id, data) = (id.to_owned(), data.to_string());
        let update = move |connection: &Connection| {
            connection.prepare_cached(UPDATE)?.execute(named_params! { ":id": id, ":data": data })
        };
        self.changed(update).await.map(|rows| rows > 0)
    }

    async fn touch(&self, ids: &[String], at: i64) -> Result<(), StoreError> {
        if ids.is_empty() {
            return Ok(());
        }
        let ids = ids.to_vec();
        let touch = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(TOUCH)?;
            ids.iter().map(|id| statement.execute(named_params! { ":id": id, ":at": at })).sum()
        };
        self.changed(touch).await.map(drop)
    }

    async fn delete(&self, id: &str) -> Result<bool, StoreError> {
        let id = id.to_owned();
        let delete = move |connection: &Connection| {
            connection.prepare_cached(DELETE)?.execute(named_params! { ":id": id })
        };
        self.changed(delete).await.map(|rows| rows > 0)
    }

    async fn expire(&self, before: i64) -> Result<Vec<String>, StoreError> {
        let expire = move |connection: &Connection| {
            let mut statement = connection.prepare_cached(EXPIRE).map_err(failed)?;
            let gone = statement
                .query_map(named_params! { ":before": before }, |row| row.get(0))
                .map_err(failed)?;
            gone.collect::<Result<_, _>>().map_err(failed)
        };
        self.writer.run(expire).await
    }

    async fn count(&self) -> Result<u64, StoreError> {
        let count = |connection: &Connection| {
            connection.prepare_cached(COUNT)?.query_row([], |row| row.get(0))
        };
        self.readers.run(count).await.map(i64::unsigned_abs)
    }

    fn shared(&self) -> bool {
        false
    }
}

impl Sqlite {
    /// Writes and tells how many rows it changed.
    async fn changed(
        &self,
        mut write: impl FnMut(&Connection) -> Result<usize, rusqlite::Error> + Send + 'static,
    ) -> Result<usize, StoreError> {
        self.writer.run(move |connection| write(connection).map_err(failed)).await
    }
}

/// The row without its data, and the data as text: parsing needs no connection.
fn row(row: &Row<'_>) -> Result<(SessionRow, String), rusqlite::Error> {
    let session = SessionRow {
        id: row.get(0)?,
        app: row.get(1)?,
        principal: row.get(2)?,
        data: Value::Null,
        seen_at: row.get(4)?,
    };
    Ok((session, row.get(3)?))
}
