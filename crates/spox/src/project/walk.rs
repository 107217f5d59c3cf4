//! What belongs to a project: the files of its specs and changes, in the order of their ids.
//!
//! A folder is listed anew only when it may have changed ([`Folder`]): of a thousand that did not, each costs one look
//! from outside.

use std::{
    collections::HashSet,
    fs::{self, DirEntry},
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use super::{
    Project,
    read::{Stamp, proves_unchanged, stamp},
};

/// Folders in folders beyond this are a loop or a mistake.
const DEEPEST: usize = 24;

/// A file and the id of what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub(super) id: String,
    pub(super) path: PathBuf,
}

/// A folder as it was when it was last looked at, with those in it. Two walks that found the same share it.
#[derive(Debug)]
pub(super) struct Folder {
    /// Before it was listed; none if it was not there.
    stamp: Option<Stamp>,
    /// Something in it is a link, and where that leads can change without a trace in this folder.
    links: bool,
    /// There is a `spec.md` in it.
    spec: bool,
    /// By name.
    folders: Vec<(String, Arc<Folder>)>,
}

/// The folders of the specs: all below the spec folder whose names, and whose parents' names, begin neither with `_` nor
/// with `.`. What is surely the same as `before` is taken from there.
pub(super) fn specs(
    project: &Project,
    before: Option<&Arc<Folder>>,
    now: SystemTime,
) -> Arc<Folder> {
    let hidden = [project.changes(), project.archive()];
    let mut walk = Walk { project, hidden: &hidden, followed: HashSet::new(), now };
    walk.folder(&project.specs(), 0, before)
}

/// The folders of the active changes.
pub(super) fn changes(project: &Project) -> Vec<Found> {
    let archive = project.archive();
    let folders = entries(&project.changes()).into_iter().filter_map(|entry| {
        let id = entry.file_name().into_string().ok()?;
        let path = entry.path();
        let other = id.starts_with('.') || matches!(&*id, "_archive" | "archive");
        let usable = !other && path != archive && is_dir(&entry) && stays_inside(&entry, project);
        usable.then_some(Found { id, path })
    });
    let mut found: Vec<_> = folders.collect();
    found.sort();
    found
}

/// The delta specs of the change in `folder`; those without a capability folder have an empty id.
pub(super) fn deltas(folder: &Path, project: &Project, now: SystemTime) -> Vec<Found> {
    let specs = folder.join("specs");
    let mut walk = Walk { project, hidden: &[], followed: HashSet::new(), now };
    let mut found = walk.folder(&specs, 0, None).specs(&specs);
    let stray = specs.join("spec.md");
    if stray.is_file() {
        found.push(Found { id: String::new(), path: stray });
    }
    found.sort();
    found
}

impl Folder {
    /// The specs in the folders below this one, which is at `path`, by id. A `spec.md` that lies in this folder itself
    /// belongs to no capability.
    pub(super) fn specs(&self, path: &Path) -> Vec<Found> {
        let mut found = Vec::new();
        for (name, folder) in &self.folders {
            folder.collect(name.clone(), &path.join(name), &mut found);
        }
        found.sort();
        found
    }

    fn named(&self, name: &str) -> Option<&Arc<Self>> {
        let at = self.folders.binary_search_by(|(other, _)| other.as_str().cmp(name)).ok()?;
        self.folders.get(at).map(|(_, folder)| folder)
    }

    fn collect(&self, id: String, path: &Path, found: &mut Vec<Found>) {
        for (name, folder) in &self.folders {
            folder.collect(format!("{id}/{name}"), &path.join(name), found);
        }
        if self.spec {
            found.push(Found { id, path: path.join("spec.md") });
        }
    }
}

/// One look at a tree of folders.
struct Walk<'a> {
    project: &'a Project,
    hidden: &'a [PathBuf],
    /// Folders that link to one another could be walked in ever new ways; each is entered by a link once.
    followed: HashSet<Option<PathBuf>>,
    now: SystemTime,
}

impl Walk<'_> {
    fn folder(&mut self, path: &Path, depth: usize, before: Option<&Arc<Folder>>) -> Arc<Folder> {
        // Looked at before it is listed: what comes in between is found the next time.
        let stamp = stamp(path, self.now);
        match before {
            Some(before) if !before.links && proves_unchanged(before.stamp, stamp) => {
                self.same_names(path, depth, before)
            }
            _ => Arc::new(self.list(path, depth, before, stamp)),
        }
    }

    /// Nothing came to this folder or left it; what is in the folders below may differ.
    fn same_names(&mut self, path: &Path, depth: usize, before: &Arc<Folder>) -> Arc<Folder> {
        let mut folders = Vec::with_capacity(before.folders.len());
        for (name, folder) in &before.folders {
            folders.push(self.folder(&path.join(name), depth + 1, Some(folder)));
        }
        if folders.iter().zip(&before.folders).all(|(now, (_, then))| Arc::ptr_eq(now, then)) {
            return before.clone();
        }
        let names = before.folders.iter().map(|(name, _)| name.clone());
        let folders = names.zip(folders).collect();
        Arc::new(Folder { stamp: before.stamp, links: false, spec: before.spec, folders })
    }

    fn list(
        &mut self,
        path: &Path,
        depth: usize,
        before: Option<&Arc<Folder>>,
        stamp: Option<Stamp>,
    ) -> Folder {
        let mut listed = Folder { stamp, links: false, spec: false, folders: Vec::new() };
        for entry in entries(path) {
            let Ok(name) = entry.file_name().into_string() else { continue };
            let is_link = is_link(&entry);
            listed.links |= is_link;
            if name == "spec.md" {
                listed.spec = stays_inside(&entry, self.project);
                continue;
            }
            let skipped = name.starts_with(['_', '.']) || depth == DEEPEST || !is_dir(&entry);
            let at = entry.path();
            if skipped || self.hidden.contains(&at) || !stays_inside(&entry, self.project) {
                continue;
            }
            if is_link && !self.followed.insert(fs::canonicalize(&at).ok()) {
                continue;
            }
            let before = before.and_then(|before| before.named(&name));
            let folder = self.folder(&at, depth + 1, before);
            listed.folders.push((name, folder));
        }
        listed
    }
}

/// What is in a folder, in the order of names; nothing if it is not there or may not be read.
fn entries(folder: &Path) -> Vec<DirEntry> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut entries: Vec<_> = entries.filter_map(Result::ok).collect();
    entries.sort_by_key(DirEntry::file_name);
    entries
}

fn is_link(entry: &DirEntry) -> bool {
    entry.file_type().is_ok_and(|kind| kind.is_symlink())
}

fn is_dir(entry: &DirEntry) -> bool {
    if is_link(entry) {
        entry.path().is_dir()
    } else {
        entry.file_type().is_ok_and(|kind| kind.is_dir())
    }
}

/// A link may lead to another place of the project; out of it, or back up to a folder that it lies in, it is not followed.
fn stays_inside(entry: &DirEntry, project: &Project) -> bool {
    let path = entry.path();
    !is_link(entry)
        || fs::canonicalize(&path)
            .is_ok_and(|target| target.starts_with(&project.root) && !path.starts_with(&target))
}
