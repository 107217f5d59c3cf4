//! The one thread that writes.
//!
//! A commit costs a wait for the disk, whatever is in it. So everything that waits is written in one
//! transaction (group commit): alone, a writer pays one wait; a hundred together share it. Each job stands
//! on its own savepoint, so one that is refused takes nothing else along, and all are answered after the commit.

use std::{io, sync::Arc, thread, time::Duration};

use futures::{FutureExt, future::BoxFuture};
use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::sync::{
    mpsc::{self, error::SendTimeoutError},
    oneshot,
};

use super::{failed, lock::Lock};
use crate::StoreError;

/// Jobs that may wait; the next one waits outside.
const QUEUE: usize = 1024;
/// Jobs in one transaction: bounds how long the first of them waits for the last.
const BATCH: usize = 512;
/// How long a job may wait for a place in the queue.
const PATIENCE: Duration = Duration::from_secs(10);

pub(super) struct Writer {
    /// `None` once closed.
    queue: Mutex<Option<mpsc::Sender<Box<dyn Job>>>>,
    thread: Mutex<Option<thread::JoinHandle<()>>>,
}

impl Writer {
    /// The thread owns the lock, so that it is free only after the last write.
    pub(super) fn start(connection: Connection, lock: Lock) -> io::Result<Self> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let thread = thread::Builder::new().name("store-writer".into()).spawn(move || {
            write(connection, jobs);
            drop(lock);
        })?;
        Ok(Self { queue: Mutex::new(Some(queue)), thread: Mutex::new(Some(thread)) })
    }

    /// Does `work` and answers when it is durable; `told` runs right before that, in the order of the commits.
    ///
    /// The job goes on when the caller goes away: nobody can take back half of a transaction.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
        told: impl FnOnce(&T) + Send + 'static,
    ) -> Result<T, StoreError> {
        self.submit(work, told).await?.await
    }

    /// The same in two steps: in line when this returns, durable when what it returns does.
    pub(super) async fn submit<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, StoreError> + Send + 'static,
        told: impl FnOnce(&T) + Send + 'static,
    ) -> Result<BoxFuture<'static, Result<T, StoreError>>, StoreError> {
        let queue = self.queue.lock().clone().ok_or(StoreError::Stopped)?;
        let (reply, answer) = oneshot::channel();
        let job = Task { work: Some(work), outcome: None, told, reply };
        queue.send_timeout(Box::new(job), PATIENCE).await.map_err(|refused| match refused {
            SendTimeoutError::Timeout(_) => StoreError::Busy,
            SendTimeoutError::Closed(_) => StoreError::Stopped,
        })?;
        drop(queue);
        Ok(async { answer.await.map_err(|_| StoreError::Stopped)? }.boxed())
    }

    pub(super) async fn close(&self) {
        let waiting = self.stop();
        // The thread finishes its queue first, which is a matter of the disk.
        drop(tokio::task::spawn_blocking(move || waiting.map(thread::JoinHandle::join)).await);
    }

    fn stop(&self) -> Option<thread::JoinHandle<()>> {
        drop(self.queue.lock().take());
        self.thread.lock().take()
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        // Waits, so that the file may be opened again as soon as the store is gone.
        if let Some(thread) = self.stop() {
            drop(thread.join());
        }
    }
}

/// Something to do in a transaction and to answer after it.
trait Job: Send {
    fn run(&mut self, connection: &Connection);
    fn settle(self: Box<Self>, committed: Result<(), Arc<rusqlite::Error>>);
}

struct Task<T, W, A> {
    work: Option<W>,
    outcome: Option<Result<T, StoreError>>,
    told: A,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, W, A> Job for Task<T, W, A>
where
    T: Send,
    W: FnOnce(&Connection) -> Result<T, StoreError> + Send,
    A: FnOnce(&T) + Send,
{
    fn run(&mut self, connection: &Connection) {
        self.outcome = self.work.take().map(|work| in_savepoint(connection, work));
    }

    fn settle(self: Box<Self>, committed: Result<(), Arc<rusqlite::Error>>) {
        let outcome = match (self.outcome, committed) {
            (Some(Err(refused)), _) => Err(refused),
            (_, Err(cause)) => Err(StoreError::failed(cause)),
            (Some(Ok(value)), Ok(())) => {
                (self.told)(&value);
                Ok(value)
            }
            // Committed without having run: the loop below never does that.
            (None, Ok(())) => Err(StoreError::Stopped),
        };
        // The caller may have gone away.
        drop(self.reply.send(outcome));
    }
}

fn write(connection: Connection, mut jobs: mpsc::Receiver<Box<dyn Job>>) {
    while let Some(first) = jobs.blocking_recv() {
        let mut batch = vec![first];
        while batch.len() < BATCH
            && let Ok(job) = jobs.try_recv()
        {
            batch.push(job);
        }
        let committed = commit(&connection, &mut batch).map_err(|cause| {
            tracing::error!(error = %cause, jobs = batch.len(), "a transaction failed");
            Arc::new(cause)
        });
        for job in batch {
            job.settle(committed.clone());
        }
    }
    if let Err((_, cause)) = connection.close() {
        tracing::warn!(error = %cause, "the store did not close cleanly");
    }
}

fn commit(connection: &Connection, batch: &mut [Box<dyn Job>]) -> Result<(), rusqlite::Error> {
    execute(connection, "BEGIN IMMEDIATE")?;
    for job in batch.iter_mut() {
        job.run(connection);
        // After a full disk or a failed read SQLite may undo the whole transaction by itself. Going on would
        // commit the rest one by one; the COMMIT below fails instead, and so does the whole batch.
        if connection.is_autocommit() {
            break;
        }
    }
    execute(connection, "COMMIT").inspect_err(|_| {
        if !connection.is_autocommit() {
            drop(execute(connection, "ROLLBACK"));
        }
    })
}

fn in_savepoint<T>(
    connection: &Connection,
    work: impl FnOnce(&Connection) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    execute(connection, "SAVEPOINT job").map_err(failed)?;
    let outcome = work(connection);
    // An error may have ended the transaction, and the savepoint with it.
    if outcome.is_err() && !connection.is_autocommit() {
        execute(connection, "ROLLBACK TO job").map_err(failed)?;
    }
    if !connection.is_autocommit() {
        execute(connection, "RELEASE job").map_err(failed)?;
    }
    outcome
}

fn execute(connection: &Connection, sql: &str) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}
