//! The vectors that are known: by the hash of the text they stand for, and by the place that the text has.
//!
//! This is what the index file holds ([`Vectors::to_bytes`], [`Vectors::from_bytes`]). A text that did not change keeps its
//! vector wherever it moves to; a place whose text did change can be found by its old vector until the new one is there.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt};

use crate::document::{Document, TextHash};
use crate::model::{BadVector, ModelId};
use crate::rows::Rows;

#[derive(Debug, Clone)]
pub struct Vectors {
    pub(crate) model: ModelId,
    pub(crate) hashes: Vec<TextHash>,
    pub(crate) rows: Rows,
    pub(crate) places: BTreeMap<Place, Slots>,
    by_hash: HashMap<TextHash, u32>,
}

/// What stays the same when a text is edited.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place {
    pub(crate) spec_id: String,
    pub(crate) change_id: Option<String>,
    pub(crate) requirement: Option<String>,
}

/// The rows of a place's main and long text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Slots {
    pub(crate) main: Option<u32>,
    pub(crate) long: Option<u32>,
}

impl Vectors {
    /// No vectors yet, of this model.
    pub fn new(model: ModelId) -> Self {
        Self {
            rows: Rows::new(model.dimensions),
            model,
            hashes: Vec::new(),
            places: BTreeMap::new(),
            by_hash: HashMap::new(),
        }
    }

    /// Which model they are of.
    pub fn model(&self) -> &ModelId {
        &self.model
    }

    /// How many texts have a vector.
    pub fn len(&self) -> usize {
        self.hashes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.hashes.is_empty()
    }

    /// Whether the vector of exactly this text is known.
    pub fn knows(&self, text: TextHash) -> bool {
        self.by_hash.contains_key(&text)
    }

    pub(crate) fn row_of(&self, text: TextHash) -> Option<u32> {
        self.by_hash.get(&text).copied()
    }

    /// Adds the vector of a text; the row it has, old or new. What is known already stays: the same text has the same vector.
    pub(crate) fn insert(&mut self, text: TextHash, vector: &[f32]) -> Result<u32, BadVector> {
        if let Some(row) = self.row_of(text) {
            return Ok(row);
        }
        self.rows.push(vector)?;
        Ok(self.name_last_row(text))
    }

    /// Adds a text with a row of `other`; the row it has here.
    pub(crate) fn adopt(&mut self, other: &Self, row: u32) -> u32 {
        let text = other.hashes[row as usize];
        if let Some(row) = self.row_of(text) {
            return row;
        }
        self.rows.push_row(&other.rows, row as usize);
        self.name_last_row(text)
    }

    /// Puts together what a file held. Nothing if two rows claim to be the same text.
    pub(crate) fn from_parts(
        model: ModelId,
        hashes: Vec<TextHash>,
        rows: Rows,
        places: BTreeMap<Place, Slots>,
    ) -> Option<Self> {
        let by_hash: HashMap<_, _> = hashes.iter().copied().zip(0..).collect();
        (by_hash.len() == hashes.len()).then_some(Self { model, hashes, rows, places, by_hash })
    }

    fn name_last_row(&mut self, text: TextHash) -> u32 {
        // A file's count of rows is 32 bits wide; memory ends long before.
        let row = u32::try_from(self.hashes.len()).expect("fewer than four billion texts");
        self.hashes.push(text);
        self.by_hash.insert(text, row);
        row
    }
}

impl PartialEq for Vectors {
    fn eq(&self, other: &Self) -> bool {
        // `by_hash` follows from `hashes`.
        self.model == other.model
            && self.hashes == other.hashes
            && self.rows == other.rows
            && self.places == other.places
    }
}

impl Place {
    pub(crate) fn of(document: &Document) -> Self {
        Self {
            spec_id: document.spec_id.clone(),
            change_id: document.change_id.clone(),
            requirement: document.requirement().map(str::to_owned),
        }
    }
}
