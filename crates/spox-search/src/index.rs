//! The index: documents with their words and, where a model is there, their vectors.
//!
//! [`Index::new`] takes the documents as they are now and the vectors that are known; [`Index::plan`] tells which texts
//! have none yet; [`Index::insert`] (or [`Index::fill`], which asks an [`Embedder`]) adds them; searching is possible at
//! every moment in between. When documents change, [`Index::with_documents`] keeps what it can.

use foldhash::{HashMap, HashMapExt};

use crate::document::{Document, TextHash};
use crate::lexical::Lexical;
use crate::model::{BadVector, Embedder};
use crate::vectors::{Place, Slots, Vectors};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// 1: the description alone. 2: the scenarios, too.
    pub vectors_per_requirement: usize,
    /// How many requirements get the second vector, those of specs before those of changes.
    pub long_texts: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self { vectors_per_requirement: 2, long_texts: 5_000 }
    }
}

/// A text that has no vector yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    pub hash: TextHash,
    pub text: String,
    pub part: Part,
}

/// Which text of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// What every document has. Without its vector a document is stale.
    Main,
    /// The scenarios, too: better results, built when there is time.
    Long,
}

#[derive(Debug, Clone)]
pub struct Index {
    pub(crate) documents: Vec<Document>,
    pub(crate) lexical: Lexical,
    pub(crate) semantic: Option<Semantic>,
    settings: Settings,
}

/// The part that needs a model.
#[derive(Debug, Clone)]
pub(crate) struct Semantic {
    pub(crate) vectors: Vectors,
    /// By document.
    pub(crate) entries: Vec<Entry>,
    /// Who gets the vector of a text that is not known yet.
    waiting: HashMap<TextHash, Vec<(usize, Part)>>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    main: TextHash,
    long: Option<TextHash>,
    /// The rows to compare with; of an earlier text of the same place until the present one has a vector.
    pub(crate) slots: Slots,
    pub(crate) stale: bool,
}

impl Index {
    /// Puts `documents` in order, with what is known of them. Without `vectors` (no model) the words alone decide.
    pub fn new(documents: Vec<Document>, vectors: Option<Vectors>, settings: Settings) -> Self {
        let lexical = Lexical::new(&documents);
        let semantic = vectors.map(|vectors| Semantic::new(&documents, vectors, settings));
        Self { documents, lexical, semantic, settings }
    }

    /// The same index over documents as they are now. Texts that did not change keep their vectors.
    #[must_use]
    pub fn with_documents(&self, documents: Vec<Document>) -> Self {
        Self::new(documents, self.vectors(), self.settings)
    }

    pub fn documents(&self) -> &[Document] {
        &self.documents
    }

    /// Which texts are to be embedded: all main texts first, then the long ones; each text once.
    pub fn plan(&self) -> Vec<Missing> {
        let Some(semantic) = &self.semantic else { return Vec::new() };
        let mut planned = std::collections::HashSet::new();
        let mut plan = Vec::new();
        for part in [Part::Main, Part::Long] {
            for at in specs_first(&self.documents) {
                let Some(hash) = semantic.entries[at].hash(part) else { continue };
                if semantic.vectors.knows(hash) || !planned.insert(hash) {
                    continue;
                }
                plan.extend(self.documents[at].text(part).map(|text| Missing { hash, text, part }));
            }
        }
        plan
    }

    /// Adds the vector of a text that [`Self::plan`] named. A text that nobody waits for is kept until the next save.
    pub fn insert(&mut self, text: TextHash, vector: &[f32]) -> Result<(), BadVector> {
        let semantic = self.semantic.as_mut().ok_or(BadVector::NoModel)?;
        let row = semantic.vectors.insert(text, vector)?;
        for (at, part) in semantic.waiting.remove(&text).unwrap_or_default() {
            let entry = &mut semantic.entries[at];
            match part {
                Part::Main => {
                    entry.slots.main = Some(row);
                    entry.stale = false;
                }
                Part::Long => entry.slots.long = Some(row),
            }
        }
        Ok(())
    }

