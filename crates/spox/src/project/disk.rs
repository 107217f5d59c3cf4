//! Writing to a project: several files that change together or not at all.
//!
//! [`Writes`] are prepared beside their places, then written down as one intent (`.spox/pending.json`), then put in
//! place. A process that dies in between leaves the intent, and whoever writes next carries it out first
//! ([`Lock::take`]), so that nobody ever works on half a change.

use std::{
    fs::{self, File, TryLockError},
    io::{self, Write as _},
    os::unix::fs::PermissionsExt as _,
    path::{Component, Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use super::Project;
use crate::Error;

const LOCK: &str = ".spox/lock";
const PENDING: &str = ".spox/pending.json";

/// How long to wait for somebody else who writes.
const PATIENCE: Duration = Duration::from_secs(10);

/// The right to write to a project. One process has it at a time.
#[derive(Debug)]
pub(crate) struct Lock {
    root: PathBuf,
    _file: File,
}

/// What is to become of the files of a project; paths are relative to its root.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Writes {
    /// Files that get new content; by now it lies beside them.
    files: Vec<Pending>,
    /// Files that go.
    remove: Vec<PathBuf>,
    /// A folder that moves.
    rename: Option<(PathBuf, PathBuf)>,
}

#[derive(Debug, Serialize, Deserialize)]
struct Pending {
    path: PathBuf,
    prepared: PathBuf,
    #[serde(skip)]
    content: Vec<u8>,
}

impl Lock {
    /// Waits for its turn, then finishes what a process that died had begun.
    pub(crate) fn take(project: &Project) -> Result<Self, Error> {
        let path = project.root.join(LOCK);
        let options = File::options().create(true).truncate(false).write(true).open(&path);
        let file = options.map_err(|error| Error::io("write to", ".spox", error))?;
        let start = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => break,
                Err(TryLockError::WouldBlock) if start.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(20));
                }
                Err(TryLockError::WouldBlock) => return Err(Error::Busy),
                Err(TryLockError::Error(error)) => return Err(Error::io("lock", LOCK, error)),
            }
        }
        let lock = Self { root: project.root.clone(), _file: file };
        lock.recover()?;
        Ok(lock)
    }

    /// Carries `writes` out: all of them, or none.
    pub(crate) fn commit(&self, writes: &Writes) -> Result<(), Error> {
        // What can fail comes first: the texts beside their places, then the folder. What is left are renames within one
        // folder each.
        let begun = self.prepare(writes).and_then(|()| self.move_folder(writes));
        if let Err((path, error)) = begun {
            for file in &writes.files {
                drop(fs::remove_file(self.root.join(&file.prepared)));
            }
            drop(fs::remove_file(self.root.join(PENDING)));
            return Err(Error::io("write", &path.to_string_lossy(), error));
        }
        self.place(writes)
    }

    fn prepare(&self, writes: &Writes) -> Result<(), (PathBuf, io::Error)> {
        for file in &writes.files {
            let path = self.root.join(&file.prepared);
            let written = path.parent().map_or(Ok(()), fs::create_dir_all);
            let written = written.and_then(|()| durable(&path, &file.content));
            written.map_err(|error| (file.path.clone(), error))?;
        }
        let failed = |error| (PathBuf::from(PENDING), error);
        let intent = serde_json::to_vec(writes).map_err(|error| failed(error.into()))?;
        let beside = self.root.join(format!("{PENDING}.new"));
        durable(&beside, &intent).map_err(failed)?;
        fs::rename(&beside, self.root.join(PENDING)).map_err(failed)
    }

    fn move_folder(&self, writes: &Writes) -> Result<(), (PathBuf, io::Error)> {
        let Some((from, to)) = &writes.rename else { return Ok(()) };
        if let Some(parent) = self.root.join(to).parent() {
            fs::create_dir_all(parent).map_err(|error| (to.clone(), error))?;
        }
        absent_is_done(fs::rename(self.root.join(from), self.root.join(to)))
            .map_err(|error| (to.clone(), error))
    }

    /// Puts in place what was prepared. May be done again after it was interrupted anywhere.
    fn place(&self, writes: &Writes) -> Result<(), Error> {
        let at = |path: &Path| self.root.join(path);
        let failed = |path: &Path, error| Error::io("write", &path.to_string_lossy(), error);
        for file in &writes.files {
            let put = absent_is_done(fs::rename(at(&file.prepared), at(&file.path)));
            put.map_err(|error| failed(&file.path, error))?;
        }
        for path in &writes.remove {
            absent_is_done(fs::remove_file(at(path))).map_err(|error| failed(path, error))?;
            // The folder of a spec that is gone goes with it, unless something else lies there.
            at(path).parent().map(fs::remove_dir).and_then(Result::ok);
        }
        let pending = at(Path::new(PENDING));
        absent_is_done(fs::remove_file(pending)).map_err(|e| failed(Path::new(PENDING), e))
    }

    fn recover(&self) -> Result<(), Error> {
        let text = match fs::read(self.root.join(PENDING)) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(Error::io("read", PENDING, error)),
        };
        // It is a file like any other in a folder that people share; what it names must lie in the project.
        let writes = serde_json::from_slice(&text).ok().filter(Writes::stay_inside);
        let writes = writes.ok_or(Error::BadIntent { file: PENDING })?;
        tracing::warn!(files = writes.files.len(), "finishing what another process had begun");
        self.move_folder(&writes)
            .map_err(|(path, error)| Error::io("write", &path.to_string_lossy(), error))?;
        self.place(&writes)
    }
}

impl Writes {
    pub(crate) fn file(&mut self, path: impl Into<PathBuf>, content: impl Into<Vec<u8>>) {
        let path = path.into();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let prepared = path.with_file_name(format!(".{name}.new"));
        self.files.push(Pending { path, prepared, content: content.into() });
    }

    pub(crate) fn remove(&mut self, path: impl Into<PathBuf>) {
        self.remove.push(path.into());
    }

    pub(crate) fn rename(&mut self, from: impl Into<PathBuf>, to: impl Into<PathBuf>) {
        self.rename = Some((from.into(), to.into()));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.files.is_empty() && self.remove.is_empty() && self.rename.is_none()
    }

    fn stay_inside(&self) -> bool {
        let files = self.files.iter().flat_map(|file| [&file.path, &file.prepared]);
        let renamed = self.rename.iter().flat_map(|(from, to)| [from, to]);
        let plain =
            |path: &PathBuf| path.components().all(|part| matches!(part, Component::Normal(_)));
        files.chain(&self.remove).chain(renamed).all(plain)
    }
}

/// Writes a file so that no reader ever sees half of it, however many write it at once.
pub(crate) fn write_durably(path: &Path, content: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    // Readable for whom files here usually are, and not for us alone.
    let everybody = fs::Permissions::from_mode(0o666);
    let mut file = tempfile::Builder::new().permissions(everybody).tempfile_in(folder)?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

fn durable(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(content)?;
    file.sync_all()
}

fn absent_is_done(result: io::Result<()>) -> io::Result<()> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
