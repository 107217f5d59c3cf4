//! Requirements of different specs that say the same.
//!
//! Two texts are compared by the cosine of their main vectors alone. What words add in a search is for a handful of them;
//! two requirements that share a vocabulary are related, and only the same meaning makes one of them too many.

use std::collections::{HashMap, HashSet};

use crate::document::{Content, Document, Requirement};
use crate::index::Index;

/// From here on two requirements are near-duplicates.
pub const NEAR_DUPLICATE: f32 = 0.9;

/// Two requirements, by their place in [`Index::documents`]; `first` stands before `second`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Duplicate {
    pub first: usize,
    pub second: usize,
    pub score: f32,
}

impl Index {
    /// The pairs of requirements in different specs whose score is above `threshold`, in the order of the documents.
    ///
    /// Of what holds now, and of present texts: a stale vector accuses nobody. The same words in two specs count as 1 with
    /// or without a model. The time grows with the square of the requirements: 1 000 take some 10 ms.
    pub fn duplicates(&self, threshold: f32) -> Vec<Duplicate> {
        let mut found = self.verbatim();
        let known: HashSet<_> = found.iter().map(|pair| (pair.first, pair.second)).collect();
        found.extend(
            self.alike(threshold).filter(|pair| !known.contains(&(pair.first, pair.second))),
        );
        found.retain(|pair| {
            let spec = |at: usize| &self.documents[at].spec_id;
            pair.score > threshold && spec(pair.first) != spec(pair.second)
        });
        found.sort_by_key(|pair| (pair.first, pair.second));
        found
    }

    /// Pairs with the same name and description; the main vectors of these differ by the name of the spec.
    fn verbatim(&self) -> Vec<Duplicate> {
        let mut seen: HashMap<(&str, &str), Vec<usize>> = HashMap::new();
        let mut found = Vec::new();
        for (second, requirement) in self.present_requirements() {
            if requirement.description.trim().is_empty() {
                continue;
            }
            let same = seen.entry((&requirement.name, &requirement.description)).or_default();
            found.extend(same.iter().map(|first| Duplicate { first: *first, second, score: 1.0 }));
            same.push(second);
        }
        found
    }

    fn alike(&self, threshold: f32) -> impl Iterator<Item = Duplicate> {
        let fresh: Vec<(usize, u32)> =
            self.semantic.iter().flat_map(|semantic| self.fresh_rows(semantic)).collect();
        let rows: Vec<usize> = fresh.iter().map(|(_, row)| *row as usize).collect();
        let pairs = self
            .semantic
            .as_ref()
            .map(|semantic| semantic.vectors.rows.pairs_above(&rows, threshold));
        pairs.into_iter().flatten().map(move |(first, second, cosine)| Duplicate {
            first: fresh[first].0,
            second: fresh[second].0,
            score: cosine.min(1.0),
        })
    }

    fn fresh_rows<'index>(
        &'index self,
        semantic: &'index crate::index::Semantic,
    ) -> impl Iterator<Item = (usize, u32)> + 'index {
        self.present_requirements().filter_map(|(at, _)| {
            let entry = &semantic.entries[at];
            entry.slots.main.filter(|_| !entry.stale).map(|row| (at, row))
        })
    }

    fn present_requirements(&self) -> impl Iterator<Item = (usize, &Requirement)> {
        self.documents.iter().enumerate().filter_map(|(at, document)| match document {
            Document { change_id: None, content: Content::Requirement(requirement), .. } => {
                Some((at, requirement))
            }
            _ => None,
        })
    }
}
