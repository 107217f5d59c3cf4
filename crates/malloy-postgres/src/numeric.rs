//! `numeric` as PostgreSQL sends it, in decimal digits.

use std::fmt::Write as _;

/// Decimal digits, or `NaN`, `Infinity`, `-Infinity`; `None` where the bytes are something else.
pub(crate) fn text(bytes: &[u8]) -> Option<String> {
    let (head, groups) = bytes.split_at_checked(8)?;
    let word = |at: usize| u16::from_be_bytes([head[at], head[at + 1]]);
    let (count, sign, scale) = (usize::from(word(0)), word(4), usize::from(word(6)));
    let weight = i32::from(i16::from_be_bytes([head[2], head[3]]));
    let mut text = match sign {
        0x0000 => String::new(),
        0x4000 => "-".to_owned(),
        0xD000 => return Some("Infinity".to_owned()),
        0xF000 => return Some("-Infinity".to_owned()),
        _ => return Some("NaN".to_owned()),
    };
    if groups.len() != count * 2 {
        return None;
    }
    // Four decimal digits in each group; the weight is the power of ten thousand of the first.
    let group = |place: i32| {
        let index = usize::try_from(weight - place).ok();
        index
            .and_then(|index| groups.get(index * 2..index * 2 + 2))
            .map_or(0, |pair| u16::from_be_bytes([pair[0], pair[1]]))
    };
    if weight < 0 {
        text.push('0');
    }
    for place in (0..=weight).rev() {
        let digits = group(place);
        let _infallible =
            if place == weight { write!(text, "{digits}") } else { write!(text, "{digits:04}") };
    }
    if scale > 0 {
        text.push('.');
        let mut fraction = String::new();
        let mut place = -1;
        while fraction.len() < scale {
            let _infallible = write!(fraction, "{:04}", group(place));
            place -= 1;
        }
        text.push_str(&fraction[..scale]);
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(words: &[u16]) -> Option<String> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        text(&bytes)
    }

    #[test]
    fn groups_of_four_digits_become_decimal_digits() {
        assert_eq!(sent(&[0, 0, 0, 0]).as_deref(), Some("0"));
        assert_eq!(sent(&[2, 1, 0, 0, 1, 2]).as_deref(), Some("10002"));
        assert_eq!(sent(&[2, 0, 0x4000, 2, 12, 5_000]).as_deref(), Some("-12.50"));
        // 0.0001 and 1e8: groups of zeros are not sent.
        assert_eq!(sent(&[1, 0xFFFF, 0, 5, 1]).as_deref(), Some("0.00010"));
        assert_eq!(sent(&[1, 2, 0, 0, 1]).as_deref(), Some("100000000"));
        assert_eq!(sent(&[0, 0, 0xC000, 0]).as_deref(), Some("NaN"));
        assert_eq!(sent(&[2, 0, 0, 0, 1]), None);
    }
}
