//! Noticing edits, and telling whoever wants to know.
//!
//! Files are edited by editors, agents and version control, never through us alone. The system's file events say when to
//! look; a look every few seconds catches what they miss. What is told comes from comparing snapshots, so that it is true
//! whatever woke us.

use std::{path::PathBuf, sync::Arc, time::Duration};

use futures::{Stream, StreamExt as _, stream};
use kit_http::{Fan, Frame};
use kit_mcp::{Change, Hub};
use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};
use serde_json::json;
use tokio::{sync::Notify, time};
use tokio_util::sync::CancellationToken;

use crate::{
    Service, mcp,
    project::{Difference, Project},
};

/// Editors write a file in several steps; all of them are one edit.
const SETTLE: Duration = Duration::from_millis(25);

/// What file events do not tell is seen this much later.
const SWEEP: Duration = Duration::from_secs(2);

/// How many changes a slow reader may be behind.
const KEPT: usize = 256;

/// The live feed of a project, for pages.
#[derive(Clone)]
pub(crate) struct Feed(Fan);

impl Default for Feed {
    fn default() -> Self {
        Self(Fan::new(KEPT))
    }
}

impl Feed {
    /// Where the project is now, then everything that changes. Who comes back compares the revision with its own, and
    /// reads anew if it is another: files are the truth, there is nothing to replay.
    pub(crate) fn read(&self, service: &Service) -> impl Stream<Item = Frame> + use<> {
        // In this order: what changes in between is heard twice rather than never.
        let coming = self.0.subscribe();
        let revision = service.revision();
        let hello = Frame::new(revision, Some("hello"), &json!({"revision": revision}).to_string());
        stream::iter([hello]).chain(coming)
    }

    /// Tells of an index that was built.
    pub(crate) fn index_changed(&self, revision: u64) {
        self.send(&Difference::default(), revision, true);
    }

    fn send(&self, difference: &Difference, revision: u64, index: bool) {
        let Difference { specs, changes, project, .. } = difference;
        let data = json!({
            "revision": revision,
            "specs": specs,
            "changes": changes,
            "index": index,
            "project": project,
        });
        self.0.send(Frame::new(revision, Some("changed"), &data.to_string()));
    }
}

/// Has pages and agents told of whatever anybody's question brings to light.
pub(crate) fn connect(service: &Service, feed: Feed, hub: Hub) {
    service.on_change(move |difference, revision| {
        feed.send(difference, revision, false);
        tell_agents(&hub, difference);
    });
}

/// Looks whenever files are written, and now and then, until the host stops. What it finds is told by the service.
pub(crate) async fn run(service: Service, shutdown: CancellationToken) {
    let wake = Arc::new(Notify::new());
    let mut eyes: Option<Eyes> = None;
    loop {
        // Nothing while there is no project.
        let seen = service.ask(Service::snapshot).await.ok();
        let project = seen.as_ref().map(|snapshot| &snapshot.project);
        if eyes.as_ref().map(|eyes| &eyes.folders) != project.map(Eyes::folders_of).as_ref() {
            eyes = match project {
                Some(project) => Eyes::open(project, wake.clone()).await,
                None => None,
            };
            // What was written while the eyes were opened is seen by the next look, which is at once.
            wake.notify_one();
        }
        tokio::select! {
            () = shutdown.cancelled() => return,
            () = wake.notified() => time::sleep(SETTLE).await,
            () = time::sleep(SWEEP) => {}
        }
    }
}

fn tell_agents(hub: &Hub, difference: &Difference) {
    difference.specs.iter().for_each(|id| hub.resource_updated(mcp::spec_uri(id)));
    difference.changes.iter().for_each(|id| hub.resource_updated(mcp::change_uri(id)));
    if !difference.specs.is_empty() || difference.project {
        hub.resource_updated(mcp::SPECS);
    }
    if !difference.changes.is_empty() || difference.project {
        hub.resource_updated(mcp::CHANGES);
    }
    if difference.list {
        hub.tell(Change::Resources);
    }
}

/// File events of one project. They end when it is dropped.
struct Eyes {
    folders: Vec<PathBuf>,
    _watcher: RecommendedWatcher,
}

impl Eyes {
    /// What is watched: the settings, the specs, the changes.
    fn folders_of(project: &Project) -> Vec<PathBuf> {
        vec![project.root.join(".spox"), project.specs(), project.changes()]
    }

    /// Without file events edits are still seen, a little later.
    async fn open(project: &Project, wake: Arc<Notify>) -> Option<Self> {
        let folders = Self::folders_of(project);
        let opened = tokio::task::spawn_blocking(move || {
            let mut watcher = notify::recommended_watcher(move |event| {
                if concerns(&event) {
                    wake.notify_one();
                }
            })?;
            for (folder, mode) in folders.iter().zip([
                RecursiveMode::NonRecursive,
                RecursiveMode::Recursive,
                RecursiveMode::Recursive,
            ]) {
                if folder.is_dir() {
                    watcher.watch(folder, mode)?;
                }
            }
            Ok::<_, notify::Error>(Self { folders, _watcher: watcher })
        });
        match opened.await {
            Ok(Ok(eyes)) => Some(eyes),
            Ok(Err(error)) => {
                tracing::warn!(%error, "no file events: edits are noticed every {SWEEP:?}");
                None
            }
            Err(_) => None,
        }
    }
}

/// Whether something was written. That somebody reads, as we do all the time, is nothing new.
fn concerns(event: &notify::Result<Event>) -> bool {
    match event {
        Ok(event) => !matches!(
            event.kind,
            EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write)
        ),
        // Events were lost.
        Err(_) => true,
    }
}
