//! What is shown of a hit.

use spox_search::Query;

use crate::support::{ask, filled, purpose, requirement, with_scenario};

fn shown(document: spox_search::Document, query: &str) -> String {
    let query = Query { threshold: -1.0, ..Query::new(query) };
    ask(&filled(vec![document]), &query).remove(0).snippet
}

#[test]
fn the_sentence_with_the_query_s_words_is_shown() {
    let text = "The server SHALL listen. It SHALL refuse strangers, e.g. robots. Nobody waits!";
    assert_eq!(
        shown(requirement("s", "R", text), "robots"),
        "It SHALL refuse strangers, e.g. robots."
    );
    assert_eq!(shown(requirement("s", "R", text), "who waits"), "Nobody waits!");
    assert_eq!(
        shown(purpose("s", "T", text), "refusing strangers"),
        "It SHALL refuse strangers, e.g. robots."
    );
}

#[test]
fn a_clause_of_a_scenario_is_shown_when_it_matches_better() {
    let clauses = ["the `initialize` request arrives", "the answer names its capabilities"];
    let document = with_scenario("s", "R", "The server SHALL answer.", &clauses);
    assert_eq!(
        shown(document.clone(), "capabilities of the answer"),
        "the answer names its capabilities"
    );
    assert_eq!(shown(document, "answer"), "The server SHALL answer.", "the first of equals");
}

#[test]
fn the_first_sentence_is_shown_when_no_word_matched() {
    assert_eq!(shown(requirement("s", "R", "One here. Two there."), "other"), "One here.");
    assert_eq!(shown(with_scenario("s", "R", "", &["a thing"]), "other"), "a thing");
    assert_eq!(shown(requirement("s", "Only a name", ""), "other"), "Only a name");
    assert_eq!(shown(purpose("s", "Title", ""), "other"), "Title");
    assert_eq!(shown(requirement("s", "", ""), "other"), "");
}

#[test]
fn a_long_sentence_is_cut_at_a_word_and_the_cut_is_marked() {
    let text = "word ".repeat(60);
    let snippet = shown(requirement("s", "R", &text), "other");
    assert_eq!(snippet.chars().count(), 155);
    assert!(snippet.ends_with("word…"), "{snippet}");
}

#[test]
fn a_cut_never_splits_a_letter() {
    let text = "ü".repeat(500);
    let snippet = shown(requirement("s", "R", &text), "other");
    assert_eq!(snippet, format!("{}…", "ü".repeat(159)));
    let exactly = "ü".repeat(160);
    assert_eq!(shown(requirement("s", "R", &exactly), "other"), exactly);
}

#[test]
fn the_match_is_in_view_however_late_it_comes() {
    let text = format!("{}needle {}", "straw ".repeat(100), "hay ".repeat(100));
    let snippet = shown(requirement("s", "R", &text), "needle");
    assert!(
        snippet.starts_with("…straw")
            && snippet.contains(" needle hay ")
            && snippet.ends_with("hay…"),
        "{snippet}"
    );
    assert!(snippet.chars().count() <= 160);
    let at_the_end = format!("{}needle", "straw ".repeat(100));
    let snippet = shown(requirement("s", "R", &at_the_end), "needle");
    assert!(snippet.starts_with('…') && snippet.ends_with(" needle"), "{snippet}");
}
