//! The one thread that writes.
//!
//! A commit costs a wait for the disk, whatever is in it. So everything that waits is written in one
//! transaction (group commit): alone, a writer pays one wait; a hundred together share it, and all are answered
//! after the commit. They are answered by a task and not by this thread, which would have to wake the runtime for each.
//!
//! Jobs that are refused have written nothing, so a transaction needs no savepoint for each of them; a savepoint makes
//! SQLite copy every page before it is changed. When a job does fail half-way, the whole transaction is undone and its
//! jobs are run again, each on a savepoint of its own, so that the failure takes nothing else along.

use std::{io, sync::Arc, thread, time::Duration};

use futures::{FutureExt, future::BoxFuture};
use parking_lot::Mutex;
use rusqlite::Connection;
use tokio::{
    runtime::Handle,
    sync::{
        mpsc::{self, error::SendTimeoutError},
        oneshot,
    },
    task::JoinHandle,
};

use super::{failed, ledger::Ledger, lock::Lock};
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
    /// Ends when the thread has and everybody is answered.
    answering: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    /// The thread owns the lock, so that it is free only after the last write.
    pub(super) fn start(connection: Connection, lock: Lock) -> io::Result<Self> {
        let (queue, jobs) = mpsc::channel(QUEUE);
        let (done, settling) = mpsc::unbounded_channel();
        let thread = thread::Builder::new().name("store-writer".into()).spawn(move || {
            write(connection, jobs, &done);
            drop(lock);
        })?;
        let answering = Handle::try_current().ok().map(|runtime| runtime.spawn(answer(settling)));
        Ok(Self {
            queue: Mutex::new(Some(queue)),
            thread: Mutex::new(Some(thread)),
            answering: Mutex::new(answering),
        })
    }

    /// Does `work` and answers when it is durable. It may be done twice, the first time being undone.
    ///
    /// The job goes on when the caller goes away: nobody can take back half of a transaction.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        mut work: impl FnMut(&Connection) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let work = move |ledger: &mut Ledger<'_>| work(ledger.written().map_err(failed)?);
        self.submit(work, |_| {}).await?.await
    }

    /// The same in two steps: in line when this returns, durable when what it returns does; `told` runs right before
    /// that, in the order of the commits.
    pub(super) async fn submit<T: Send + 'static>(
        &self,
        work: impl FnMut(&mut Ledger<'_>) -> Result<T, StoreError> + Send + 'static,
        told: impl FnOnce(&T) + Send + 'static,
    ) -> Result<BoxFuture<'static, Result<T, StoreError>>, StoreError> {
        let queue = self.queue.lock().clone().ok_or(StoreError::Stopped)?;
        let (reply, answer) = oneshot::channel();
        let job = Task { work, outcome: None, told, reply };
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
        let answering = self.answering.lock().take();
        if let Some(answering) = answering {
            drop(answering.await);
        }
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
    /// Does it, perhaps again; `false` if it was refused or failed.
    fn run(&mut self, ledger: &mut Ledger<'_>) -> bool;
    /// What it did cannot be kept.
    fn fail(&mut self, cause: rusqlite::Error);
    fn settle(self: Box<Self>, committed: Result<(), Arc<rusqlite::Error>>);
}

struct Task<T, W, A> {
    work: W,
    outcome: Option<Result<T, StoreError>>,
    told: A,
    reply: oneshot::Sender<Result<T, StoreError>>,
}

