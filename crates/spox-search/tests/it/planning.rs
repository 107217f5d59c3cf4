//! Which texts are embedded, and what is known until they are.

use std::cell::RefCell;

use spox_search::{
    BadVector, Document, Embedder, Index, ModelId, Part, Query, Settings, TextHash, Vectors,
};

use crate::support::{
    BagOfWords, ask, by_words, empty, filled, names, proposed, purpose, requirement, with_scenario,
};

fn texts(index: &Index) -> Vec<String> {
    index.plan().into_iter().map(|missing| missing.text).collect()
}

fn stale(index: &Index) -> Vec<Option<&str>> {
    index.stale().map(Document::requirement).collect()
}

#[test]
fn main_texts_come_first_then_long_ones_and_changes_last() {
    let index = empty(vec![
        proposed("c", with_scenario("user-auth", "Later", "Some *day*.", &["it comes"])),
        purpose("user-auth", "Auth Specification", "Keeps `strangers` out."),
        with_scenario(
            "user-auth",
            "Log in",
            "The **server** SHALL ask.",
            &["`a` key", "it opens!"],
        ),
        requirement("platform/auth", "Bare", ""),
    ]);
    assert_eq!(
        texts(&index),
        [
            "Auth Specification. Keeps strangers out.",
            "user auth: Log in. The server SHALL ask.",
            "platform auth: Bare.",
            "user auth: Later. Some day.",
            "user auth: Log in. The server SHALL ask. Case. a key. it opens!",
            "user auth: Later. Some day. Case. it comes.",
        ]
    );
    let parts: Vec<Part> = index.plan().iter().map(|missing| missing.part).collect();
    assert!(parts.is_sorted());
    assert!(index.plan().iter().all(|missing| TextHash::of(&missing.text) == missing.hash));
}

#[test]
fn the_same_text_is_embedded_once() {
    let same = requirement("auth", "Log in", "The server SHALL ask.");
    let index = filled(vec![same.clone(), proposed("c", same)]);
    assert_eq!(index.vectors().expect("a model").len(), 1);
    assert_eq!(stale(&index), [] as [Option<&str>; 0]);
}

#[test]
fn long_texts_end_at_their_limit_and_can_be_turned_off() {
    let documents: Vec<Document> =
        (0..5).map(|n| with_scenario("s", &format!("R{n}"), "Text", &["clause"])).collect();
    let planned = |settings: Settings| {
        let index = Index::new(documents.clone(), Some(Vectors::new(BagOfWords.id())), settings);
        index.plan().iter().filter(|missing| missing.part == Part::Long).count()
    };
    assert_eq!(planned(Settings::default()), 5);
    assert_eq!(planned(Settings { long_texts: 3, ..Settings::default() }), 3);
    assert_eq!(planned(Settings { vectors_per_requirement: 1, ..Settings::default() }), 0);
}

#[test]
fn only_what_changed_is_embedded_again() {
    let documents = vec![
        requirement("auth", "Log in", "The server SHALL ask."),
        requirement("auth", "Log out", "The server SHALL forget."),
    ];
    let index = filled(documents.clone());
    let mut edited = documents;
    edited[1] = requirement("auth", "Log out", "The server SHALL remember nothing.");
    edited.insert(0, requirement("auth", "New", "The server SHALL be new."));
    let index = index.with_documents(edited);
    assert_eq!(
        texts(&index),
        [
            "auth: New. The server SHALL be new.",
            "auth: Log out. The server SHALL remember nothing."
        ]
    );
    assert_eq!(stale(&index), [Some("New"), Some("Log out")]);
}

