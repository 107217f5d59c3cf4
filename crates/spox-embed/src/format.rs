//! The packed file: how it is laid out, and how it is read without trusting it. Start at [`Layout::read`]; [`verify`] is
//! for files from elsewhere.
//!
//! ```text
//! magic, format       8 bytes, u32
//! shape               six u32: vocabulary, positions, hidden, heads, inner, layers
//! name, vocabulary    each a u32 of bytes, then the text; the vocabulary an entry in each line
//! embeddings          words and positions, each: f16 scales, then rows of int8; gain and bias of the first norm
//! layers, each        matrix of queries, keys and values; matrix out; norm; matrix up; matrix down; norm
//!   a matrix          f16 scales, f32 bias, then int8: for 16 outputs, for each input, 16 bytes
//!   a norm            f32 gain, f32 bias
//! seal                SHA-256 of all before
//! ```
//!
//! Numbers are little-endian. The int8 are used where they lie; what is small is decoded here.

use std::ops::Range;

use sha2::{Digest as _, Sha256};

use crate::{
    HEAD, HIDDEN, MAX_TOKENS,
    half::from_half,
    kernel::{Dense, WIDTH},
};

pub(crate) const MAGIC: &[u8; 8] = b"spoxembd";
pub(crate) const FORMAT: u32 = 1;
pub(crate) const SEAL: usize = 32;

/// Why bytes are not a model.
#[derive(Debug, thiserror::Error, Clone, PartialEq, Eq)]
pub enum BadModel {
    /// It begins with something else.
    #[error("this is not a packed model")]
    Foreign,
    /// Written by another version of the converter.
    #[error("the model has format {0}, this program reads format {FORMAT}")]
    Format(u32),
    /// Cut short, or changed since it was written.
    #[error("the model is damaged: its checksum is not that of its content")]
    Damaged,
    /// The sizes do not fit the rest, or this encoder.
    #[error("the model has {0}, which this program cannot compute")]
    Shape(String),
    /// The vocabulary lacks a token without which no text can be read.
    #[error("the model's vocabulary has no `{0}`")]
    NoToken(&'static str),
}

/// Where things are in a packed file, and the small ones decoded.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) name: String,
    pub(crate) vocabulary: Range<usize>,
    pub(crate) words: Table,
    pub(crate) positions: Table,
    pub(crate) norm: Norm,
    pub(crate) layers: Vec<Layer>,
    pub(crate) seal: [u8; SEAL],
}

#[derive(Debug)]
pub(crate) struct Layer {
    /// Queries, keys and values, side by side.
    pub(crate) project: Matrix,
    pub(crate) out: Matrix,
    pub(crate) attention_norm: Norm,
    pub(crate) up: Matrix,
    pub(crate) down: Matrix,
    pub(crate) norm: Norm,
}

/// Rows that are looked up.
#[derive(Debug)]
pub(crate) struct Table {
    scales: Vec<f32>,
    bytes: Range<usize>,
}

impl Table {
    pub(crate) fn rows(&self) -> usize {
        self.scales.len()
    }

    /// Adds a row to `target`.
    pub(crate) fn add(&self, file: &[u8], row: usize, target: &mut [f32]) {
        let place = self.bytes.start + row * HIDDEN;
        let scale = self.scales[row];
        for (number, byte) in target.iter_mut().zip(&file[place..place + HIDDEN]) {
            *number += f32::from(byte.cast_signed()) * scale;
        }
    }
}

#[derive(Debug)]
pub(crate) struct Matrix {
    inputs: usize,
    scales: Vec<f32>,
    bias: Vec<f32>,
    bytes: Range<usize>,
}

impl Matrix {
    pub(crate) fn dense<'a>(&'a self, file: &'a [u8]) -> Dense<'a> {
        Dense {
            inputs: self.inputs,
            weights: &file[self.bytes.clone()],
            scales: &self.scales,
            bias: &self.bias,
        }
    }

    pub(crate) fn outputs(&self) -> usize {
        self.scales.len()
    }
}

#[derive(Debug)]
pub(crate) struct Norm {
    pub(crate) gain: Vec<f32>,
    pub(crate) bias: Vec<f32>,
}

impl Layout {
    /// Reads the file's order. Whatever the bytes are, this ends with an answer and asks for no more memory than they have.
    pub(crate) fn read(file: &[u8]) -> Result<Self, BadModel> {
        let (mut reader, seal) = open(file)?;
        let shape = Shape::read(&mut reader).ok_or(BadModel::Damaged)?;
        shape.check()?;
        let layout = reader.layout(&shape, seal).ok_or(BadModel::Damaged)?;
        if reader.place != reader.file.len() {
            return Err(BadModel::Damaged);
        }
        Ok(layout)
    }
}

/// Whether this is a packed model, and still what was written.
pub(crate) fn verify(file: &[u8]) -> Result<(), BadModel> {
    let (reader, seal) = open(file)?;
    if Sha256::digest(reader.file)[..] == seal { Ok(()) } else { Err(BadModel::Damaged) }
}

