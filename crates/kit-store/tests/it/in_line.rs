//! Commands that wait for the disk together.

use std::{
    pin::pin,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use async_trait::async_trait;
use futures::{
    FutureExt,
    future::{join, join_all},
};
use kit_store::{
    Append, Appended, ExecuteError, Expected, Journal, Recorded, Snapshot, Store, StoreError,
    StreamId, StreamInfo, Submitted, Version,
};
use serde_json::json;
use tokio::sync::{Semaphore, broadcast, mpsc, oneshot};

use crate::bed::event;
use crate::repository::{OverLimit, add, ann, counters};

/// A journal whose disk does one write for each time it is told to.
struct Slow {
    inner: Arc<dyn Journal>,
    line: mpsc::UnboundedSender<(Append, oneshot::Sender<Result<Version, StoreError>>)>,
    submitted: AtomicUsize,
}

/// Lets writes happen.
#[derive(Clone)]
struct Disk(Arc<Semaphore>);

impl Disk {
    fn write(&self, count: usize) {
        self.0.add_permits(count);
    }
}

/// `broken`: the number of the write that fails.
fn slow(broken: Option<usize>) -> (Arc<Slow>, Disk) {
    let inner = Store::memory().journal;
    let (line, mut waiting) = mpsc::unbounded_channel::<(Append, oneshot::Sender<_>)>();
    let disk = Disk(Arc::new(Semaphore::new(0)));
    let (journal, permits) = (inner.clone(), disk.0.clone());
    tokio::spawn(async move {
        let mut number = 0;
        while let Some((append, reply)) = waiting.recv().await {
            permits.acquire().await.unwrap().forget();
            let answer = if broken == Some(number) {
                Err(StoreError::Failed("no space left".into()))
            } else {
                journal.append(append).await
            };
            number += 1;
            drop(reply.send(answer));
        }
    });
    (Arc::new(Slow { inner, line, submitted: AtomicUsize::new(0) }), disk)
}

impl Slow {
    async fn has_in_line(&self, count: usize) {
        while self.submitted.load(Ordering::Relaxed) < count {
            tokio::task::yield_now().await;
        }
    }
}

#[async_trait]
impl Journal for Slow {
    async fn append(&self, append: Append) -> Result<Version, StoreError> {
        self.submit(append).await?.await
    }

    async fn submit(&self, append: Append) -> Result<Submitted, StoreError> {
        let (reply, answer) = oneshot::channel();
        self.line.send((append, reply)).unwrap();
        self.submitted.fetch_add(1, Ordering::Relaxed);
        Ok(async { answer.await.unwrap() }.boxed())
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, StoreError> {
        // As every journal with a disk below it does.
        tokio::task::yield_now().await;
        self.inner.read(stream, after, limit).await
    }

    async fn info(&self, stream: &StreamId) -> Result<Option<StreamInfo>, StoreError> {
        self.inner.info(stream).await
    }

    async fn find(&self, category: &str, alias: &str) -> Result<Option<StreamId>, StoreError> {
        self.inner.find(category, alias).await
    }

    async fn list(&self, category: &str) -> Result<Vec<StreamInfo>, StoreError> {
        self.inner.list(category).await
    }

    async fn list_after(
        &self,
        category: &str,
        after: Option<(i64, &StreamId)>,
        limit: usize,
    ) -> Result<Vec<StreamInfo>, StoreError> {
        self.inner.list_after(category, after, limit).await
    }

    async fn save_snapshot(&self, stream: &StreamId, snapshot: Snapshot) -> Result<(), StoreError> {
        self.inner.save_snapshot(stream, snapshot).await
    }

    async fn snapshot(&self, stream: &StreamId) -> Result<Option<Snapshot>, StoreError> {
        self.inner.snapshot(stream).await
    }

    fn watch(&self) -> broadcast::Receiver<Appended> {
        self.inner.watch()
    }

    fn watch_stream(&self, stream: &StreamId) -> broadcast::Receiver<Appended> {
        self.inner.watch_stream(stream)
    }

    fn shared(&self) -> bool {
        false
    }
}

#[tokio::test]
async fn commands_on_one_stream_wait_for_the_disk_together_and_readers_see_what_is_on_it() {
    let (journal, disk) = slow(None);
    let counters = counters(journal.clone());
    let first = counters.execute("a", ann(), |counter| add(counter, 1));
    let second = counters.execute("a", ann(), |counter| add(counter, counter.total * 10));
    let both = join(first, second);
    let watch = async {
        journal.has_in_line(2).await;
        assert!(counters.load("a").await.unwrap().is_none(), "nothing is on the disk");
        disk.write(2);
    };
    let ((first, second), ()) = join(both, watch).await;
    assert_eq!(first.unwrap().state.total, 1);
    let second = second.unwrap();
    assert_eq!((second.version, second.state.total), (Version(2), 11));
    assert_eq!(counters.load("a").await.unwrap().unwrap().total, 11);
}

#[tokio::test]
async fn a_refusal_is_answered_when_what_it_rests_on_is_on_the_disk() {
    let (journal, disk) = slow(None);
    let counters = counters(journal.clone());
    let first = tokio::spawn({
        let counters = counters.clone();
        async move { counters.execute("a", ann(), |counter| add(counter, 1000)).await }
    });
    journal.has_in_line(1).await;
    let mut refused = pin!(counters.execute("a", ann(), |counter| add(counter, 1)));
    for _ in 0..10 {
        tokio::task::yield_now().await;
        assert!(refused.as_mut().now_or_never().is_none(), "not before the disk has it");
    }
    disk.write(1);
    first.await.unwrap().unwrap();
    let refused = refused.await.unwrap_err();
    assert!(matches!(refused, ExecuteError::Rejected(OverLimit(1001))), "{refused}");
}

#[tokio::test]
async fn what_stood_on_a_write_that_failed_is_decided_again() {
    let (journal, disk) = slow(Some(0));
    let counters = counters(journal.clone());
    disk.write(3);
    let first = counters.execute("a", ann(), |counter| add(counter, 100));
    let second = counters.execute("a", ann(), |counter| add(counter, counter.total + 1));
    let (first, second) = join(first, second).await;
    assert!(matches!(first.unwrap_err(), ExecuteError::Store(_)));
    let second = second.unwrap();
    assert_eq!((second.version, second.state.total), (Version(1), 1));
    assert_eq!(counters.load("a").await.unwrap().unwrap().total, 1);
}

#[tokio::test]
async fn a_state_that_is_being_loaded_is_seen_by_nobody() {
    const EVENTS: usize = 3_000;
    let (journal, _) = slow(None);
    let append = Append {
        stream: StreamId::new("counter", "a"),
        expected: Expected::Any,
        events: vec![event("added", json!({"Added": 0})); EVENTS],
        actor: "ann".into(),
        at: 0,
        head: None,
        closes: false,
        aliases: vec![],
    };
    journal.inner.append(append).await.unwrap();
    let counters = counters(journal);
    let loads = (0..4).map(|_| async {
        // At different steps of the first one's way.
        tokio::task::yield_now().await;
        counters.load("a").await.unwrap().unwrap().version
    });
    assert_eq!(join_all(loads).await, [Version(EVENTS as u64); 4]);
}
