//! The network: from token ids to vectors. Start at [`vectors`].
//!
//! BERT with six layers: attention, then two matrices with a GELU between, each added to what went in and brought
//! to a learned mean and spread. The vector is the mean over a text's tokens. Rows of several texts lie one after the
//! other without filling in between; only attention looks at which text a row is of.

use crate::{
    HIDDEN, Model, Vector,
    format::{Layer, Norm},
    kernel,
};

/// The vectors of texts that are token ids already.
pub(crate) fn vectors(model: &Model, texts: &[&[u32]]) -> Vec<Vector> {
    let rows = encode(model, texts);
    let mut rest = rows.as_slice();
    texts.iter().map(|text| mean(take(&mut rest, text.len() * HIDDEN))).collect()
}

/// The vector of one text.
pub(crate) fn vector(model: &Model, text: &[u32]) -> Vector {
    mean(&encode(model, &[text]))
}

/// A row for each token, after all layers.
fn encode(model: &Model, texts: &[&[u32]]) -> Vec<f32> {
    let mut rows = look_up(model, texts);
    let mut space = Space::default();
    for layer in &model.layout.layers {
        space.layer(&model.file, layer, texts, &mut rows);
    }
    rows
}

/// What each token begins as: its word and its place in the text.
fn look_up(model: &Model, texts: &[&[u32]]) -> Vec<f32> {
    let layout = &model.layout;
    let tokens = texts.iter().flat_map(|text| text.iter().enumerate());
    let mut rows = vec![0.0; texts.iter().map(|text| text.len()).sum::<usize>() * HIDDEN];
    for ((position, id), row) in tokens.zip(rows.chunks_exact_mut(HIDDEN)) {
        layout.words.add(&model.file, *id as usize, row);
        layout.positions.add(&model.file, position, row);
        kernel::normalise(row, &layout.norm.gain, &layout.norm.bias);
    }
    rows
}

fn mean(rows: &[f32]) -> Vector {
    let mut sums = [0.0; HIDDEN];
    for row in rows.chunks_exact(HIDDEN) {
        for (sum, number) in sums.iter_mut().zip(row) {
            *sum += number;
        }
    }
    // Only the direction counts, so the sum is as good as the mean.
    Vector::towards(&sums)
}

/// What the layers write between their steps, kept from one layer to the next.
#[derive(Default)]
struct Space {
    projected: Vec<f32>,
    mixed: Vec<f32>,
    inner: Vec<f32>,
    after: Vec<f32>,
}

impl Space {
    fn layer(&mut self, file: &[u8], layer: &Layer, texts: &[&[u32]], rows: &mut Vec<f32>) {
        let tokens = rows.len() / HIDDEN;
        let room = |space: &mut Vec<f32>, width| space.resize(tokens * width, 0.0);
        room(&mut self.projected, layer.project.outputs());
        room(&mut self.mixed, HIDDEN);
        room(&mut self.inner, layer.up.outputs());
        room(&mut self.after, HIDDEN);

        kernel::multiply(layer.project.dense(file), rows, &mut self.projected);
        let (mut from, mut to) = (self.projected.as_slice(), self.mixed.as_mut_slice());
        for text in texts {
            let here = to.split_off_mut(..text.len() * HIDDEN).expect("a row for each token");
            kernel::attend(take(&mut from, text.len() * layer.project.outputs()), here);
        }
        kernel::multiply(layer.out.dense(file), &self.mixed, &mut self.after);
        self.add_and_normalise(rows, &layer.attention_norm);

        kernel::multiply(layer.up.dense(file), rows, &mut self.inner);
        kernel::gelu(&mut self.inner);
        kernel::multiply(layer.down.dense(file), &self.inner, &mut self.after);
        self.add_and_normalise(rows, &layer.norm);
    }

    /// What a step gave is added to what it was given, and becomes the rows.
    fn add_and_normalise(&mut self, rows: &mut Vec<f32>, norm: &Norm) {
        kernel::add_and_normalise(&mut self.after, rows, &norm.gain, &norm.bias);
        std::mem::swap(&mut self.after, rows);
    }
}

fn take<'a>(rest: &mut &'a [f32], count: usize) -> &'a [f32] {
    rest.split_off(..count).expect("a row for each token")
}
