//! Noticing edits: the package that a written file belongs to is loaded anew.
//!
//! Only packages that somebody asked for are watched, since the others are read when they are asked for. Folders of
//! projects are watched for packages that come and go.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, Instant},
};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Change, Service, slot::Slot};
use crate::{Error, Watch, What};

/// Editors and tools write files in several steps; all of them are one edit.
const SETTLE: Duration = Duration::from_millis(100);

/// Somebody who writes all the time is not waited for longer.
const LONGEST: Duration = Duration::from_secs(2);

/// What is watched at the moment, and how that ends.
#[derive(Default)]
pub(super) struct Watching {
    wanted: Option<Watch>,
    /// When the server ends; absent where nothing serves.
    host: Option<CancellationToken>,
    running: Option<CancellationToken>,
}

impl Service {
    /// Watches the files of packages until `shutdown`, if the settings say so. Must be called inside a tokio runtime.
    pub fn watch(&self, shutdown: &CancellationToken) {
        self.0.watching.lock().host = Some(shutdown.clone());
        self.watch_now(self.0.config.watch.clone());
    }

    /// The projects whose edits are taken up by themselves.
    pub fn watched(&self) -> Vec<String> {
        let wanted = self.wanted();
        let projects = self.0.registry.read().projects();
        let names = projects.iter().map(|project| project.name.clone());
        names.filter(|name| wanted.includes(name)).collect()
    }

    /// Watches one project from now on, or all of them. What was edited before is taken up, too.
    pub async fn start_watching(&self, project: Option<&str>) -> Result<(), Error> {
        self.may_change()?;
        let wanted = match project {
            Some(name) => Watch::Project(self.project(name, false).await?.name),
            None => Watch::All,
        };
        if self.0.watching.lock().host.is_none() {
            return Err(Error::new(What::NotImplemented, "nothing is watched without a server"));
        }
        self.watch_now(wanted);
        for project in self.watched() {
            self.project(&project, true).await?;
        }
        Ok(())
    }

    /// Watches nothing until it is asked to again: edits need a reload.
    pub fn stop_watching(&self) -> Result<(), Error> {
        self.may_change()?;
        self.watch_now(Watch::None);
        Ok(())
    }

    fn wanted(&self) -> Watch {
        self.0.watching.lock().wanted.clone().unwrap_or_else(|| self.0.config.watch.clone())
    }

    /// Ends the watching that goes on, and begins another unless nothing is wanted.
    fn watch_now(&self, wanted: Watch) {
        let mut watching = self.0.watching.lock();
        watching.wanted = Some(wanted.clone());
        if let Some(running) = watching.running.take() {
            running.cancel();
        }
        let Some(host) = watching.host.as_ref().filter(|_| wanted != Watch::None) else { return };
        let until = host.child_token();
        let (written, news) = mpsc::unbounded_channel();
        let watcher = notify::recommended_watcher(move |event| {
            // The other side ends with the host.
            drop(written.send(event));
        });
        match watcher {
            Ok(watcher) => {
                let eyes = Eyes { service: self.clone(), wanted, watcher, places: BTreeMap::new() };
                tokio::spawn(until.clone().run_until_cancelled_owned(eyes.run(news)));
                watching.running = Some(until);
            }
            Err(error) => tracing::warn!(%error, "no file events: edits need a reload"),
        }
    }
}

struct Eyes {
    service: Service,
    wanted: Watch,
    watcher: RecommendedWatcher,
    /// What is watched, by folder.
    places: BTreeMap<PathBuf, Watched>,
}

#[derive(Clone)]
enum Watched {
    Package(Arc<Slot>),
    /// The folder of a project by its name.
    Project(String),
}

