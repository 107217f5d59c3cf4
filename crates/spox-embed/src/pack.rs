//! From the weights as they are published to the packed file that [`Model::read`](crate::Model::read) reads.
//!
//! Start at [`pack`]. The same input gives the same bytes on every machine: there is nothing in it but rounding.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::{
    HEAD, HIDDEN,
    format::{BadModel, FORMAT, MAGIC, Shape},
    half::{from_half, to_half},
    kernel::WIDTH,
};

/// Positions that are kept. Texts are cut at [`MAX_TOKENS`](crate::MAX_TOKENS); the rest is room for other cuts.
const POSITIONS: usize = 256;

/// A model as it is published.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// What the model is called in [`ModelId`](crate::ModelId).
    pub name: &'a str,
    /// The content of `model.safetensors`, of a BERT with vectors of [`HIDDEN`] numbers.
    pub weights: &'a [u8],
    /// The content of `vocab.txt`.
    pub vocabulary: &'a str,
}

/// Why weights cannot be packed.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PackError {
    #[error("the weights are not a `safetensors` file")]
    NotSafetensors,
    #[error("the weights have no tensor `{0}` of 32-bit numbers")]
    NoTensor(String),
    #[error("tensor `{name}` has {found} numbers, not {expected}")]
    Size { name: String, found: usize, expected: usize },
    /// A number that is none, or one so large that no scale reaches it.
    #[error("tensor `{0}` holds a number that cannot be scaled")]
    OutOfRange(String),
    #[error(transparent)]
    Unreadable(#[from] BadModel),
}

/// Packs a model: matrices and embeddings as int8 with a scale for each row, without the parts that no vector needs.
pub fn pack(source: &Source<'_>) -> Result<Vec<u8>, PackError> {
    let tensors = Tensors::read(source.weights).ok_or(PackError::NotSafetensors)?;
    let words = tensors.get("embeddings.word_embeddings.weight")?;
    let up = tensors.get("encoder.layer.0.intermediate.dense.bias")?;
    let mut layers = 0;
    while tensors.has(&format!("encoder.layer.{layers}.output.dense.weight")) {
        layers += 1;
    }
    let shape = Shape {
        words: (words.numbers.len() / HIDDEN) as u32,
        positions: POSITIONS as u32,
        hidden: HIDDEN as u32,
        heads: (HIDDEN / HEAD) as u32,
        inner: up.numbers.len() as u32,
        layers,
    };
    shape.check()?;
    let mut file = Writer { bytes: MAGIC.to_vec() };
    file.number(FORMAT);
    shape.numbers().into_iter().for_each(|number| file.number(number));
    file.text(source.name);
    file.text(&compact(source.vocabulary));
    file.table(&words)?;
    file.table(&positions(&tensors)?)?;
    file.norm(&tensors, "embeddings.LayerNorm")?;
    for layer in 0..layers {
        file.layer(&tensors, &format!("encoder.layer.{layer}"), up.numbers.len())?;
    }
    let seal = Sha256::digest(&file.bytes);
    file.bytes.extend_from_slice(&seal);
    Ok(file.bytes)
}

/// The vocabulary without the names of ids that were never used.
fn compact(vocabulary: &str) -> String {
    let is_unused = |entry: &str| entry.starts_with("[unused") && entry.ends_with(']');
    let entries: Vec<_> =
        vocabulary.lines().map(|entry| if is_unused(entry) { "" } else { entry }).collect();
    entries.join("\n")
}

/// What a token's place adds to it, and with it what being in the first of two texts adds: here there is never a second.
fn positions(tensors: &Tensors<'_>) -> Result<Tensor, PackError> {
    let mut positions = tensors.get("embeddings.position_embeddings.weight")?;
    let kinds = tensors.get("embeddings.token_type_embeddings.weight")?;
    let expected = POSITIONS * HIDDEN;
    if positions.numbers.len() < expected {
        return Err(positions.has_not(expected));
    }
    if kinds.numbers.len() < HIDDEN {
        return Err(kinds.has_not(HIDDEN));
    }
    positions.numbers.truncate(expected);
    for row in positions.numbers.chunks_exact_mut(HIDDEN) {
        for (number, kind) in row.iter_mut().zip(&kinds.numbers) {
            *number += kind;
        }
    }
    Ok(positions)
}

/// A tensor of the source.
struct Tensor {
    name: String,
    numbers: Vec<f32>,
}

impl Tensor {
    fn has_not(&self, expected: usize) -> PackError {
        PackError::Size { name: self.name.clone(), found: self.numbers.len(), expected }
    }
}

/// A `safetensors` file: a JSON object that says where each tensor lies, then the numbers.
struct Tensors<'a> {
    header: Value,
    data: &'a [u8],
}

