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
",
"
    -- Still clustered by stream, but by a number: a table without row ids compares whole rows on its way to a place, and
    -- one large event made every append after it read that event. 2^27 streams of 2^36 events each.
    CREATE TABLE events_by_place (
        place INTEGER PRIMARY KEY, -- stream << 36 | version
        kind TEXT NOT NULL,
        data TEXT NOT NULL,
        actor TEXT NOT NULL,
        at INTEGER NOT NULL
    ) STRICT;
    INSERT INTO events_by_place
    SELECT (stream << 36) | version, kind, data, actor, at FROM events ORDER BY stream, version;
    DROP TABLE events;
    ALTER TABLE events_by_place RENAME TO events;
",
"
    -- Further names that a stream is found by.
    CREATE TABLE aliases (
        category TEXT NOT NULL,
        name TEXT NOT NULL,
        stream INTEGER NOT NULL,
        PRIMARY KEY (category, name)
    ) STRICT, WITHOUT ROWID;
",
"
    -- What happened is never changed and never forgotten, whoever has the file open. The third is for `INSERT OR
    -- REPLACE`, which deletes without asking the second.
    CREATE TRIGGER events_are_not_changed BEFORE UPDATE ON events
    BEGIN SELECT raise(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_are_not_deleted BEFORE DELETE ON events
    BEGIN SELECT raise(ABORT, 'events are append-only'); END;
    CREATE TRIGGER events_are_not_replaced BEFORE INSERT ON events
    WHEN EXISTS (SELECT 1 FROM events WHERE place = new.place)
    BEGIN SELECT raise(ABORT, 'events are append-only'); END;
",
"
    -- Names that are not yet among the aliases, where each would fall on a page of its own (`names`).
    CREATE TABLE fresh_aliases (
        id INTEGER PRIMARY KEY,
        category TEXT NOT NULL,
        name TEXT NOT NULL,
        stream INTEGER NOT NULL
    ) STRICT;
"];

/// Durable when it is committed. The pages that names are put in stay in memory, 16 MB of them at most; and the log file is folded into the database a quarter as often as SQLite would by itself, since whoever is
/// being written then waits for all of it.
const SETTINGS: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA busy_timeout = 5000;
    PRAGMA cache_size = -16384;
    PRAGMA wal_autocheckpoint = 4096;
";

/// Makes the writer's connection durable and brings the tables up to date.
pub(super) fn prepare(connection: &mut Connection, file: &Path) -> Result<(), StoreError> {
    let what = || file.display().to_string();
    let open = |source: rusqlite::Error| StoreError::Open { what: what(), source: source.into() };
    connection.execute_batch(SETTINGS).map_err(open)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_first_schema_keeps_its_events() {
        let mut connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(MIGRATIONS[0]).unwrap();
        connection.pragma_update(None, "user_version", 1).unwrap();
        let event = "INSERT INTO events VALUES (?1, ?2, 'kind', ?3, 'ann', 7)";
        for (stream, version, data) in [(2, 1, "c"), (1, 2, "b"), (1, 1, "a")] {
            connection.execute(event, (stream, version, data)).unwrap();
        }
        prepare(&mut connection, Path::new("test")).unwrap();
        let mut read = connection.prepare("SELECT place, data FROM events ORDER BY place").unwrap();
        let rows = read.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
        let rows: Vec<(i64, String)> = rows.map(Result::unwrap).collect();
        let place = |stream: i64, version| (stream << 36) | version;
        let expected = [(place(1, 1), "a"), (place(1, 2), "b"), (place(2, 1), "c")];
        assert_eq!(rows, expected.map(|(place, data)| (place, data.to_owned())));
    }
}
