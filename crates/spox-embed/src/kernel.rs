//! The loops in which the time goes, written so that the compiler makes vector instructions of them.
//!
//! Each function that the encoder calls is compiled twice, for any processor and for those with AVX2 and FMA; which one
//! runs is found out when it is first called. Whatever multiplies matrices goes through [`tile`]: a few rows of one
//! matrix with sixteen columns of the other. A row's numbers never depend on the rows beside it, so a text has the
//! same vector alone and among others, to the bit.

#![expect(
    clippy::inline_always,
    reason = "what a compiled version calls must become part of it to be compiled for the same processor"
)]

use std::array;

use multiversion::{multiversion, target::target_cfg_f};

use crate::{HEAD, HIDDEN};

/// The numbers of a vector register.
const LANES: usize = 8;

/// Columns that are multiplied at once: two registers.
pub(crate) const WIDTH: usize = 2 * LANES;

/// Rows that are multiplied at once. With two registers each, they leave room for a panel's line among the sixteen.
const ROWS: usize = 6;

/// Sixteen columns of a matrix, at one of its rows. A panel is a slice of these.
type Line = [f32; WIDTH];

/// A matrix of int8 with a scale for each output, and what is added to the product.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Dense<'a> {
    pub(crate) inputs: usize,
    /// Sixteen outputs side by side: for each block of them, for each input, sixteen bytes.
    pub(crate) weights: &'a [u8],
    pub(crate) scales: &'a [f32],
    pub(crate) bias: &'a [f32],
}

/// `output = input · weights + bias`, each row of `input` giving a row of `output`.
#[multiversion(targets("x86_64+avx2+fma"))]
pub(crate) fn multiply(dense: Dense<'_>, input: &[f32], output: &mut [f32]) {
    const FUSED: bool = target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64"));
    let outputs = dense.scales.len();
    let rows = Rows { numbers: input, stride: dense.inputs, count: input.len() / dense.inputs };
    let mut panel = vec![[0.0; WIDTH]; dense.inputs];
    for (block, weights) in dense.weights.chunks_exact(dense.inputs * WIDTH).enumerate() {
        // Sixteen columns as numbers fit the nearest cache, where every row finds them.
        for (line, bytes) in panel.iter_mut().zip(weights.as_chunks::<WIDTH>().0) {
            *line = bytes.map(|byte| f32::from(byte.cast_signed()));
        }
        let column = block * WIDTH;
        let scales = &dense.scales[column..column + WIDTH];
        let bias = &dense.bias[column..column + WIDTH];
        product::<FUSED>(rows, &panel, |row, sums| {
            let place = row * outputs + column;
            for (lane, number) in output[place..place + WIDTH].iter_mut().enumerate() {
                *number = sums[lane] * scales[lane] + bias[lane];
            }
        });
    }
}

/// Self-attention of one text: from rows of queries, keys and values side by side to rows of `HIDDEN` numbers.
#[multiversion(targets("x86_64+avx2+fma"))]
pub(crate) fn attend(projected: &[f32], output: &mut [f32]) {
    const STRIDE: usize = 3 * HIDDEN;
    const FUSED: bool = target_cfg_f!(any(target_feature = "fma", target_arch = "aarch64"));
    let tokens = projected.len() / STRIDE;
    let blocks = tokens.div_ceil(WIDTH);
    let mut keys = [[0.0; WIDTH]; HEAD];
    let mut values = vec![[0.0; WIDTH]; tokens];
    let mut weights = vec![[f32::MIN; WIDTH]; tokens * blocks];
    for head in (0..HIDDEN).step_by(HEAD) {
        let queries = Rows { numbers: &projected[head..], stride: STRIDE, count: tokens };
        for block in 0..blocks {
            let there = WIDTH.min(tokens - block * WIDTH);
            for lane in 0..there {
                let place = (block * WIDTH + lane) * STRIDE + HIDDEN + head;
                for (line, number) in keys.iter_mut().zip(&projected[place..place + HEAD]) {
                    line[lane] = *number;
                }
            }
            product::<FUSED>(queries, &keys, |row, sums| {
                weights[row * blocks + block][..there].copy_from_slice(&sums[..there]);
            });
        }
        for row in weights.chunks_exact_mut(blocks) {
            softmax(row);
        }
        let shares =
            Rows { numbers: weights.as_flattened(), stride: blocks * WIDTH, count: tokens };
        for half in (head..head + HEAD).step_by(WIDTH) {
            for (token, line) in values.iter_mut().enumerate() {
                let place = token * STRIDE + 2 * HIDDEN + half;
                line.copy_from_slice(&projected[place..place + WIDTH]);
            }
            product::<FUSED>(shares, &values, |row, sums| {
                let place = row * HIDDEN + half;
                output[place..place + WIDTH].copy_from_slice(sums);
            });
        }
        // What lies past the last token must weigh nothing for the next head, too.
        weights.fill([f32::MIN; WIDTH]);
    }
}

