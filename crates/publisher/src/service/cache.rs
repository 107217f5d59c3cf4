//! Results that are kept for the next who asks the same.
//!
//! A result is kept for the load of the package that it is of and for the SQL that gave it, which has the values of givens
//! in it. Only the package's own files are asked through here: before a result is given again, the files that it was read
//! from are looked at, and one that was written since makes it old. Its age is part of every answer.

use std::{
    num::NonZeroUsize,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant, SystemTime},
};

use lru::LruCache;
use malloy_model::ir::{self, SourceKind};
use parking_lot::Mutex;
use publisher_core::connection::DUCKDB;
use serde_json::Value;

use super::{package::Package, temporary::PREFIX};
use crate::Config;

pub(super) struct Cache {
    most: usize,
    oldest: Duration,
    kept: Mutex<State>,
}

struct State {
    results: LruCache<Key, Arc<Kept>>,
    bytes: usize,
}

/// What was asked.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    generation: u64,
    sql: String,
    /// Types decide how values are written.
    columns: Vec<ir::Type>,
}

/// What was answered.
pub(super) struct Kept {
    pub(super) rows: Arc<Vec<Value>>,
    pub(super) limit_hit: bool,
    at: Instant,
    bytes: usize,
    stamps: Stamps,
}

/// Files as they were when they were read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Stamps(Vec<(PathBuf, Option<(SystemTime, u64)>)>);

impl Cache {
    pub(super) fn new(config: &Config) -> Self {
        let most = NonZeroUsize::new(10_000).unwrap_or(NonZeroUsize::MIN);
        let kept = Mutex::new(State { results: LruCache::new(most), bytes: 0 });
        Self { most: config.cache_bytes, oldest: Duration::from_secs(config.cache_seconds), kept }
    }

    /// What was kept, if it is still true.
    pub(super) fn get(&self, key: &Key) -> Option<Arc<Kept>> {
        let kept = self.kept.lock().results.get(key).cloned()?;
        // Looked at without the lock.
        if kept.age() < self.oldest && kept.stamps.are_true() {
            return Some(kept);
        }
        self.kept.lock().remove(key);
        None
    }

    pub(super) fn keep(&self, key: Key, rows: Arc<Vec<Value>>, limit_hit: bool, stamps: Stamps) {
        let bytes = rows.iter().map(size).sum::<usize>() + key.sql.len();
        // One result is not to push all others out.
        if bytes > self.most / 4 {
            return;
        }
        let kept = Kept { rows, limit_hit, at: Instant::now(), bytes, stamps };
        let mut state = self.kept.lock();
        state.bytes += bytes;
        if let Some((_, old)) = state.results.push(key, Arc::new(kept)) {
            state.bytes -= old.bytes;
        }
        while state.bytes > self.most {
            match state.results.pop_lru() {
                Some((_, old)) => state.bytes -= old.bytes,
                None => break,
            }
        }
    }
}

impl State {
    fn remove(&mut self, key: &Key) {
        if let Some(old) = self.results.pop(key) {
            self.bytes -= old.bytes;
        }
    }
}

impl Kept {
    pub(super) fn age(&self) -> Duration {
        self.at.elapsed()
    }
}

impl Key {
    /// Nothing for a query whose result is not to be kept: of another database, or different each time.
    pub(super) fn of(package: &Package, query: &ir::Query, sql: &str) -> Option<Self> {
        if !matches!(&*query.connection, "" | DUCKDB) {
            return None;
        }
        let lower = sql.to_ascii_lowercase();
        // A temporary table is another one whenever it is made anew.
        let changing = ["now()", "random()", "current_", "today()", "localtime", PREFIX];
        if changing.iter().any(|word| lower.contains(word)) {
            return None;
        }
        let columns = query.schema.iter().map(|field| field.ty.clone()).collect();
        Some(Self { generation: package.generation, sql: sql.to_owned(), columns })
    }
}

impl Stamps {
    /// Of the files that a query reads; of all the package's where it cannot be told.
    pub(super) fn of(package: &Package, query: &ir::Query) -> Self {
        let mut files = Vec::new();
        for source in &query.sources {
            match &source.kind {
                SourceKind::Table { path } if !path.contains(['*', '?', '[', ':']) => {
                    files.push(package.root.join(path));
                }
                SourceKind::Table { .. } | SourceKind::Sql(_) => {
                    let all = package.databases.iter();
                    files.extend(all.map(|database| package.root.join(&database.path)));
                }
                SourceKind::Query(_) => {}
            }
        }
        files.sort();
        files.dedup();
        Self(files.into_iter().map(|file| (stamp(&file), file)).map(|(s, f)| (f, s)).collect())
    }

    fn are_true(&self) -> bool {
        self.0.iter().all(|(file, then)| stamp(file) == *then)
    }
}

fn stamp(file: &PathBuf) -> Option<(SystemTime, u64)> {
    let about = std::fs::metadata(file).ok()?;
    Some((about.modified().ok()?, about.len()))
}

/// What a value takes in memory, about.
fn size(value: &Value) -> usize {
    const EACH: usize = 32;
    EACH + match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(size).sum(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| name.len() + EACH + size(value)).sum()
        }
    }
}
