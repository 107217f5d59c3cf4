//! What holds for every text.

use proptest::prelude::*;
use spox_embed::{HIDDEN, MAX_TOKENS, Packed, Vector};

use crate::MODEL;

/// Any characters at all; words; and long runs of one character.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z ,.]{0,400}",
        "\\PC{0,80}",
        (any::<char>(), 0..2_000_usize).prop_map(|(c, count)| c.to_string().repeat(count)),
    ]
}

fn any_vector() -> impl Strategy<Value = Vector> {
    prop::collection::vec(-1.0_f32..1.0, HIDDEN)
        .prop_map(|numbers| Vector::towards(&numbers.try_into().expect("as many as asked for")))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn any_text_gives_a_finite_vector_of_length_one(text in any_text()) {
        let vector = MODEL.embed(&text);
        let squares: f64 = vector.numbers().iter().map(|x| f64::from(*x) * f64::from(*x)).sum();
        prop_assert!(vector.numbers().iter().all(|x| x.is_finite()));
        prop_assert!((squares - 1.0).abs() < 1e-5, "{squares}");
        prop_assert!((vector.cosine(&vector) - 1.0).abs() < 1e-5);
    }
}

proptest! {
    #[test]
    fn any_text_is_cut_at_the_most_tokens(text in any_text()) {
        let ids = MODEL.tokenize(&text);
        prop_assert!((2..=MAX_TOKENS).contains(&ids.len()));
        prop_assert_eq!((ids[0], ids[ids.len() - 1]), (101, 102));
        prop_assert!(ids.iter().all(|id| *id < 30_522));
    }

    #[test]
    fn what_is_past_the_cut_does_not_matter(text in any_text(), more in any_text()) {
        let full = "word ".repeat(MAX_TOKENS);
        prop_assert_eq!(
            MODEL.tokenize(&format!("{full}{text}")),
            MODEL.tokenize(&format!("{full}{more}")),
        );
    }

    #[test]
    fn packing_keeps_cosines_and_bytes_keep_the_packed(a in any_vector(), b in any_vector()) {
        let (small_a, small_b) = (a.pack(), b.pack());
        prop_assert!((a.cosine(&b) - small_a.cosine(&small_b)).abs() < 0.005);
        prop_assert!((small_a.cosine(&small_a) - 1.0).abs() < 1e-6);
        prop_assert_eq!(small_a.cosine(&small_b).to_bits(), small_b.cosine(&small_a).to_bits());
        prop_assert_eq!(Packed::from_bytes(&small_a.to_bytes()), Some(small_a));
    }

    #[test]
    fn bytes_that_nobody_packed_give_none_or_a_vector(bytes in prop::collection::vec(any::<u8>(), Packed::BYTES)) {
        let bytes: [u8; Packed::BYTES] = bytes.try_into().unwrap();
        if let Some(packed) = Packed::from_bytes(&bytes) {
            prop_assert!((packed.cosine(&packed) - 1.0).abs() < 1e-6);
        }
    }
}

#[test]
fn all_zero_bytes_are_no_packed_vector() {
    assert_eq!(Packed::from_bytes(&[0; Packed::BYTES]), None);
}

#[test]
fn numbers_without_a_direction_become_a_unit_vector_still() {
    for numbers in [[0.0; HIDDEN], [f32::NAN; HIDDEN], [f32::INFINITY; HIDDEN], [f32::MAX; HIDDEN]]
    {
        let vector = Vector::towards(&numbers);
        assert!((vector.cosine(&vector) - 1.0).abs() < 1e-5, "{}", numbers[0]);
    }
}
