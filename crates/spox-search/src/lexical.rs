//! The lexical part: which documents hold the query's words, by BM25 over weighted fields.
//!
//! An inverted index that is built from the documents in one pass and kept in memory only: building it is cheaper than
//! reading it back would be. Start at [`Lexical::matches`].
//!
//! Counts (how many documents there are, how many hold a term, how long they are) come from what holds now; a proposed
//! change is measured by them and does not move them, so that writing a proposal reorders nobody's results.

use foldhash::HashMap;

use crate::document::{Content, Document, Requirement};
use crate::tokens;

const K1: f32 = 1.2;
const B: f32 = 0.75;

/// How much a word counts by where it stands. A title stands for a name, a purpose for a description.
const NAME: f32 = 3.0;
const CAPABILITY: f32 = 1.5;
const DESCRIPTION: f32 = 2.0;
const SCENARIO: f32 = 1.0;

#[derive(Debug, Clone, Default)]
pub(crate) struct Lexical {
    terms: HashMap<Box<str>, u32>,
    /// By term: the documents that hold it, in their order.
    postings: Vec<Vec<Posting>>,
    /// By term: how many documents of the present hold it.
    frequencies: Vec<u32>,
    /// By document: `k1 · (1 − b + b · length / average length)`.
    norms: Vec<f32>,
    /// How many documents of the present there are.
    present: u32,
}

#[derive(Debug, Clone, Copy)]
struct Posting {
    document: u32,
    /// How often the term occurs, each time counted by the weight of its field.
    weight: f32,
}

/// What the words of a query say about every document.
#[derive(Debug, Clone)]
pub(crate) struct Matches {
    /// By document: its BM25 as a part of what a document full of all terms would have, 0 to 1.
    pub(crate) shares: Vec<f32>,
    /// By document: how many of the query's terms it holds.
    held: Vec<u32>,
    terms: u32,
}

impl Matches {
    /// Whether the document holds every term of a query that has at least two.
    pub(crate) fn holds_all(&self, document: usize) -> bool {
        self.terms >= 2 && self.held[document] == self.terms
    }
}

impl Lexical {
    pub(crate) fn new(documents: &[Document]) -> Self {
        let mut builder = Builder::default();
        for document in documents {
            builder.add(document);
        }
        builder.finish()
    }

    /// Weighs every document against the distinct `terms` of a query.
    pub(crate) fn matches(&self, terms: &[String]) -> Matches {
        let mut matches = Matches {
            shares: vec![0.0; self.norms.len()],
            held: vec![0; self.norms.len()],
            terms: u32::try_from(terms.len()).unwrap_or(u32::MAX),
        };
        let mut ideal = 0.0;
        for term in terms {
            let idf = self.idf(term);
            ideal += idf * (K1 + 1.0);
            for Posting { document, weight } in self.postings(term) {
                let document = *document as usize;
                matches.shares[document] += idf * self.saturated(document, *weight);
                matches.held[document] += 1;
            }
        }
        if ideal > 0.0 {
            matches.shares.iter_mut().for_each(|share| *share /= ideal);
        }
        matches
    }

    /// What [`Self::matches`] would say about one document: its share, and whether it holds every term.
    pub(crate) fn share(&self, terms: &[String], document: usize) -> (f32, bool) {
        let (mut earned, mut ideal, mut all) = (0.0, 0.0, true);
        for term in terms {
            let idf = self.idf(term);
            ideal += idf * (K1 + 1.0);
            let postings = self.postings(term);
            match postings.binary_search_by_key(&document, |posting| posting.document as usize) {
                Ok(at) => earned += idf * self.saturated(document, postings[at].weight),
                Err(_) => all = false,
            }
        }
        if ideal > 0.0 { (earned / ideal, all) } else { (0.0, false) }
    }

    /// BM25's count: a second occurrence adds less than the first, and less in a long document.
    fn saturated(&self, document: usize, weight: f32) -> f32 {
        weight * (K1 + 1.0) / (weight + self.norms[document])
    }

