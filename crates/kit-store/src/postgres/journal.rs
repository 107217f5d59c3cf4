//! Streams in PostgreSQL.

use std::sync::Arc;

use async_trait::async_trait;
use serde_json::{Value, value::RawValue};
use tokio::sync::broadcast;
use tokio_postgres::{Row, types::ToSql};

use super::{Inner, Postgres, failed, integer, is_connection};
use crate::{
    Append, Appended, Expected, Journal, Recorded, Snapshot, StoreError, StreamId, StreamInfo,
    Version, journal::is_name,
};

/// For a stream that is known to be there. The row lock makes appends to it take turns; whoever waited
/// sees the version that the one before left.
const ADVANCE: &str = "
    WITH moved AS (
        UPDATE tandem.streams
        SET version = version + $2, head = coalesce($3::text::json, head), updated_at = $4,
            closed = $5
        WHERE name = $1 AND NOT closed AND version = $6
        RETURNING id, version, category
    ), written AS (
        INSERT INTO tandem.events (stream, version, kind, data, actor, at)
        SELECT moved.id, moved.version - $2 + event.number, event.kind, event.data::json, $7, $4
        FROM moved, unnest($8::text[], $9::text[]) WITH ORDINALITY event (kind, data, number)
    ), named AS (
        INSERT INTO tandem.aliases (category, name, stream)
        SELECT moved.category, alias, moved.id FROM moved, unnest($10::text[]) alias
        ON CONFLICT (category, name) DO NOTHING
    )
    SELECT version FROM moved";
/// For a stream that may be new. `$6` is 0, or null for any version.
const ADVANCE_OR_CREATE: &str = "
    WITH moved AS (
        INSERT INTO tandem.streams AS stream
            (name, category, version, head, created_at, updated_at, closed)
        VALUES ($1, $11, $2, coalesce($3::text::json, 'null'), $4, $4, $5)
        ON CONFLICT (name) DO UPDATE
        SET version = stream.version + $2, head = coalesce($3::text::json, stream.head),
            updated_at = $4, closed = $5
        WHERE NOT stream.closed AND ($6::bigint IS NULL OR stream.version = $6)
        RETURNING id, version, category
    ), written AS (
        INSERT INTO tandem.events (stream, version, kind, data, actor, at)
        SELECT moved.id, moved.version - $2 + event.number, event.kind, event.data::json, $7, $4
        FROM moved, unnest($8::text[], $9::text[]) WITH ORDINALITY event (kind, data, number)
    ), named AS (
        INSERT INTO tandem.aliases (category, name, stream)
        SELECT moved.category, alias, moved.id FROM moved, unnest($10::text[]) alias
        ON CONFLICT (category, name) DO NOTHING
    )
    SELECT version FROM moved";
const READ: &str = "
    SELECT version, kind, data::text, actor, at FROM tandem.events
    WHERE stream = (SELECT id FROM tandem.streams WHERE name = $1) AND version > $2
    ORDER BY version LIMIT $3";
const FIND_ALIAS: &str = "
    SELECT stream.name FROM tandem.aliases alias JOIN tandem.streams stream ON stream.id = alias.stream
    WHERE alias.category = $1 AND alias.name = $2";
const INFO: &str = "
    SELECT name, version, head::text, created_at, updated_at, closed FROM tandem.streams
    WHERE name = $1";
const LIST: &str = "
    SELECT name, version, head::text, created_at, updated_at, closed FROM tandem.streams
    WHERE category = $1 AND NOT closed ORDER BY created_at DESC, id DESC";
