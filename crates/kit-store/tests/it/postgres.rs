//! What only PostgreSQL does: replicas.

use std::{pin::pin, time::Duration};

use futures::{StreamExt, future::join_all};
use kit_core::{Fault, Kind};
use kit_store::{Expected, SessionRow, Signal, Store, StoreConfig, StoreError, Version, tail};
use serde_json::json;
use tokio_postgres::{Client, NoTls};

use crate::bed::{Bed, append, exactly, log, said, soon, stream};

/// A store, another replica of it, and a way to the database behind their backs.
async fn replicas() -> Option<(Bed, Store, Client)> {
    let bed = Bed::postgres().await?;
    let other = Store::postgres(bed.url()).await.unwrap();
    let (client, connection) = tokio_postgres::connect(bed.url(), NoTls).await.unwrap();
    tokio::spawn(connection);
    Some((bed, other, client))
}

#[tokio::test]
async fn a_tail_hears_what_another_replica_appends() {
    let Some((bed, other, _)) = replicas().await else { return };
    let mut tail = pin!(tail(other.journal.clone(), stream("a"), Version(0)));
    for version in 1..=20 {
        // Here and there in turn.
        let journal = if version % 2 == 0 { &bed.store.journal } else { &other.journal };
        journal.append(append("a", exactly(version - 1), &["x"])).await.unwrap();
        assert_eq!(soon(tail.next()).await.unwrap().unwrap().version, Version(version));
    }
}

#[tokio::test]
async fn a_watcher_is_woken_for_another_replicas_append() {
    let Some((bed, other, _)) = replicas().await else { return };
    let mut watch = other.journal.watch();
    bed.store.journal.append(append("a", exactly(0), &["x", "y"])).await.unwrap();
    let heard = soon(watch.recv()).await.unwrap();
    assert_eq!((heard.stream, heard.version), (stream("a"), Version(2)));
    assert!(heard.events.is_empty(), "what happened is read from the log");
}

#[tokio::test]
async fn the_database_itself_refuses_to_change_or_delete_an_event() {
    let Some((bed, _, client)) = replicas().await else { return };
    bed.store.journal.append(append("a", exactly(0), &["x", "y"])).await.unwrap();
    for change in [
        "UPDATE tandem.events SET data = '\"z\"'",
        "DELETE FROM tandem.events",
        "TRUNCATE tandem.events",
    ] {
        let refused = client.execute(change, &[]).await.unwrap_err();
        let message = refused.as_db_error().map(tokio_postgres::error::DbError::message);
        assert_eq!(message, Some("events are append-only"), "{change}");
    }
    assert_eq!(said(&log(&*bed.journal(), "a").await), ["x", "y"]);
}

/// Leaves what a replica leaves that is killed between its commit and telling the others.
async fn append_untold(client: &Client, version: i64) {
    let sql = "
        WITH moved AS (
            UPDATE tandem.streams SET version = $1 WHERE name = 'thing/a' RETURNING id
        )
        INSERT INTO tandem.events (stream, version, kind, data, actor, at)
        SELECT id, $1, 'said', '\"x\"', 'ann', 0 FROM moved";
    assert_eq!(client.execute(sql, &[&version]).await.unwrap(), 1);
}

#[tokio::test]
async fn an_append_whose_replica_died_before_telling_is_found() {
    let Some((bed, other, client)) = replicas().await else { return };
    bed.store.journal.append(append("a", exactly(0), &["x"])).await.unwrap();
    let mut tail = pin!(tail(other.journal.clone(), stream("a"), Version(0)));
    assert_eq!(soon(tail.next()).await.unwrap().unwrap().version, Version(1));
    append_untold(&client, 2).await;
    assert_eq!(soon(tail.next()).await.unwrap().unwrap().version, Version(2));
}

#[tokio::test]
async fn a_cut_link_is_made_anew_and_nothing_is_missed() {
    let Some((bed, other, client)) = replicas().await else { return };
    bed.store.journal.append(append("a", exactly(0), &["x"])).await.unwrap();
    let mut tail = pin!(tail(other.journal.clone(), stream("a"), Version(0)));
    assert_eq!(soon(tail.next()).await.unwrap().unwrap().version, Version(1));
    let mut signals = other.signals.receive();
    let cut = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
               WHERE application_name = 'tandem link' AND datname = current_database()";
    assert_eq!(client.query(cut, &[]).await.unwrap().len(), 2);
    // Into the gap.
    append_untold(&client, 2).await;
    assert_eq!(soon(tail.next()).await.unwrap().unwrap().version, Version(2));
    bed.store.journal.append(append("a", exactly(2), &["x"])).await.unwrap();
    assert_eq!(soon(tail.next()).await.unwrap().unwrap().version, Version(3));
    // And signals come through again.
    let signal = Signal { topic: "back".into(), payload: json!(1) };
    let heard = async {
        loop {
            bed.store.signals.send(signal.clone()).await.unwrap();
            let wait = tokio::time::timeout(Duration::from_millis(100), signals.recv());
            if let Ok(heard) = wait.await {
                break heard.unwrap();
            }
        }
    };
    assert_eq!(soon(heard).await, signal);
}

