//! The queries that were run, by anybody.

use std::{
    collections::VecDeque,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use kit_core::Principal;
use parking_lot::Mutex;
use serde::Serialize;

use super::Service;

/// Where a question came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Surface {
    Rest,
    /// The browser page.
    Page,
    Mcp,
    Cli,
}

/// What kind of caller comes that way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Who {
    Person,
    Agent,
    Program,
}

impl Surface {
    pub fn who(self) -> Who {
        match self {
            Self::Page | Self::Cli => Who::Person,
            Self::Mcp => Who::Agent,
            Self::Rest => Who::Program,
        }
    }
}

/// Who asks, which way, and whether rows that were kept will do.
#[derive(Debug, Clone)]
pub struct By {
    pub caller: Principal,
    pub surface: Surface,
    /// Whether the database is to be asked, whatever was kept.
    pub fresh: bool,
}

impl By {
    pub fn new(caller: &Principal, surface: Surface) -> Self {
        Self { caller: caller.clone(), surface, fresh: false }
    }
}

/// One query that was run.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Run {
    pub id: u64,
    /// Milliseconds since 1970.
    pub at: i64,
    pub caller: Principal,
    pub surface: Surface,
    pub by: Who,
    /// The cell of the notebook that `model_path` is, from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cell: Option<usize>,
    pub project: String,
    pub package: String,
    pub model_path: String,
    pub malloy: String,
    /// How many rows it gave.
    pub rows: usize,
    pub elapsed_ms: u64,
    /// Whether it was answered from what was kept.
    pub cached: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

pub(super) struct History {
    most: usize,
    next: AtomicU64,
    runs: Mutex<VecDeque<Arc<Run>>>,
}

impl History {
    pub(super) fn new(most: usize) -> Self {
        Self { most, next: AtomicU64::new(1), runs: Mutex::default() }
    }

    pub(super) fn add(&self, mut run: Run) -> Arc<Run> {
        run.id = self.next.fetch_add(1, Relaxed);
        let run = Arc::new(run);
        let mut runs = self.runs.lock();
        runs.push_back(run.clone());
        while runs.len() > self.most {
            runs.pop_front();
        }
        run
    }
}

impl Service {
    /// The last queries, newest first.
    pub fn history(&self, limit: usize) -> Vec<Arc<Run>> {
        self.0.history.runs.lock().iter().rev().take(limit).cloned().collect()
    }
}
