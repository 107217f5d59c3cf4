//! Vectors: what a text becomes, and the small form of it that an index keeps.

use crate::{HIDDEN, kernel};

/// What a text means, as a direction: [`HIDDEN`] finite numbers whose squares add up to one.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector([f32; HIDDEN]);

impl Vector {
    /// The direction of `numbers`. Those that have none (all zero, or not finite) become the first axis.
    pub fn towards(numbers: &[f32; HIDDEN]) -> Self {
        let length = numbers.iter().map(|x| f64::from(*x) * f64::from(*x)).sum::<f64>().sqrt();
        if !length.is_finite() || length < f64::from(f32::MIN_POSITIVE) {
            let mut axis = [0.0; HIDDEN];
            axis[0] = 1.0;
            return Self(axis);
        }
        Self(numbers.map(|x| (f64::from(x) / length) as f32))
    }

    pub fn numbers(&self) -> &[f32; HIDDEN] {
        &self.0
    }

    /// How alike two texts are: 1 for the same, about 0 for what has nothing in common.
    pub fn cosine(&self, other: &Self) -> f32 {
        self.0.iter().zip(&other.0).map(|(a, b)| a * b).sum::<f32>().clamp(-1.0, 1.0)
    }

    /// The small form, for an index.
    pub fn pack(&self) -> Packed {
        let most = self.0.iter().fold(0.0_f32, |most, x| most.max(x.abs()));
        Packed::new(&self.0.map(|x| (x / most * 127.0).round() as i8))
    }
}

/// A [`Vector`] in a quarter of the space: int8 with a scale. Cosines differ by about 0.001 from those of the vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Packed {
    /// Brings `numbers` to length one.
    scale: f32,
    numbers: [i8; HIDDEN],
}

impl Packed {
    /// The bytes of one in a file.
    pub const BYTES: usize = 4 + HIDDEN;

    fn new(numbers: &[i8; HIDDEN]) -> Self {
        let squares: i32 = numbers.iter().map(|x| i32::from(*x) * i32::from(*x)).sum();
        Self { scale: 1.0 / (squares as f32).sqrt(), numbers: *numbers }
    }

    /// How alike two texts are, as [`Vector::cosine`].
    pub fn cosine(&self, other: &Self) -> f32 {
        self.cosines(std::slice::from_ref(other))[0]
    }

    /// How alike each of `others` is, in their order.
    pub fn cosines(&self, others: &[Self]) -> Vec<f32> {
        let mut cosines = Vec::with_capacity(others.len());
        kernel::dots(&self.numbers, others.iter().map(|other| &other.numbers), |dot| {
            let scale = self.scale * others[cosines.len()].scale;
            cosines.push((dot as f32 * scale).clamp(-1.0, 1.0));
        });
        cosines
    }

    /// As bytes: the scale (f32, little-endian), then the numbers.
    pub fn to_bytes(&self) -> [u8; Self::BYTES] {
        let mut bytes = [0; Self::BYTES];
        bytes[..4].copy_from_slice(&self.scale.to_le_bytes());
        for (byte, number) in bytes[4..].iter_mut().zip(self.numbers) {
            *byte = number.cast_unsigned();
        }
        bytes
    }

    /// What [`Packed::to_bytes`] wrote. None if it did not write this: the scale is not the one of the numbers.
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let mut numbers = [0; HIDDEN];
        for (number, byte) in numbers.iter_mut().zip(&bytes[4..]) {
            *number = byte.cast_signed();
        }
        let packed = Self::new(&numbers);
        (packed.scale.is_finite() && bytes[..4] == packed.scale.to_le_bytes()).then_some(packed)
    }
}