/// Names compare by their bytes, as everywhere else.
const LIST_AFTER: &str = "
    SELECT name, version, head::text, created_at, updated_at, closed FROM tandem.streams
    WHERE category = $1 AND NOT closed AND created_at >= $2
        AND (created_at, name COLLATE \"C\") > ($2, $3)
    ORDER BY created_at, name COLLATE \"C\" LIMIT $4";
const SAVE_SNAPSHOT: &str = "
    INSERT INTO tandem.snapshots AS kept (stream, version, data)
    SELECT id, $2, $3::text::json FROM tandem.streams WHERE name = $1 AND version >= $2
    ON CONFLICT (stream) DO UPDATE SET version = excluded.version, data = excluded.data
    WHERE excluded.version > kept.version";
const SNAPSHOT: &str = "
    SELECT kept.version, kept.data::text
    FROM tandem.snapshots kept JOIN tandem.streams stream ON stream.id = kept.stream
    WHERE stream.name = $1";

/// How often an append looks again at a stream that moved between the attempt and the question why it failed.
const LOOKS: usize = 8;

#[async_trait]
impl Journal for Postgres {
    async fn append(&self, append: Append) -> Result<Version, StoreError> {
        append.check()?;
        let inner = self.inner.clone();
        let append = self.appends.spawn(async move { inner.append(append).await });
        append.await.map_err(StoreError::failed)?
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, StoreError> {
        if !stream.is_storable() {
            return Ok(Vec::new());
        }
        let parameters: [&(dyn ToSql + Sync); 3] =
            [&stream.as_str(), &integer(after.0), &integer(limit)];
        let rows = self.inner.query(READ, &parameters).await?;
        rows.iter().map(|row| recorded(stream, row)).collect()
    }

    async fn info(&self, stream: &StreamId) -> Result<Option<StreamInfo>, StoreError> {
        self.inner.info(stream).await
    }

    async fn find(&self, category: &str, alias: &str) -> Result<Option<StreamId>, StoreError> {
        if !is_name(category) || !is_name(alias) {
            return Ok(None);
        }
        let rows = self.inner.query(FIND_ALIAS, &[&category, &alias]).await?;
        rows.first().map(|row| text(row, 0).map(StreamId::stored)).transpose()
    }

    async fn list(&self, category: &str) -> Result<Vec<StreamInfo>, StoreError> {
        if category.contains('\0') {
            return Ok(Vec::new());
        }
        self.inner.query(LIST, &[&category]).await?.iter().map(info).collect()
    }

    async fn list_after(
        &self,
        category: &str,
        after: Option<(i64, &StreamId)>,
        limit: usize,
    ) -> Result<Vec<StreamInfo>, StoreError> {
        let (at, name) = after.map_or((i64::MIN, ""), |(at, stream)| (at, stream.as_str()));
        if category.contains('\0') || name.contains('\0') {
            return Ok(Vec::new());
        }
        let limit = integer(limit);
        let rows = self.inner.query(LIST_AFTER, &[&category, &at, &name, &limit]).await?;
        rows.iter().map(info).collect()
    }

    async fn save_snapshot(&self, stream: &StreamId, snapshot: Snapshot) -> Result<(), StoreError> {
        if !stream.is_storable() {
            return Ok(());
        }
        let parameters: [&(dyn ToSql + Sync); 3] =
            [&stream.as_str(), &integer(snapshot.version.0), &snapshot.data.get()];
        self.inner.query(SAVE_SNAPSHOT, &parameters).await.map(drop)
    }

    async fn snapshot(&self, stream: &StreamId) -> Result<Option<Snapshot>, StoreError> {
        if !stream.is_storable() {
            return Ok(None);
        }
        let rows = self.inner.query(SNAPSHOT, &[&stream.as_str()]).await?;
        let snapshot = |row| Ok(Snapshot { version: version(row, 0)?, data: json(row, 1)? });
        rows.first().map(snapshot).transpose()
    }

    fn watch(&self) -> broadcast::Receiver<Appended> {
        self.inner.link.announcer.watch()
    }

    fn watch_stream(&self, stream: &StreamId) -> broadcast::Receiver<Appended> {
        self.inner.link.announcer.watch_stream(stream)
    }

    fn shared(&self) -> bool {
        true
    }
}

impl Inner {
    /// Runs a statement that either only reads or may be repeated.
    pub(super) async fn query(
        &self,
        sql: &str,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, StoreError> {
        let client = self.client().await?;
        let statement = client.prepare_cached(sql).await.map_err(failed)?;
        client.query(&statement, parameters).await.map_err(failed)
    }

    async fn append(&self, append: Append) -> Result<Version, StoreError> {
        for _ in 0..LOOKS {
            if let Some(version) = self.advance(&append).await? {
                let before = Version(version.0 - append.events.len() as u64);
                let stream = append.stream.clone();
                let events = append.recorded(before);
                self.link.appended(Appended { stream, version, events });
                return Ok(version);
            }
            let found = self.info(&append.stream).await?;
            let (actual, closed) = found.map_or_else(Default::default, |i| (i.version, i.closed));
            append.judge(actual, closed)?;
            // By now the stream is where the caller believed it to be: it was not a moment ago.
        }
        Err(StoreError::Busy)
    }

    /// The one statement of an append; `None` if the stream is not as expected.
    async fn advance(&self, append: &Append) -> Result<Option<Version>, StoreError> {
        let expected = match append.expected {
            Expected::Exactly(version) => Some(integer(version.0)),
            Expected::Any => None,
        };
        let head = append.head.as_deref().map(Value::to_string);
        let kinds: Vec<_> = append.events.iter().map(|event| &*event.kind).collect();
        let data: Vec<_> = append.events.iter().map(|event| event.data.get()).collect();
        let aliases: Vec<_> = append.aliases.iter().map(|alias| &**alias).collect();
        let (name, category) = (append.stream.as_str(), append.stream.category());
        let (count, actor) = (integer(append.events.len()), &*append.actor);
        let mut parameters: Vec<&(dyn ToSql + Sync)> = vec![
            &name,
            &count,
            &head,
            &append.at,
            &append.closes,
            &expected,
            &actor,
            &kinds,
            &data,
            &aliases,
        ];
        let sql = if expected.is_some_and(|version| version > 0) {
            ADVANCE
        } else {
            parameters.push(&category);
            ADVANCE_OR_CREATE
        };
        let client = self.client().await?;
        let statement = client.prepare_cached(sql).await.map_err(failed)?;
        let row = client.query_opt(&statement, &parameters).await.map_err(|error| {
            if is_connection(&error) {
                let (stream, source) = (append.stream.clone(), error.into());
                return StoreError::InDoubt { stream, source };
            }
            failed(error)
        })?;
        row.map(|row| version(&row, 0)).transpose()
    }

    async fn info(&self, stream: &StreamId) -> Result<Option<StreamInfo>, StoreError> {
        if !stream.is_storable() {
            return Ok(None);
        }
        self.query(INFO, &[&stream.as_str()]).await?.first().map(info).transpose()
    }
}

fn recorded(stream: &StreamId, row: &Row) -> Result<Recorded, StoreError> {
    Ok(Recorded {
        stream: stream.clone(),
        version: version(row, 0)?,
        kind: text(row, 1)?.into(),
        data: json(row, 2)?,
        actor: text(row, 3)?.into(),
        at: row.try_get(4).map_err(failed)?,
    })
}

fn info(row: &Row) -> Result<StreamInfo, StoreError> {
    Ok(StreamInfo {
        stream: StreamId::stored(text(row, 0)?),
        version: version(row, 1)?,
        head: serde_json::from_str(text(row, 2)?).map_err(StoreError::failed)?,
        created_at: row.try_get(3).map_err(failed)?,
        updated_at: row.try_get(4).map_err(failed)?,
        closed: row.try_get(5).map_err(failed)?,
    })
}

fn version(row: &Row, column: usize) -> Result<Version, StoreError> {
    let number: i64 = row.try_get(column).map_err(failed)?;
    Ok(Version(number.unsigned_abs()))
}

fn text(row: &Row, column: usize) -> Result<&str, StoreError> {
    row.try_get(column).map_err(failed)
}

fn json(row: &Row, column: usize) -> Result<Arc<RawValue>, StoreError> {
    let text = text(row, column)?.to_owned();
    RawValue::from_string(text).map(Arc::from).map_err(StoreError::failed)
}