impl Eyes {
    async fn run(mut self, mut news: mpsc::UnboundedReceiver<notify::Result<Event>>) {
        let mut changes = self.service.events();
        let mut dirty: BTreeMap<PathBuf, Dirty> = BTreeMap::new();
        self.look_around();
        loop {
            let due = dirty.values().map(Dirty::due).min();
            let settled = async {
                match due {
                    Some(due) => tokio::time::sleep_until(due.into()).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                heard = changes.recv() => match heard {
                    Ok(Change::Query(_)) => {}
                    Err(tokio::sync::broadcast::error::RecvError::Closed) => return,
                    // Something was loaded, or came or went.
                    Ok(_) | Err(_) => self.look_around(),
                },
                event = news.recv() => match event {
                    Some(event) => self.seen(&event, &mut dirty),
                    None => return,
                },
                () = settled => {
                    let now = Instant::now();
                    let ready: Vec<_> =
                        dirty.iter().filter(|(_, d)| d.due() <= now).map(|(p, _)| p.clone()).collect();
                    for place in ready {
                        dirty.remove(&place);
                        self.take_up(&place);
                    }
                }
            }
        }
    }

    /// Watches what is loaded by now.
    fn look_around(&mut self) {
        let projects = self.service.0.registry.read().projects();
        let watched: Vec<_> =
            projects.iter().filter(|project| self.wanted.includes(&project.name)).collect();
        for project in watched {
            if let Some(folder) = project.folder_of_packages() {
                let watched = Watched::Project(project.name.clone());
                self.begin(&folder, RecursiveMode::NonRecursive, watched);
            }
            for slot in project.loaded() {
                if let (Some(folder), Some(_)) = (slot.folder(), slot.current()) {
                    self.begin(&folder, RecursiveMode::Recursive, Watched::Package(slot));
                }
            }
        }
    }

    fn begin(&mut self, folder: &Path, mode: RecursiveMode, watched: Watched) {
        // Events name places as they are, not the links that lead there.
        let Ok(folder) = folder.canonicalize() else { return };
        if self.places.contains_key(&folder) {
            return;
        }
        match self.watcher.watch(&folder, mode) {
            Ok(()) => {
                self.places.insert(folder, watched);
            }
            Err(error) => tracing::warn!(%error, "a folder cannot be watched: edits need a reload"),
        }
    }

    fn seen(&self, event: &notify::Result<Event>, dirty: &mut BTreeMap<PathBuf, Dirty>) {
        let now = Instant::now();
        let mut mark = |place: &PathBuf| {
            dirty.entry(place.clone()).or_insert(Dirty { first: now, last: now }).last = now;
        };
        match event {
            Ok(event) if concerns(event) => {
                for path in &event.paths {
                    // The innermost folder is the one that it is about.
                    let around = path.ancestors().find(|above| self.places.contains_key(*above));
                    let Some(around) = around else { continue };
                    if !hidden(path, around) {
                        mark(&around.to_owned());
                    }
                }
            }
            Ok(_) => {}
            // Events were lost.
            Err(_) => self.places.keys().for_each(mark),
        }
    }

    fn take_up(&mut self, place: &Path) {
        let service = self.service.clone();
        match self.places.get(place).cloned() {
            None => {}
            Some(Watched::Project(project)) => service.tell(Change::Packages { project }),
            Some(Watched::Package(slot)) => {
                if !place.is_dir() {
                    self.places.remove(place);
                }
                tokio::spawn(async move {
                    // What came of it is told to whoever listens.
                    drop(slot.reload(&service).await);
                });
            }
        }
    }
}

/// A folder in which something was written.
struct Dirty {
    first: Instant,
    last: Instant,
}

impl Dirty {
    fn due(&self) -> Instant {
        (self.last + SETTLE).min(self.first + LONGEST)
    }
}

/// Whether something was written. That somebody reads, as we do all the time, is nothing new.
fn concerns(event: &Event) -> bool {
    !matches!(
        event.kind,
        EventKind::Access(kind) if kind != AccessKind::Close(AccessMode::Write)
    )
}

/// Files with a dot in front are no part of a package: an editor's notes, version control.
fn hidden(path: &Path, root: &Path) -> bool {
    let inside = path.strip_prefix(root).unwrap_or(path);
    inside.components().any(|part| part.as_os_str().to_string_lossy().starts_with('.'))
}
