//! The index file: what comes back, and what is refused.

use kit_core::Fault;
use spox_search::{BadIndex, Embedder, Index, ModelId, Query, Settings, Vectors};

use crate::support::{BagOfWords, ask, filled, proposed, purpose, requirement, with_scenario};

fn index() -> Index {
    filled(vec![
        purpose("auth", "Auth Specification", "Keeps strangers outside"),
        with_scenario(
            "auth",
            "Login",
            "Somebody enters their password",
            &["it is wrong", "they wait"],
        ),
        proposed("add-retina", requirement("auth", "Retina", "Looking into lenses")),
    ])
}

fn bytes() -> Vec<u8> {
    index().to_bytes().expect("a model")
}

fn read(bytes: &[u8]) -> Result<Vectors, BadIndex> {
    Vectors::from_bytes(bytes, &BagOfWords.id())
}

/// Where the parts of the file begin that a test changes.
const VERSION: usize = 8;
const LENGTH: usize = 12;
const SUM: usize = 20;
const BODY: usize = 36;

/// `body` as a file whose header is right.
fn sealed(body: &[u8]) -> Vec<u8> {
    use sha2::{Digest, Sha256};
    let mut file = bytes()[..VERSION + 4].to_vec();
    file.extend((body.len() as u64).to_le_bytes());
    file.extend(&Sha256::digest(body)[..16]);
    file.extend(body);
    file
}

#[test]
fn what_is_written_is_read_and_answers_the_same() {
    let index = index();
    let vectors = read(&bytes()).expect("it was written just now");
    assert_eq!(Some(&vectors), index.vectors().as_ref());
    let again = Index::new(index.documents().to_vec(), Some(vectors), Settings::default());
    assert_eq!(again.plan(), []);
    let query = Query { include_changes: true, ..Query::new("password lenses strangers") };
    assert_eq!(ask(&again, &query), ask(&index, &query));
    assert_eq!(again.to_bytes(), Some(bytes()), "and the bytes are the same");
}

#[test]
fn a_place_keeps_its_old_vector_through_the_file() {
    let edited = vec![requirement("auth", "Login", "Retina recognition")];
    let index = Index::new(edited, read(&bytes()).ok(), Settings::default());
    assert_eq!(index.stale().count(), 1);
    assert_eq!(ask(&index, &Query::new("somebody enters password")).len(), 1);
}

#[test]
fn files_of_others_are_foreign() {
    let mut theirs = 13_u64.to_le_bytes().to_vec();
    theirs.extend(b"AllMiniLML6V2");
    for file in [&b""[..], b"spox", b"{\"specs\":[]}", &theirs, &[0; 4096]] {
        assert_eq!(read(file), Err(BadIndex::Foreign));
    }
}

#[test]
fn other_formats_are_refused_by_their_number() {
    let with_version = |version: u32| {
        let mut file = bytes();
        file[VERSION..LENGTH].copy_from_slice(&version.to_le_bytes());
        read(&file)
    };
    assert_eq!(with_version(0), Err(BadIndex::Older { found: 0 }));
    assert_eq!(with_version(9), Err(BadIndex::Newer { found: 9 }));
}

#[test]
fn a_file_that_ends_early_is_truncated_wherever_it_ends() {
    let file = bytes();
    for length in 8..file.len() {
        let read = read(&file[..length]);
        assert!(matches!(read, Err(BadIndex::Truncated { .. })), "{length}: {read:?}");
    }
    let wanted = file.len() as u64;
    assert_eq!(read(&file[..100]), Err(BadIndex::Truncated { found: 100, wanted }));
}

#[test]
fn one_wrong_bit_anywhere_is_noticed() {
    let file = bytes();
    for at in 0..file.len() {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        let read = read(&damaged);
        assert!(read.is_err(), "byte {at}");
        if (SUM..).contains(&at) {
            assert_eq!(read, Err(BadIndex::Damaged("its checksum does not fit")), "byte {at}");
        }
    }
}

#[test]
fn bytes_after_the_end_are_noticed() {
    let mut file = bytes();
    file.push(0);
    assert_eq!(read(&file), Err(BadIndex::Damaged("there is more than it tells of")));
    let mut body = bytes()[BODY..].to_vec();
    body.push(0);
    assert_eq!(read(&sealed(&body)), Err(BadIndex::Damaged("there is more than it tells of")));
}

/// The checksum only tells of accidents; a file can be made to fit it.
#[test]
fn counts_that_promise_too_much_are_refused_before_anything_is_made_of_them() {
    let body = bytes()[BODY..].to_vec();
    let name = 4 + BagOfWords.id().name.len();
    let rows = name + 32 + 4;
    let short = Err(BadIndex::Damaged("it tells of more than there is"));
    for at in [0, rows] {
        for count in [u32::MAX, u32::MAX / 2, 1 << 24] {
            let mut hostile = body.clone();
            hostile[at..at + 4].copy_from_slice(&count.to_le_bytes());
            assert_eq!(read(&sealed(&hostile)), short, "{count} at {at}");
        }
    }
    let vectors = index().vectors().expect("a model").len();
    let places = rows + 4 + vectors * (16 + 4 + BagOfWords.id().dimensions);
    let mut hostile = body.clone();
    hostile[places..places + 4].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(read(&sealed(&hostile)), short);
    assert!(read(&sealed(&body)).is_ok(), "what is sealed here is right otherwise");
}

#[test]
fn rows_that_are_not_there_twice_there_or_without_a_length_are_refused() {
    let body = bytes()[BODY..].to_vec();
    let hashes = 4 + BagOfWords.id().name.len() + 32 + 4 + 4;
    let vectors = index().vectors().expect("a model").len();

    let mut twice = body.clone();
    twice.copy_within(hashes..hashes + 16, hashes + 16);
    assert_eq!(read(&sealed(&twice)), Err(BadIndex::Damaged("two vectors for the same text")));

    let scales = hashes + 16 * vectors;
    for scale in [f32::NAN, f32::INFINITY, -1.0, 2.0, 0.5] {
        let mut hostile = body.clone();
        hostile[scales..scales + 4].copy_from_slice(&scale.to_le_bytes());
        assert_eq!(
            read(&sealed(&hostile)),
            Err(BadIndex::Damaged("a vector without its length")),
            "{scale}"
        );
    }

    let mut hostile = body.clone();
    let last = body.len() - 8;
    hostile[last..last + 4].copy_from_slice(&u32::try_from(vectors).expect("few").to_le_bytes());
    assert_eq!(read(&sealed(&hostile)), Err(BadIndex::Damaged("a place without its vector")));
}

#[test]
fn an_index_of_another_model_is_refused_and_both_are_named() {
    let other = ModelId { name: "other".into(), ..BagOfWords.id() };
    let refused = Vectors::from_bytes(&bytes(), &other).expect_err("another model");
    assert_eq!(refused.to_string(), "the index was made with model `bag-of-words`, not `other`");
    assert_eq!(refused.hint().as_deref(), Some("build it again with `spox index`"));
    let build = ModelId { hash: [0xab; 32], ..BagOfWords.id() };
    let refused = Vectors::from_bytes(&bytes(), &build).expect_err("another build of it");
    assert_eq!(
        refused.to_string(),
        "the index was made with model `bag-of-words 07070707`, not `bag-of-words abababab`"
    );
}
