//! One target directory, several checkouts.
//!
//! Cargo keeps what it compiled of a workspace under names that do not depend on where the checkout lies, and
//! tells fresh from stale by file times. Two checkouts that build into one directory would therefore be given
//! each other's code. So a run claims the directory: one run at a time, and when the last claim was another
//! checkout's, what is known about *our* crates is forgotten. Dependencies stay compiled for all.

use std::{
    fs::{self, File, OpenOptions},
    io::{Read as _, Seek as _, Write as _},
    os::unix::fs::MetadataExt as _,
    path::Path,
};

use anyhow::{Context as _, Result};

use crate::machine::Machine;

/// The right to build into the target directory, for as long as it is held.
#[derive(Debug)]
pub(crate) struct Claim {
    _lock: File,
}

impl Claim {
    pub(crate) fn take(machine: &Machine) -> Result<Self> {
        let ours = identity(&machine.root)?;
        Self::take_as(&ours, &machine.target, &crates(&machine.root)?)
    }

    fn take_as(ours: &str, target: &Path, crates: &[String]) -> Result<Self> {
        fs::create_dir_all(target)?;
        let path = target.join(".tandem-checkout");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .with_context(|| format!("cannot open `{}`", path.display()))?;
        if file.try_lock().is_err() {
            println!("   waiting for another run in `{}` …", target.display());
            file.lock()?;
        }
        let mut last = String::new();
        file.read_to_string(&mut last)?;
        if last != ours {
            forget(target, crates)?;
            file.set_len(0)?;
            file.rewind()?;
            file.write_all(ours.as_bytes())?;
        }
        Ok(Self { _lock: file })
    }
}

/// Which checkout this is: a new clone in an old place is another one.
fn identity(root: &Path) -> Result<String> {
    Ok(format!("{} {}", root.display(), fs::metadata(root)?.ino()))
}

/// The names of our crates, which are the names of their folders.
fn crates(root: &Path) -> Result<Vec<String>> {
    let folders = fs::read_dir(root.join("crates"))?.collect::<Result<Vec<_>, _>>()?;
    let names = folders.iter().map(|folder| folder.file_name().to_string_lossy().into_owned());
    Ok(names.chain(["xtask".into()]).collect())
}

/// Removes cargo's notes on our crates, in every profile, so that it compiles them again.
fn forget(target: &Path, crates: &[String]) -> Result<()> {
    for profile in fs::read_dir(target)? {
        let Ok(notes) = fs::read_dir(profile?.path().join(".fingerprint")) else { continue };
        for note in notes {
            let note = note?;
            if is_of(&note.file_name().to_string_lossy(), crates) {
                fs::remove_dir_all(note.path())?;
            }
        }
    }
    Ok(())
}

/// Whether a note, named `<crate>-<hash>`, is of one of these.
fn is_of(note: &str, crates: &[String]) -> bool {
    note.rsplit_once('-').is_some_and(|(name, _)| crates.iter().any(|ours| ours == name))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A target directory in which `ours` and a dependency were compiled.
    fn target() -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for note in ["kit-core-0123", "kit-core-extra-4567"] {
            fs::create_dir_all(dir.path().join("debug/.fingerprint").join(note)).unwrap();
        }
        dir
    }

    fn take(checkout: &str, target: &Path) -> Claim {
        Claim::take_as(checkout, target, &["kit-core".to_owned()]).unwrap()
    }

    fn notes(target: &Path) -> Vec<String> {
        let notes = fs::read_dir(target.join("debug/.fingerprint")).unwrap();
        let mut names: Vec<_> =
            notes.map(|note| note.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn another_checkout_forgets_our_crates_and_keeps_the_rest() {
        let target = target();
        drop(take("/one", target.path()));
        fs::create_dir_all(target.path().join("debug/.fingerprint/kit-core-0123")).unwrap();
        drop(take("/two", target.path()));
        assert_eq!(notes(target.path()), ["kit-core-extra-4567"]);
    }

    #[test]
    fn the_same_checkout_keeps_everything() {
        let target = target();
        drop(take("/one", target.path()));
        fs::create_dir_all(target.path().join("debug/.fingerprint/kit-core-0123")).unwrap();
        drop(take("/one", target.path()));
        assert_eq!(notes(target.path()), ["kit-core-0123", "kit-core-extra-4567"]);
    }

    #[test]
    fn a_second_run_waits_for_the_first() {
        let target = target();
        let first = take("/one", target.path());
        let file = File::open(target.path().join(".tandem-checkout")).unwrap();
        assert!(file.try_lock().is_err());
        drop(first);
        assert!(file.try_lock().is_ok());
    }
}
