//! The measure itself: that it counts what it says. Its bars are held where the real encoder and the real specs are.

use spox_search::Query;
use spox_search::quality::{Bars, Questions, measure};

use crate::support::{BagOfWords, by_words, filled, requirement};

fn documents() -> Vec<spox_search::Document> {
    vec![
        requirement("auth", "Login", "Somebody enters their password"),
        requirement(
            "auth",
            "Password rules",
            "Somebody chooses password words, long password words",
        ),
        requirement("files", "Upload", "Sends documents to the server"),
    ]
}

fn questions(json: &str) -> Questions {
    serde_json::from_str(json).expect("questions")
}

#[test]
fn ranks_are_counted_by_kind() {
    let asked = questions(
        r#"{"questions": [
            {"ask": "somebody chooses long password words", "kind": "keyword", "spec": "auth", "requirement": "Password rules"},
            {"ask": "somebody chooses long password words", "kind": "paraphrase", "spec": "auth", "requirement": "Login"},
            {"ask": "sends documents", "kind": "paraphrase", "spec": "files", "requirement": "Upload"},
            {"ask": "password", "kind": "paraphrase", "spec": "files", "requirement": "Upload"},
            {"ask": "chocolate cake", "kind": "off-topic"},
            {"ask": "server documents", "kind": "off-topic"},
            {"ask": "who are you", "kind": "keyword", "spec": "auth", "requirement": "Nowhere"}
        ]}"#,
    );
    let index = filled(documents());
    let report = measure(&index, Some(&BagOfWords), &Query::new(""), &asked.questions)
        .expect("good vectors");
    assert_eq!(
        report.to_string(),
        "\
kind         questions   hit@1   hit@5     MRR
paraphrase           3   0.333   0.667   0.500
keyword              1   1.000   1.000   1.000
all                  4   0.500   0.750   0.625
hard                 0   0.000   0.000   0.000
off topic            2       1 answered
"
    );
    assert_eq!(report.missed.len(), 2);
    let lines = report.shortfalls(&Bars::default());
    assert_eq!(
        lines[..3],
        ["hit@1 is 0.500, below 0.60", "hit@5 is 0.750, below 0.80", "MRR is 0.625, below 0.70"]
    );
    assert!(
        lines[3].starts_with("off topic, but answered: server documents: files/Upload"),
        "{}",
        lines[3]
    );
    assert_eq!(lines[4..], ["the answer is not in the specs: who are you"]);
}

#[test]
fn no_questions_meet_no_bar() {
    let report = measure(&by_words(documents()), None, &Query::new(""), &[]).expect("no vectors");
    assert_eq!(report.shortfalls(&Bars::default()).len(), 3);
}
