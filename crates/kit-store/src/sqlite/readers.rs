//! A few connections that only read.

use std::{path::PathBuf, sync::Arc, time::Duration};

use parking_lot::Mutex;
use rusqlite::{Connection, OpenFlags};
use tokio::sync::Semaphore;

use super::failed;
use crate::StoreError;

/// Reads at the same time. They come from the page cache; more would only fight for cores.
const CONNECTIONS: u32 = 4;

pub(super) struct Readers(Arc<Pool>);

struct Pool {
    file: PathBuf,
    turns: Arc<Semaphore>,
    idle: Mutex<Vec<Connection>>,
}

impl Readers {
    pub(super) fn new(file: PathBuf) -> Self {
        let turns = Arc::new(Semaphore::new(CONNECTIONS as usize));
        Self(Arc::new(Pool { file, turns, idle: Mutex::default() }))
    }

    /// Reads off the runtime's threads, since a page may have to come from the disk.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> Result<T, rusqlite::Error> + Send + 'static,
    ) -> Result<T, StoreError> {
        let turn = self.0.turns.clone().acquire_owned().await.map_err(|_| StoreError::Stopped)?;
        let pool = self.0.clone();
        let reading = move || {
            // In here, so that a caller who goes away does not free the turn before its time.
            let _turn = turn;
            let connection = pool.connection()?;
            let outcome = read(&connection);
            pool.idle.lock().push(connection);
            outcome
        };
        tokio::task::spawn_blocking(reading).await.map_err(StoreError::failed)?.map_err(failed)
    }

    /// Waits for the reads that run, then refuses.
    pub(super) async fn close(&self) {
        let all = self.0.turns.acquire_many(CONNECTIONS).await;
        self.0.turns.close();
        drop(all);
        self.0.idle.lock().clear();
    }
}

impl Pool {
    fn connection(&self) -> Result<Connection, rusqlite::Error> {
        let idle = self.idle.lock().pop();
        idle.map_or_else(|| self.open(), Ok)
    }

    fn open(&self) -> Result<Connection, rusqlite::Error> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(&self.file, flags)?;
        connection.busy_timeout(Duration::from_secs(5))?;
        Ok(connection)
    }
}
