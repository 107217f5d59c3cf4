//! Requirements that say the same in different specs.

use spox_search::{Index, NEAR_DUPLICATE};

use crate::support::{by_words, filled, proposed, purpose, requirement};

fn pairs(index: &Index) -> Vec<(usize, usize)> {
    index.duplicates(NEAR_DUPLICATE).iter().map(|pair| (pair.first, pair.second)).collect()
}

const LONG: &str = "Every answer carries request numbers, trace numbers, times taken, sizes, tokens left, warnings, \
    hints, versions, languages, encodings, lengths, caches, origins, methods, paths, queries, fragments, ports, schemes";

#[test]
fn near_duplicates_in_different_specs_are_found() {
    let index = filled(vec![
        purpose("auth", "Auth", LONG),
        requirement("auth", "Answers", LONG),
        requirement("files", "Answer", &format!("{LONG}, dates")),
        requirement("files", "Other", "Nothing like that at all"),
        requirement("auth", "Answers again", LONG),
        proposed("c", requirement("other", "Answers", LONG)),
    ]);
    assert_eq!(pairs(&index), [(1, 2), (2, 4)], "not within a spec, no purpose, no proposal");
}

/// The cosine alone would be 3/5 here, and words can add 0.3 to it at most.
#[test]
fn words_that_only_one_of_them_has_keep_them_apart() {
    let index = filled(vec![
        requirement("aaaa", "Same", "alpha beta gamma delta"),
        requirement("bbbb", "Same", "alpha beta kappa sigma"),
    ]);
    assert_eq!(pairs(&index), []);
    let found = index.duplicates(0.5);
    assert_eq!(found.len(), 1);
    assert!(found[0].score > 0.5 && found[0].score < 0.8, "{found:?}");
}

#[test]
fn the_same_words_are_duplicates_with_or_without_a_model() {
    let documents = vec![
        requirement("a", "Short", "Be quick."),
        requirement("b", "Short", "Be quick."),
        requirement("c", "Short", "Be slow."),
        requirement("d", "Empty", ""),
        requirement("e", "Empty", ""),
    ];
    let index = by_words(documents.clone());
    assert_eq!(pairs(&index), [(0, 1)]);
    assert!(index.duplicates(NEAR_DUPLICATE)[0].score >= 1.0);
    assert!(pairs(&filled(documents)).contains(&(0, 1)));
}

#[test]
fn an_old_vector_accuses_nobody() {
    let index = filled(vec![requirement("a", "Answers", LONG), requirement("b", "Answer", LONG)]);
    assert_eq!(pairs(&index), [(0, 1)]);
    let index = index.with_documents(vec![
        requirement("a", "Answers", LONG),
        requirement("b", "Answer", "Something else now"),
    ]);
    assert_eq!(pairs(&index), []);
}