#[tokio::test]
async fn signals_and_sessions_are_everybodys() {
    let Some((bed, other, _)) = replicas().await else { return };
    assert!(other.sessions.shared() && other.journal.shared());
    let mut signals = other.signals.receive();
    let signal = Signal { topic: "ended".into(), payload: json!({"session": "one"}) };
    bed.store.signals.send(signal.clone()).await.unwrap();
    assert_eq!(soon(signals.recv()).await.unwrap(), signal);
    let row = SessionRow {
        id: "one".into(),
        app: "ui".into(),
        principal: "local".into(),
        data: json!({}),
        seen_at: 1,
    };
    bed.store.sessions.create(row.clone()).await.unwrap();
    assert_eq!(other.sessions.get("one").await.unwrap(), Some(row));
    assert!(other.sessions.delete("one").await.unwrap());
    assert_eq!(bed.store.sessions.get("one").await.unwrap(), None);
}

#[tokio::test]
async fn an_append_waits_for_its_own_stream_only() {
    let Some((bed, other, mut client)) = replicas().await else { return };
    let journal = bed.journal();
    journal.append(append("a", exactly(0), &["x"])).await.unwrap();
    let held = client.transaction().await.unwrap();
    let lock = "SELECT id FROM tandem.streams WHERE name = 'thing/a' FOR UPDATE";
    held.execute(lock, &[]).await.unwrap();
    let waiting = tokio::spawn({
        let journal = journal.clone();
        async move { journal.append(append("a", exactly(1), &["y"])).await }
    });
    for store in [&bed.store, &other] {
        soon(store.journal.append(append("b", Expected::Any, &["x"]))).await.unwrap();
    }
    assert!(!waiting.is_finished());
    held.rollback().await.unwrap();
    assert_eq!(soon(waiting).await.unwrap().unwrap(), Version(2));
}

#[tokio::test]
async fn replicas_that_start_together_agree_on_the_schema() {
    let Some(url) = tokio::task::spawn_blocking(kit_test::postgres::database).await.unwrap() else {
        return;
    };
    let stores = join_all((0..4).map(|_| Store::postgres(&url))).await;
    for store in stores {
        let journal = store.unwrap().journal;
        journal.append(append("a", Expected::Any, &["x"])).await.unwrap();
    }
    let config = StoreConfig { database_url: Some(url), ..StoreConfig::default() };
    let store = Store::open(&config).await.unwrap();
    assert_eq!(log(&*store.journal, "a").await.len(), 4);
}

#[tokio::test]
async fn a_schema_of_a_newer_program_is_left_alone() {
    let Some((bed, _, client)) = replicas().await else { return };
    client.batch_execute("INSERT INTO tandem.schema_version VALUES (99)").await.unwrap();
    let refused = Store::postgres(bed.url()).await.err().unwrap();
    assert!(matches!(refused, StoreError::Newer { found: 99, .. }), "{refused}");
}

#[tokio::test]
async fn a_server_that_cuts_connections_is_found_again() {
    let Some((bed, other, client)) = replicas().await else { return };
    let journal = bed.journal();
    journal.append(append("a", exactly(0), &["x"])).await.unwrap();
    let cut = "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
               WHERE pid <> pg_backend_pid() AND datname = current_database()";
    client.execute(cut, &[]).await.unwrap();
    // The first may still meet a dead connection; it must say so as something worth repeating.
    let appended = async {
        loop {
            match other.journal.append(append("a", exactly(1), &["y"])).await {
                Ok(version) => break version,
                Err(StoreError::Unreachable(_) | StoreError::InDoubt { .. }) => {}
                Err(error) => panic!("{error}"),
            }
        }
    };
    assert_eq!(soon(appended).await, Version(2));
}

#[tokio::test]
async fn a_wrong_url_is_refused_without_its_password() {
    let refused = Store::postgres("mysql://ann:secret@host/db").await.err().unwrap();
    assert_eq!(refused.to_string(), "database URL begins with `mysql`, not with `postgres://`");
    assert_eq!(refused.kind(), Kind::Invalid);
    let nobody = "postgres://ann:secret@%2Fno%2Fsuch%2Fsocket/db";
    let refused = Store::postgres(nobody).await.err().unwrap();
    assert_eq!(refused.to_string(), "cannot open the store `postgres:///no/such/socket/db`");
    assert!(!format!("{refused:?}").contains("secret"));
}
