//! Everything that is kept, on one back end.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use crate::{
    Journal, Sessions, Signals, StoreError, backend::Backend, memory::Memory, postgres::Postgres,
    signals::LocalSignals, sqlite::Sqlite,
};

/// The SQLite file's name in the data directory, unless another was asked for.
const FILE: &str = "tandem.db";

/// Where to keep things; [`Store::open`] chooses by it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreConfig {
    /// `postgres://…`: shared by any number of replicas.
    pub database_url: Option<String>,
    /// Without a URL: the directory of the SQLite file. Without both, memory.
    pub data_dir: Option<PathBuf>,
    /// The name of the SQLite file, if it is not `tandem.db`.
    pub file: Option<String>,
}

/// Everything that is kept, on one back end. Clones share it.
#[derive(Clone)]
pub struct Store {
    pub journal: Arc<dyn Journal>,
    pub sessions: Arc<dyn Sessions>,
    pub signals: Arc<dyn Signals>,
    backend: Arc<dyn Backend>,
}

impl Store {
    /// Opens the back end that the configuration asks for.
    pub async fn open(config: &StoreConfig) -> Result<Self, StoreError> {
        match (&config.database_url, &config.data_dir) {
            (Some(url), _) => Self::postgres(url).await,
            (None, Some(dir)) => Self::in_file(dir, config.file.as_deref().unwrap_or(FILE)),
            (None, None) => Ok(Self::memory()),
        }
    }

    /// Forgets everything when the process ends.
    pub fn memory() -> Self {
        Self::of(Arc::new(Memory::new()), Arc::new(LocalSignals::new()))
    }

    /// Keeps everything in `tandem.db` in `dir`, which is made if it is not there.
    ///
    /// One process at a time: a second one is refused with [`StoreError::InUse`], also while the first is
    /// being killed, since the operating system frees the lock only when it is gone.
    pub fn sqlite(dir: &Path) -> Result<Self, StoreError> {
        Self::in_file(dir, FILE)
    }

    fn in_file(dir: &Path, name: &str) -> Result<Self, StoreError> {
        Ok(Self::of(Arc::new(Sqlite::open(dir, name)?), Arc::new(LocalSignals::new())))
    }

    /// Keeps everything in the PostgreSQL database at `url`, in the schema `tandem`, which is made or brought
    /// up to date. Any number of processes may share it.
    pub async fn postgres(url: &str) -> Result<Self, StoreError> {
        let postgres = Arc::new(Postgres::open(url).await?);
        Ok(Self::of(postgres.clone(), postgres))
    }

    /// Whether an append could be answered now; the reason if not.
    pub async fn health(&self) -> Result<(), StoreError> {
        self.backend.health().await
    }

    /// Finishes what was asked and lets go of files and connections, whoever else holds a clone.
    /// Dropping the last clone does the same.
    pub async fn close(&self) {
        self.backend.close().await;
    }

    fn of<B: Journal + Sessions + Backend>(backend: Arc<B>, signals: Arc<dyn Signals>) -> Self {
        Self { journal: backend.clone(), sessions: backend.clone(), signals, backend }
    }
}
