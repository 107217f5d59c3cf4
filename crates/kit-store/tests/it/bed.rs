//! Stores to test on, and short ways to say what is appended.

use std::{sync::Arc, time::Duration};

use kit_store::{Append, Expected, Journal, NewEvent, Recorded, Store, StreamId, Version};
use serde_json::{Value, value::to_raw_value};
use tempfile::TempDir;

/// A store of its own for one test.
pub(crate) struct Bed {
    pub(crate) store: Store,
    place: Place,
}

enum Place {
    Memory,
    Directory(TempDir),
    Database(String),
}

impl Bed {
    pub(crate) fn memory() -> Self {
        Self { store: Store::memory(), place: Place::Memory }
    }

    pub(crate) fn sqlite() -> Self {
        let dir = tempfile::tempdir().unwrap();
        Self { store: Store::sqlite(dir.path()).unwrap(), place: Place::Directory(dir) }
    }

    /// `None` where PostgreSQL is not installed.
    pub(crate) async fn postgres() -> Option<Self> {
        let url = tokio::task::spawn_blocking(kit_test::postgres::database).await.unwrap()?;
        let store = Store::postgres(&url).await.unwrap();
        Some(Self { store, place: Place::Database(url) })
    }

    pub(crate) fn journal(&self) -> Arc<dyn Journal> {
        self.store.journal.clone()
    }

    /// The database's URL, for another replica.
    pub(crate) fn url(&self) -> &str {
        let Place::Database(url) = &self.place else { panic!("this bed has no URL") };
        url
    }

    /// What a restart finds; `None` for memory, which forgets.
    pub(crate) async fn reopened(self) -> Option<Self> {
        self.store.close().await;
        let store = match &self.place {
            Place::Memory => return None,
            Place::Directory(dir) => Store::sqlite(dir.path()).unwrap(),
            Place::Database(url) => Store::postgres(url).await.unwrap(),
        };
        Some(Self { store, ..self })
    }
}

/// Fails a test that would otherwise wait for ever; far longer than anything waited for.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(1), future).await.expect("it never came")
}

/// Runs each of these functions, which take a [`Bed`], on every back end.
macro_rules! on_every_back_end {
    ($($name:ident),* $(,)?) => {
        mod on_memory {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                crate::bed::soon(super::$name(crate::bed::Bed::memory())).await;
            })*
        }
        mod on_sqlite {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                crate::bed::soon(super::$name(crate::bed::Bed::sqlite())).await;
            })*
        }
        mod on_postgres {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $name() {
                if let Some(bed) = crate::bed::Bed::postgres().await {
                    crate::bed::soon(super::$name(bed)).await;
                }
            })*
        }
    };
}
pub(crate) use on_every_back_end;

pub(crate) fn stream(id: &str) -> StreamId {
    StreamId::new("thing", id)
}

pub(crate) fn event(kind: &str, data: impl Into<Value>) -> NewEvent {
    NewEvent { kind: kind.into(), data: to_raw_value(&data.into()).unwrap().into() }
}

/// An append of one event for each of `data`.
pub(crate) fn append(id: &str, expected: Expected, data: &[&str]) -> Append {
    Append {
        stream: stream(id),
        expected,
        events: data.iter().map(|data| event("said", *data)).collect(),
        actor: "ann".into(),
        at: 1000,
        head: None,
        closes: false,
        aliases: vec![],
    }
}

pub(crate) fn exactly(version: u64) -> Expected {
    Expected::Exactly(Version(version))
}

/// The whole log of a stream, checked to be dense.
pub(crate) async fn log(journal: &dyn Journal, id: &str) -> Vec<Recorded> {
    let log = journal.read(&stream(id), Version(0), usize::MAX).await.unwrap();
    for (event, number) in log.iter().zip(1..) {
        assert_eq!(event.version, Version(number), "versions are dense");
    }
    log
}

/// What the events say, in order.
pub(crate) fn said(events: &[Recorded]) -> Vec<String> {
    events.iter().map(|event| serde_json::from_str(event.data.get()).unwrap()).collect()
}
