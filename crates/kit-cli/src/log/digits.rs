//! Whole numbers as text, without the machinery of `fmt`, which costs more than the rest of a line.

/// Room for the longest `u64` and a sign.
const LONGEST: usize = 21;

/// A number as text, on the stack.
pub(super) struct Digits {
    text: [u8; LONGEST],
    begin: usize,
}

impl Digits {
    pub(super) fn unsigned(mut number: u64) -> Self {
        let (mut text, mut begin) = ([b'0'; LONGEST], LONGEST);
        loop {
            begin -= 1;
            text[begin] = digit(number);
            number /= 10;
            if number == 0 {
                return Self { text, begin };
            }
        }
    }

    pub(super) fn signed(number: i64) -> Self {
        let mut digits = Self::unsigned(number.unsigned_abs());
        if number < 0 {
            digits.begin -= 1;
            digits.text[digits.begin] = b'-';
        }
        digits
    }

    pub(super) fn as_str(&self) -> &str {
        std::str::from_utf8(&self.text[self.begin..]).unwrap_or_default()
    }
}

/// Fills `place` with the last digits of `number`, with zeros in front.
pub(super) fn fill(place: &mut [u8], mut number: u64) {
    for byte in place.iter_mut().rev() {
        *byte = digit(number);
        number /= 10;
    }
}

fn digit(number: u64) -> u8 {
    b'0' + u8::try_from(number % 10).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_usual() {
        for number in [0, 7, 10, 4711, u64::MAX] {
            assert_eq!(Digits::unsigned(number).as_str(), number.to_string());
        }
        for number in [0, -1, 42, i64::MIN, i64::MAX] {
            assert_eq!(Digits::signed(number).as_str(), number.to_string());
        }
    }

    #[test]
    fn a_place_is_filled_with_zeros_in_front() {
        let mut place = *b"....";
        fill(&mut place, 42);
        assert_eq!(&place, b"0042");
    }
}
