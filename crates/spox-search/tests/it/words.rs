//! The lexical part, through an index that has no model: the score is then BM25 as a part of the ideal.

use std::f64::consts::LN_2;

use crate::support::{ask_words, by_words, names, proposed, requirement, with_scenario};

fn near(found: f32, wanted: f64) {
    assert!((f64::from(found) - wanted).abs() < 1e-5, "{found} where {wanted} was computed");
}

/// Two documents, all of it worked out by hand.
///
/// Terms (stemmed, with the weights of their fields):
///   1: auth 1.5 · login 3 + 2 · user 2              length 1.5 + 3 + 2 + 2 = 8.5
///   2: files 1.5 · upload 3 · user 2 · send 2 · file (stem of files, too) 1.5 + 2 · no scenario
///      that is file 3.5, upload 3, user 2, send 2   length 1.5 + 3 + 2 + 2 + 2 = 10.5
/// Average 9.5, k1 1.2, b 0.75, so the norms are 1.2 · (0.25 + 0.75 · 8.5/9.5) = 1.105263… and
/// 1.2 · (0.25 + 0.75 · 10.5/9.5) = 1.294736….
#[test]
fn the_score_is_bm25_over_weighted_fields_as_computed_by_hand() {
    let index = by_words(vec![
        requirement("auth", "Login", "A user can login"),
        requirement("files", "Upload", "The user can send a file"),
    ]);
    // One of two documents holds it: idf = ln(1 + 1.5/1.5) cancels out, what is left is weight / (weight + norm).
    let hits = ask_words(&index, "login");
    assert_eq!(names(&hits), ["auth/Login"]);
    near(hits[0].score, 5.0 / (5.0 + 1.105_263_157_9));

    // Both hold it, once each at weight 2; the shorter one is first.
    let hits = ask_words(&index, "users");
    assert_eq!(names(&hits), ["auth/Login", "files/Upload"]);
    near(hits[0].score, 2.0 / (2.0 + 1.105_263_157_9));
    near(hits[1].score, 2.0 / (2.0 + 1.294_736_842_1));

    // Three terms: idf(user) = ln(1 + 0.5/2.5) = 0.182322, idf(send) = idf(file) = ln 2 = 0.693147.
    let (user, rare) = (0.182_321_556_8, LN_2);
    let hits = ask_words(&index, "send user files");
    let norm = 1.294_736_842_1;
    let earned = rare * 2.0 / (2.0 + norm) + user * 2.0 / (2.0 + norm) + rare * 3.5 / (3.5 + norm);
    near(hits[0].score, earned / (user + 2.0 * rare));
    near(hits[1].score, user * 2.0 / (2.0 + 1.105_263_157_9) / (user + 2.0 * rare));
}

#[test]
fn a_word_that_occurs_nowhere_costs_the_most() {
    let index = by_words(vec![
        requirement("auth", "Login", "A user can login"),
        requirement("files", "Upload", "The user can send a file"),
    ]);
    // idf of nothing among two is ln(1 + 2.5/0.5) = ln 6.
    let (rare, unknown) = (LN_2, 1.791_759_469_2);
    let hits = ask_words(&index, "login chocolate");
    near(hits[0].score, rare * 5.0 / (5.0 + 1.105_263_157_9) / (rare + unknown));
    assert!(ask_words(&index, "chocolate cake").is_empty());
}

#[test]
fn repeating_a_word_in_the_query_changes_nothing() {
    let index = by_words(vec![requirement("auth", "Login", "A user can login")]);
    let (once, often) =
        (ask_words(&index, "login user"), ask_words(&index, "login user login LOGIN"));
    assert_eq!(once, often);
}

#[test]
fn a_name_counts_more_than_a_description_and_that_more_than_a_scenario() {
    let index = by_words(vec![
        with_scenario("a", "Quiet", "Nothing here", &["the rocket starts"]),
        with_scenario("b", "Quiet", "A rocket here", &["the thing starts"]),
        with_scenario("c", "Rocket", "Nothing here", &["the thing starts"]),
    ]);
    assert_eq!(names(&ask_words(&index, "rockets")), ["c/Rocket", "b/Quiet", "a/Quiet"]);
}

#[test]
fn the_capability_is_a_field_in_its_words() {
    let index = by_words(vec![
        requirement("user-billing", "Invoice", "Sent every month"),
        requirement("auth", "Login", "Sent every time"),
    ]);
    assert_eq!(names(&ask_words(&index, "billing")), ["user-billing/Invoice"]);
}

#[test]
fn an_identifier_is_found_whole_and_by_its_parts() {
    let index = by_words(vec![
        requirement("mcp", "Tool", "Provide a `list_specs` tool"),
        requirement("api", "Call", "Provide `parseAllSpecs` to callers"),
        requirement("cli", "File", "Reads `.spox/search_index.bin` once"),
        requirement("doc", "Text", "Make a list for every spec"),
    ]);
    assert_eq!(names(&ask_words(&index, "list_specs"))[0], "mcp/Tool");
    assert_eq!(names(&ask_words(&index, "parseallspecs")), ["api/Call"]);
    assert_eq!(names(&ask_words(&index, "parsing"))[0], "api/Call");
    assert_eq!(names(&ask_words(&index, "search_index")), ["cli/File"]);
    assert_eq!(names(&ask_words(&index, "search_index.bin")), ["cli/File"]);
}

#[test]
fn a_proposal_does_not_move_the_scores_of_what_holds() {
    let holds = vec![
        requirement("auth", "Login", "A user can login"),
        requirement("files", "Upload", "The user can send a file"),
    ];
    let before = ask_words(&by_words(holds.clone()), "user login file");
    let mut more = holds;
    more.extend(
        (0..20).map(|n| {
            proposed("add-more", requirement("auth", &format!("Login {n}"), "user login"))
        }),
    );
    assert_eq!(ask_words(&by_words(more), "user login file"), before);
}
