//! What is there already, as the planner sees it.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use super::Error;

/// A project's files. Paths are relative to its root, with forward slashes.
pub trait Tree {
    /// The text of a file; `None` if there is none. Bytes that are not text are an error: they are somebody's.
    fn read(&self, path: &str) -> Result<Option<String>, Error>;
    fn is_folder(&self, path: &str) -> bool;
    fn is_executable(&self, path: &str) -> bool;
}

/// The files below a folder.
#[derive(Debug, Clone)]
pub struct Disk(pub PathBuf);

impl Tree for Disk {
    fn read(&self, path: &str) -> Result<Option<String>, Error> {
        match std::fs::read_to_string(self.0.join(path)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io("read", path)(error)),
        }
    }

    fn is_folder(&self, path: &str) -> bool {
        self.0.join(path).is_dir()
    }

    fn is_executable(&self, path: &str) -> bool {
        executable(&self.0.join(path))
    }
}

#[cfg(unix)]
fn executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|metadata| metadata.permissions().mode() & 0o111 == 0o111)
}

#[cfg(not(unix))]
fn executable(path: &Path) -> bool {
    path.exists()
}

/// Files by path, for planning without a disk.
impl Tree for BTreeMap<&str, &str> {
    fn read(&self, path: &str) -> Result<Option<String>, Error> {
        Ok(self.get(path).map(|text| (*text).to_owned()))
    }

    fn is_folder(&self, path: &str) -> bool {
        let inside = |file: &&str| Path::new(file).starts_with(path) && *file != path;
        self.keys().any(inside)
    }

    fn is_executable(&self, path: &str) -> bool {
        self.contains_key(path)
    }
}