impl<T, W, A> Job for Task<T, W, A>
where
    T: Send,
    W: FnMut(&mut Ledger<'_>) -> Result<T, StoreError> + Send,
    A: FnOnce(&T) + Send,
{
    fn run(&mut self, ledger: &mut Ledger<'_>) -> bool {
        self.outcome.insert((self.work)(ledger)).is_ok()
    }

    fn fail(&mut self, cause: rusqlite::Error) {
        self.outcome = Some(Err(failed(cause)));
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

/// Jobs of one transaction, and whether it was committed.
struct Settled {
    batch: Vec<Box<dyn Job>>,
    committed: Result<(), Arc<rusqlite::Error>>,
}

impl Settled {
    fn tell(self) {
        for job in self.batch {
            job.settle(self.committed.clone());
        }
    }
}

/// Answers in the order of the commits.
async fn answer(mut settling: mpsc::UnboundedReceiver<Settled>) {
    while let Some(settled) = settling.recv().await {
        settled.tell();
    }
}

/// Adds what else is in line. Whoever is about to ask is let ask first, for as long as somebody does: where they share a
/// core with this thread, it would else take their first job away and leave them to the next wait for the disk. Giving way
/// costs nothing where nobody wants the core.
fn gather(jobs: &mut mpsc::Receiver<Box<dyn Job>>, batch: &mut Vec<Box<dyn Job>>) {
    loop {
        thread::yield_now();
        let before = batch.len();
        while batch.len() < BATCH
            && let Ok(job) = jobs.try_recv()
        {
            batch.push(job);
        }
        if batch.len() == before || batch.len() == BATCH {
            return;
        }
    }
}

fn write(
    connection: Connection,
    mut jobs: mpsc::Receiver<Box<dyn Job>>,
    done: &mpsc::UnboundedSender<Settled>,
) {
    while let Some(first) = jobs.blocking_recv() {
        let mut batch = vec![first];
        gather(&mut jobs, &mut batch);
        let committed = commit(&connection, &mut batch).map_err(|cause| {
            tracing::error!(error = %cause, jobs = batch.len(), "a transaction failed");
            Arc::new(cause)
        });
        // There is no runtime, or it is gone: then here.
        if let Err(unheard) = done.send(Settled { batch, committed }) {
            unheard.0.tell();
        }
    }
    if let Err((_, cause)) = connection.close() {
        tracing::warn!(error = %cause, "the store did not close cleanly");
    }
}

fn commit(connection: &Connection, batch: &mut [Box<dyn Job>]) -> Result<(), rusqlite::Error> {
    execute(connection, "BEGIN IMMEDIATE")?;
    if !together(connection, batch) {
        undo(connection);
        execute(connection, "BEGIN IMMEDIATE")?;
        one_by_one(connection, batch);
    }
    execute(connection, "COMMIT").inspect_err(|_| undo(connection))
}

/// Runs the jobs as if they were one; `false` if one of them left something behind that must not stay.
fn together(connection: &Connection, batch: &mut [Box<dyn Job>]) -> bool {
    let mut ledger = Ledger::new(connection);
    for job in batch {
        let before = connection.total_changes();
        let done = job.run(&mut ledger);
        // After a full disk or a failed read SQLite may undo the whole transaction by itself.
        if connection.is_autocommit() || (!done && connection.total_changes() != before) {
            return false;
        }
    }
    ledger.finish().is_ok()
}

/// Runs the jobs so that each stands or falls alone.
fn one_by_one(connection: &Connection, batch: &mut [Box<dyn Job>]) {
    for job in batch {
        if let Err(cause) = in_savepoint(connection, &mut **job) {
            job.fail(cause);
        }
        // Going on would commit the rest one by one; the COMMIT that follows fails instead, and so does the whole batch.
        if connection.is_autocommit() {
            break;
        }
    }
}

fn in_savepoint(connection: &Connection, job: &mut dyn Job) -> Result<(), rusqlite::Error> {
    execute(connection, "SAVEPOINT job")?;
    let mut ledger = Ledger::new(connection);
    let kept = if job.run(&mut ledger) { ledger.finish().map(|()| true) } else { Ok(false) };
    // An error may have ended the transaction, and the savepoint with it.
    if !connection.is_autocommit() {
        if !matches!(kept, Ok(true)) {
            execute(connection, "ROLLBACK TO job")?;
        }
        execute(connection, "RELEASE job")?;
    }
    kept.map(drop)
}

fn undo(connection: &Connection) {
    if !connection.is_autocommit() {
        drop(execute(connection, "ROLLBACK"));
    }
}

fn execute(connection: &Connection, sql: &str) -> Result<(), rusqlite::Error> {
    connection.prepare_cached(sql)?.execute([]).map(drop)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::value::RawValue;

    use super::*;
    use crate::{Append, Appended, Expected, NewEvent, StreamId, Version, sqlite::schema};

    type Answer<T> = oneshot::Receiver<Result<T, StoreError>>;

    fn tables() -> Connection {
        let mut connection = Connection::open_in_memory().unwrap();
        schema::prepare(&mut connection, Path::new("test")).unwrap();
        connection
    }

    fn job<T: Send + 'static>(
        work: impl FnMut(&mut Ledger<'_>) -> Result<T, StoreError> + Send + 'static,
    ) -> (Box<dyn Job>, Answer<T>) {
        let (reply, answer) = oneshot::channel();
        (Box::new(Task { work, outcome: None, told: |_: &T| {}, reply }), answer)
    }

    fn append(stream: &str, after: u64) -> (Box<dyn Job>, Answer<Appended>) {
        let data = RawValue::from_string("{}".to_owned()).unwrap().into();
        let append = Append {
            stream: StreamId::new("test", stream),
            expected: Expected::Exactly(Version(after)),
            events: vec![NewEvent { kind: "grown".into(), data }],
            actor: "ann".into(),
            at: 7,
            head: Some(Arc::new(after.into())),
            closes: false,
            aliases: vec![format!("{stream}-{after}").into()],
        };
        job(move |ledger| ledger.append(&append))
    }

    fn run(connection: &Connection, mut batch: Vec<Box<dyn Job>>) {
        let committed = commit(connection, &mut batch).map_err(Arc::new);
        for job in batch {
            job.settle(committed.clone());
        }
    }

    fn number(connection: &Connection, sql: &str) -> i64 {
        connection.query_row(sql, [], |row| row.get(0)).unwrap()
    }

    #[test]
    fn whoever_is_in_line_shares_a_transaction_up_to_its_bound() {
        let (queue, mut jobs) = mpsc::channel(2 * BATCH);
        for after in 0..2 * BATCH as u64 {
            queue.try_send(append("a", after).0).ok().unwrap();
        }
        let mut batch = Vec::new();
        gather(&mut jobs, &mut batch);
        assert_eq!(batch.len(), BATCH);
        batch.truncate(1);
        (0..BATCH - 3).for_each(|_| drop(jobs.try_recv().unwrap()));
        gather(&mut jobs, &mut batch);
        assert_eq!(batch.len(), 1 + 3);
    }

    #[test]
    fn appends_to_one_stream_write_its_row_once() {
        let connection = tables();
        let before = connection.total_changes();
        let (jobs, mut answers): (Vec<_>, Vec<_>) = (0..3).map(|after| append("a", after)).unzip();
        run(&connection, jobs);
        let versions = answers.iter_mut().map(|answer| answer.try_recv().unwrap().unwrap().version);
        assert_eq!(versions.collect::<Vec<_>>(), [Version(1), Version(2), Version(3)]);
        // The row, three names, three events, and the row again.
        assert_eq!(connection.total_changes() - before, 8);
        assert_eq!(number(&connection, "SELECT version FROM streams"), 3);
        assert_eq!(number(&connection, "SELECT count(*) FROM streams WHERE head = '2'"), 1);
    }

    #[test]
    fn a_job_that_fails_half_way_takes_nothing_else_along() {
        let connection = tables();
        let half = job(|ledger: &mut Ledger<'_>| {
            let connection = ledger.written().map_err(failed)?;
            let insert = "INSERT INTO sessions VALUES ('s', '', '', '', 0)";
            connection.execute(insert, []).map_err(failed)?;
            Err::<(), _>(StoreError::Busy)
        });
        let (first, refused, second) = (append("a", 0), append("a", 7), append("a", 1));
        run(&connection, vec![first.0, half.0, refused.0, second.0]);
        let (mut first, mut half, mut refused, mut second) = (first.1, half.1, refused.1, second.1);
        assert_eq!(first.try_recv().unwrap().unwrap().version, Version(1));
        assert!(matches!(half.try_recv().unwrap(), Err(StoreError::Busy)));
        assert!(matches!(refused.try_recv().unwrap(), Err(StoreError::Conflict { .. })));
        assert_eq!(second.try_recv().unwrap().unwrap().version, Version(2));
        assert_eq!(number(&connection, "SELECT count(*) FROM sessions"), 0);
        assert_eq!(number(&connection, "SELECT count(*) FROM events"), 2);
        assert_eq!(number(&connection, "SELECT count(*) FROM fresh_aliases"), 2);
        assert_eq!(number(&connection, "SELECT version FROM streams"), 2);
    }

    #[test]
    fn a_job_looks_at_tables_that_have_what_was_appended_before() {
        let connection = tables();
        let look = job(|ledger: &mut Ledger<'_>| {
            Ok(number(ledger.written().map_err(failed)?, "SELECT version FROM streams"))
        });
        run(&connection, vec![append("a", 0).0, append("a", 1).0, look.0]);
        let mut answer = look.1;
        assert_eq!(answer.try_recv().unwrap().unwrap(), 2);
    }
}