impl<'a> Tensors<'a> {
    fn read(file: &'a [u8]) -> Option<Self> {
        let (length, rest) = file.split_first_chunk::<8>()?;
        let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
        let (header, data) = rest.split_at_checked(length)?;
        Some(Self { header: serde_json::from_slice(header).ok()?, data })
    }

    fn has(&self, name: &str) -> bool {
        self.header.get(name).is_some()
    }

    fn get(&self, name: &str) -> Result<Tensor, PackError> {
        let bytes = self.bytes(name).ok_or_else(|| PackError::NoTensor(name.to_owned()))?;
        let numbers = bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        Ok(Tensor { name: name.to_owned(), numbers })
    }

    fn bytes(&self, name: &str) -> Option<&'a [u8]> {
        let tensor = self.header.get(name).filter(|tensor| tensor["dtype"] == "F32")?;
        let offset = |which: usize| usize::try_from(tensor["data_offsets"][which].as_u64()?).ok();
        self.data.get(offset(0)?..offset(1)?)
    }

    fn sized(&self, name: &str, expected: usize) -> Result<Tensor, PackError> {
        let tensor = self.get(name)?;
        if tensor.numbers.len() == expected { Ok(tensor) } else { Err(tensor.has_not(expected)) }
    }
}

/// The packed file while it is written; see `format` for its order.
struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn number(&mut self, number: u32) {
        self.bytes.extend_from_slice(&number.to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u32);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    fn floats(&mut self, numbers: &[f32]) {
        self.bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    }

    /// Writes the scales of a tensor's rows and gives the rows, rounded.
    fn scales(&mut self, tensor: &Tensor, width: usize) -> Result<Vec<i8>, PackError> {
        let mut rounded = Vec::with_capacity(tensor.numbers.len());
        for row in tensor.numbers.chunks_exact(width) {
            let most = row.iter().fold(0.0_f32, |most, number| most.max(number.abs()));
            if row.iter().any(|number| !number.is_finite()) || most > 1e6 {
                return Err(PackError::OutOfRange(tensor.name.clone()));
            }
            let half = to_half(most / 127.0);
            self.bytes.extend_from_slice(&half.to_le_bytes());
            // By the scale as it is stored: rounding it must not cost a second time.
            let scale = from_half(half).max(f32::MIN_POSITIVE);
            rounded.extend(
                row.iter().map(|number| (number / scale).round().clamp(-127.0, 127.0) as i8),
            );
        }
        Ok(rounded)
    }

    fn table(&mut self, tensor: &Tensor) -> Result<(), PackError> {
        let rows = self.scales(tensor, HIDDEN)?;
        self.bytes.extend(rows.iter().map(|number| number.cast_unsigned()));
        Ok(())
    }

    /// Writes matrices, which take the same input, as one.
    fn matrix(
        &mut self,
        tensors: &Tensors<'_>,
        names: &[String],
        inputs: usize,
        outputs: usize,
    ) -> Result<(), PackError> {
        let mut rows = Vec::new();
        for name in names {
            let weight = tensors.sized(&format!("{name}.weight"), inputs * outputs)?;
            rows.extend(self.scales(&weight, inputs)?);
        }
        for name in names {
            self.floats(&tensors.sized(&format!("{name}.bias"), outputs)?.numbers);
        }
        for block in rows.chunks_exact(inputs * WIDTH) {
            for input in 0..inputs {
                let line = block.iter().skip(input).step_by(inputs);
                self.bytes.extend(line.map(|number| number.cast_unsigned()));
            }
        }
        Ok(())
    }

    fn norm(&mut self, tensors: &Tensors<'_>, name: &str) -> Result<(), PackError> {
        self.floats(&tensors.sized(&format!("{name}.weight"), HIDDEN)?.numbers);
        self.floats(&tensors.sized(&format!("{name}.bias"), HIDDEN)?.numbers);
        Ok(())
    }

    fn layer(&mut self, tensors: &Tensors<'_>, layer: &str, inner: usize) -> Result<(), PackError> {
        let attention = |part: &str| format!("{layer}.attention.{part}");
        let project = ["self.query", "self.key", "self.value"].map(attention);
        self.matrix(tensors, &project, HIDDEN, HIDDEN)?;
        self.matrix(tensors, &[attention("output.dense")], HIDDEN, HIDDEN)?;
        self.norm(tensors, &attention("output.LayerNorm"))?;
        self.matrix(tensors, &[format!("{layer}.intermediate.dense")], HIDDEN, inner)?;
        self.matrix(tensors, &[format!("{layer}.output.dense")], inner, HIDDEN)?;
        self.norm(tensors, &format!("{layer}.output.LayerNorm"))
    }
}