    /// Has everything embedded that is missing, `batch` texts at a time, and tells `progress` how many of how many are
    /// done. Gives how many texts there were. What was done before an error stays.
    pub fn fill(
        &mut self,
        embedder: &dyn Embedder,
        batch: usize,
        mut progress: impl FnMut(usize, usize),
    ) -> Result<usize, BadVector> {
        self.expect_model(embedder)?;
        let plan = self.plan();
        let mut done = 0;
        for batch in plan.chunks(batch.max(1)) {
            let texts: Vec<&str> = batch.iter().map(|missing| missing.text.as_str()).collect();
            let vectors = embedder.embed(&texts);
            if vectors.len() != batch.len() {
                return Err(BadVector::WrongCount { found: vectors.len(), wanted: batch.len() });
            }
            for (missing, vector) in batch.iter().zip(&vectors) {
                self.insert(missing.hash, vector)?;
            }
            done += batch.len();
            progress(done, plan.len());
        }
        Ok(plan.len())
    }

    /// The documents that have no vector for their present text, in their order. None where there is no model.
    pub fn stale(&self) -> impl Iterator<Item = &Document> {
        let entries = self.semantic.iter().flat_map(|semantic| &semantic.entries);
        self.documents
            .iter()
            .zip(entries)
            .filter(|(_, entry)| entry.stale)
            .map(|(document, _)| document)
    }

    /// What is worth keeping of the vectors: those that a document uses, in the order of the documents.
    pub fn vectors(&self) -> Option<Vectors> {
        let semantic = self.semantic.as_ref()?;
        let known = &semantic.vectors;
        let mut kept = Vectors::new(known.model().clone());
        for (document, Entry { slots, .. }) in self.documents.iter().zip(&semantic.entries) {
            let slots = Slots {
                main: slots.main.map(|row| kept.adopt(known, row)),
                long: slots.long.map(|row| kept.adopt(known, row)),
            };
            if slots != Slots::default() {
                kept.places.insert(Place::of(document), slots);
            }
        }
        Some(kept)
    }

    /// The index file; nothing where there is no model and so nothing to keep.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        self.vectors().map(|vectors| vectors.to_bytes())
    }

    fn expect_model(&self, embedder: &dyn Embedder) -> Result<(), BadVector> {
        let wanted = self.semantic.as_ref().ok_or(BadVector::NoModel)?.vectors.model();
        let found = embedder.id();
        if found == *wanted {
            return Ok(());
        }
        Err(BadVector::OtherModel { found: found.name, wanted: wanted.name.clone() })
    }
}

impl Semantic {
    fn new(documents: &[Document], vectors: Vectors, settings: Settings) -> Self {
        let mut long_texts =
            if settings.vectors_per_requirement > 1 { settings.long_texts } else { 0 };
        let mut long = vec![None; documents.len()];
        for at in specs_first(documents) {
            if long_texts == 0 {
                break;
            }
            long[at] = documents[at].text(Part::Long).map(|text| TextHash::of(&text));
            long_texts -= usize::from(long[at].is_some());
        }
        let mut semantic = Self { vectors, entries: Vec::new(), waiting: HashMap::new() };
        for (document, long) in documents.iter().zip(long) {
            semantic.enter(document, long);
        }
        semantic
    }

    fn enter(&mut self, document: &Document, long: Option<TextHash>) {
        let at = self.entries.len();
        let main = TextHash::of(&document.main_text());
        let fresh = Slots {
            main: self.vectors.row_of(main),
            long: long.and_then(|long| self.vectors.row_of(long)),
        };
        let mut slots = fresh;
        if fresh.main.is_none() || (long.is_some() && fresh.long.is_none()) {
            let before = self.vectors.places.get(&Place::of(document)).copied().unwrap_or_default();
            slots.main = fresh.main.or(before.main);
            slots.long = fresh.long.or(before.long.filter(|_| long.is_some()));
        }
        if fresh.main.is_none() {
            self.waiting.entry(main).or_default().push((at, Part::Main));
        }
        if let Some(long) = long.filter(|_| fresh.long.is_none()) {
            self.waiting.entry(long).or_default().push((at, Part::Long));
        }
        self.entries.push(Entry { main, long, slots, stale: fresh.main.is_none() });
    }
}

impl Entry {
    fn hash(&self, part: Part) -> Option<TextHash> {
        match part {
            Part::Main => Some(self.main),
            Part::Long => self.long,
        }
    }
}

impl Document {
    fn text(&self, part: Part) -> Option<String> {
        match part {
            Part::Main => Some(self.main_text()),
            Part::Long => self.long_text(),
        }
    }
}

/// Positions: what holds now before what is proposed, since few searches ask for the latter.
fn specs_first(documents: &[Document]) -> impl Iterator<Item = usize> {
    let those = |proposed: bool| {
        (0..documents.len()).filter(move |at| documents[*at].change_id.is_some() == proposed)
    };
    those(false).chain(those(true))
}
