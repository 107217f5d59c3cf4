//! A model of one narrow layer, packed here from numbers made up: what the tests damage, and a test of the packing.

use std::sync::LazyLock;

use serde_json::{Map, json};
use spox_embed::{
    HIDDEN, Model,
    pack::{PackError, Source, pack},
};

const VOCABULARY: &str = "[PAD]\n[unused0]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\n##b\n";
const INNER: usize = 32;

/// A packed file.
pub(crate) static FILE: LazyLock<Vec<u8>> =
    LazyLock::new(|| packed(&tensors()).expect("it can be packed"));

type Tensors = Vec<(String, Vec<f32>)>;

/// All the tensors there must be, by name.
fn tensors() -> Tensors {
    let layer = "encoder.layer.0";
    let mut sizes = vec![
        ("embeddings.word_embeddings.weight".to_owned(), 8 * HIDDEN),
        ("embeddings.position_embeddings.weight".to_owned(), 256 * HIDDEN),
        ("embeddings.token_type_embeddings.weight".to_owned(), 2 * HIDDEN),
    ];
    let norms = ["embeddings.LayerNorm", "encoder.layer.0.attention.output.LayerNorm"];
    for norm in norms.into_iter().chain(["encoder.layer.0.output.LayerNorm"]) {
        sizes.push((format!("{norm}.weight"), HIDDEN));
        sizes.push((format!("{norm}.bias"), HIDDEN));
    }
    for (name, inputs, outputs) in [
        ("attention.self.query", HIDDEN, HIDDEN),
        ("attention.self.key", HIDDEN, HIDDEN),
        ("attention.self.value", HIDDEN, HIDDEN),
        ("attention.output.dense", HIDDEN, HIDDEN),
        ("intermediate.dense", HIDDEN, INNER),
        ("output.dense", INNER, HIDDEN),
    ] {
        sizes.push((format!("{layer}.{name}.weight"), inputs * outputs));
        sizes.push((format!("{layer}.{name}.bias"), outputs));
    }
    let mut seed = 1_u32;
    let mut next = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f32::from((seed >> 16) as u16) / 65_536.0 - 0.5
    };
    sizes.into_iter().map(|(name, size)| (name, (0..size).map(|_| next()).collect())).collect()
}

fn safetensors(tensors: &Tensors) -> Vec<u8> {
    let mut header = Map::new();
    let mut data = Vec::new();
    for (name, numbers) in tensors {
        let start = data.len();
        data.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        let tensor =
            json!({"dtype": "F32", "shape": [numbers.len()], "data_offsets": [start, data.len()]});
        header.insert(name.clone(), tensor);
    }
    let header = json!(header).to_string();
    [&(header.len() as u64).to_le_bytes(), header.as_bytes(), &data].concat()
}

fn packed(tensors: &Tensors) -> Result<Vec<u8>, PackError> {
    let weights = safetensors(tensors);
    pack(&Source { name: "small", weights: &weights, vocabulary: VOCABULARY })
}

/// What packing says when one tensor is other than it should be.
fn refusal(name: &str, change: impl FnOnce(&mut Vec<f32>)) -> String {
    let mut tensors = tensors();
    let (_, numbers) = tensors.iter_mut().find(|(this, _)| this == name).expect("a tensor");
    change(numbers);
    packed(&tensors).expect_err("refused").to_string()
}

#[test]
fn any_model_of_this_shape_can_be_packed_and_read() {
    let model = Model::read(&FILE).unwrap();
    assert_eq!(model.id().name, "small");
    assert_eq!(model.tokenize("AB a? b"), [3, 6, 7, 6, 2, 2, 4]);
    let same = model.embed("ab");
    assert!(same.cosine(&model.embed("AB")) > 0.999);
    assert!(same.cosine(&model.embed("b a b a ?")) < 0.999);
}

#[test]
fn packing_again_gives_the_same_bytes() {
    assert!(packed(&tensors()).unwrap() == *FILE);
}

#[test]
fn other_weights_are_another_model() {
    let mut tensors = tensors();
    tensors[0].1[0] += 0.1;
    let other = Model::read(&packed(&tensors).unwrap()).unwrap();
    assert_ne!(other.id().hash, Model::read(&FILE).unwrap().id().hash);
}

#[test]
fn weights_that_cannot_be_packed_are_refused_by_name() {
    let query = "encoder.layer.0.attention.self.query.weight";
    assert_eq!(
        refusal(query, |numbers| numbers.truncate(9)),
        format!("tensor `{query}` has 9 numbers, not 147456")
    );
    assert_eq!(
        refusal(query, |numbers| numbers[5] = f32::NAN),
        format!("tensor `{query}` holds a number that cannot be scaled")
    );
    let positions = "embeddings.position_embeddings.weight";
    assert_eq!(
        refusal(positions, |numbers| numbers.truncate(100 * HIDDEN)),
        format!("tensor `{positions}` has 38400 numbers, not 98304")
    );
    let mut tensors = tensors();
    tensors.retain(|(name, _)| name != query);
    assert_eq!(packed(&tensors), Err(PackError::NoTensor(query.into())));
}

#[test]
fn what_is_no_safetensors_file_is_refused() {
    for weights in
        [&b""[..], b"short", b"\xff\xff\xff\xff\xff\xff\xff\xff{}", b"\x02\0\0\0\0\0\0\0[}"]
    {
        let source = Source { name: "none", weights, vocabulary: VOCABULARY };
        assert_eq!(pack(&source), Err(PackError::NotSafetensors), "{weights:?}");
    }
}
