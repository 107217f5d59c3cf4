//! The tables.

use deadpool_postgres::Client;

use super::failed;
use crate::StoreError;

/// Replicas that start together bring the schema up to date one after another.
const LOCK: &str = "SELECT pg_advisory_xact_lock(8386658412317271)";
const VERSION: &str = "
    CREATE SCHEMA IF NOT EXISTS tandem;
    CREATE TABLE IF NOT EXISTS tandem.schema_version (version bigint NOT NULL);";

/// Each entry brings a database from the schema before it to the next one; never edited once released.
const MIGRATIONS: &[&str] = &[
    "
    CREATE TABLE tandem.streams (
        id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        name text NOT NULL UNIQUE,
        category text NOT NULL,
        version bigint NOT NULL,
        head json NOT NULL,
        created_at bigint NOT NULL,
        updated_at bigint NOT NULL,
        closed boolean NOT NULL
    ) WITH (fillfactor = 70); -- room for the next version of a row beside it
    CREATE INDEX streams_open ON tandem.streams (category, created_at, id) WHERE NOT closed;

    CREATE TABLE tandem.events (
        stream bigint NOT NULL,
        version bigint NOT NULL,
        kind text NOT NULL,
        data json NOT NULL,
        actor text NOT NULL,
        at bigint NOT NULL,
        -- The transaction, by which a replica finds what it was not told of.
        xid bigint NOT NULL DEFAULT pg_current_xact_id()::text::bigint,
        PRIMARY KEY (stream, version)
    );
    -- Follows the order of the table: a few bytes for every 32 pages.
    CREATE INDEX events_xid ON tandem.events
        USING brin (xid) WITH (pages_per_range = 32, autosummarize = on);

    CREATE TABLE tandem.snapshots (
        stream bigint PRIMARY KEY,
        version bigint NOT NULL,
        data json NOT NULL
    );

    CREATE TABLE tandem.sessions (
        id text PRIMARY KEY,
        app text NOT NULL,
        principal text NOT NULL,
        data json NOT NULL,
        seen_at bigint NOT NULL
    ) WITH (fillfactor = 70);
",
    "
    -- Further names that a stream is found by.
    CREATE TABLE tandem.aliases (
        category text NOT NULL,
        name text NOT NULL,
        stream bigint NOT NULL,
        PRIMARY KEY (category, name)
    );
",
    "
    -- What happened is never changed and never forgotten, whoever reaches the table.
    CREATE FUNCTION tandem.refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'events are append-only' USING ERRCODE = 'restrict_violation'; END $$;
    CREATE TRIGGER events_are_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tandem.events
    FOR EACH STATEMENT EXECUTE FUNCTION tandem.refuse_change();
",
];

/// Brings the tables up to date, all of it or nothing.
pub(super) async fn prepare(client: &mut Client, what: &str) -> Result<(), StoreError> {
    let transaction = client.transaction().await.map_err(failed)?;
    transaction.batch_execute(LOCK).await.map_err(failed)?;
    transaction.batch_execute(VERSION).await.map_err(failed)?;
    let row = transaction
        .query_one("SELECT coalesce(max(version), 0) FROM tandem.schema_version", &[])
        .await
        .map_err(failed)?;
    let (found, known): (i64, _) = (row.get(0), super::integer(MIGRATIONS.len()));
    if found > known {
        return Err(StoreError::Newer { what: what.to_owned(), found, known });
    }
    for (migration, version) in MIGRATIONS.iter().zip(1_i64..).filter(|(_, to)| *to > found) {
        transaction.batch_execute(migration).await.map_err(failed)?;
        transaction
            .execute("INSERT INTO tandem.schema_version (version) VALUES ($1)", &[&version])
            .await
            .map_err(failed)?;
    }
    transaction.commit().await.map_err(failed)
}