    /// How rare a term is. One that occurs nowhere is the rarest, so a query of unknown words earns nothing by the rest.
    pub(crate) fn idf(&self, term: &str) -> f32 {
        let frequency = self.terms.get(term).map_or(0, |id| self.frequencies[*id as usize]);
        let (all, with) = (count(self.present), count(frequency));
        (1.0 + (all - with + 0.5) / (with + 0.5)).ln()
    }

    /// Whether the term occurs anywhere.
    pub(crate) fn knows(&self, term: &str) -> bool {
        !self.postings(term).is_empty()
    }

    fn postings(&self, term: &str) -> &[Posting] {
        self.terms.get(term).map_or(&[], |id| &self.postings[*id as usize])
    }
}

/// Gathers postings; a chunk that was seen before costs one look-up, so each word is stemmed once.
#[derive(Default)]
struct Builder<'text> {
    index: Lexical,
    chunks: HashMap<&'text str, Box<[u32]>>,
    lengths: Vec<f32>,
    present_length: f64,
}

impl<'text> Builder<'text> {
    fn add(&mut self, document: &'text Document) {
        let proposed = document.change_id.is_some();
        self.lengths.push(0.0);
        self.field(&document.spec_id, CAPABILITY, proposed);
        match &document.content {
            Content::Purpose { title, purpose } => {
                self.field(title, NAME, proposed);
                self.field(purpose, DESCRIPTION, proposed);
            }
            Content::Requirement(Requirement { name, description, scenarios }) => {
                self.field(name, NAME, proposed);
                self.field(description, DESCRIPTION, proposed);
                for scenario in scenarios {
                    self.field(&scenario.name, SCENARIO, proposed);
                    scenario
                        .clauses
                        .iter()
                        .for_each(|clause| self.field(clause, SCENARIO, proposed));
                }
            }
        }
        if !proposed {
            self.index.present += 1;
            self.present_length += self.lengths.last().copied().map_or(0.0, f64::from);
        }
    }

    fn field(&mut self, text: &'text str, weight: f32, proposed: bool) {
        let Self { index, chunks, lengths, .. } = self;
        let Some(document) = u32::try_from(lengths.len() - 1).ok() else { return };
        let mut length = 0.0;
        for chunk in tokens::chunks(text) {
            let ids = chunks.entry(chunk).or_insert_with(|| {
                let mut ids = Vec::new();
                tokens::terms_of(chunk, &mut |term| ids.push(index.term(term)));
                ids.into_boxed_slice()
            });
            for id in ids {
                index.count(*id, document, weight, proposed);
                length += weight;
            }
        }
        if let Some(last) = lengths.last_mut() {
            *last += length;
        }
    }

    fn finish(mut self) -> Lexical {
        let average = self.average();
        // Without any words there is nothing to weigh, and every length is as good as another.
        let relative = |length: f32| if average > 0.0 { length / average } else { 1.0 };
        self.index.norms =
            self.lengths.iter().map(|length| K1 * (1.0 - B + B * relative(*length))).collect();
        self.index
    }

    /// Of what holds now; of the proposals where there is nothing else yet.
    fn average(&self) -> f32 {
        let (sum, of) = if self.index.present > 0 {
            (self.present_length, f64::from(self.index.present))
        } else {
            (self.lengths.iter().copied().map(f64::from).sum(), self.lengths.len().max(1) as f64)
        };
        (sum / of) as f32
    }
}

impl Lexical {
    /// The id of a term, new or known.
    fn term(&mut self, term: &str) -> u32 {
        if let Some(id) = self.terms.get(term) {
            return *id;
        }
        let id = u32::try_from(self.postings.len()).unwrap_or(u32::MAX);
        self.terms.insert(term.into(), id);
        self.postings.push(Vec::new());
        self.frequencies.push(0);
        id
    }

    /// Documents come in order, so the last posting of a term is the only one that can be this document's.
    fn count(&mut self, term: u32, document: u32, weight: f32, proposed: bool) {
        let postings = &mut self.postings[term as usize];
        match postings.last_mut() {
            Some(last) if last.document == document => last.weight += weight,
            _ => {
                postings.push(Posting { document, weight });
                self.frequencies[term as usize] += u32::from(!proposed);
            }
        }
    }
}

fn count(n: u32) -> f32 {
    n as f32
}
