//! Score, cut and order.

use spox_search::{BadVector, Embedder, Query, THRESHOLD};

use crate::support::{
    BagOfWords, DIMENSIONS, ask, ask_words, by_words, empty, filled, names, proposed, purpose,
    requirement, with_scenario,
};

/// Everything there is, with its score.
fn everything(text: &str) -> Query<'_> {
    Query { threshold: -1.0, top_k: usize::MAX, ..Query::new(text) }
}

fn near(found: f32, wanted: f32) {
    assert!((found - wanted).abs() < 0.01, "{found} where {wanted} was computed");
}

// spec: spox Search Specs Tool / Search with query
#[test]
fn the_best_answer_is_first_and_says_where_it_is() {
    let index = filled(vec![
        requirement("auth", "Login", "Somebody enters their password"),
        with_scenario(
            "files",
            "Upload",
            "Sends documents to the server",
            &["the document is large"],
        ),
    ]);
    let hits = ask(&index, &Query::new("large documents"));
    assert_eq!(names(&hits), ["files/Upload"]);
    assert_eq!((hits[0].document, hits[0].change_id.as_deref()), (1, None));
    assert_eq!(index.documents()[hits[0].document].requirement(), Some("Upload"));
    assert!(hits[0].score >= THRESHOLD);
}

// spec: spox Search Specs Tool / Search with empty results
#[test]
fn what_is_off_topic_returns_nothing() {
    let index = filled(vec![requirement("auth", "Login", "Somebody enters their password")]);
    assert_eq!(ask(&index, &Query::new("chocolate cake with cherries")), []);
    assert_eq!(ask(&index, &Query::new("")), []);
    assert_eq!(ask(&filled(Vec::new()), &Query::new("password")), []);
}

/// The vectors of this stand-in are counts, so the cosine of `alpha beta` with `name`, `alpha` is 1/√2 · 1/√2.
#[test]
fn words_add_three_tenths_six_tenths_for_all_of_them_and_all_for_a_name() {
    let index = filled(vec![
        requirement("s", "Nnnn", "alpha"),
        requirement("s", "Mmmm", "alpha beta gamma sigma kappa lambda"),
        requirement("s", "Oooo", "delta"),
    ]);
    let share = |text: &str| {
        ask_words(&index, text).iter().map(|hit| (hit.document, hit.score)).collect::<Vec<_>>()
    };
    let scores = |text: &str| {
        let mut hits = ask(&index, &everything(text));
        hits.sort_by_key(|hit| hit.document);
        hits.iter().map(|hit| hit.score).collect::<Vec<_>>()
    };

    // One of two terms: λ is 0.3.
    let found = scores("alpha omega");
    let (_, part) =
        share("alpha omega").into_iter().find(|(at, _)| *at == 0).expect("it holds alpha");
    near(found[0], 0.5 + 0.3 * part);

    // Both of two terms: λ is 0.6. The other holds one of them: 0.3.
    let found = scores("alpha gamma");
    let shares = share("alpha gamma");
    let of = |at: usize| shares.iter().find(|(found, _)| *found == at).expect("it holds alpha").1;
    near(found[1], 2.0 / (2.0_f32 * 7.0).sqrt() + 0.6 * of(1));
    near(found[0], 0.5 + 0.3 * of(0));

    // One term that is the only one is not "every term".
    let found = scores("delta");
    near(found[2], (0.5_f32).sqrt() + 0.3 * share("delta")[0].1);

    // Something that looks like a name: λ is 1, whoever holds how many.
    let found = scores("alpha --delta");
    near(
        found[2],
        0.5 + share("alpha --delta")
            .into_iter()
            .find(|(at, _)| *at == 2)
            .expect("it holds delta")
            .1,
    );
    // A name that occurs nowhere: the others count a tenth less, with or without their meaning.
    let found = scores("delta --omega");
    near(found[2], 0.9 * 0.5 + share("delta --omega")[0].1);
}

#[test]
fn the_nearer_of_the_two_vectors_counts() {
    let both = with_scenario("s", "Nnnn", "alpha", &["omega omega omega omega omega omega"]);
    let index = filled(vec![both]);
    let main = ask(&index, &everything("alpha"))[0].score;
    let long = ask(&index, &everything("omega"))[0].score;
    assert!(main > 0.7 && long > 0.9, "{main} {long}");
}

