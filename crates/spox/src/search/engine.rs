//! The index in memory, and its file.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{
        Arc, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use parking_lot::Mutex;
use serde::Serialize;
use spox_embed::Model;
use spox_search::{Duplicate, Embedder as _, Index, Part, Query, Settings, Vectors};

use super::{
    documents::{self, Placed},
    model::{Encoder, Models},
};
use crate::{
    Error,
    project::{Snapshot, write_durably},
    wire,
};

/// The index, in the folder of the project's settings.
const FILE: &str = ".spox/search_index.bin";

/// Texts that a search embeds before it answers: they take less than 200 ms on one ordinary core.
const AT_ONCE: usize = 8;

/// Texts that are embedded between two words about how far it is.
const BATCH: usize = 64;

/// The most results that may be asked for.
const MOST: usize = 100;

/// The longest question, in bytes. The model reads far less of it.
const LONGEST: usize = 8 * 1024;

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct SearchQuery {
    pub query: String,
    /// Ten without it.
    pub top_k: Option<usize>,
    /// Also what active changes propose.
    pub include_changes: bool,
}

/// How the index is, for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum IndexState {
    /// There is none, or it cannot be used.
    None {
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
    },
    Ready {
        texts: usize,
    },
    /// Some texts were edited since they were embedded.
    Stale {
        texts: usize,
    },
    Building,
}

#[derive(Default)]
pub(crate) struct Engine {
    models: Models,
    current: Mutex<Option<Arc<Current>>>,
    /// Whether texts are being embedded beside the searches.
    filling: AtomicBool,
}

/// The index of one revision of the project.
pub(super) struct Current {
    root: PathBuf,
    revision: u64,
    file: Option<FileStamp>,
    pub(super) index: Index,
    /// By document, the line of its heading.
    pub(super) lines: Vec<Option<u32>>,
    /// Looked for when somebody asks.
    pub(super) duplicates: OnceLock<Vec<Duplicate>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileStamp {
    modified: Option<std::time::SystemTime>,
    bytes: u64,
}

impl Engine {
    /// Answers from the index as the files are now. What has to be embedded first is embedded if that is quick, else
    /// beside the searches, and the answer says so.
    pub(crate) fn search(
        self: &Arc<Self>,
        snapshot: &Arc<Snapshot>,
        query: &SearchQuery,
    ) -> Result<wire::SearchResults, Error> {
        let settings = &snapshot.project.config.search;
        let top_k = query.top_k.unwrap_or(10);
        if !(1..=MOST).contains(&top_k) {
            return Err(Error::TopK { most: MOST });
        }
        if query.query.len() > LONGEST {
            return Err(Error::LongQuery { most: LONGEST });
        }
        let model = self.models.get(&settings.model)?;
        let mut index_built = None;
        let current = match self.current(snapshot, model.as_deref()) {
            Err(Error::NoIndex { .. }) if settings.auto_build => {
                self.rebuild(snapshot, &|_, _| ())?;
                index_built = Some(true);
                self.current(snapshot, model.as_deref())?
            }
            other => other?,
        };
        let current = self.freshen(current, snapshot, model.as_ref());
        let asked = Query {
            text: &query.query,
            top_k,
            include_changes: query.include_changes,
            #[expect(clippy::cast_possible_truncation, reason = "a number from 0 to 1")]
            threshold: settings.threshold as f32,
        };
        let vector = model.as_deref().map(|model| model.embed(&query.query));
        let vector = vector.as_ref().map(|vector| vector.numbers().as_slice());
        let hits = current.index.search(&asked, vector).map_err(Error::vector)?;
        let result = |hit: spox_search::Hit| wire::SearchHit {
            line: current.lines.get(hit.document).copied().flatten(),
            spec_id: hit.spec_id,
            requirement: hit.requirement,
            score: (f64::from(hit.score) * 10_000.0).round() / 10_000.0,
            snippet: hit.snippet,
            change_id: hit.change_id,
        };
        Ok(wire::SearchResults {
            results: hits.into_iter().map(result).collect(),
            stale: current.index.stale().next().is_some(),
            index_built: index_built.or(settings.auto_build.then_some(false)),
        })
    }

    /// Brings the index up to date and writes it down; how many specs and texts are in it.
    pub(crate) fn rebuild(
        &self,
        snapshot: &Snapshot,
        progress: &dyn Fn(usize, usize),
    ) -> Result<wire::IndexBuilt, Error> {
        let settings = &snapshot.project.config.search;
        let specs_indexed = snapshot.specs.len();
        let Some(model) = self.models.get(&settings.model)? else {
            return Ok(wire::IndexBuilt { specs_indexed, texts: 0 });
        };
        let encoder = Encoder(&model);
        let known = match self.current(snapshot, Some(&model)) {
            Ok(current) => current.index.vectors(),
            // Whatever lies there cannot be used, and this is what makes a new one.
            Err(Error::NoIndex { .. }) => None,
            Err(other) => return Err(other),
        };
        let known = known.unwrap_or_else(|| Vectors::new(encoder.id()));
        let mut current = Current::new(snapshot, Some(known), None);
        current.index.fill(&encoder, BATCH, progress).map_err(Error::vector)?;
        let texts = current.index.vectors().map_or(0, |vectors| vectors.len());
        self.keep(snapshot, current)?;
        Ok(wire::IndexBuilt { specs_indexed, texts })
    }

