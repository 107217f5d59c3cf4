//! Many texts at once: the same vectors, in order, however they are spread over threads.

use crate::MODEL;

fn texts() -> Vec<String> {
    // Of many lengths, so that batches mix them.
    (0..40_usize).map(|n| "the system shall answer ".repeat(n * n % 37) + &n.to_string()).collect()
}

#[test]
fn a_text_has_the_same_vector_alone_and_among_others() {
    let texts = texts();
    let alone: Vec<_> = texts.iter().map(|text| MODEL.embed(text)).collect();
    for threads in [0, 1, 3, 100] {
        assert!(MODEL.embed_all(&texts, threads, &mut |_| {}) == alone, "{threads} threads");
    }
}

#[test]
fn progress_rises_to_the_count_of_texts() {
    for threads in [1, 2] {
        let mut seen = vec![0];
        MODEL.embed_all(&texts(), threads, &mut |done| seen.push(done));
        assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
        assert_eq!(seen.last(), Some(&40));
        assert!(seen.len() > 5, "{seen:?}");
    }
}

#[test]
fn nothing_to_embed_is_nothing() {
    let none: [&str; 0] = [];
    assert!(MODEL.embed_all(&none, 2, &mut |_| panic!("nothing is done")).is_empty());
}