#[test]
fn a_changed_requirement_is_found_by_its_old_meaning_until_the_new_one_is_known() {
    let index = filled(vec![
        with_scenario(
            "auth",
            "Gate",
            "Somebody enters their password",
            &["wrong attempts lock everything"],
        ),
        requirement("auth", "Else", "Nothing alike"),
    ]);
    let mut index = index.with_documents(vec![
        with_scenario("auth", "Gate", "Retina recognition", &["blinking"]),
        requirement("auth", "Else", "Nothing alike"),
    ]);
    assert_eq!(stale(&index), [Some("Gate")]);
    assert_eq!(names(&ask(&index, &Query::new("somebody enters password"))), ["auth/Gate"]);
    assert_eq!(names(&ask(&index, &Query::new("wrong attempts lock everything"))), ["auth/Gate"]);

    assert_eq!(index.fill(&BagOfWords, 10, |_, _| {}), Ok(2));
    assert_eq!(stale(&index), [] as [Option<&str>; 0]);
    assert_eq!(ask(&index, &Query::new("somebody enters password")), []);
    assert_eq!(index.vectors().expect("a model").len(), 3, "what nobody uses is not kept");
}

#[test]
fn what_is_not_embedded_yet_is_found_by_its_words() {
    let index = filled(vec![requirement("auth", "Login", "Somebody enters their password")]);
    let index = index.with_documents(vec![
        requirement("auth", "Login", "Somebody enters their password"),
        requirement("auth", "Retina", "Looking into lenses"),
    ]);
    assert_eq!(names(&ask(&index, &Query::new("retina lenses"))), ["auth/Retina"]);
}

#[test]
fn progress_is_told_batch_by_batch() {
    let mut index = empty((0..7).map(|n| requirement("s", &format!("R{n}"), "Text")).collect());
    let told = RefCell::new(Vec::new());
    assert_eq!(index.fill(&BagOfWords, 3, |done, all| told.borrow_mut().push((done, all))), Ok(7));
    assert_eq!(told.into_inner(), [(3, 7), (6, 7), (7, 7)]);
    assert_eq!(index.fill(&BagOfWords, 3, |_, _| panic!("there is nothing left")), Ok(0));
}

struct Broken(fn(&[&str]) -> Vec<Vec<f32>>, ModelId);

impl Embedder for Broken {
    fn id(&self) -> ModelId {
        self.1.clone()
    }

    fn embed(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        self.0(texts)
    }
}

#[test]
fn an_encoder_that_does_not_keep_its_word_is_refused() {
    let mut index = empty(vec![requirement("s", "R", "Text")]);
    let dimensions = BagOfWords.id().dimensions;
    let mut fill = |embed: fn(&[&str]) -> Vec<Vec<f32>>, id: ModelId| {
        index.fill(&Broken(embed, id), 3, |_, _| {})
    };

    assert_eq!(
        fill(|_| Vec::new(), BagOfWords.id()),
        Err(BadVector::WrongCount { found: 0, wanted: 1 })
    );
    let short = Err(BadVector::WrongLength { found: 2, wanted: dimensions });
    assert_eq!(fill(|_| vec![vec![1.0, 2.0]], BagOfWords.id()), short);
    let endless = |_: &[&str]| vec![vec![f32::INFINITY; BagOfWords.id().dimensions]];
    assert_eq!(fill(endless, BagOfWords.id()), Err(BadVector::NotFinite));
    let other = ModelId { name: "other".into(), ..BagOfWords.id() };
    let refused =
        Err(BadVector::OtherModel { found: "other".into(), wanted: "bag-of-words".into() });
    assert_eq!(fill(|texts| BagOfWords.embed(texts), other), refused);
    assert_eq!(stale(&index), [Some("R")], "and nothing of it is kept");
    assert_eq!(index.vectors().expect("a model").len(), 0);
}

#[test]
fn without_a_model_nothing_is_planned_kept_or_stale() {
    let mut index = by_words(vec![requirement("s", "R", "Text")]);
    assert_eq!(index.plan(), []);
    assert_eq!(stale(&index), [] as [Option<&str>; 0]);
    assert_eq!(index.to_bytes(), None);
    assert_eq!(index.fill(&BagOfWords, 3, |_, _| {}), Err(BadVector::NoModel));
}
