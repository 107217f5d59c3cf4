//! The store in one SQLite file.
//!
//! One thread writes ([`writer`]), a few connections read ([`readers`]), and a lock file keeps every other
//! process out ([`lock`]): what this process has seen is the truth, so states may be cached.

mod journal;
mod ledger;
mod lock;
mod names;
mod readers;
mod schema;
mod sessions;
mod writer;

use std::{
    fs::{DirBuilder, File},
    path::Path,
    sync::Arc,
};

use async_trait::async_trait;
use rusqlite::Connection;

use self::{lock::Lock, readers::Readers, writer::Writer};
use crate::{StoreError, announce::Announcer, backend::Backend};

pub(crate) struct Sqlite {
    writer: Writer,
    readers: Readers,
    announcer: Arc<Announcer>,
}

impl Sqlite {
    pub(crate) fn open(dir: &Path, name: &str) -> Result<Self, StoreError> {
        let file = dir.join(name);
        let failed = |source| StoreError::Open { what: file.display().to_string(), source };
        make(dir).map_err(|source| failed(source.into()))?;
        let lock = Lock::take(dir)?;
        touch(&file).map_err(|source| failed(source.into()))?;
        let mut connection = Connection::open(&file).map_err(|source| failed(source.into()))?;
        schema::prepare(&mut connection, &file)?;
        Ok(Self {
            writer: Writer::start(connection, lock).map_err(|source| failed(source.into()))?,
            readers: Readers::new(file),
            announcer: Arc::new(Announcer::new()),
        })
    }
}

/// Sessions and everybody's work are in there: a directory that we make is its owner's alone.
fn make(dir: &Path) -> std::io::Result<()> {
    let mut builder = DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(dir)
}

/// The same for the file, since the directory may have been there; SQLite gives its other files the same mode.
fn touch(file: &Path) -> std::io::Result<()> {
    let mut options = File::options();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.create(true).append(true).open(file).map(drop)
}

#[async_trait]
impl Backend for Sqlite {
    async fn health(&self) -> Result<(), StoreError> {
        // A turn of the writer, empty: proves that its thread lives and that a transaction commits.
        self.writer.run(|_| Ok(())).await
    }

    async fn close(&self) {
        // The readers first: the last connection to close folds the log file into the database.
        self.readers.close().await;
        self.writer.close().await;
    }
}

fn failed(cause: rusqlite::Error) -> StoreError {
    StoreError::failed(cause)
}

/// SQLite's integers are signed; a version counts rows and is far from the end of either.
fn integer(number: impl TryInto<i64>) -> i64 {
    number.try_into().unwrap_or(i64::MAX)
}
