//! Edited files take effect at once.
//!
//! The system's file events say when to look; what changed is found by comparing contents, so that a file which was only
//! touched, or written twice, is nothing new. Links are followed, and where they lead is watched as well. Start at [`run`].

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
    sync::Arc,
    time::{Duration, SystemTime},
};

use notify::{
    Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _,
    event::{AccessKind, AccessMode},
};
use tokio::{sync::Notify, time};

use crate::{audits, project::Project, running::Running};

/// Changes within this time are one.
const SETTLE: Duration = Duration::from_millis(100);
/// What file events do not tell is seen this much later; the second while there are none at all.
const SWEEP: Duration = Duration::from_secs(10);
const SWEEP_BLIND: Duration = Duration::from_secs(1);
/// Folders below one another that are looked into, links included.
const DEEPEST: usize = 12;
/// Files that are looked at.
const MOST: usize = 10_000;

/// What the files are now. Taken before any program is loaded, so that no edit falls between the two.
pub(crate) fn begin(project: &Project) -> Seen {
    look_now(project, &Seen::default())
}

/// The programs of a project, by the names that they have in errors.
pub(crate) fn programs(project: &Project) -> Vec<(String, PathBuf)> {
    let files = look_now(project, &Seen::default()).files;
    files
        .into_iter()
        .filter(|(name, _)| !is_view(name))
        .map(|(name, file)| (name, file.path))
        .collect()
}

/// Looks for edits until the server ends; `seen` is what was there when it began.
pub(crate) async fn run(running: Arc<Running>, mut seen: Seen) {
    let wake = Arc::new(Notify::new());
    let mut eyes: Option<Eyes> = None;
    loop {
        if eyes.as_ref().map(|eyes| &eyes.folders) != Some(&seen.folders) {
            eyes = Eyes::open(seen.folders.clone(), wake.clone()).await;
            // What was written before the eyes were open is seen by the next look, which is at once.
            wake.notify_one();
        }
        let sweep = if eyes.is_some() { SWEEP } else { SWEEP_BLIND };
        tokio::select! {
            () = running.stopped.cancelled() => return,
            () = wake.notified() => time::sleep(SETTLE).await,
            () = time::sleep(sweep) => {}
        }
        let before = std::mem::take(&mut seen);
        let known: BTreeMap<_, _> = before.files.iter().map(|(p, f)| (p.clone(), f.hash)).collect();
        seen = look(&running.project, before).await;
        tell(&running, &known, &seen).await;
    }
}

/// Has every session take in what changed.
async fn tell(running: &Arc<Running>, known: &BTreeMap<String, u64>, seen: &Seen) {
    let changed = seen.files.iter().filter(|(name, file)| known.get(*name) != Some(&file.hash));
    let mut views = known.keys().any(|name| is_view(name) && !seen.files.contains_key(name));
    for (name, file) in changed {
        if is_view(name) {
            views = true;
            continue;
        }
        let Ok(text) = fs::read(&file.path) else { continue };
        for finding in audits::of_program(&String::from_utf8_lossy(&text), &running.shelf) {
            tracing::warn!(file = %name, "{finding}");
        }
        let text: Arc<[u8]> = text.into();
        for session in running.sessions() {
            let (name, text) = (name.clone(), text.clone());
            session.tell(move |stage| stage.reload(&name, &text));
        }
    }
    if views {
        let shelf = running.shelf.clone();
        let changed = tokio::task::spawn_blocking(move || shelf.refresh()).await;
        for viewdef in changed.unwrap_or_default() {
            tracing::info!(viewdef = %viewdef.key, "view definition edited");
            for session in running.sessions() {
                let viewdef = viewdef.clone();
                session.tell(move |stage| stage.viewdef_changed(&viewdef, false));
            }
        }
    }
}

fn is_view(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "html")
}

/// What was found.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Seen {
    /// By the name that programs and errors have for it: `lua/app.lua`.
    files: BTreeMap<String, File>,
    /// To be watched.
    folders: BTreeSet<PathBuf>,
}

#[derive(Debug, Clone, PartialEq)]
struct File {
    path: PathBuf,
    modified: Option<SystemTime>,
    length: u64,
    hash: u64,
}

async fn look(project: &Arc<Project>, before: Seen) -> Seen {
    let project = project.clone();
    tokio::task::spawn_blocking(move || look_now(&project, &before)).await.unwrap_or_default()
}

fn look_now(project: &Project, before: &Seen) -> Seen {
    let mut seen = Seen::default();
    // Its own entries tell when one of the three is made.
    seen.folders.insert(project.base.clone());
    let lua = project.settings.lua.path.display().to_string();
    for (name, folder, ending) in [
        (lua, project.lua(), ".lua"),
        ("apps".to_owned(), project.apps(), ".lua"),
        ("viewdefs".to_owned(), project.viewdefs(), ".html"),
    ] {
        walk(&folder, &name, ending, DEEPEST, before, &mut seen);
    }
    seen
}

fn walk(folder: &Path, name: &str, ending: &str, depth: usize, before: &Seen, seen: &mut Seen) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    seen.folders.insert(folder.to_owned());
    for entry in entries.filter_map(Result::ok) {
        let Ok(own) = entry.file_name().into_string() else { continue };
        if own.starts_with('.') || seen.files.len() >= MOST {
            continue;
        }
        let (path, name) = (entry.path(), format!("{name}/{own}"));
        let Ok(about) = fs::metadata(&path) else { continue };
        if about.is_dir() {
            if depth > 0 {
                walk(&path, &name, ending, depth - 1, before, seen);
            }
            continue;
        }
        if !own.ends_with(ending) {
            continue;
        }
        // What a link leads to is edited over there.
        if entry.file_type().is_ok_and(|kind| kind.is_symlink())
            && let Some(there) = path.canonicalize().ok().as_deref().and_then(Path::parent)
        {
            seen.folders.insert(there.to_owned());
        }
        let (modified, length) = (about.modified().ok(), about.len());
        let same = before
            .files
            .get(&name)
            .filter(|old| old.modified == modified && old.length == length && !is_recent(modified));
        let hash = match same {
            Some(old) => old.hash,
            None => match fs::read(&path) {
                Ok(text) => hash(&text),
                Err(_) => continue,
            },
        };
        seen.files.insert(name, File { path, modified, length, hash });
    }
}

/// Two writes within the resolution of the file system's clock look the same from outside.
fn is_recent(modified: Option<SystemTime>) -> bool {
    modified.is_none_or(|at| at.elapsed().is_ok_and(|ago| ago < Duration::from_secs(3)))
}

fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// File events of some folders. They end when it is dropped.
struct Eyes {
    folders: BTreeSet<PathBuf>,
    _watcher: RecommendedWatcher,
}

impl Eyes {
    /// Without file events edits are still seen, a little later.
    async fn open(folders: BTreeSet<PathBuf>, wake: Arc<Notify>) -> Option<Self> {
        let opened = tokio::task::spawn_blocking(move || {
            let mut watcher = notify::recommended_watcher(move |event| {
                if concerns(&event) {
                    wake.notify_one();
                }
            })?;
            for folder in &folders {
                watcher.watch(folder, RecursiveMode::NonRecursive)?;
            }
            Ok::<_, notify::Error>(Self { folders, _watcher: watcher })
        });
        match opened.await {
            Ok(Ok(eyes)) => Some(eyes),
            Ok(Err(error)) => {
                tracing::warn!(%error, "no file events: edits are noticed every {SWEEP_BLIND:?}");
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