#[test]
fn a_score_is_capped_after_sorting_so_the_better_of_two_certain_ones_is_first() {
    let index = filled(vec![
        requirement("a", "alpha_beta gamma", "alpha_beta gamma and more words than that"),
        requirement("b", "alpha_beta", "alpha_beta"),
    ]);
    let hits = ask(&index, &Query::new("alpha_beta"));
    assert_eq!(names(&hits), ["b/alpha_beta", "a/alpha_beta gamma"]);
    assert_eq!(hits.iter().map(|hit| hit.score).collect::<Vec<_>>(), [1.0, 1.0]);
}

#[test]
fn ties_go_by_spec_and_then_by_place() {
    let index = filled(vec![
        requirement("same", "Two", "alpha"),
        requirement("same", "One", "alpha"),
        proposed("change", requirement("same", "Six", "alpha")),
        requirement("also", "Any", "alpha"),
    ]);
    let hits = ask(&index, &Query { include_changes: true, ..Query::new("alpha") });
    assert_eq!(names(&hits), ["also/Any", "same/Two", "same/One", "same/Six"]);
    assert!(hits.windows(2).all(|pair| pair[0].score.total_cmp(&pair[1].score).is_eq()));
}

#[test]
fn at_most_top_k_are_returned_and_they_are_the_best() {
    let index = filled(
        (0..50).map(|n| requirement("s", &format!("R{n}"), &"alpha ".repeat(50 - n))).collect(),
    );
    let all = ask(&index, &everything("alpha"));
    assert_eq!(all.len(), 50);
    for top_k in [0, 1, 7, 50, 51] {
        let hits = ask(&index, &Query { top_k, ..everything("alpha") });
        assert_eq!(hits, all[..top_k.min(50)]);
    }
}

#[test]
fn nothing_below_the_threshold_is_returned() {
    let index = filled(vec![
        requirement("a", "Aaaa", "alpha"),
        requirement("b", "Bbbb", "alpha omega sigma kappa"),
    ]);
    let all = ask(&index, &everything("alpha"));
    assert_eq!(all.len(), 2);
    let between = f32::midpoint(all[0].score, all[1].score);
    let hits = ask(&index, &Query { threshold: between, ..Query::new("alpha") });
    assert_eq!(hits, all[..1]);
    let hits = ask(&index, &Query { threshold: all[1].score, ..Query::new("alpha") });
    assert_eq!(hits, all, "the threshold itself is enough");
}

#[test]
fn what_is_proposed_is_returned_only_when_asked_for() {
    let index = filled(vec![
        requirement("auth", "Login", "Somebody enters their password"),
        proposed(
            "add-two-factor",
            requirement("auth", "Second factor", "Somebody enters their password and code"),
        ),
    ]);
    let hits = ask(&index, &Query::new("password code"));
    assert_eq!(names(&hits), ["auth/Login"]);
    let hits = ask(&index, &Query { include_changes: true, ..Query::new("password code") });
    assert_eq!(names(&hits), ["auth/Second factor", "auth/Login"]);
    assert_eq!(hits[0].change_id.as_deref(), Some("add-two-factor"));
}

#[test]
fn a_hit_on_a_purpose_names_no_requirement() {
    let index = filled(vec![
        purpose("auth", "Auth Specification", "Keeps strangers outside"),
        requirement("auth", "Login", "Somebody enters their password"),
    ]);
    let hits = ask(&index, &Query::new("keep strangers outside"));
    assert_eq!(names(&hits), ["auth/"]);
    assert_eq!(hits[0].requirement, None);
    assert_eq!(hits[0].snippet, "Keeps strangers outside");
}

// spec: spox Graceful Degradation / Server without index
#[test]
fn without_a_model_words_count_in_full() {
    let documents = vec![
        requirement("auth", "Login", "Somebody enters their password"),
        requirement("files", "Upload", "Sends documents to the server"),
    ];
    let hits = ask(&by_words(documents.clone()), &Query::new("password login"));
    assert_eq!(names(&hits), ["auth/Login"]);
    assert_eq!(
        hits,
        ask(&empty(documents.clone()), &Query::new("password login")),
        "no vector yet"
    );
    let asked_without = filled(documents).search(&Query::new("password login"), None);
    assert_eq!(asked_without.as_ref(), Ok(&hits), "the encoder is not there");
}

#[test]
fn a_vector_of_another_kind_is_refused() {
    let index = filled(vec![requirement("auth", "Login", "Somebody")]);
    let query = Query::new("somebody");
    assert_eq!(
        index.search(&query, Some(&[1.0, 2.0])),
        Err(BadVector::WrongLength { found: 2, wanted: DIMENSIONS })
    );
    let mut vector = BagOfWords.embed(&["somebody"]).remove(0);
    vector[3] = f32::NAN;
    assert_eq!(index.search(&query, Some(&vector)), Err(BadVector::NotFinite));
}
