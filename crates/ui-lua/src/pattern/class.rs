//! Which characters a class or a set of a Lua pattern holds, as in the C locale.

/// Whether `byte` is of the class `%class`: a letter names a kind, its capital the rest, anything else itself.
pub(super) fn in_class(byte: u8, class: u8) -> bool {
    let holds = match class.to_ascii_lowercase() {
        b'a' => byte.is_ascii_alphabetic(),
        b'c' => byte.is_ascii_control(),
        b'd' => byte.is_ascii_digit(),
        b'g' => byte.is_ascii_graphic(),
        b'l' => byte.is_ascii_lowercase(),
        b'p' => byte.is_ascii_punctuation(),
        b's' => matches!(byte, b' ' | b'\t'..=b'\r'),
        b'u' => byte.is_ascii_uppercase(),
        b'w' => byte.is_ascii_alphanumeric(),
        b'x' => byte.is_ascii_hexdigit(),
        // From Lua 5.1, where a pattern could not hold a zero.
        b'z' => byte == 0,
        _ => return class == byte,
    };
    holds != class.is_ascii_uppercase()
}

/// Whether `byte` is in `set`, which is written with its brackets: `[a-z%d]`, `[^,]`.
pub(super) fn in_set(byte: u8, set: &[u8]) -> bool {
    let end = set.len() - 1;
    let (mut at, holds) = if set.get(1) == Some(&b'^') { (2, false) } else { (1, true) };
    while at < end {
        if set[at] == b'%' {
            // The closing bracket stands in for a class that is missing.
            if in_class(byte, set[at + 1]) {
                return holds;
            }
            at += 2;
        } else if set[at + 1] == b'-' && at + 2 < end {
            if (set[at]..=set[at + 2]).contains(&byte) {
                return holds;
            }
            at += 3;
        } else {
            if set[at] == byte {
                return holds;
            }
            at += 1;
        }
    }
    !holds
}
