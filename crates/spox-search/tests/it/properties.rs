//! Whatever the text, whatever the bytes.

use proptest::collection::vec;
use proptest::prelude::*;
use spox_search::{Content, Document, Embedder, Query, Requirement, Scenario, TextHash, Vectors};

use crate::support::{BagOfWords, ask, by_words, filled};

/// Few words, so that texts have some in common, mixed with whatever else a text can be.
fn text() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        6 => prop_oneof![Just("alpha"), Just("list_specs"), Just("getSpec"), Just("spec.md"), Just("MCP"), Just("Über")]
            .prop_map(str::to_owned),
        2 => ".{0,12}",
        1 => "[a-z]{1,200}",
        1 => "\\PC{0,40}",
        1 => prop_oneof![Just(". "), Just("\n"), Just("… "), Just("e\u{301}"), Just("👩‍👩‍👧"), Just("İ"), Just("__")]
            .prop_map(str::to_owned),
    ];
    (vec(word, 0..15), prop_oneof![Just(" "), Just("")])
        .prop_map(|(words, blank)| words.join(blank))
}

fn document() -> impl Strategy<Value = Document> {
    let scenario =
        (text(), vec(text(), 0..3)).prop_map(|(name, clauses)| Scenario { name, clauses });
    let content = prop_oneof![
        1 => (text(), text()).prop_map(|(title, purpose)| Content::Purpose { title, purpose }),
        4 => (text(), text(), vec(scenario, 0..3))
            .prop_map(|(name, description, scenarios)| Content::Requirement(Requirement { name, description, scenarios })),
    ];
    (text(), proptest::option::of(text()), content)
        .prop_map(|(spec_id, change_id, content)| Document { spec_id, change_id, content })
}

fn whole(document: &Document) -> Vec<&str> {
    match &document.content {
        Content::Purpose { title, purpose } => vec![title, purpose],
        Content::Requirement(Requirement { name, description, scenarios }) => {
            let clauses =
                scenarios.iter().flat_map(|scenario| &scenario.clauses).map(String::as_str);
            [name.as_str(), description].into_iter().chain(clauses).collect()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, ..ProptestConfig::default() })]

    #[test]
    fn scores_lie_between_0_and_1_and_never_rise(
        documents in vec(document(), 0..8),
        query in text(),
        top_k in 0_usize..10,
        threshold in -1.0_f32..1.0,
        include_changes: bool,
    ) {
        let query = Query { text: &query, top_k, threshold, include_changes };
        for hits in [
            ask(&filled(documents.clone()), &query),
            ask(&by_words(documents.clone()), &query),
        ] {
            prop_assert!(hits.len() <= top_k);
            prop_assert!(hits.iter().all(|hit| (0.0..=1.0).contains(&hit.score)));
            prop_assert!(hits.windows(2).all(|pair| pair[0].score >= pair[1].score));
            prop_assert!(hits.iter().all(|hit| hit.score >= threshold));
            prop_assert!(include_changes || hits.iter().all(|hit| hit.change_id.is_none()));
        }
    }

    #[test]
    fn a_snippet_is_at_most_160_characters_and_a_part_of_the_text(document in document(), query in text()) {
        let query = Query { threshold: -1.0, include_changes: true, ..Query::new(&query) };
        let hits = ask(&by_words(vec![document.clone()]), &query);
        let snippet = &hits[0].snippet;
        prop_assert!(snippet.chars().count() <= 160);
        prop_assert!(!snippet.contains('\n'));
        let found = |piece: &str| whole(&document).iter().any(|text| text.contains(piece));
        let begun = snippet.strip_prefix('…').unwrap_or(snippet);
        let ended = snippet.strip_suffix('…').unwrap_or(snippet);
        let both = begun.strip_suffix('…').unwrap_or(begun);
        prop_assert!(found(snippet) || found(begun) || found(ended) || found(both), "{snippet:?}");
    }

    #[test]
    fn what_is_written_is_read(documents in vec(document(), 0..8)) {
        let vectors = filled(documents).vectors().expect("a model");
        prop_assert_eq!(Vectors::from_bytes(&vectors.to_bytes(), &BagOfWords.id()), Ok(vectors));
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in vec(any::<u8>(), 0..300)) {
        prop_assert!(Vectors::from_bytes(&bytes, &BagOfWords.id()).is_err());
        let mut begun = filled(Vec::new()).to_bytes().expect("a model")[..8].to_vec();
        begun.extend(bytes);
        prop_assert!(Vectors::from_bytes(&begun, &BagOfWords.id()).is_err());
    }

    /// Past the checksum: whatever a body says, it is read or refused, and what is read can be searched and written.
    #[test]
    fn a_body_made_to_fit_its_checksum_does_no_harm(
        documents in vec(document(), 1..4),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        use sha2::{Digest, Sha256};
        let mut file = filled(documents.clone()).to_bytes().expect("a model");
        let body = file.split_off(36);
        let mut changed = body;
        for (at, byte) in changes {
            let at = at.index(changed.len());
            changed[at] = byte;
        }
        file.truncate(20);
        file.extend(&Sha256::digest(&changed)[..16]);
        file.extend(changed);
        if let Ok(vectors) = Vectors::from_bytes(&file, &BagOfWords.id()) {
            let index = spox_search::Index::new(documents, Some(vectors), spox_search::Settings::default());
            let hits = ask(&index, &Query { threshold: -1.0, ..Query::new("alpha spec") });
            prop_assert!(hits.iter().all(|hit| (0.0..=1.0).contains(&hit.score)));
            index.duplicates(0.9);
            let vectors = index.vectors().expect("a model");
            prop_assert_eq!(Vectors::from_bytes(&vectors.to_bytes(), &BagOfWords.id()), Ok(vectors));
        }
    }

    #[test]
    fn a_plan_names_each_unknown_text_once_and_filling_leaves_none(documents in vec(document(), 0..8)) {
        let index = crate::support::empty(documents.clone());
        let plan = index.plan();
        let hashes: std::collections::BTreeSet<TextHash> = plan.iter().map(|missing| missing.hash).collect();
        prop_assert_eq!(hashes.len(), plan.len());
        let filled = filled(documents.clone());
        prop_assert_eq!(filled.plan(), vec![]);
        prop_assert_eq!(filled.stale().count(), 0);
        prop_assert_eq!(filled.with_documents(documents).plan(), vec![]);
    }

    /// Rounding to 8 bits moves a cosine by little, whatever the vector.
    #[test]
    fn a_cosine_survives_being_kept_in_8_bits(
        a in vec(-1.0_f32..1.0, crate::support::DIMENSIONS),
        b in vec(-1.0_f32..1.0, crate::support::DIMENSIONS),
        mixed in 0.0_f32..1.0,
    ) {
        // Two random directions are nearly at right angles; a mixture covers the rest.
        let b: Vec<f32> = a.iter().zip(&b).map(|(a, b)| mixed * a + (1.0 - mixed) * b).collect();
        let mut index = crate::support::empty(vec![crate::support::requirement("s", "R", "Text")]);
        let hash = index.plan()[0].hash;
        index.insert(hash, &a).expect("a vector of the right length");
        let query = Query { threshold: -1.0, ..Query::new("") };
        let hits = index.search(&query, Some(&b)).expect("a vector of the right length");
        let product = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| f64::from(a * b)).sum::<f64>();
        let exact = product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt();
        prop_assert!((f64::from(hits[0].score) - exact.clamp(0.0, 1.0)).abs() < 0.005);
    }
}
