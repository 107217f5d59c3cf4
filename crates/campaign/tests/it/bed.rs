//! Stores to test on, and a service over one whose ids, seeds and time are known.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicI64, AtomicU64, Ordering},
    },
    time::Duration,
};

use campaign::{Backend as _, Caller, Random, Service, wire::input};
use kit_app::Clock;
use kit_core::Principal;
use kit_store::Store;
use tempfile::TempDir;

/// Begins at noon of 1 January 2030 and moves when it is told to.
pub(crate) struct FakeClock(AtomicI64);

impl Default for FakeClock {
    fn default() -> Self {
        Self(AtomicI64::new(1_893_499_200_000))
    }
}

impl FakeClock {
    pub(crate) fn pass(&self, milliseconds: i64) {
        self.0.fetch_add(milliseconds, Ordering::SeqCst);
    }
}

impl Clock for FakeClock {
    fn now_ms(&self) -> i64 {
        self.0.load(Ordering::SeqCst)
    }
}

/// `camp_1`, `part_2`, `seat_3`, …: one count for everything.
#[derive(Default)]
pub(crate) struct Counted(AtomicU64);

impl Counted {
    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

impl Random for Counted {
    fn bytes(&self) -> [u8; 32] {
        [7; 32]
    }

    fn id(&self, prefix: &str) -> String {
        format!("{prefix}_{}", self.next())
    }

    fn seed(&self) -> u64 {
        self.next()
    }

    fn token(&self) -> String {
        format!("seat_{}", self.next())
    }
}

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

    /// A service with random ids.
    pub(crate) fn service(&self) -> Service {
        service(&self.store)
    }

    /// Another process' view of the same database.
    pub(crate) async fn replica(&self) -> Service {
        let Place::Database(url) = &self.place else { panic!("this bed has no replicas") };
        service(&Store::postgres(url).await.unwrap())
    }

    /// Where the SQLite file is.
    pub(crate) fn file(&self) -> PathBuf {
        let Place::Directory(dir) = &self.place else { panic!("this bed has no file") };
        dir.path().join("tandem.db")
    }

    /// What a restart finds; memory finds what it had.
    pub(crate) async fn reopened(self) -> Self {
        let store = match &self.place {
            Place::Memory => return self,
            Place::Directory(dir) => {
                self.store.close().await;
                Store::sqlite(dir.path()).unwrap()
            }
            Place::Database(url) => {
                self.store.close().await;
                Store::postgres(url).await.unwrap()
            }
        };
        Self { store, place: self.place }
    }
}

pub(crate) fn service(store: &Store) -> Service {
    Service::new(store, Arc::new(kit_app::SystemClock), Arc::new(campaign::OsRandom))
}

/// Nobody in particular.
pub(crate) fn nobody() -> Caller {
    Caller::new(Principal::local(), "test")
}

/// A new campaign's id.
pub(crate) async fn campaign(service: &Service) -> String {
    let new = input::NewCampaign {
        name: "Test".into(),
        gm_mode: "HUMAN".into(),
        theme_prompt: String::new(),
    };
    service.create_campaign(&nobody(), new).await.unwrap().id.to_string()
}

pub(crate) fn participant(name: &str, role: &str) -> input::NewParticipant {
    let (display_name, role) = (name.to_owned(), role.to_owned());
    input::NewParticipant { display_name, role, controller: String::new() }
}

pub(crate) fn actor(name: &str, kind: &str) -> input::NewActor {
    input::NewActor { name: name.into(), kind: kind.into(), notes: String::new() }
}

pub(crate) fn note(text: &str) -> input::NewNote {
    input::NewNote { text: text.into(), session_id: None }
}

/// Fails a test that would otherwise wait for ever; far longer than anything waited for.
pub(crate) async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(Duration::from_mins(2), future).await.expect("it never came")
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
