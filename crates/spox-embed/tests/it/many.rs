//! Many texts at once: the same vectors, in order, however they are spread over threads.

use spox_embed::Model;

use crate::{MODEL, small};

/// Texts of many lengths, so that batches mix them.
fn texts(count: usize) -> Vec<String> {
    (0..count).map(|n| "a text of ours ".repeat(n * n % 17) + &n.to_string()).collect()
}

#[test]
fn a_text_has_the_same_vector_alone_and_among_others() {
    let texts = texts(18);
    let alone: Vec<_> = texts.iter().map(|text| MODEL.embed(text)).collect();
    for threads in [1, 3] {
        assert!(MODEL.embed_all(&texts, threads, &mut |_| {}) == alone, "{threads} threads");
    }
}

#[test]
fn progress_rises_to_the_count_of_texts_on_any_number_of_threads() {
    let model = Model::read(&small::FILE).unwrap();
    let texts = texts(60);
    let alone = model.embed_all(&texts, 1, &mut |_| {});
    for threads in [0, 1, 2, 7, 100] {
        let mut seen = vec![0];
        let vectors = model.embed_all(&texts, threads, &mut |done| seen.push(done));
        assert!(vectors == alone, "{threads} threads");
        assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
        assert_eq!(seen.last(), Some(&texts.len()));
        assert!(seen.len() > 5, "{seen:?}");
    }
}

#[test]
fn nothing_to_embed_is_nothing() {
    let none: [&str; 0] = [];
    assert!(MODEL.embed_all(&none, 2, &mut |_| panic!("nothing is done")).is_empty());
}
