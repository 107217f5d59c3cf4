//! Nothing is lost when many write at once, on one replica or two.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use async_trait::async_trait;
use futures::future::join_all;
use kit_store::{
    Append, Appended, Journal, Recorded, Snapshot, Store, StoreError, StreamId, StreamInfo, Version,
};
use serde_json::{Value, json};
use tokio::sync::broadcast;
use universe::Config;

use crate::{
    add, tick,
    world::{World, json_of},
};

/// A journal as another process sees it: others append too, and their wakes do not say what.
pub(crate) struct Elsewhere {
    inner: Arc<dyn Journal>,
    pub(crate) broken: AtomicBool,
}

impl Elsewhere {
    pub(crate) fn of(store: &Store) -> (Store, Arc<Self>) {
        let journal =
            Arc::new(Self { inner: store.journal.clone(), broken: AtomicBool::new(false) });
        let mut other = store.clone();
        other.journal = journal.clone();
        (other, journal)
    }
}

fn without_events(mut inner: broadcast::Receiver<Appended>) -> broadcast::Receiver<Appended> {
    let (sender, receiver) = broadcast::channel(1024);
    tokio::spawn(async move {
        while let Ok(appended) = inner.recv().await {
            drop(sender.send(Appended { events: Arc::new([]), ..appended }));
        }
    });
    receiver
}

#[async_trait]
impl Journal for Elsewhere {
    async fn append(&self, append: Append) -> Result<Version, StoreError> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(StoreError::Failed("the disk is full".into()));
        }
        self.inner.append(append).await
    }

    async fn read(
        &self,
        stream: &StreamId,
        after: Version,
        limit: usize,
    ) -> Result<Vec<Recorded>, StoreError> {
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
        without_events(self.inner.watch())
    }

    fn watch_stream(&self, stream: &StreamId) -> broadcast::Receiver<Appended> {
        without_events(self.inner.watch_stream(stream))
    }

    fn shared(&self) -> bool {
        true
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fifty_clients_at_once_lose_no_update() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let client = async |number: usize| {
        for round in 0..2 {
            world.command(&id, add(&format!("{number}-{round}"), None)).await;
            world.command(&id, tick()).await;
        }
    };
    join_all((0..50).map(client)).await;
    let state = world.state(&id).await;
    assert_eq!(state["time"], 100);
    assert_eq!(state["rootIds"].as_array().unwrap().len(), 100);
    let (_, record) = world.get(&format!("/universes/{id}")).await;
    assert_eq!(record["state"]["stars"].as_object().unwrap().len(), 100);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hundred_writers_over_rest_and_mcp_lose_nothing_and_leave_no_gap() {
    let dir = tempfile::tempdir().unwrap();
    let world = World::with(&Config::default(), Store::sqlite(dir.path()).unwrap()).await;
    let id = world.universe(json!({})).await;
    let mut feed = world.feed(&id, &[]).await;
    let writer = async |number: usize| {
        let mcp = world.mcp().await;
        let mut revisions = Vec::new();
        for round in 0..3 {
            let command = add(&format!("{number}-{round}"), None);
            let reply = if number.is_multiple_of(2) {
                world.post(&format!("/universes/{id}/commands?state=none"), command).await.1
            } else {
                let arguments = json!({"universeId": id, "command": command, "state": "none"});
                json_of(&mcp.call("send_universe_command", arguments).await)
            };
            assert_eq!(reply["applied"], true, "{reply}");
            revisions.push(reply["revision"].as_u64().unwrap());
        }
        revisions
    };
    let mut revisions: Vec<_> =
        join_all((0..100).map(writer)).await.into_iter().flatten().collect();
    revisions.sort_unstable();
    assert_eq!(revisions, (2..302).collect::<Vec<_>>());
    assert_eq!(world.state(&id).await["rootIds"].as_array().unwrap().len(), 300);
    for revision in 2..302 {
        assert!(feed.next().await.unwrap().starts_with(&format!("id: {revision}\n")));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_replicas_on_one_store_are_one_truth() {
    let store = Store::memory();
    let (here, _) = Elsewhere::of(&store);
    let (there, _) = Elsewhere::of(&store);
    let (a, b) =
        (World::with(&Config::default(), here).await, World::with(&Config::default(), there).await);
    let id = a.universe(json!({})).await;
    let mut feed = b.feed(&id, &[]).await;
    let client = async |world: &World, number: usize| {
        for round in 0..5 {
            let reply = world.command(&id, add(&format!("{number}-{round}"), None)).await;
            assert_eq!(reply["applied"], true);
        }
    };
    join_all((0..10).map(|number| client(if number % 2 == 0 { &a } else { &b }, number))).await;
    assert_eq!(a.state(&id).await, b.state(&id).await);
    assert_eq!(a.state(&id).await["rootIds"].as_array().unwrap().len(), 50);
    for revision in 2..52 {
        assert!(feed.next().await.unwrap().starts_with(&format!("id: {revision}\n")));
    }
    let refused = b.command(&id, add("0-0", None)).await;
    assert_eq!(refused["events"][0]["reason"], Value::from("duplicateId"));
}

#[tokio::test]
async fn everything_is_there_after_a_restart() {
    let store = Store::memory();
    let world = World::with(&Config::default(), store.clone()).await;
    let id = world.universe(json!({})).await;
    // Past a snapshot, and some more.
    for number in 0..600 {
        world
            .post(&format!("/universes/{id}/commands?state=none"), add(&number.to_string(), None))
            .await;
    }
    let before = world.get(&format!("/universes/{id}")).await;
    drop(world);
    let world = World::with(&Config::default(), store).await;
    assert_eq!(world.get(&format!("/universes/{id}")).await, before);
}
