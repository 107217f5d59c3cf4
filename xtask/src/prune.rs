//! Keeps the shared target directory from growing for ever.
//!
//! Cargo never removes what it built for an older version of a dependency or of ours. When the directory is
//! past its limit, what was used longest ago goes first; cargo rebuilds it if somebody should want it again.

use std::{
    fs::{self, File, Metadata},
    path::{Path, PathBuf},
    time::SystemTime,
};

use anyhow::Result;

use crate::report;

const GB: u64 = 1 << 30;

/// Above `most` bytes it is cut down to `kept`, so that it is not cut a little on every run.
struct Limits {
    most: u64,
    kept: u64,
}

pub(crate) fn prune(target: &Path) -> Result<()> {
    let freed = prune_to(target, &Limits { most: 20 * GB, kept: 12 * GB })?;
    if freed > 0 {
        println!("   removed {} MB of old build results", freed >> 20);
    }
    Ok(())
}

/// Removes what is too much; the bytes that came free.
fn prune_to(target: &Path, limits: &Limits) -> Result<u64> {
    let total = size(target);
    if total <= limits.most {
        return Ok(0);
    }
    report::doing("removing old build results", || {
        let mut freed = 0;
        for profile in subdirectories(target) {
            // Cargo holds this lock while it builds; a build under way keeps its files.
            let Ok(lock) = File::open(profile.join(".cargo-lock")) else { continue };
            if lock.try_lock().is_err() {
                continue;
            }
            freed += remove_oldest(&profile, total.saturating_sub(limits.kept + freed))?;
        }
        Ok(freed)
    })
}

/// Removes at least `wanted` bytes of what was used longest ago, if there is as much.
fn remove_oldest(profile: &Path, wanted: u64) -> Result<u64> {
    let mut entries: Vec<_> = ["deps", "examples", "incremental"]
        .into_iter()
        .flat_map(|part| entries(&profile.join(part)))
        .collect();
    entries.sort_by_key(|(_, metadata)| last_used(metadata));
    let mut freed = 0;
    for (path, metadata) in entries {
        if freed >= wanted {
            break;
        }
        freed += size(&path);
        if metadata.is_dir() {
            fs::remove_dir_all(&path)?;
        } else {
            fs::remove_file(&path)?;
        }
    }
    Ok(freed)
}

/// Where access times are kept, reading counts as use: a library linked yesterday stays.
fn last_used(metadata: &Metadata) -> SystemTime {
    let modified = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    metadata.accessed().map_or(modified, |accessed| accessed.max(modified))
}

fn subdirectories(dir: &Path) -> Vec<PathBuf> {
    entries(dir)
        .into_iter()
        .filter(|(_, metadata)| metadata.is_dir())
        .map(|(path, _)| path)
        .collect()
}

fn entries(dir: &Path) -> Vec<(PathBuf, Metadata)> {
    // A file that a running cargo just removed is no error.
    let listed = fs::read_dir(dir).into_iter().flatten().flatten();
    listed.filter_map(|entry| Some((entry.path(), entry.metadata().ok()?))).collect()
}

fn size(path: &Path) -> u64 {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => entries(path).iter().map(|(path, _)| size(path)).sum(),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    /// A target directory with three libraries of 100 bytes, `0` the oldest.
    fn target() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let deps = dir.path().join("debug/deps");
        fs::create_dir_all(&deps).unwrap();
        fs::write(dir.path().join("debug/.cargo-lock"), "").unwrap();
        for age in 0..3 {
            let file = File::create(deps.join(age.to_string())).unwrap();
            file.set_len(100).unwrap();
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1000 + age);
            file.set_times(fs::FileTimes::new().set_accessed(time).set_modified(time)).unwrap();
        }
        dir
    }

    fn left(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = entries(&dir.join("debug/deps"))
            .iter()
            .map(|(path, _)| path.file_name().unwrap().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn nothing_goes_below_the_limit() {
        let dir = target();
        assert_eq!(prune_to(dir.path(), &Limits { most: 300, kept: 0 }).unwrap(), 0);
        assert_eq!(left(dir.path()), ["0", "1", "2"]);
    }

    #[test]
    fn above_it_the_longest_unused_goes_first() {
        let dir = target();
        assert_eq!(prune_to(dir.path(), &Limits { most: 299, kept: 150 }).unwrap(), 200);
        assert_eq!(left(dir.path()), ["2"]);
    }

    #[test]
    fn a_build_under_way_keeps_its_files() {
        let dir = target();
        let lock = File::open(dir.path().join("debug/.cargo-lock")).unwrap();
        lock.lock().unwrap();
        assert_eq!(prune_to(dir.path(), &Limits { most: 0, kept: 0 }).unwrap(), 0);
        assert_eq!(left(dir.path()), ["0", "1", "2"]);
    }
}
