//! Requirements of different specs that say the same.
//!
//! The score is that of a search which asks for one requirement by the name and description of the other, both ways, the
//! lower one counting. What an identifier earns in a search is left out: nearly every requirement names one. Start at
//! [`Index::duplicates`].

use std::collections::HashSet;

use foldhash::HashMap;

use crate::document::{Content, Document, Requirement};
use crate::index::{Index, Semantic};
use crate::search::{ALL_TERMS, DESCRIBED};
use crate::tokens;

/// From here on two requirements are near-duplicates.
pub const NEAR_DUPLICATE: f32 = 0.9;

/// Two requirements, by their place in [`Index::documents`]; `first` stands before `second`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Duplicate {
    pub first: usize,
    pub second: usize,
    /// 0 to 1.
    pub score: f32,
}

impl Index {
    /// The pairs of requirements in different specs whose score is above `threshold`, in the order of the documents.
    ///
    /// Of what holds now, and of present texts: a stale vector accuses nobody. The same words in two specs count as 1, with
    /// or without a model. The time grows with the square of the requirements (`benches/search.rs` tells it).
    pub fn duplicates(&self, threshold: f32) -> Vec<Duplicate> {
        let mut found = self.verbatim();
        let known: HashSet<_> = found.iter().map(|pair| (pair.first, pair.second)).collect();
        if let Some(semantic) = &self.semantic {
            let alike = self.alike(semantic, threshold).into_iter();
            found.extend(alike.filter(|pair| !known.contains(&(pair.first, pair.second))));
        }
        found.retain(|pair| pair.score > threshold);
        found.sort_by_key(|pair| (pair.first, pair.second));
        found
    }

    /// Pairs with the same name and description.
    fn verbatim(&self) -> Vec<Duplicate> {
        let mut seen: HashMap<(&str, &str), Vec<usize>> = HashMap::default();
        let mut found = Vec::new();
        for (second, requirement) in self.present_requirements() {
            if requirement.description.trim().is_empty() {
                continue;
            }
            let same = seen.entry((&requirement.name, &requirement.description)).or_default();
            let apart = same.iter().filter(|first| self.are_apart(**first, second));
            found.extend(apart.map(|first| Duplicate { first: *first, second, score: 1.0 }));
            same.push(second);
        }
        found
    }

    /// Pairs by meaning and words. Words add at most [`DESCRIBED`] to what is not word for word the same, so only pairs
    /// that are within its reach are looked at closer.
    fn alike(&self, semantic: &Semantic, threshold: f32) -> Vec<Duplicate> {
        let fresh = self.present_requirements().filter(|(at, _)| !semantic.entries[*at].stale);
        let (places, rows): (Vec<usize>, Vec<usize>) = fresh
            .filter_map(|(at, _)| semantic.entries[at].slots.main.map(|row| (at, row as usize)))
            .unzip();
        let near = semantic.vectors.rows.pairs_above(&rows, threshold - DESCRIBED);
        let pairs =
            near.into_iter().map(|(first, second, cosine)| (places[first], places[second], cosine));
        pairs
            .filter(|(first, second, _)| self.are_apart(*first, *second))
            .map(|(first, second, cosine)| {
                let words = self.words_of(first, second).min(self.words_of(second, first));
                Duplicate { first, second, score: (cosine + words).clamp(0.0, 1.0) }
            })
            .collect()
    }

    /// What words add when `wanted` is asked for and `found` is looked at.
    fn words_of(&self, wanted: usize, found: usize) -> f32 {
        let Content::Requirement(requirement) = &self.documents[wanted].content else { return 0.0 };
        let text = format!("{} {}", requirement.name, requirement.description);
        let (share, all) = self.lexical.share(&tokens::distinct_terms(&text), found);
        share * if all { ALL_TERMS } else { DESCRIBED }
    }

    fn are_apart(&self, first: usize, second: usize) -> bool {
        self.documents[first].spec_id != self.documents[second].spec_id
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
