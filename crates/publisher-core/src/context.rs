//! Ranking of what models have for a question.
//!
//! A question in plain words ("average fine per branch") finds sources, views, queries, dimensions and measures by the words
//! of their names, docs, annotations and fields. The score is BM25 over those parts, a name counting more than a doc, a doc
//! more than the names of fields. A word also finds what begins with it, and its plural. Start at [`rank`].

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

/// What something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Source,
    View,
    Query,
    Measure,
    Dimension,
}

/// Something that a question may be about.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Entity {
    pub kind: Kind,
    pub name: String,
    /// The source that has it; absent for sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
    pub model_path: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub doc: String,
    /// What it is in one word: the type of a field.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r#type: Option<String>,
    /// Its annotations as written, docs apart.
    #[serde(skip)]
    pub annotations: String,
    /// The names of the fields that it has or gives.
    #[serde(skip)]
    pub fields: Vec<String>,
}

/// How often a repeated word counts, and how much a long text counts less: the usual values of BM25.
const K1: f64 = 1.2;
const B: f64 = 0.6;

/// What a word counts in each part of an entity.
const IN_NAME: f64 = 4.0;
const IN_SOURCE: f64 = 1.0;
const IN_DOC: f64 = 1.5;
const IN_ANNOTATIONS: f64 = 0.7;
const IN_FIELDS: f64 = 0.6;

/// What is left of a word's weight where it only begins as the one that was asked for.
const AS_PREFIX: f64 = 0.5;

/// The shortest beginning that is worth following.
const SHORTEST_PREFIX: usize = 3;

/// Words that are in every question and say nothing about it.
const EMPTY: [&str; 40] = [
    "a", "about", "all", "an", "and", "any", "are", "at", "be", "by", "do", "does", "each",
    "every", "find", "for", "from", "get", "give", "have", "how", "i", "in", "is", "it", "list",
    "me", "of", "on", "or", "per", "show", "the", "there", "to", "what", "which", "who", "you",
    "with",
];

/// What people say, and what modellers call it.
const SAID: [(&str, &[&str]); 10] = [
    ("average", &["avg", "mean"]),
    ("mean", &["avg", "average"]),
    ("total", &["sum", "count"]),
    ("number", &["count"]),
    ("many", &["count"]),
    ("much", &["sum", "total"]),
    ("highest", &["max", "top"]),
    ("lowest", &["min"]),
    ("percentage", &["share", "percent", "rate"]),
    ("time", &["date", "year", "month"]),
];

/// The positions of the entities that fit the question, the best first, each with its score. Equal ones keep their order.
pub fn rank(entities: &[Entity], question: &str) -> Vec<(usize, f64)> {
    let documents: Vec<Document> = entities.iter().map(Document::of).collect();
    let asked = asked(question);
    if asked.is_empty() {
        return Vec::new();
    }
    #[expect(clippy::cast_precision_loss, reason = "nobody has that many entities")]
    let (count, mean) = {
        let count = documents.len() as f64;
        (count, documents.iter().map(|one| one.length).sum::<f64>() / count.max(1.0))
    };
    let weights: Vec<Vec<f64>> = asked
        .iter()
        .map(|terms| documents.iter().map(|document| document.weight(terms)).collect())
        .collect();
    let rarity = |weights: &[f64]| {
        let with: f64 = weights.iter().map(|weight| if *weight > 0.0 { 1.0 } else { 0.0 }).sum();
        ((count - with + 0.5) / (with + 0.5) + 1.0).ln()
    };
    let rarities: Vec<f64> = weights.iter().map(|of_term| rarity(of_term)).collect();
    let score = |place: usize| {
        let length = B.mul_add(documents[place].length / mean.max(1.0) - 1.0, 1.0);
        let of_term = |(weights, rarity): (&Vec<f64>, &f64)| {
            let weight = weights[place];
            rarity * weight * (K1 + 1.0) / K1.mul_add(length, weight)
        };
        weights.iter().zip(&rarities).map(of_term).sum::<f64>()
    };
    let mut ranked: Vec<_> = (0..entities.len())
        .map(|place| (place, (score(place) * 1000.0).round() / 1000.0))
        .filter(|(_, score)| *score > 0.0)
        .collect();
    ranked.sort_by(|(first, a), (second, b)| {
        b.total_cmp(a).then_with(|| entities[*first].kind.cmp(&entities[*second].kind))
    });
    ranked
}

