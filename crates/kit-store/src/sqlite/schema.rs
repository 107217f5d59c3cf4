//! The tables.

use std::path::Path;

use rusqlite::{Connection, TransactionBehavior};

use crate::StoreError;

/// Each entry brings a file from the schema before it to the next one; never edited once released.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE streams (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL UNIQUE,
        category TEXT NOT NULL,
        version INTEGER NOT NULL,
        head TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL,
        closed INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX streams_open ON streams (category, created_at, id) WHERE NOT closed;

    -- Clustered by stream: a replay reads neighbouring pages.
    CREATE TABLE events (
        stream INTEGER NOT NULL,
        version INTEGER NOT NULL,
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        actor TEXT NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (stream, version)
    ) STRICT, WITHOUT ROWID;

    CREATE TABLE snapshots (
        stream INTEGER PRIMARY KEY,
        version INTEGER NOT NULL,
        data TEXT NOT NULL
    ) STRICT;

    CREATE TABLE sessions (
        id TEXT NOT NULL PRIMARY KEY,
        app TEXT NOT NULL,
        principal TEXT NOT NULL,
        data TEXT NOT NULL,
        seen_at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX sessions_seen ON sessions (seen_at);
"];

/// Makes the writer's connection durable and brings the tables up to date.
pub(super) fn prepare(connection: &mut Connection, file: &Path) -> Result<(), StoreError> {
    let what = || file.display().to_string();
    let open = |source: rusqlite::Error| StoreError::Open { what: what(), source: source.into() };
    connection
        .execute_batch(
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA busy_timeout = 5000;",
        )
        .map_err(open)?;
    let known = i64::try_from(MIGRATIONS.len()).unwrap_or(i64::MAX);
    let transaction =
        connection.transaction_with_behavior(TransactionBehavior::Immediate).map_err(open)?;
    let found: i64 =
        transaction.pragma_query_value(None, "user_version", |row| row.get(0)).map_err(open)?;
    if found > known {
        return Err(StoreError::Newer { what: what(), found, known });
    }
    for migration in MIGRATIONS.iter().skip(usize::try_from(found).unwrap_or(0)) {
        transaction.execute_batch(migration).map_err(open)?;
    }
    transaction.pragma_update(None, "user_version", known).map_err(open)?;
    transaction.commit().map_err(open)
}