/// `x · Φ(x)`, with the error function itself and not the approximation by `tanh`.
#[multiversion(targets("x86_64+avx2+fma"))]
pub(crate) fn gelu(numbers: &mut [f32]) {
    for line in numbers.as_chunks_mut::<WIDTH>().0 {
        *line = line.map(|x| 0.5 * x * (1.0 + erf(x * std::f32::consts::FRAC_1_SQRT_2)));
    }
}

/// Adds `residual` to each row, then brings the row to the mean and the spread that were learned.
#[multiversion(targets("x86_64+avx2+fma"))]
pub(crate) fn add_and_normalise(rows: &mut [f32], residual: &[f32], gain: &[f32], bias: &[f32]) {
    for (row, residual) in rows.chunks_exact_mut(HIDDEN).zip(residual.chunks_exact(HIDDEN)) {
        for (number, more) in row.iter_mut().zip(residual) {
            *number += more;
        }
        normalise(row, gain, bias);
    }
}

/// Brings one row to the mean and the spread that were learned.
#[inline(always)]
pub(crate) fn normalise(row: &mut [f32], gain: &[f32], bias: &[f32]) {
    let mean = sum(row, |x| x) / HIDDEN as f32;
    let variance = sum(row, |x| (x - mean) * (x - mean)) / HIDDEN as f32;
    let factor = 1.0 / (variance + 1e-12).sqrt();
    for ((number, gain), bias) in row.iter_mut().zip(gain).zip(bias) {
        *number = (*number - mean) * factor * gain + bias;
    }
}

/// The products of one int8 vector with many, which must be as long as it is.
#[multiversion(targets("x86_64+avx2+fma"))]
pub(crate) fn dots<'a>(
    one: &[i8; HIDDEN],
    many: impl Iterator<Item = &'a [i8; HIDDEN]>,
    mut each: impl FnMut(i32),
) {
    for other in many {
        each(one.iter().zip(other).map(|(a, b)| i32::from(i16::from(*a) * i16::from(*b))).sum());
    }
}

/// Rows of a matrix, `stride` numbers from one to the next.
#[derive(Clone, Copy)]
struct Rows<'a> {
    numbers: &'a [f32],
    stride: usize,
    count: usize,
}

/// Every row times a panel; `each` gets a row's place and its sixteen sums.
#[inline(always)]
fn product<const FUSED: bool>(rows: Rows<'_>, panel: &[Line], mut each: impl FnMut(usize, &Line)) {
    let mut row = 0;
    while row + ROWS <= rows.count {
        few::<ROWS, FUSED>(rows, row, panel, &mut each);
        row += ROWS;
    }
    match rows.count - row {
        1 => few::<1, FUSED>(rows, row, panel, &mut each),
        2 => few::<2, FUSED>(rows, row, panel, &mut each),
        3 => few::<3, FUSED>(rows, row, panel, &mut each),
        4 => few::<4, FUSED>(rows, row, panel, &mut each),
        5 => few::<5, FUSED>(rows, row, panel, &mut each),
        _ => {}
    }
}

#[inline(always)]
fn few<const R: usize, const FUSED: bool>(
    rows: Rows<'_>,
    first: usize,
    panel: &[Line],
    each: &mut impl FnMut(usize, &Line),
) {
    let these = array::from_fn(|r| {
        let place = (first + r) * rows.stride;
        &rows.numbers[place..place + panel.len()]
    });
    for (r, sums) in tile::<R, FUSED>(these, panel).iter().enumerate() {
        each(first + r, sums);
    }
}

/// `R` rows times sixteen columns, with the sums in registers from the first line to the last.
///
/// Lanes are counted by the register, not by the line: so the compiler sees the registers whatever `R` is.
#[inline(always)]
fn tile<const R: usize, const FUSED: bool>(rows: [&[f32]; R], panel: &[Line]) -> [Line; R] {
    let rows = rows.map(|row| &row[..panel.len()]);
    let mut sums = [[0.0; WIDTH]; R];
    for (place, line) in panel.iter().enumerate() {
        for r in 0..R {
            let number = rows[r][place];
            let registers = sums[r].as_chunks_mut::<LANES>().0.iter_mut();
            for (sums, line) in registers.zip(line.as_chunks::<LANES>().0) {
                *sums = array::from_fn(|lane| {
                    // Without the instruction, a fused multiplication is a slow function call.
                    if FUSED {
                        number.mul_add(line[lane], sums[lane])
                    } else {
                        sums[lane] + number * line[lane]
                    }
                });
            }
        }
    }
    sums
}

