//! What belongs to a project: the files of its specs and changes, in the order of their ids.

use std::{
    collections::HashSet,
    fs::{self, DirEntry},
    path::{Path, PathBuf},
};

use super::Project;

/// Folders in folders beyond this are a loop or a mistake.
const DEEPEST: usize = 24;

/// A file and the id of what it belongs to.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Found {
    pub(super) id: String,
    pub(super) path: PathBuf,
}

/// The specs below the spec folder: every `spec.md` in a folder whose name, and whose parents' names, begin neither with
/// `_` nor with `.`.
pub(super) fn specs(project: &Project) -> Vec<Found> {
    let hidden = [project.changes(), project.archive()];
    let mut found = below(&project.specs(), project, &hidden);
    found.sort();
    found
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
pub(super) fn deltas(folder: &Path, project: &Project) -> Vec<Found> {
    let specs = folder.join("specs");
    let mut found = below(&specs, project, &[]);
    let stray = specs.join("spec.md");
    if stray.is_file() {
        found.push(Found { id: String::new(), path: stray });
    }
    found.sort();
    found
}

fn below(top: &Path, project: &Project, hidden: &[PathBuf]) -> Vec<Found> {
    let mut found = Vec::new();
    // Folders that link to one another could be walked in ever new ways; each is entered by a link once.
    let mut followed = HashSet::new();
    let mut open = vec![(String::new(), top.to_path_buf(), 0)];
    while let Some((id, folder, depth)) = open.pop() {
        for entry in entries(&folder) {
            let Ok(name) = entry.file_name().into_string() else { continue };
            if name == "spec.md" {
                // One that lies in the spec folder itself belongs to no capability.
                if !id.is_empty() && stays_inside(&entry, project) {
                    found.push(Found { id: id.clone(), path: entry.path() });
                }
                continue;
            }
            let skipped = name.starts_with(['_', '.']) || depth == DEEPEST || !is_dir(&entry);
            if skipped || hidden.contains(&entry.path()) || !stays_inside(&entry, project) {
                continue;
            }
            if is_link(&entry) && !followed.insert(fs::canonicalize(entry.path()).ok()) {
                continue;
            }
            let id = if id.is_empty() { name } else { format!("{id}/{name}") };
            open.push((id, entry.path(), depth + 1));
        }
    }
    found
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
