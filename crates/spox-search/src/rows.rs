//! Vectors as rows of small integers in one block, and the scan over all of them.
//!
//! A row keeps the direction of a vector in 8 bits for each number, and one over its length as its scale, so that the
//! product of two rows and their scales is their cosine. A quarter of the memory, and its reading is what a scan costs.

use crate::model::BadVector;

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Rows {
    pub(crate) dimensions: usize,
    pub(crate) cells: Vec<i8>,
    pub(crate) scales: Vec<f32>,
}

/// A query's vector, in 16 bits where they fit: it is one, and rounding it would add to every row's error.
#[derive(Debug, Clone)]
pub(crate) struct Needle {
    cells: Vec<i16>,
    scale: f32,
}

impl Rows {
    pub(crate) fn new(dimensions: usize) -> Self {
        Self { dimensions, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.scales.len()
    }

    pub(crate) fn row(&self, row: usize) -> &[i8] {
        &self.cells[row * self.dimensions..][..self.dimensions]
    }

    /// Adds a vector as the last row.
    pub(crate) fn push(&mut self, vector: &[f32]) -> Result<(), BadVector> {
        let largest = check(vector, self.dimensions)?;
        let step = if largest > 0.0 { 127.0 / largest } else { 0.0 };
        self.cells.extend(vector.iter().map(|x| (x * step).round() as i8));
        self.scales.push(scale_of(self.row(self.scales.len())));
        Ok(())
    }

    /// Adds row `row` of `other`, which has the same dimensions.
    pub(crate) fn push_row(&mut self, other: &Self, row: usize) {
        self.cells.extend_from_slice(other.row(row));
        self.scales.push(other.scales[row]);
    }

    /// Whether every scale is that of its row, so that no product of two is more than 1.
    pub(crate) fn is_sound(&self) -> bool {
        let lengths = (0..self.len()).map(|row| scale_of(self.row(row)));
        lengths.zip(&self.scales).all(|(wanted, found)| wanted.to_bits() == found.to_bits())
    }

    /// The cosine of every row with `needle`.
    pub(crate) fn cosines(&self, needle: &Needle) -> Vec<f32> {
        let mut products = vec![0; self.len()];
        if self.dimensions > 0 {
            scan(&self.cells, &needle.cells, &mut products);
        }
        let scaled = products.iter().zip(&self.scales);
        scaled.map(|(product, scale)| *product as f32 * scale * needle.scale).collect()
    }

    /// The pairs among `picked` whose cosine is above `threshold`, as positions in `picked`.
    pub(crate) fn pairs_above(&self, picked: &[usize], threshold: f32) -> Vec<(usize, usize, f32)> {
        let cells: Vec<i8> = picked.iter().flat_map(|row| self.row(*row)).copied().collect();
        let mut products = vec![0; picked.len()];
        let mut pairs = Vec::new();
        for (second, &b) in picked.iter().enumerate() {
            let row: Vec<i16> = self.row(b).iter().copied().map(i16::from).collect();
            if !row.is_empty() {
                scan(&cells[..second * row.len()], &row, &mut products[..second]);
            }
            for (first, &a) in picked[..second].iter().enumerate() {
                let cosine = products[first] as f32 * self.scales[a] * self.scales[b];
                pairs.extend((cosine > threshold).then_some((first, second, cosine)));
            }
        }
        pairs
    }
}

impl Needle {
    pub(crate) fn new(vector: &[f32], dimensions: usize) -> Result<Self, BadVector> {
        let largest = check(vector, dimensions)?;
        // As fine as the sum of all products leaves room for in 32 bits: 14 bits and more up to a thousand dimensions.
        let finest = (i32::MAX / 128) as usize / dimensions.max(1);
        let step = if largest > 0.0 { finest.min(32_767) as f32 / largest } else { 0.0 };
        let cells: Vec<i16> = vector.iter().map(|x| (x * step) as i16).collect();
        let scale = inverse(cells.iter().map(|x| f64::from(*x) * f64::from(*x)).sum());
        Ok(Self { cells, scale })
    }
}

/// The product of `needle` with each row of `cells`, in the widest instructions that the machine has.
#[multiversion::multiversion(targets = "simd")]
fn scan(cells: &[i8], needle: &[i16], products: &mut [i32]) {
    for (row, product) in cells.chunks_exact(needle.len()).zip(products) {
        *product = dot(row, needle);
    }
}

/// The sum of the products; the shape that the compiler turns into multiply-add instructions.
#[inline]
fn dot<A: Copy + Into<i16>, B: Copy + Into<i16>>(a: &[A], b: &[B]) -> i32 {
    a.iter().zip(b).map(|(a, b)| i32::from((*a).into()) * i32::from((*b).into())).sum()
}

/// What brings a row to length one; 0 for a row without a direction, which is then near to nothing.
fn scale_of(row: &[i8]) -> f32 {
    inverse(f64::from(dot(row, row)))
}

/// The largest magnitude in a vector that can be used.
fn check(vector: &[f32], dimensions: usize) -> Result<f32, BadVector> {
    if vector.len() != dimensions {
        return Err(BadVector::WrongLength { found: vector.len(), wanted: dimensions });
    }
    if vector.iter().any(|x| !x.is_finite()) {
        return Err(BadVector::NotFinite);
    }
    Ok(vector.iter().fold(0.0, |largest: f32, x| largest.max(x.abs())))
}

/// One over the length of a vector whose numbers have this sum of squares.
fn inverse(squares: f64) -> f32 {
    if squares > 0.0 { (1.0 / squares.sqrt()) as f32 } else { 0.0 }
}
