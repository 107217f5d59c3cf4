//! Documents in a line each, and an encoder that is quick, the same everywhere and easy to foresee.

use spox_search::{
    Content, Document, Embedder, Hit, Index, ModelId, Query, Requirement, Scenario, Settings,
    Vectors,
};

/// Each word (of more than three letters) adds one to a place that its letters decide: texts with the same words have the
/// same direction, texts without a common word are apart (but for the rare pair of words that share a place).
pub(crate) struct BagOfWords;

pub(crate) const DIMENSIONS: usize = 256;

impl Embedder for BagOfWords {
    fn id(&self) -> ModelId {
        ModelId { name: "bag-of-words".into(), hash: [7; 32], dimensions: DIMENSIONS }
    }

    fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        texts.iter().map(|text| embed(text)).collect()
    }
}

fn embed(text: &str) -> Vec<f32> {
    let mut vector = vec![0.0; DIMENSIONS];
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3) {
        let place = word
            .to_lowercase()
            .bytes()
            .fold(5381_usize, |hash, byte| hash.wrapping_mul(33) ^ usize::from(byte));
        vector[place % DIMENSIONS] += 1.0;
    }
    vector
}

pub(crate) fn requirement(spec: &str, name: &str, description: &str) -> Document {
    with_scenario(spec, name, description, &[])
}

/// A requirement with one scenario, unless there are no clauses.
pub(crate) fn with_scenario(
    spec: &str,
    name: &str,
    description: &str,
    clauses: &[&str],
) -> Document {
    let clauses: Vec<String> = clauses.iter().map(|clause| (*clause).to_owned()).collect();
    let scenarios = (!clauses.is_empty()).then(|| Scenario { name: "Case".into(), clauses });
    Document {
        spec_id: spec.into(),
        change_id: None,
        content: Content::Requirement(Requirement {
            name: name.into(),
            description: description.into(),
            scenarios: scenarios.into_iter().collect(),
        }),
    }
}

pub(crate) fn purpose(spec: &str, title: &str, purpose: &str) -> Document {
    Document {
        spec_id: spec.into(),
        change_id: None,
        content: Content::Purpose { title: title.into(), purpose: purpose.into() },
    }
}

pub(crate) fn proposed(change: &str, document: Document) -> Document {
    Document { change_id: Some(change.into()), ..document }
}

/// An index without a model.
pub(crate) fn by_words(documents: Vec<Document>) -> Index {
    Index::new(documents, None, Settings::default())
}

/// An index with a model and no vector yet.
pub(crate) fn empty(documents: Vec<Document>) -> Index {
    Index::new(documents, Some(Vectors::new(BagOfWords.id())), Settings::default())
}

/// An index with all vectors.
pub(crate) fn filled(documents: Vec<Document>) -> Index {
    let mut index = empty(documents);
    index.fill(&BagOfWords, 3, |_, _| {}).expect("vectors of the right length");
    index
}

/// What is found by words and meaning.
pub(crate) fn ask(index: &Index, query: &Query<'_>) -> Vec<Hit> {
    index.search(query, Some(&embed(query.text))).expect("a vector of the right length")
}

/// What is found by words alone, whatever the score.
pub(crate) fn ask_words(index: &Index, text: &str) -> Vec<Hit> {
    let query = Query { threshold: f32::MIN_POSITIVE, ..Query::new(text) };
    index.search(&query, None).expect("no vector, no complaint")
}

/// Hits as `spec/requirement`, a spec's purpose as `spec/`.
pub(crate) fn names(hits: &[Hit]) -> Vec<String> {
    hits.iter()
        .map(|hit| format!("{}/{}", hit.spec_id, hit.requirement.as_deref().unwrap_or_default()))
        .collect()
}