/// The words of an entity, each with what it counts.
struct Document {
    words: BTreeMap<String, f64>,
    length: f64,
}

impl Document {
    fn of(entity: &Entity) -> Self {
        let mut words = BTreeMap::new();
        let mut length = 0.0;
        let mut add = |text: &str, weight: f64| {
            for word in split(text) {
                length += 1.0;
                *words.entry(stem(&word)).or_insert(0.0) += weight;
            }
        };
        add(&entity.name, IN_NAME);
        add(entity.source.as_deref().unwrap_or_default(), IN_SOURCE);
        add(&entity.doc, IN_DOC);
        add(&entity.annotations, IN_ANNOTATIONS);
        for field in &entity.fields {
            add(field, IN_FIELDS);
        }
        Self { words, length }
    }

    /// What the best of some words for one thing counts here.
    fn weight(&self, terms: &[String]) -> f64 {
        terms.iter().map(|term| self.of_term(term)).fold(0.0, f64::max)
    }

    fn of_term(&self, term: &str) -> f64 {
        if let Some(weight) = self.words.get(term) {
            return *weight;
        }
        if term.chars().count() < SHORTEST_PREFIX {
            return 0.0;
        }
        let longer = self.words.range(term.to_owned()..);
        let longer =
            longer.take_while(|(word, _)| word.starts_with(term)).map(|(_, weight)| weight);
        // `published` in a question finds `publish`, too.
        let shorter = self.words.iter().filter(|(word, _)| {
            word.chars().count() > SHORTEST_PREFIX && term.starts_with(word.as_str())
        });
        longer.chain(shorter.map(|(_, weight)| weight)).fold(0.0, |best: f64, w| best.max(*w))
            * AS_PREFIX
    }
}

/// What is asked for: for each word of the question that says something, the words that would answer it.
fn asked(question: &str) -> Vec<Vec<String>> {
    let words: BTreeSet<String> =
        split(question).into_iter().filter(|word| !EMPTY.contains(&word.as_str())).collect();
    let terms = |word: &String| {
        let said = SAID.iter().find(|(said, _)| said == word).map_or(&[][..], |(_, meant)| meant);
        std::iter::once(stem(word)).chain(said.iter().map(|word| stem(word))).collect()
    };
    words.iter().map(terms).collect()
}

