//! Names of requirements and scenarios: how they are looked up and compared.
//!
//! Exact first, then without regard to case and blanks if that is unique, then the nearest ones for "did you mean".
//! Start at [`find`].

/// Longer names are told apart by their beginning; comparing them letter by letter would take for ever.
const LONGEST_COMPARED: usize = 200;
const MOST_SUGGESTED: usize = 3;

/// What a name stands for in a list of names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// The index of the very name.
    Exact(usize),
    /// The index of the only one that differs in nothing but case and blanks.
    Folded(usize),
    /// No such name, or several that differ in case and blanks only; those that come near.
    Missing(Vec<String>),
}

impl Found {
    /// The index, exact or not.
    pub fn index(&self) -> Option<usize> {
        match self {
            Self::Exact(index) | Self::Folded(index) => Some(*index),
            Self::Missing(_) => None,
        }
    }
}

/// Looks `name` up.
pub fn find<'a, I>(name: &str, names: I) -> Found
where
    I: IntoIterator<Item = &'a str>,
    I::IntoIter: Clone,
{
    let names = names.into_iter();
    let name = name.trim();
    if let Some(index) = names.clone().position(|candidate| candidate == name) {
        return Found::Exact(index);
    }
    let folded = fold(name);
    let alike: Vec<_> =
        names.clone().enumerate().filter(|(_, candidate)| fold(candidate) == folded).collect();
    match alike.as_slice() {
        [] => Found::Missing(nearest(name, names).into_iter().map(str::to_owned).collect()),
        [(index, _)] => Found::Folded(*index),
        several => Found::Missing(
            several.iter().take(MOST_SUGGESTED).map(|(_, name)| (*name).to_owned()).collect(),
        ),
    }
}

/// The name without blanks and in lower case: what two names have in common that nobody would tell apart.
pub fn fold(name: &str) -> String {
    if name.is_ascii() {
        let mut folded = name.to_ascii_lowercase().into_bytes();
        folded.retain(|byte| !byte.is_ascii_whitespace());
        return String::from_utf8(folded).unwrap_or_default();
    }
    name.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect()
}

/// The names that `name` was probably meant to be, the closest first.
pub fn nearest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if name.len() > LONGEST_COMPARED {
        return Vec::new();
    }
    // Names whose lengths differ by more than a third are never near, and measuring them is what costs.
    let slack = name.len() / 3 + 4;
    let candidates =
        names.into_iter().filter(|candidate| candidate.len().abs_diff(name.len()) <= slack);
    kit_core::nearest_few(name, candidates, MOST_SUGGESTED)
}

/// The end of an error that names what may have been meant: `, did you mean "A" or "B"?`
pub fn did_you_mean<S: AsRef<str>>(names: &[S]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("\"{}\"", name.as_ref())).collect();
    match quoted.split_last() {
        None => String::new(),
        Some((only, [])) => format!("did you mean {only}?"),
        Some((last, rest)) => format!("did you mean {} or {last}?", rest.join(", ")),
    }
}
