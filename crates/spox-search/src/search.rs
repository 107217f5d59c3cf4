//! Ranking: one score out of meaning and words.
//!
//! `score = cosine + λ · share`, where the cosine is the best of a document's vectors and the share tells how much of what
//! the query's words could earn the document has earned. Start at [`Index::search`].

use std::cmp::Ordering;

use crate::document::Document;
use crate::index::Index;
use crate::lexical::Matches;
use crate::model::BadVector;
use crate::rows::Needle;
use crate::snippet::{Wanted, snippet};
use crate::tokens;

/// Below this an answer is more likely wrong than right; measured for the built-in model.
pub const THRESHOLD: f32 = 0.28;

/// What words add to meaning. Someone who describes a thing seldom knows its words: 0.3. Having all of them is worth more,
/// and someone who writes an identifier means it.
pub(crate) const DESCRIBED: f32 = 0.3;
pub(crate) const ALL_TERMS: f32 = 0.6;
const NAMED: f32 = 1.0;

/// Someone who names what occurs nowhere here asks about something else, unless the answer is clear. It holds for all
/// documents alike, so that their order is the same.
const UNKNOWN_NAME: f32 = 0.9;

/// What is looked for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Query<'text> {
    pub text: &'text str,
    /// At most so many hits.
    pub top_k: usize,
    /// Whether what active changes propose is returned, too.
    pub include_changes: bool,
    /// The lowest score that is returned.
    pub threshold: f32,
}

impl<'text> Query<'text> {
    /// The ten best of what holds now.
    pub fn new(text: &'text str) -> Self {
        Self { text, top_k: 10, include_changes: false, threshold: THRESHOLD }
    }
}

/// One answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// Where it stands in [`Index::documents`].
    pub document: usize,
    pub spec_id: String,
    pub change_id: Option<String>,
    /// Nothing for a hit on the purpose of the spec.
    pub requirement: Option<String>,
    /// 0 to 1; never more than that of the hit before.
    pub score: f32,
    /// The sentence or clause that matched best, at most 160 characters.
    pub snippet: String,
}

/// A document and its score before it is capped, so that two that are both certain keep their order.
struct Candidate<'index> {
    at: usize,
    document: &'index Document,
    score: f32,
}

impl Index {
    /// The best answers to `query`, best first. `vector` is the query's text, embedded by the index's model; without it, or
    /// without a model, the words alone decide.
    pub fn search(&self, query: &Query<'_>, vector: Option<&[f32]>) -> Result<Vec<Hit>, BadVector> {
        let terms = tokens::distinct_terms(query.text);
        let matches = self.lexical.matches(&terms);
        let cosines = self.cosines(vector)?;
        let identifiers = tokens::identifiers(query.text);
        let named = !identifiers.is_empty();
        let trust = if identifiers.iter().all(|name| self.lexical.knows(name)) {
            1.0
        } else {
            UNKNOWN_NAME
        };
        let mut candidates: Vec<Candidate<'_>> = self
            .documents
            .iter()
            .enumerate()
            .filter(|(_, document)| query.include_changes || document.change_id.is_none())
            .map(|(at, document)| Candidate {
                at,
                document,
                score: trust * score(at, &cosines, &matches, named),
            })
            .filter(|candidate| candidate.score >= query.threshold)
            .collect();
        if candidates.len() > query.top_k {
            candidates.select_nth_unstable_by(query.top_k, Candidate::compare);
            candidates.truncate(query.top_k);
        }
        candidates.sort_unstable_by(Candidate::compare);
        let wanted = terms.iter().map(|term| (&**term, self.lexical.idf(term))).collect();
        Ok(candidates.iter().map(|candidate| candidate.hit(&wanted)).collect())
    }

    /// By document, the best cosine of its vectors with the query's; nothing where there is none.
    fn cosines(&self, vector: Option<&[f32]>) -> Result<Vec<Option<f32>>, BadVector> {
        let (Some(semantic), Some(vector)) = (&self.semantic, vector) else {
            return Ok(vec![None; self.documents.len()]);
        };
        let rows = &semantic.vectors.rows;
        let cosines = rows.cosines(&Needle::new(vector, rows.dimensions)?);
        let cosine = |row: Option<u32>| row.map(|row| cosines[row as usize]);
        let best = |main: Option<f32>, long: Option<f32>| match (main, long) {
            (Some(main), Some(long)) => Some(main.max(long)),
            (main, long) => main.or(long),
        };
        let slots = semantic.entries.iter().map(|entry| entry.slots);
        Ok(slots.map(|slots| best(cosine(slots.main), cosine(slots.long))).collect())
    }
}

fn score(at: usize, cosines: &[Option<f32>], matches: &Matches, named: bool) -> f32 {
    let share = matches.shares[at];
    match cosines[at] {
        // Nothing else speaks for it, so words count in full.
        None => share,
        Some(cosine) if named => cosine + NAMED * share,
        Some(cosine) if matches.holds_all(at) => cosine + ALL_TERMS * share,
        Some(cosine) => cosine + DESCRIBED * share,
    }
}

impl Candidate<'_> {
    /// Best first; then by spec, what holds before what is proposed, and as documents stand.
    fn compare(&self, other: &Self) -> Ordering {
        other.score.total_cmp(&self.score).then_with(|| self.place().cmp(&other.place()))
    }

    fn place(&self) -> (&str, Option<&str>, usize) {
        (&self.document.spec_id, self.document.change_id.as_deref(), self.at)
    }

    fn hit(&self, wanted: &Wanted<'_>) -> Hit {
        Hit {
            document: self.at,
            spec_id: self.document.spec_id.clone(),
            change_id: self.document.change_id.clone(),
            requirement: self.document.requirement().map(str::to_owned),
            score: self.score.clamp(0.0, 1.0),
            snippet: snippet(self.document, wanted),
        }
    }
}
