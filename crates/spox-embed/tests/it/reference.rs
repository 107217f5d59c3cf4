//! Against what `tests/record.py` recorded of the reference: same ids, nearly the same vectors.

use data_encoding::BASE64;
use serde::Deserialize;
use spox_embed::{HIDDEN, MAX_TOKENS, Vector};

use crate::MODEL;

#[derive(Deserialize)]
struct Tokens {
    text: String,
    ids: Vec<u32>,
}

#[derive(Deserialize)]
struct Recorded {
    text: String,
    vector: String,
}

fn vectors() -> Vec<(String, Vector)> {
    let recorded: Vec<Recorded> =
        serde_json::from_str(include_str!("recorded/vectors.json")).expect("JSON");
    let read = |recorded: Recorded| {
        let bytes = BASE64.decode(recorded.vector.as_bytes()).expect("base64");
        let numbers: Vec<f32> =
            bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let numbers: [f32; HIDDEN] = numbers.try_into().expect("a whole vector");
        (recorded.text, Vector::towards(&numbers))
    };
    recorded.into_iter().map(read).collect()
}

#[test]
fn every_text_has_the_token_ids_of_the_reference() {
    let recorded: Vec<Tokens> = serde_json::from_str(include_str!("recorded/tokens.json")).unwrap();
    assert!(recorded.len() >= 60, "{} texts", recorded.len());
    for Tokens { text, ids } in recorded {
        assert_eq!(MODEL.tokenize(&text), ids, "{text:?}");
        assert!(ids.len() <= MAX_TOKENS);
    }
}

#[test]
fn every_vector_is_near_that_of_the_unpacked_weights() {
    let recorded = vectors();
    assert!(recorded.len() >= 25, "{} texts", recorded.len());
    for (text, reference) in recorded {
        let cosine = MODEL.embed(&text).cosine(&reference);
        println!("{cosine:.5} {text:.60}");
        assert!(cosine >= 0.995, "{cosine} for {text:?}");
    }
}

#[test]
fn cosines_between_texts_are_those_of_the_reference() {
    let recorded = vectors();
    let ours: Vec<_> = recorded.iter().map(|(text, _)| MODEL.embed(text)).collect();
    let mut worst = 0.0_f32;
    for (one, (_, reference)) in ours.iter().zip(&recorded) {
        for (other, (_, other_reference)) in ours.iter().zip(&recorded) {
            worst = worst.max((one.cosine(other) - reference.cosine(other_reference)).abs());
        }
    }
    println!("largest difference of a cosine: {worst:.4}");
    assert!(worst < 0.02, "{worst}");
}

#[test]
fn texts_that_mean_the_same_are_near_and_others_are_not() {
    let [send, transfer, cake] =
        ["Send a document", "Transfer a file", "chocolate cake"].map(|text| MODEL.embed(text));
    assert!((send.cosine(&transfer) - 0.495).abs() < 0.02, "{}", send.cosine(&transfer));
    assert!((send.cosine(&cake) - 0.024).abs() < 0.02, "{}", send.cosine(&cake));
}
