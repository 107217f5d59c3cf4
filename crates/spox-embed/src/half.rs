//! Half-precision numbers, of which the packed file keeps its scales.

/// The number that `bits` stand for (IEEE 754 binary16).
pub(crate) fn from_half(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let (exponent, fraction) = (u32::from(bits >> 10) & 0x1f, u32::from(bits) & 0x3ff);
    let magnitude = match exponent {
        // Zero and subnormals: a count of 2^-24.
        0 => (fraction as f32 * 2.0_f32.powi(-24)).to_bits(),
        0x1f => 0x7f80_0000 | fraction << 13,
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// The nearest half to a scale, ties to even. Scales are neither negative nor large.
pub(crate) fn to_half(scale: f32) -> u16 {
    debug_assert!((0.0..65504.0).contains(&scale));
    let bits = scale.to_bits();
    if scale < 2.0_f32.powi(-14) {
        return (scale * 2.0_f32.powi(24)).round_ties_even() as u16;
    }
    let (rest, half) = (bits & 0x1fff, (bits >> 13) - (112 << 10));
    let up = rest > 0x1000 || (rest == 0x1000 && half & 1 == 1);
    (half + u32::from(up)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_that_a_scale_can_be_comes_back() {
        for bits in 0..0x7bff {
            assert_eq!(to_half(from_half(bits)), bits, "{bits:#x}");
        }
    }

    #[test]
    fn known_halves_are_read() {
        let known = [(0x3c00, 1.0), (0xc000, -2.0), (0x3555, 0.333_251_95), (1, 5.960_464_5e-8)];
        for (bits, number) in known {
            assert_eq!(from_half(bits).to_bits(), f32::to_bits(number), "{bits:#x}");
        }
        assert!(from_half(0x7c00).is_infinite() && from_half(0x7e00).is_nan());
    }

    #[test]
    fn between_two_halves_the_nearer_is_taken_and_the_even_one_of_a_tie() {
        assert_eq!(to_half(1.0 + 0.000_4), 0x3c00);
        assert_eq!(to_half(1.0 + 0.000_6), 0x3c01);
        assert_eq!(to_half(1.0 + 1.0 / 2048.0), 0x3c00);
        assert_eq!(to_half(1.0 + 3.0 / 2048.0), 0x3c02);
    }
}