/// Scores become shares that add up to one; those that are [`f32::MIN`] become nothing.
#[inline(always)]
fn softmax(scores: &mut [Line]) {
    let mut most = [f32::MIN; WIDTH];
    for line in scores.iter() {
        for lane in 0..WIDTH {
            most[lane] = if line[lane] > most[lane] { line[lane] } else { most[lane] };
        }
    }
    let most = most.iter().copied().fold(f32::MIN, f32::max);
    let scale = 1.0 / (HEAD as f32).sqrt();
    for line in scores.iter_mut() {
        *line = line.map(|score| exp((score - most) * scale));
    }
    let total = sum(scores.as_flattened(), |share| share);
    for line in scores {
        *line = line.map(|share| share / total);
    }
}

/// The sum over a row whose length is a multiple of [`WIDTH`], in sixteen parts: one part could not be vectorised.
#[inline(always)]
fn sum(numbers: &[f32], of: impl Fn(f32) -> f32) -> f32 {
    let mut sums = [0.0; WIDTH];
    for line in numbers.as_chunks::<WIDTH>().0 {
        for lane in 0..WIDTH {
            sums[lane] += of(line[lane]);
        }
    }
    sums.iter().sum()
}

/// `e^x`, for what softmax and the error function ask: `x` at most zero. Within 2e-7 of the truth, relatively.
#[inline(always)]
fn exp(x: f32) -> f32 {
    /// Adding it leaves a whole number in the lowest bits.
    const ROUND: f32 = 12_582_912.0;
    // Below, the result would be no normal number; it is as good as zero.
    let x = if x < -87.0 { -87.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUND;
    let whole = shifted - ROUND;
    // ln 2 in two parts, the first of which gives exact products.
    let rest = (x - whole * 0.693_359_4) + whole * 2.121_944_4e-4;
    let mut series = 1.987_569_1e-4;
    for coefficient in [1.398_2e-3, 8.333_452e-3, 4.166_579_6e-2, 1.666_666_5e-1, 0.5] {
        series = series * rest + coefficient;
    }
    let power = f32::from_bits((shifted.to_bits() << 23).wrapping_add(0x3f80_0000));
    (series * rest * rest + rest + 1.0) * power
}

/// The error function (Abramowitz and Stegun 7.1.26), within 3e-7 of the truth.
#[inline(always)]
fn erf(x: f32) -> f32 {
    let size = x.abs();
    let t = 1.0 / (1.0 + 0.327_591_1 * size);
    let mut series = 1.061_405_4;
    for coefficient in [-1.453_152, 1.421_413_7, -0.284_496_74, 0.254_829_6] {
        series = series * t + coefficient;
    }
    (1.0 - series * t * exp(-size * size)).copysign(x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exp_and_erf_are_near_the_truth() {
        // Of erf, from a table; of e^x, from the standard library in double precision.
        for (x, truth) in [(0.0, 0.0), (0.5, 0.520_499_9), (1.0, 0.842_700_8), (-2.0, -0.995_322_3)]
        {
            assert!((erf(x) - truth).abs() < 3e-7, "erf({x}) = {}", erf(x));
        }
        assert_eq!((erf(40.0), erf(-1e30)), (1.0, -1.0));
        for step in 0..8_700_u16 {
            let x = -f32::from(step) / 100.0;
            let truth = f64::from(x).exp();
            assert!((f64::from(exp(x)) / truth - 1.0).abs() < 2e-7, "exp({x}) = {}", exp(x));
        }
        assert!(exp(f32::MIN) < 1e-37);
    }

    /// With and without fused multiplication, of which a processor runs only one.
    #[test]
    fn every_count_of_rows_gives_the_product() {
        let panel: Vec<Line> =
            (0..3_u8).map(|i| array::from_fn(|lane| f32::from(i) + lane as f32)).collect();
        let numbers: Vec<f32> = (0..60_u8).map(f32::from).collect();
        for count in 0..=20 {
            let (mut plain, mut fused) = (vec![], vec![]);
            let rows = Rows { numbers: &numbers, stride: 3, count };
            product::<false>(rows, &panel, |row, sums| plain.push((row, *sums)));
            product::<true>(rows, &panel, |row, sums| fused.push((row, *sums)));
            let sum = |row: usize, lane: usize| {
                (0..3).map(|i| numbers[row * 3 + i] * (i as f32 + lane as f32)).sum()
            };
            let expected: Vec<_> =
                (0..count).map(|row| (row, array::from_fn(|lane| sum(row, lane)))).collect();
            assert_eq!(plain, expected);
            assert_eq!(fused, expected);
        }
    }
}
