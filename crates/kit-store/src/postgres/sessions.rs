//! Sessions in PostgreSQL.

use async_trait::async_trait;
use serde_json::Value;
use tokio_postgres::Row;

use super::{Postgres, failed};
use crate::{SessionRow, Sessions, StoreError};

const CREATE: &str = "
    INSERT INTO tandem.sessions (id, app, principal, data, seen_at)
    VALUES ($1, $2, $3, $4::text::json, $5) ON CONFLICT DO NOTHING RETURNING id";
const GET: &str = "
    SELECT id, app, principal, data::text, seen_at FROM tandem.sessions WHERE id = $1";
const UPDATE: &str = "
    UPDATE tandem.sessions SET data = $2::text::json WHERE id = $1 RETURNING id";
/// Locks in one order: the batches of two replicas may hold the same sessions.
const TOUCH: &str = "
    UPDATE tandem.sessions SET seen_at = greatest(seen_at, $2)
    WHERE id IN (SELECT id FROM tandem.sessions WHERE id = ANY($1) ORDER BY id FOR UPDATE)";
const DELETE: &str = "DELETE FROM tandem.sessions WHERE id = $1 RETURNING id";
/// Passes over what a batch of touches holds: it is being used.
const EXPIRE: &str = "
    DELETE FROM tandem.sessions WHERE id IN
        (SELECT id FROM tandem.sessions WHERE seen_at < $1 FOR UPDATE SKIP LOCKED)
    RETURNING id";
const COUNT: &str = "SELECT count(*) FROM tandem.sessions";

#[async_trait]
impl Sessions for Postgres {
    async fn create(&self, row: SessionRow) -> Result<(), StoreError> {
        let SessionRow { id, app, principal, data, seen_at } = row;
        let made =
            self.inner.query(CREATE, &[&id, &app, &principal, &data.to_string(), &seen_at]).await?;
        if made.is_empty() { Err(StoreError::SessionExists) } else { Ok(()) }
    }

    async fn get(&self, id: &str) -> Result<Option<SessionRow>, StoreError> {
        if !can_be(id) {
            return Ok(None);
        }
        self.inner.query(GET, &[&id]).await?.first().map(session).transpose()
    }

    async fn update(&self, id: &str, data: Value) -> Result<bool, StoreError> {
        if !can_be(id) {
            return Ok(false);
        }
        Ok(!self.inner.query(UPDATE, &[&id, &data.to_string()]).await?.is_empty())
    }

    async fn touch(&self, ids: &[String], at: i64) -> Result<(), StoreError> {
        let ids: Vec<_> = ids.iter().filter(|id| can_be(id)).collect();
        if ids.is_empty() {
            return Ok(());
        }
        self.inner.query(TOUCH, &[&ids, &at]).await.map(drop)
    }

    async fn delete(&self, id: &str) -> Result<bool, StoreError> {
        if !can_be(id) {
            return Ok(false);
        }
        Ok(!self.inner.query(DELETE, &[&id]).await?.is_empty())
    }

    async fn expire(&self, before: i64) -> Result<Vec<String>, StoreError> {
        let gone = self.inner.query(EXPIRE, &[&before]).await?;
        gone.iter().map(|row| row.try_get(0).map_err(failed)).collect()
    }

    async fn count(&self) -> Result<u64, StoreError> {
        let rows = self.inner.query(COUNT, &[]).await?;
        let count = rows.first().map_or(Ok(0), |row| row.try_get(0)).map_err(failed)?;
        Ok(i64::unsigned_abs(count))
    }

    fn shared(&self) -> bool {
        true
    }
}

/// An id comes from the client; PostgreSQL's text cannot hold a NUL, so no session has such an id.
fn can_be(id: &str) -> bool {
    !id.contains('\0')
}

fn session(row: &Row) -> Result<SessionRow, StoreError> {
    let data: &str = row.try_get(3).map_err(failed)?;
    Ok(SessionRow {
        id: row.try_get(0).map_err(failed)?,
        app: row.try_get(1).map_err(failed)?,
        principal: row.try_get(2).map_err(failed)?,
        data: serde_json::from_str(data).map_err(StoreError::failed)?,
        seen_at: row.try_get(4).map_err(failed)?,
    })
}
