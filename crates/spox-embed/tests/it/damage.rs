//! Files that are not a model, or no longer: refused with a reason, never a panic.

use proptest::prelude::*;
use sha2::{Digest as _, Sha256};
use spox_embed::{BadModel, Model};

use crate::{MODEL, small::FILE};

/// Where the sizes begin: after the magic and the number of the format.
const SHAPE: usize = 12;

fn refusal(file: &[u8]) -> BadModel {
    Model::read(file).expect_err("refused")
}

/// With a seal that fits, as somebody would write it who means harm.
fn sealed(mut content: Vec<u8>) -> Vec<u8> {
    let seal = Sha256::digest(&content);
    content.extend_from_slice(&seal);
    content
}

fn content() -> Vec<u8> {
    FILE[..FILE.len() - 32].to_vec()
}

#[test]
fn the_model_of_the_program_is_sound_and_reads_as_the_same_model() {
    let read = Model::read(include_bytes!("../../model/all-minilm-l6-v2.bin")).unwrap();
    assert_eq!(read.id(), MODEL.id());
    assert_eq!(read.embed("Send a document"), MODEL.embed("Send a document"));
}

/// Indexes keep it: a change here makes every index anew, which must be meant.
#[test]
fn the_id_names_the_model_and_its_content() {
    assert_eq!(
        MODEL.id().to_string(),
        "all-minilm-l6-v2:53a1a71c43a97f47df8636a59573475d78f4b8111dcfb99c523729781bd995a7"
    );
}

#[test]
fn what_never_was_a_model_is_told_apart_from_what_was_damaged() {
    assert_eq!(refusal(b""), BadModel::Foreign);
    assert_eq!(refusal(b"PK\x03\x04 something else entirely, and long enough"), BadModel::Foreign);
    assert_eq!(refusal(&FILE[..8]), BadModel::Damaged);
    assert_eq!(refusal(&FILE[..FILE.len() - 1]), BadModel::Damaged);
    let mut newer = FILE.to_vec();
    newer[8] = 9;
    assert_eq!(refusal(&newer), BadModel::Format(9));
    assert_eq!(refusal(&newer).to_string(), "the model has format 9, this program reads format 1");
}

#[test]
fn one_changed_bit_among_the_weights_is_noticed() {
    let mut file = FILE.to_vec();
    let place = file.len() / 2;
    file[place] ^= 1;
    assert_eq!(refusal(&file), BadModel::Damaged);
}

#[test]
fn sizes_that_do_not_fit_are_refused_though_the_seal_is_right() {
    let with = |place: usize, number: u32| {
        let mut content = content();
        content[SHAPE + 4 * place..][..4].copy_from_slice(&number.to_le_bytes());
        refusal(&sealed(content))
    };
    assert_eq!(with(0, u32::MAX), BadModel::Damaged);
    assert_eq!(with(0, 7), BadModel::Damaged);
    assert_eq!(with(0, 9), BadModel::Damaged);
    assert_eq!(with(1, 127), BadModel::Shape("127 positions".into()));
    assert_eq!(with(2, 768), BadModel::Shape("vectors of 768 numbers in 12 heads".into()));
    assert_eq!(with(3, 0), BadModel::Shape("vectors of 384 numbers in 0 heads".into()));
    assert_eq!(with(4, 0), BadModel::Shape("an inner size of 0".into()));
    assert_eq!(with(5, u32::MAX), BadModel::Damaged);
}

#[test]
fn a_vocabulary_without_its_marks_is_refused() {
    let mut content = content();
    let place = content.windows(5).position(|bytes| bytes == b"[SEP]").unwrap();
    content[place + 1] = b'X';
    assert_eq!(refusal(&sealed(content)), BadModel::NoToken("[SEP]"));
}

#[test]
fn a_weight_that_is_no_number_is_refused() {
    // The gain of the very last norm lies before its bias and the seal.
    let mut content = content();
    let place = content.len() - 2 * 384 * 4;
    content[place..place + 4].copy_from_slice(&f32::NAN.to_le_bytes());
    assert_eq!(refusal(&sealed(content)), BadModel::Damaged);
}

#[test]
fn a_longer_vocabulary_than_there_are_words_is_refused() {
    // One entry becomes two, in as many bytes.
    let mut content = content();
    let place = content.windows(3).position(|bytes| bytes == b"##b").unwrap();
    content[place..place + 3].copy_from_slice(b"b\nc");
    assert_eq!(
        refusal(&sealed(content)),
        BadModel::Shape("9 words and vectors for 8 of them".into())
    );
}

proptest! {
    #[test]
    fn no_part_of_a_file_is_believed(
        changes in prop::collection::vec((0..200_usize, any::<u8>()), 0..8),
        length in 0..4096_usize,
    ) {
        let mut file = FILE[..4096].to_vec();
        for (place, byte) in changes {
            file[place] = byte;
        }
        file.truncate(length);
        prop_assert!(Model::read(&file).is_err());
        prop_assert!(Model::read(&sealed(file)).is_err());
    }

    #[test]
    fn a_file_with_any_weights_is_refused_or_embeds(
        changes in prop::collection::vec((0..10_000_usize, any::<u8>()), 1..50),
        text in "[ab ]{0,9}",
    ) {
        let mut content = content();
        let from_end = content.len();
        for (place, byte) in changes {
            content[from_end - 1 - place] = byte;
        }
        if let Ok(model) = Model::read(&sealed(content)) {
            prop_assert!(model.embed(&text).numbers().iter().all(|number| number.is_finite()));
        }
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(Model::read(&bytes).is_err());
        let claimed = [b"spoxembd\x01\0\0\0", bytes.as_slice()].concat();
        prop_assert!(Model::read(&sealed(claimed)).is_err());
    }
}
