//! What only the SQLite file does.

use std::path::Path;

use kit_store::{Expected, Store, StoreError};

use crate::bed::{Bed, append, exactly, log, said};

#[tokio::test]
async fn a_second_opener_is_refused_and_told_who_has_it() {
    let dir = tempfile::tempdir().unwrap();
    let first = Store::sqlite(dir.path()).unwrap();
    let refused = Store::sqlite(dir.path()).err().unwrap();
    let expected = format!(
        "data directory `{}` is in use by process {}",
        dir.path().display(),
        std::process::id()
    );
    assert_eq!(refused.to_string(), expected);
    drop(first);
    Store::sqlite(dir.path()).unwrap();
}

#[tokio::test]
async fn closing_frees_the_directory_whoever_holds_a_clone() {
    let dir = tempfile::tempdir().unwrap();
    let first = Store::sqlite(dir.path()).unwrap();
    let _clone = first.clone();
    first.close().await;
    Store::sqlite(dir.path()).unwrap();
}

#[tokio::test]
async fn what_waits_is_written_before_the_store_closes() {
    let bed = Bed::sqlite();
    let journal = bed.journal();
    let waiting: Vec<_> = (0..100)
        .map(|_| {
            let journal = journal.clone();
            tokio::spawn(async move { journal.append(append("a", Expected::Any, &["x"])).await })
        })
        .collect();
    tokio::task::yield_now().await;
    bed.store.close().await;
    let mut acknowledged = 0;
    for appended in waiting {
        match appended.await.unwrap() {
            Ok(_) => acknowledged += 1,
            Err(error) => assert!(matches!(error, StoreError::Stopped), "{error}"),
        }
    }
    assert!(acknowledged > 0);
    let bed = bed.reopened().await.unwrap();
    assert_eq!(log(&*bed.journal(), "a").await.len(), acknowledged);
}

#[tokio::test]
async fn directory_and_file_are_made_and_are_their_owners() {
    let dir = tempfile::tempdir().unwrap();
    let deep = dir.path().join("not/yet/there");
    let store = Store::sqlite(&deep).unwrap();
    store.journal.append(append("a", exactly(0), &["x"])).await.unwrap();
    assert!(deep.join("tandem.db").is_file());
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&deep), 0o700);
        for file in ["tandem.db", "tandem.db-wal"] {
            assert_eq!(mode(&deep.join(file)), 0o600, "{file}");
        }
    }
}

#[test]
fn a_file_that_is_no_database_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("tandem.db");
    std::fs::write(&file, "this is not a database, it is a text of some length".repeat(40))
        .unwrap();
    let refused = Store::sqlite(dir.path()).err().unwrap();
    assert_eq!(refused.to_string(), format!("cannot open the store `{}`", file.display()));
}

#[test]
fn a_file_of_a_newer_program_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    drop(Store::sqlite(dir.path()).unwrap());
    let file = dir.path().join("tandem.db");
    let connection = rusqlite::Connection::open(&file).unwrap();
    connection.pragma_update(None, "user_version", 99).unwrap();
    drop(connection);
    let refused = Store::sqlite(dir.path()).err().unwrap();
    assert!(matches!(refused, StoreError::Newer { found: 99, .. }), "{refused}");
}

#[tokio::test]
async fn the_file_itself_refuses_to_change_delete_or_replace_an_event() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::sqlite(dir.path()).unwrap();
    store.journal.append(append("a", exactly(0), &["x", "y"])).await.unwrap();
    let behind = rusqlite::Connection::open(dir.path().join("tandem.db")).unwrap();
    for change in [
        "UPDATE events SET data = '\"z\"'",
        "UPDATE events SET at = at + 1 WHERE kind = 'said'",
        "DELETE FROM events",
        "REPLACE INTO events SELECT * FROM events LIMIT 1",
    ] {
        let refused = behind.execute(change, ()).unwrap_err();
        assert_eq!(refused.to_string(), "events are append-only", "{change}");
    }
    assert_eq!(said(&log(&*store.journal, "a").await), ["x", "y"]);
    store.journal.append(append("a", exactly(2), &["z"])).await.unwrap();
}
