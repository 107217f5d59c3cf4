//! Small files that are kept in memory as tables, so that not every query parses them again. Start at [`Files::stand_in`].
//!
//! A table belongs to one state of its file: one that was changed is read anew by the next query, one that vanished is let go of.
//! What cannot be kept just as it would be read is read from the file each time: one that is large, broken, or was written
//! this moment. It is DuckDB that reads the file, under the same lock as every query.

use std::{
    collections::HashMap,
    path::Path,
    sync::{
        Arc, Mutex, MutexGuard, OnceLock, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use duckdb::Connection;

use crate::database::quoted_text;

/// The schema of their tables.
pub(crate) const SCHEMA: &str = "tandem_files";

/// Texts that take long to parse. Other formats are read as quickly as a table.
const ENDINGS: [&str; 5] = ["csv", "tsv", "json", "ndjson", "jsonl"];

/// A file that is younger may be written again before the clock of its file system goes on.
const YOUNG: Duration = Duration::from_secs(2);

/// The files of a database that are in memory.
pub(crate) struct Files {
    /// Bytes of all together, as they lie on disk.
    most: u64,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    files: HashMap<String, Arc<File>>,
    /// Counts tables that were made and uses of them.
    count: u64,
}

struct File {
    stamp: Stamp,
    number: u64,
    used: AtomicU64,
    /// Whether the table is there; not known while it is made.
    kept: OnceLock<bool>,
}

/// What changes when a file does.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp {
    length: u64,
    written: SystemTime,
    /// Of the file system: which file it is, and when anything about it was changed.
    node: (u64, i64, i64),
}

impl Files {
    /// Keeps up to `most` bytes of files, a quarter of it of one.
    pub(crate) fn new(most: u64) -> Self {
        Self { most, state: Mutex::default() }
    }

    /// The table to read in the place of the file at `path`, if there is one. `is_over` tells whether who asks has left.
    pub(crate) fn stand_in(
        &self,
        connection: &Connection,
        path: &str,
        is_over: &dyn Fn() -> bool,
    ) -> Option<String> {
        let ending = path.rsplit_once('.')?.1.to_ascii_lowercase();
        if !ENDINGS.contains(&&*ending) || path.contains(['*', '?', '[', '\'']) || climbs(path) {
            return None;
        }
        let (file, old) = self.file(path, Stamp::of(path));
        for old in old {
            old.let_go(connection);
        }
        let file = file?;
        let kept = *file.kept.get_or_init(|| self.read(connection, path, &file, is_over));
        kept.then(|| file.table())
    }

    /// The file in its present state, and those that go to make room for it or because they are not true any more.
    fn file(&self, path: &str, stamp: Option<Stamp>) -> (Option<Arc<File>>, Vec<Arc<File>>) {
        let mut state = self.state();
        state.count += 1;
        let now = state.count;
        match state.files.get(path) {
            Some(file) if Some(file.stamp) == stamp => {
                file.used.store(now, Ordering::Relaxed);
                return (Some(Arc::clone(file)), Vec::new());
            }
            _ => {}
        }
        let mut old: Vec<_> = state.files.remove(path).into_iter().collect();
        let fits = |stamp: &Stamp| !stamp.is_young() && stamp.length <= self.most / 4;
        let Some(stamp) = stamp.filter(fits) else { return (None, old) };
        while state.bytes() + stamp.length > self.most {
            let longest_ago = state.files.iter().min_by_key(|(_, file)| file.used());
            let Some(path) = longest_ago.map(|(path, _)| path.clone()) else { break };
            old.extend(state.files.remove(&path));
        }
        let file =
            Arc::new(File { stamp, number: now, used: AtomicU64::new(now), kept: OnceLock::new() });
        state.files.insert(path.to_owned(), Arc::clone(&file));
        (Some(file), old)
    }

    /// Makes the table of a file; whether it is there.
    fn read(
        &self,
        connection: &Connection,
        path: &str,
        file: &Arc<File>,
        is_over: &dyn Fn() -> bool,
    ) -> bool {
        let sql = format!("CREATE TABLE {} AS FROM {}", file.table(), quoted_text(path));
        let made = connection.execute_batch(&sql).is_ok();
        let unchanged = Stamp::of(path) == Some(file.stamp);
        let mut state = self.state();
        let wanted = state.files.get(path).is_some_and(|known| Arc::ptr_eq(known, file));
        if made && unchanged && wanted {
            return true;
        }
        // A file that cannot be read is not tried again until it is another; an interrupted one is.
        if wanted && (!unchanged || is_over()) {
            state.files.remove(path);
        }
        drop(state);
        file.let_go(connection);
        false
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn bytes(&self) -> u64 {
        let kept = self.files.values().filter(|file| file.kept.get() != Some(&false));
        kept.map(|file| file.stamp.length).sum()
    }
}

impl File {
    fn table(&self) -> String {
        format!("{SCHEMA}.\"{}\"", self.number)
    }

    fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Takes the table away. Queries that read it have it until their end; one that is just about to reads the file.
    fn let_go(&self, connection: &Connection) {
        // It fails where somebody else does the same at the moment.
        connection.execute_batch(&format!("DROP TABLE IF EXISTS {}", self.table())).ok();
    }
}

impl Stamp {
    /// Nothing for what is not there, or no file.
    fn of(path: &str) -> Option<Self> {
        let about = Path::new(path).metadata().ok().filter(std::fs::Metadata::is_file)?;
        Some(Self { length: about.len(), written: about.modified().ok()?, node: node(&about) })
    }

    fn is_young(&self) -> bool {
        self.written.elapsed().is_ok_and(|age| age < YOUNG)
    }
}

#[cfg(unix)]
fn node(about: &std::fs::Metadata) -> (u64, i64, i64) {
    use std::os::unix::fs::MetadataExt as _;
    (about.ino(), about.ctime(), about.ctime_nsec())
}

#[cfg(not(unix))]
fn node(_about: &std::fs::Metadata) -> (u64, i64, i64) {
    (0, 0, 0)
}

/// Whether a path goes up somewhere.
fn climbs(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| part == "..")
}