/// The words of a text or a name, in lower case: `authorCount` and `author_count` have two.
fn split(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut lower = false;
    for character in text.chars() {
        let begins = character.is_uppercase() && lower;
        if (!character.is_alphanumeric() || begins) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        lower = character.is_lowercase();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// A word without the ending of its plural.
fn stem(word: &str) -> String {
    if word.len() > 4 && word.ends_with("ies") {
        return format!("{}y", &word[..word.len() - 3]);
    }
    for ending in ["sses", "xes", "ches", "shes", "zes"] {
        if word.len() > ending.len() && word.ends_with(ending) {
            return word[..word.len() - 2].to_owned();
        }
    }
    let plural = word.len() > 3
        && word.ends_with('s')
        && !["ss", "us", "is"].iter().any(|ending| word.ends_with(ending));
    if plural { word[..word.len() - 1].to_owned() } else { word.to_owned() }
}

/// The docs among annotations: lines `#" text` and `#(doc) text`.
pub fn doc<'a>(notes: impl IntoIterator<Item = &'a str>) -> String {
    let lines = notes.into_iter().filter_map(|note| doc_line(note.trim()));
    lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The text of an annotation that is a doc.
pub fn doc_line(note: &str) -> Option<&str> {
    let note = note.trim_start_matches('#');
    note.strip_prefix('"').or_else(|| note.strip_prefix("(doc)")).map(str::trim)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entity(kind: Kind, source: &str, name: &str, doc: &str, fields: &[&str]) -> Entity {
        Entity {
            kind,
            name: name.to_owned(),
            source: (kind != Kind::Source).then(|| source.to_owned()),
            model_path: "library.malloy".to_owned(),
            doc: doc.to_owned(),
            r#type: None,
            annotations: String::new(),
            fields: fields.iter().map(|field| (*field).to_owned()).collect(),
        }
    }

    fn library() -> Vec<Entity> {
        use Kind::{Dimension, Measure, Source, View};
        vec![
            entity(Source, "", "books", "What the library owns.", &["title", "genre", "pages"]),
            entity(Source, "", "loans", "Who borrowed what, and when.", &["due", "returned"]),
            entity(View, "books", "by_genre", "", &["genre", "book_count", "average_pages"]),
            entity(View, "loans", "late_by_branch", "Late loans of each branch.", &["late_share"]),
            entity(Measure, "books", "average_pages", "", &[]),
            entity(Measure, "books", "book_count", "", &[]),
            entity(Measure, "loans", "loan_count", "", &[]),
            entity(Measure, "loans", "late_share", "How many loans came back late.", &[]),
            entity(Dimension, "books", "genre", "", &[]),
            entity(Dimension, "books", "category", "The shelf it stands on.", &[]),
        ]
    }

    fn best(question: &str) -> Vec<String> {
        let library = library();
        let ranked = rank(&library, question);
        ranked.iter().take(3).map(|(place, _)| library[*place].name.clone()).collect()
    }

    #[test]
    fn a_question_finds_what_it_is_about() {
        assert_eq!(best("late loans per branch")[0], "late_by_branch");
        assert_eq!(best("average pages")[0], "average_pages");
        assert_eq!(best("genre")[0], "genre");
        assert!(best("how many books are there").contains(&"book_count".to_owned()));
    }

    #[test]
    fn plurals_beginnings_and_other_words_for_the_same_are_found() {
        assert_eq!(best("categories")[0], "category");
        assert_eq!(best("genres")[0], "genre");
        assert_eq!(best("categ")[0], "category");
        assert_eq!(best("number of loans")[0], "loan_count");
    }

    #[test]
    fn what_nothing_has_finds_nothing() {
        assert_eq!(best("submarine"), Vec::<String>::new());
        assert_eq!(best("what is the"), Vec::<String>::new());
        assert_eq!(best(""), Vec::<String>::new());
    }

    #[test]
    fn the_same_question_has_the_same_answer() {
        assert_eq!(best("count of loans and books"), best("count of loans and books"));
        let library = library();
        let equal = rank(&library, "count");
        let names: Vec<_> = equal.iter().map(|(place, _)| library[*place].name.as_str()).collect();
        assert_eq!(names[..2], ["book_count", "loan_count"], "equal ones keep their order");
    }

    #[test]
    fn names_are_taken_apart() {
        assert_eq!(split("authorCount by_land2024"), ["author", "count", "by", "land2024"]);
        for (plural, singular) in [
            ("countries", "country"),
            ("boxes", "box"),
            ("branches", "branch"),
            ("books", "book"),
            ("class", "class"),
            ("status", "status"),
            ("gas", "gas"),
            ("prices", "price"),
        ] {
            assert_eq!(stem(plural), singular);
        }
    }

    #[test]
    fn docs_are_told_from_other_annotations() {
        let notes = ["# bar_chart\n", "#\" How many came late.\n", "#(doc) Of all loans.\n"];
        assert_eq!(doc(notes), "How many came late. Of all loans.");
        assert_eq!(doc(["# percent"]), "");
    }
}
