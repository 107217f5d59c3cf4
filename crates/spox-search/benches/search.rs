//! What building and asking an index of 20 000 requirements costs: `cargo bench -p spox-search`.
//!
//! Prints the best of several rounds for each step, as time of the one core it runs on: what else the machine does then
//! stays out of it. The texts are drawn from a made vocabulary in which few
//! words are frequent and most are rare, as in real ones; the vectors point anywhere.
#![expect(clippy::print_stdout, reason = "the figures are what it is for")]
#![expect(clippy::cast_precision_loss, reason = "small numbers")]

use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use spox_search::{
    Content, Document, Index, ModelId, NEAR_DUPLICATE, Query, Requirement, Scenario, Settings,
    Vectors,
};

const REQUIREMENTS: usize = 20_000;
const DIMENSIONS: usize = 384;

fn main() {
    let mut random = Random(1);
    let documents: Vec<Document> = (0..REQUIREMENTS).map(|at| document(at, &mut random)).collect();
    let bytes: usize = documents.iter().map(|d| d.long_text().map_or(0, |text| text.len())).sum();
    println!("{REQUIREMENTS} requirements, {:.1} MB of text", bytes as f64 / 1e6);

    let model = ModelId { name: "random".into(), hash: [0; 32], dimensions: DIMENSIONS };
    let settings = Settings { long_texts: REQUIREMENTS, ..Settings::default() };
    best("copy the documents", 5, || documents.clone());
    best("build, words alone", 5, || Index::new(documents.clone(), None, settings));
    best("build, no vector known", 5, || {
        Index::new(documents.clone(), Some(Vectors::new(model.clone())), settings)
    });
    let mut index = Index::new(documents.clone(), Some(Vectors::new(model.clone())), settings);
    let plan = index.plan();
    for missing in &plan {
        index.insert(missing.hash, &random.vector()).expect("a vector of the right length");
    }
    println!("{} vectors", plan.len());
    let file = index.to_bytes().expect("a model");
    println!("{:.1} MB of file", file.len() as f64 / 1e6);
    best("write", 5, || index.to_bytes());
    best("read", 5, || Vectors::from_bytes(&file, &model));
    best("the same with other documents", 5, || index.with_documents(documents.clone()));

    let vector = random.vector();
    let common = random.words(6);
    let query = Query::new(&common);
    best("search by words", 50, || index.search(&query, None));
    best("search by words and vectors", 50, || index.search(&query, Some(&vector)));
    let rare = Query::new("zebra");
    best("search by vectors, no word known", 50, || index.search(&rare, Some(&vector)));

    let few = index.with_documents(documents[..1_000].to_vec());
    best("near-duplicates of 1 000", 3, || few.duplicates(NEAR_DUPLICATE));
    let some = index.with_documents(documents[..5_000].to_vec());
    best("near-duplicates of 5 000", 1, || some.duplicates(NEAR_DUPLICATE));
}

fn best<T>(what: &str, rounds: usize, mut run: impl FnMut() -> T) {
    let round = |_| {
        let start = worked();
        black_box(run());
        worked().saturating_sub(start)
    };
    let fastest = (0..rounds).map(round).min().unwrap_or(Duration::ZERO);
    println!("{what:<40}{:>10.2} ms", fastest.as_secs_f64() * 1e3);
}

fn worked() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

fn document(at: usize, random: &mut Random) -> Document {
    let scenario = |random: &mut Random| Scenario {
        name: random.words(4),
        clauses: (0..4).map(|_| random.words(9)).collect(),
    };
    Document {
        spec_id: format!("capability-{}", at / 10),
        change_id: None,
        content: Content::Requirement(Requirement {
            name: random.words(4),
            description: random.words(30),
            scenarios: vec![scenario(random), scenario(random)],
        }),
    }
}

/// The same numbers in every run (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    fn vector(&mut self) -> Vec<f32> {
        (0..DIMENSIONS).map(|_| self.unit() - 0.5).collect()
    }

    fn words(&mut self, count: usize) -> String {
        let words: Vec<String> = (0..count).map(|_| self.word()).collect();
        words.join(" ")
    }

    fn word(&mut self) -> String {
        let rank = (1.0 - self.unit()).powi(-1).min(8_000.0);
        format!("word{}ing", letters(f64::from(rank)))
    }
}

/// A number in letters, so that the stemmer has something to do.
fn letters(number: f64) -> String {
    format!("{number:.0}").bytes().map(|digit| char::from(b'a' + digit - b'0')).collect()
}
