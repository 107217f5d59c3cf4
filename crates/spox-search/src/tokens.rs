//! Text as terms: what the lexical part compares.
//!
//! A chunk is a run of letters and digits that `_` and inner dots may join; [`terms_of`] turns a chunk into the terms it
//! is found by. Documents, queries and snippets all go through here, so that they agree. Start at [`chunks`].

use frostem::{Algorithm, Stemmer};

/// Words too common to tell anything. `no` and `not` are missing on purpose: "no index" and "index" are two things.
const STOP_WORDS: &[&str] = &[
    "a", "an", "and", "are", "as", "at", "be", "been", "being", "but", "by", "can", "could", "did",
    "do", "does", "for", "from", "had", "has", "have", "how", "i", "if", "in", "into", "is", "it",
    "its", "may", "me", "my", "of", "on", "or", "our", "s", "shall", "should", "so", "such", "t",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those",
    "to", "was", "we", "were", "what", "when", "where", "which", "who", "why", "will", "with",
    "would", "you", "your",
];

/// The longest stretches that belong together: `list_specs`, `config.toml`, `camelCase`, `plain`.
pub(crate) fn chunks(text: &str) -> impl Iterator<Item = &str> {
    chunk_indices(text).map(|(_, chunk)| chunk)
}

/// The same, with the byte that each begins at.
pub(crate) fn chunk_indices(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text[from..].find(char::is_alphanumeric)?;
        from = start + chunk_length(&text[start..]);
        Some((start, text[start..from].trim_end_matches('_')))
    })
}

/// Gives `emit` every term that `chunk` is found by: itself, and its parts where it has some.
pub(crate) fn terms_of(chunk: &str, emit: &mut impl FnMut(&str)) {
    if let Some(joint) = ['.', '_'].into_iter().find(|joint| chunk.contains(*joint)) {
        emit(&chunk.to_lowercase());
        for part in chunk.split(joint).filter(|part| !part.is_empty()) {
            terms_of(part, emit);
        }
        return;
    }
    word(chunk, emit);
    let mut humps = humps(chunk).peekable();
    let first = humps.next();
    if let (Some(first), Some(_)) = (first, humps.peek()) {
        word(first, emit);
        humps.for_each(|hump| word(hump, emit));
    }
}

/// The distinct terms of a text, in the order of their first appearance.
pub(crate) fn distinct_terms(text: &str) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    let mut terms = Vec::new();
    for chunk in chunks(text) {
        terms_of(chunk, &mut |term| {
            if seen.insert(term.to_owned()) {
                terms.push(term.to_owned());
            }
        });
    }
    terms
}

/// The terms by which a query names something instead of describing it: `--flag`, `a_b`, `a.b`, `a/b`, `camelCase`, `MCP`, a
/// digit.
pub(crate) fn identifiers(query: &str) -> Vec<String> {
    let named = query.split_whitespace().filter(|word| {
        word.contains(|c: char| c.is_ascii_digit())
            || flag(word)
            || ['_', '.', '/'].into_iter().any(|joint| joins(word, joint))
            || word
                .split(|c: char| !c.is_alphanumeric())
                .any(|run| camel_case(run) || all_caps(run))
    });
    distinct_terms(&named.collect::<Vec<_>>().join(" "))
}

/// How far the chunk at the start of `text` reaches, in bytes.
fn chunk_length(text: &str) -> usize {
    let mut before = ' ';
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let dot_inside = c == '.'
            && before.is_alphanumeric()
            && chars.peek().is_some_and(|(_, next)| next.is_alphanumeric());
        if !(c.is_alphanumeric() || c == '_' || dot_inside) {
            return at;
        }
        before = c;
    }
    text.len()
}

/// Emits a run of letters and digits as it is compared: lower case, stemmed, unless it says nothing.
fn word(run: &str, emit: &mut impl FnMut(&str)) {
    let lower = run.to_lowercase();
    if STOP_WORDS.binary_search(&lower.as_str()).is_ok() {
        return;
    }
    // The rules are for English words; what is not made of its letters stays as it is.
    if lower.bytes().all(|b| b.is_ascii_lowercase()) {
        emit(&Stemmer::new(Algorithm::English).stem(&lower));
    } else {
        emit(&lower);
    }
}

/// `HTTPServerError` is `HTTP`, `Server`, `Error`: a hump begins at a capital after a small letter or digit, and at the last
/// capital of several when a small letter follows.
fn humps(run: &str) -> impl Iterator<Item = &str> {
    let mut rest = run;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let (hump, after) = rest.split_at(hump_length(rest));
        rest = after;
        Some(hump)
    })
}

fn hump_length(run: &str) -> usize {
    let mut chars = run.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, c)) = chars.next() {
        let small_follows = chars.peek().is_some_and(|(_, next)| next.is_lowercase());
        match before {
            Some(b) if c.is_uppercase() && (!b.is_uppercase() || small_follows) => return at,
            _ => before = Some(c),
        }
    }
    run.len()
}

fn flag(word: &str) -> bool {
    word.trim_start_matches(|c: char| !c.is_alphanumeric() && c != '-')
        .strip_prefix("--")
        .is_some_and(|name| name.starts_with(char::is_alphanumeric))
}

/// Whether `joint` stands between two letters or digits.
fn joins(word: &str, joint: char) -> bool {
    word.match_indices(joint).any(|(at, _)| {
        word[..at].ends_with(char::is_alphanumeric)
            && word[at + joint.len_utf8()..].starts_with(char::is_alphanumeric)
    })
}

fn camel_case(run: &str) -> bool {
    run.chars().zip(run.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase())
}

fn all_caps(run: &str) -> bool {
    run.chars().count() > 1 && run.chars().all(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(text: &str) -> String {
        distinct_terms(text).join(" ")
    }

    #[test]
    fn the_stop_list_is_sorted_for_its_search() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn words_are_lower_case_and_stemmed_and_common_ones_are_dropped() {
        assert_eq!(terms("The servers are Responding to requests"), "server respond request");
        assert_eq!(terms("No index"), "no index");
        assert_eq!(terms("the user's file"), "user file");
    }

    #[test]
    fn names_are_terms_whole_and_in_parts() {
        assert_eq!(terms("`list_specs`"), "list_specs list spec");
        assert_eq!(terms("listSpecs"), "listspec list spec");
        assert_eq!(terms("HTTPServer"), "httpserver http server");
        assert_eq!(terms("search_index.bin"), "search_index.bin search_index search index bin");
        assert_eq!(terms("tandem.toml."), "tandem.toml tandem toml");
        assert_eq!(terms("--http-addr"), "http addr");
        assert_eq!(terms("__init__ _x_"), "init x");
    }

    #[test]
    fn other_scripts_stay_whole() {
        assert_eq!(terms("Prüfung ΣΊΣΥΦΟΣ 検索"), "prüfung σίσυφος 検索");
        assert_eq!(terms("— … !"), "");
    }

    #[test]
    fn what_looks_like_an_identifier_is_seen() {
        let named = [
            "--json",
            "what does `--json` do",
            "list_specs",
            "config.toml",
            "read/write",
            "getSpec",
            "the MCP server",
            "exit code 2",
            "(--root)",
            "DuckDB",
        ];
        for query in named {
            assert!(!identifiers(query).is_empty(), "{query}");
        }
        let described = [
            "how do I log in",
            "I",
            "A user.",
            "what is it?",
            "well-known",
            "Send a document",
            "end. Next",
            "-- dash",
            "",
        ];
        for query in described {
            assert!(identifiers(query).is_empty(), "{query}");
        }
    }
}
