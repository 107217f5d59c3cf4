//! Names of columns, so that no two of one select are the same to a database that ignores case.

use std::collections::HashSet;

/// Gives each name as it is, or with a number after it where the database would take it for another one.
/// The same list always gives the same names, so a later stage finds what an earlier one wrote.
pub(crate) fn unique<'a>(names: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut taken = HashSet::new();
    let mut given = Vec::new();
    for name in names {
        let mut candidate = name.to_owned();
        let mut number = 1;
        while !taken.insert(candidate.to_lowercase()) {
            number += 1;
            candidate = format!("{name}_{number}");
        }
        given.push(candidate);
    }
    given
}

/// A name in front of which nothing of the user's stands: keys and helpers of the planner.
pub(crate) fn inner(what: &str, number: usize) -> String {
    format!("__{what}{number}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_differ_by_case_get_a_number() {
        assert_eq!(unique(["a", "A", "a_2", "b"]), ["a", "A_2", "a_2_2", "b"]);
    }
}
