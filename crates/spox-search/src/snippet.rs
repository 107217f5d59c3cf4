//! The piece of a document that shows why it was found.

use foldhash::HashMap;

use crate::document::{Content, Document, Requirement};
use crate::tokens;

/// The terms of a query, each with what it is worth.
pub(crate) type Wanted<'query> = HashMap<&'query str, f32>;

/// In characters, the marks of a cut included.
pub(crate) const LONGEST: usize = 160;
const CUT: char = '…';
/// How many characters a cut gives up so as not to split a word.
const WORD: usize = 30;
/// How many characters are kept before the first match, when what is before has to go.
const LEAD: usize = 30;

/// The sentence or scenario clause that holds the most of what is wanted; the first one when words had no part in the
/// match. A piece of the document's text, or its name where there is no other text.
pub(crate) fn snippet(document: &Document, wanted: &Wanted<'_>) -> String {
    let pieces = pieces(document);
    let mut best = pieces.first().copied().unwrap_or_default();
    let mut most = 0.0;
    for piece in pieces {
        let held = tokens::distinct_terms(piece);
        let worth = held.iter().filter_map(|term| wanted.get(&**term)).sum();
        if worth > most {
            (best, most) = (piece, worth);
        }
    }
    cut(best, wanted)
}

fn pieces(document: &Document) -> Vec<&str> {
    let (name, mut pieces): (_, Vec<&str>) = match &document.content {
        Content::Purpose { title, purpose } => (title, sentences(purpose).collect()),
        Content::Requirement(Requirement { name, description, scenarios }) => {
            let clauses = scenarios.iter().flat_map(|scenario| &scenario.clauses);
            let lines = clauses.flat_map(|clause| clause.lines()).map(str::trim);
            (name, sentences(description).chain(lines.filter(|line| !line.is_empty())).collect())
        }
    };
    if pieces.is_empty() {
        pieces.extend(name.lines().map(str::trim).find(|line| !line.is_empty()));
    }
    pieces
}

/// Splits after `.`, `!`, `?` when a blank follows and what comes then does not begin small (`e.g. this` is one sentence).
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines().flat_map(|line| {
        let mut rest = line;
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let (sentence, after) = rest.split_at(sentence_length(rest));
            rest = after;
            Some(sentence.trim())
        })
        .filter(|sentence| !sentence.is_empty())
    })
}

fn sentence_length(text: &str) -> usize {
    let ends =
        text.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | '。' | '！' | '？'));
    let after = ends.map(|(at, c)| (c, at + c.len_utf8()));
    let mut cuts = after.filter(|(c, at)| {
        let rest = &text[*at..];
        !c.is_ascii()
            || rest.starts_with(char::is_whitespace)
                && !rest.trim_start().starts_with(char::is_lowercase)
    });
    cuts.next().map_or(text.len(), |(_, at)| at)
}

/// Shortens `piece` to [`LONGEST`] characters, keeping the first match in view.
fn cut(piece: &str, wanted: &Wanted<'_>) -> String {
    if piece.chars().count() <= LONGEST {
        return piece.to_owned();
    }
    let start = window_start(piece, wanted);
    let mut shown = String::new();
    if start > 0 {
        shown.push(CUT);
    }
    let room = LONGEST - shown.chars().count();
    let rest = &piece[start..];
    if rest.chars().count() <= room {
        shown.push_str(rest);
        return shown;
    }
    let kept = &rest[..offset(rest, room - 1)];
    let word_end = kept.rfind(char::is_whitespace).filter(|at| kept[*at..].chars().count() <= WORD);
    shown.push_str(kept[..word_end.unwrap_or(kept.len())].trim_end());
    shown.push(CUT);
    shown
}

/// 0 when the first match is in view from there; else the beginning of a word a little before the match.
fn window_start(piece: &str, wanted: &Wanted<'_>) -> usize {
    let matches =
        |chunk: &str| tokens::distinct_terms(chunk).iter().any(|term| wanted.contains_key(&**term));
    let Some((at, chunk)) = tokens::chunk_indices(piece).find(|(_, chunk)| matches(chunk)) else {
        return 0;
    };
    let before = piece[..at].chars().count();
    if before <= LEAD || before + chunk.chars().count() < LONGEST {
        return 0;
    }
    let lead = offset(piece, before - LEAD);
    let word = piece[lead..at].find(char::is_whitespace).map_or(lead, |blank| lead + blank);
    at - piece[word..at].trim_start().len()
}

/// Where the character number `count` begins, in bytes.
fn offset(text: &str, count: usize) -> usize {
    text.char_indices().nth(count).map_or(text.len(), |(at, _)| at)
}
