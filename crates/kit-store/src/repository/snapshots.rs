//! Snapshots: written beside the traffic, read when a state is loaded.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::value::{RawValue, to_raw_value};
use tokio_util::task::TaskTracker;

use super::cache::Entry;
use crate::{Aggregate, Journal, Live, Snapshot, StoreError, StreamId, Version};

pub(super) struct Snapshots {
    journal: Arc<dyn Journal>,
    every: u64,
    running: TaskTracker,
}

/// What stands in the journal: a state of another format is no use.
#[derive(Serialize, Deserialize)]
struct Envelope<S> {
    format: u32,
    state: S,
}

impl Snapshots {
    pub(super) fn new(journal: Arc<dyn Journal>, every: u64) -> Self {
        Self { journal, every: every.max(1), running: TaskTracker::new() }
    }

    /// Begins to write one if it is due. If that fails nothing is lost but time at the next load.
    pub(super) fn consider<A: Aggregate>(&self, entry: &Arc<Entry<A>>) {
        let Some(live) = entry.due(self.every) else { return };
        let (journal, entry) = (self.journal.clone(), entry.clone());
        self.running.spawn(async move {
            let stream = entry.stream();
            match save(&*journal, stream, live).await {
                Ok(bytes) => entry.kept(bytes),
                Err(error) => {
                    tracing::warn!(%stream, error = &error as &dyn std::error::Error, "no snapshot");
                }
            }
        });
    }

    /// The state at the last usable snapshot and how large that is; the beginning if there is none.
    pub(super) async fn load<A: Aggregate>(
        &self,
        stream: &StreamId,
    ) -> Result<(Live<A>, u64), StoreError> {
        let snapshot = self.journal.snapshot(stream).await?;
        let live = snapshot.and_then(|snapshot| {
            let state = Arc::new(open(stream, &snapshot.data)?);
            Some((Live { version: snapshot.version, state }, snapshot.data.get().len() as u64))
        });
        Ok(live.unwrap_or_else(|| (Live { version: Version(0), state: Arc::default() }, 0)))
    }

    pub(super) async fn settle(&self) {
        self.running.close();
        self.running.wait().await;
        self.running.reopen();
    }
}

async fn save<A: Aggregate>(
    journal: &dyn Journal,
    stream: &StreamId,
    live: Live<A>,
) -> Result<usize, StoreError> {
    let version = live.version;
    // A large state takes its time: not on the runtime's threads.
    let encode =
        move || to_raw_value(&Envelope { format: A::SNAPSHOT_FORMAT, state: &*live.state });
    let data = tokio::task::spawn_blocking(encode)
        .await
        .map_err(StoreError::failed)?
        .map_err(StoreError::failed)?;
    let bytes = data.get().len();
    journal.save_snapshot(stream, Snapshot { version, data: data.into() }).await?;
    Ok(bytes)
}

/// A snapshot is only a shortcut: one that cannot be read is left aside.
fn open<A: Aggregate>(stream: &StreamId, data: &RawValue) -> Option<A> {
    let read = || {
        let envelope: Envelope<&RawValue> = serde_json::from_str(data.get())?;
        if envelope.format != A::SNAPSHOT_FORMAT {
            return Ok(None);
        }
        serde_json::from_str(envelope.state.get()).map(Some)
    };
    read().unwrap_or_else(|error: serde_json::Error| {
        tracing::warn!(%stream, %error, "the snapshot is not readable, replaying the log");
        None
    })
}