/// What a file says it is: a reader that stands after that and ends before the seal, and the seal.
fn open(file: &[u8]) -> Result<(Reader<'_>, [u8; SEAL]), BadModel> {
    let mut reader = Reader { file, place: 0 };
    if reader.bytes(MAGIC.len()).is_none_or(|range| file[range] != *MAGIC) {
        return Err(BadModel::Foreign);
    }
    match reader.number().ok_or(BadModel::Damaged)? {
        FORMAT => {}
        other => return Err(BadModel::Format(other)),
    }
    let (content, seal) = file.split_last_chunk().ok_or(BadModel::Damaged)?;
    reader.file = content;
    Ok((reader, *seal))
}

/// The sizes that the rest follows from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shape {
    pub(crate) words: u32,
    pub(crate) positions: u32,
    pub(crate) hidden: u32,
    pub(crate) heads: u32,
    pub(crate) inner: u32,
    pub(crate) layers: u32,
}

impl Shape {
    fn read(reader: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            words: reader.number()?,
            positions: reader.number()?,
            hidden: reader.number()?,
            heads: reader.number()?,
            inner: reader.number()?,
            layers: reader.number()?,
        })
    }

    pub(crate) fn numbers(self) -> [u32; 6] {
        [self.words, self.positions, self.hidden, self.heads, self.inner, self.layers]
    }

    /// Whether the encoder can compute this, whatever the weights are.
    pub(crate) fn check(self) -> Result<(), BadModel> {
        let refuse = |what: String| Err(BadModel::Shape(what));
        if self.hidden as usize != HIDDEN || self.heads as usize != HIDDEN / HEAD {
            return refuse(format!("vectors of {} numbers in {} heads", self.hidden, self.heads));
        }
        if self.inner == 0 || !(self.inner as usize).is_multiple_of(WIDTH) || self.inner > 1 << 20 {
            return refuse(format!("an inner size of {}", self.inner));
        }
        if (self.positions as usize) < MAX_TOKENS {
            return refuse(format!("{} positions", self.positions));
        }
        Ok(())
    }
}

/// A place in a file. Everything is None past its end.
struct Reader<'a> {
    file: &'a [u8],
    place: usize,
}

impl Reader<'_> {
    fn bytes(&mut self, count: usize) -> Option<Range<usize>> {
        let end = self.place.checked_add(count).filter(|end| *end <= self.file.len())?;
        let range = self.place..end;
        self.place = end;
        Some(range)
    }

    fn number(&mut self) -> Option<u32> {
        let range = self.bytes(4)?;
        Some(u32::from_le_bytes(*self.file[range].first_chunk()?))
    }

    fn text(&mut self) -> Option<Range<usize>> {
        let length = self.number()?;
        self.bytes(length as usize)
    }

    fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        let range = self.bytes(count.checked_mul(4)?)?;
        let numbers = self.file[range].as_chunks().0.iter();
        finite(numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    fn halves(&mut self, count: usize) -> Option<Vec<f32>> {
        let range = self.bytes(count.checked_mul(2)?)?;
        let numbers = self.file[range].as_chunks().0.iter();
        finite(numbers.map(|bytes| from_half(u16::from_le_bytes(*bytes))).collect())
    }

    fn table(&mut self, rows: u32) -> Option<Table> {
        let rows = rows as usize;
        Some(Table { scales: self.halves(rows)?, bytes: self.bytes(rows.checked_mul(HIDDEN)?)? })
    }

    fn matrix(&mut self, inputs: usize, outputs: usize) -> Option<Matrix> {
        let (scales, bias) = (self.halves(outputs)?, self.floats(outputs)?);
        Some(Matrix { inputs, scales, bias, bytes: self.bytes(inputs.checked_mul(outputs)?)? })
    }

    fn norm(&mut self) -> Option<Norm> {
        Some(Norm { gain: self.floats(HIDDEN)?, bias: self.floats(HIDDEN)? })
    }

    fn layer(&mut self, inner: usize) -> Option<Layer> {
        Some(Layer {
            project: self.matrix(HIDDEN, 3 * HIDDEN)?,
            out: self.matrix(HIDDEN, HIDDEN)?,
            attention_norm: self.norm()?,
            up: self.matrix(HIDDEN, inner)?,
            down: self.matrix(inner, HIDDEN)?,
            norm: self.norm()?,
        })
    }

    fn layout(&mut self, shape: &Shape, seal: [u8; SEAL]) -> Option<Layout> {
        let name = self.text()?;
        Some(Layout {
            name: String::from_utf8(self.file[name].to_vec()).ok()?,
            vocabulary: self.text()?,
            words: self.table(shape.words)?,
            positions: self.table(shape.positions)?,
            norm: self.norm()?,
            layers: (0..shape.layers)
                .map(|_| self.layer(shape.inner as usize))
                .collect::<Option<_>>()?,
            seal,
        })
    }
}

/// A number that is none would spread to every vector.
fn finite(numbers: Vec<f32>) -> Option<Vec<f32>> {
    numbers.iter().all(|number| number.is_finite()).then_some(numbers)
}
