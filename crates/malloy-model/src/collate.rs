//! The order in which `*` lists names: as a dictionary has it, not by character codes.
//!
//! Case and accents decide only between names that are otherwise the same; punctuation goes before digits, digits before letters.
//! What is not in the table of punctuation goes by its lower-case form.

use std::cmp::Ordering;

/// Spaces and signs in the order of the Unicode collation, before digits and letters.
const SIGNS: &str = " _-,;:!?.'\"()[]{}@*/\\&#%`^+<=>|~$";

/// Compares two names.
pub(crate) fn compare(left: &str, right: &str) -> Ordering {
    let primary = |text: &str| -> Vec<(u8, u32)> { text.chars().map(weight).collect() };
    primary(left).cmp(&primary(right)).then_with(|| {
        // Lower case first.
        let case = |text: &str| -> Vec<bool> { text.chars().map(char::is_uppercase).collect() };
        case(left).cmp(&case(right))
    })
}

fn weight(character: char) -> (u8, u32) {
    if let Some(at) = SIGNS.chars().position(|sign| sign == character) {
        return (0, u32::try_from(at).unwrap_or(u32::MAX));
    }
    let lower = character.to_lowercase().next().unwrap_or(character);
    (if character.is_ascii_digit() { 1 } else { 2 }, u32::from(lower))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_by_the_alphabet_whatever_their_case() {
        let mut names =
            vec!["b", "Q\"q", "a1", "Ab", "ab", "a_b", "a.b", "_z", "select", "10", "9"];
        names.sort_by(|left, right| compare(left, right));
        let sorted = ["_z", "10", "9", "a_b", "a.b", "a1", "ab", "Ab", "b", "Q\"q", "select"];
        assert_eq!(names, sorted);
    }
}