    /// How the index is, without loading anything.
    pub(crate) fn state(&self, snapshot: &Snapshot) -> IndexState {
        if self.filling.load(Ordering::Relaxed) {
            return IndexState::Building;
        }
        let known = self.current.lock().clone();
        let root = &snapshot.project.root;
        let file = stamp(root);
        match known.filter(|known| known.root == *root && known.file == file) {
            _ if file.is_none() => IndexState::None { reason: None },
            Some(known) => {
                let texts = known.index.vectors().map_or(0, |vectors| vectors.len());
                let stale =
                    known.revision != snapshot.revision || known.index.stale().next().is_some();
                if stale { IndexState::Stale { texts } } else { IndexState::Ready { texts } }
            }
            None => IndexState::Ready { texts: 0 },
        }
    }

    /// The index for this snapshot if there is one that can be used as it is.
    pub(super) fn at_hand(&self, snapshot: &Snapshot) -> Option<Arc<Current>> {
        stamp(&snapshot.project.root)?;
        let model = self.models.get(&snapshot.project.config.search.model).ok()??;
        self.current(snapshot, Some(&model)).ok()
    }

    /// The index for this snapshot: the one at hand if it is of the same files, else made of it or of the file on disk.
    fn current(&self, snapshot: &Snapshot, model: Option<&Model>) -> Result<Arc<Current>, Error> {
        let root = &snapshot.project.root;
        let file = stamp(root);
        let mut kept = self.current.lock();
        let known = kept.clone().filter(|known| known.root == *root && known.file == file);
        if let Some(known) = &known
            && known.revision == snapshot.revision
        {
            return Ok(known.clone());
        }
        let vectors = match (model, known) {
            (None, _) => None,
            (Some(_), Some(known)) if known.index.vectors().is_some() => known.index.vectors(),
            (Some(model), _) => Some(read(root, model)?),
        };
        let current = Arc::new(Current::new(snapshot, vectors, file));
        *kept = Some(current.clone());
        Ok(current)
    }

    /// Embeds what is missing: a little at once, much beside the searches.
    fn freshen(
        self: &Arc<Self>,
        current: Arc<Current>,
        snapshot: &Arc<Snapshot>,
        model: Option<&Arc<Model>>,
    ) -> Arc<Current> {
        let Some(model) = model else { return current };
        let plan = current.index.plan();
        if plan.is_empty() {
            return current;
        }
        let main = plan.iter().filter(|missing| missing.part == Part::Main).count();
        if main <= AT_ONCE && plan.len() <= 2 * AT_ONCE {
            let mut filled = Current::new(snapshot, current.index.vectors(), current.file);
            if filled.index.fill(&Encoder(model), BATCH, |_, _| ()).is_ok() {
                let filled = Arc::new(filled);
                *self.current.lock() = Some(filled.clone());
                return filled;
            }
            return current;
        }
        if !self.filling.swap(true, Ordering::Relaxed) {
            let (engine, snapshot) = (self.clone(), snapshot.clone());
            thread::spawn(move || {
                if let Err(error) = engine.rebuild(&snapshot, &|_, _| ()) {
                    tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "the index was not refreshed"
                    );
                }
                engine.filling.store(false, Ordering::Relaxed);
            });
        }
        current
    }

    /// Writes the index down and keeps it.
    fn keep(&self, snapshot: &Snapshot, mut current: Current) -> Result<(), Error> {
        let root = &snapshot.project.root;
        if let Some(bytes) = current.index.to_bytes() {
            write_durably(&root.join(FILE), &bytes)
                .map_err(|error| Error::io("write", FILE, error))?;
        }
        current.file = stamp(root);
        *self.current.lock() = Some(Arc::new(current));
        Ok(())
    }
}

impl Current {
    fn new(snapshot: &Snapshot, vectors: Option<Vectors>, file: Option<FileStamp>) -> Self {
        let settings = Settings {
            vectors_per_requirement: usize::from(
                snapshot.project.config.search.vectors_per_requirement,
            ),
            ..Settings::default()
        };
        let (documents, lines) = documents::of(snapshot)
            .into_iter()
            .map(|Placed { document, line }| (document, line))
            .unzip();
        Self {
            root: snapshot.project.root.clone(),
            revision: snapshot.revision,
            file,
            index: Index::new(documents, vectors, settings),
            lines,
            duplicates: OnceLock::new(),
        }
    }
}

/// The vectors in the file of the index.
fn read(root: &Path, model: &Model) -> Result<Vectors, Error> {
    let bytes = match fs::read(root.join(FILE)) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Err(Error::NoIndex { reason: None });
        }
        Err(error) => return Err(Error::NoIndex { reason: Some(error.to_string()) }),
    };
    Vectors::from_bytes(&bytes, &Encoder(model).id())
        .map_err(|bad| Error::NoIndex { reason: Some(bad.to_string()) })
}

fn stamp(root: &Path) -> Option<FileStamp> {
    let metadata = fs::metadata(root.join(FILE)).ok()?;
    Some(FileStamp { modified: metadata.modified().ok(), bytes: metadata.len() })
}
