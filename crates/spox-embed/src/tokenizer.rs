//! From text to token ids, as BERT's uncased `WordPiece` does it. Start at [`Tokenizer::tokenize`].
//!
//! Everything is lazy: of a text of a megabyte only the part is read that fits [`MAX_TOKENS`]. The ids are those of the
//! reference but for the 693 characters that Unicode classified after the reference's tables were made; those tables
//! take new punctuation and accents for letters.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

use crate::{BadModel, MAX_TOKENS};

/// Words that are longer are unknown without being looked at.
const LONGEST_WORD: usize = 100;

/// Names in brackets that stand for a token of their own, wherever they occur.
const SPECIAL: [&str; 5] = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"];

/// The vocabulary, and how text is cut along it.
#[derive(Debug)]
pub(crate) struct Tokenizer {
    /// What a word can begin with.
    starts: HashMap<Box<str>, u32>,
    /// What a word can go on with; `##` in the vocabulary.
    parts: HashMap<Box<str>, u32>,
    /// The bytes of the longest entry: no longer piece is worth looking up.
    longest: usize,
    special: [u32; SPECIAL.len()],
}

impl Tokenizer {
    /// Reads a vocabulary: an entry in each line, whose number is the line's. Empty lines are ids without an entry.
    pub(crate) fn read(vocabulary: &str) -> Result<Self, BadModel> {
        let mut starts = HashMap::with_capacity(32_768);
        let mut parts = HashMap::with_capacity(8_192);
        let mut longest = 0;
        for (id, entry) in (0..).zip(vocabulary.split('\n')) {
            longest = longest.max(entry.len());
            match entry.strip_prefix("##") {
                _ if entry.is_empty() => continue,
                // `##` alone would be a part that never ends a word.
                Some(part) if !part.is_empty() => parts.insert(part.into(), id),
                _ => starts.insert(entry.into(), id),
            };
        }
        let mut special = [0; SPECIAL.len()];
        for (id, name) in special.iter_mut().zip(SPECIAL) {
            *id = *starts.get(name).ok_or(BadModel::NoToken(name))?;
        }
        Ok(Self { starts, parts, longest, special })
    }

    /// The ids of a text: `[CLS]`, what is in it, `[SEP]`; at most [`MAX_TOKENS`].
    pub(crate) fn tokenize(&self, text: &str) -> Vec<u32> {
        let [_, _, cls, sep, _] = self.special;
        let mut ids = vec![cls];
        let mut rest = text;
        while !rest.is_empty() && ids.len() < MAX_TOKENS {
            let (plain, special, after) = self.split_special(rest);
            self.words(plain, &mut ids);
            ids.extend(special);
            rest = after;
        }
        ids.truncate(MAX_TOKENS - 1);
        ids.push(sep);
        ids
    }

    /// Splits at the first name in brackets: what is before it, its id, what is after it.
    fn split_special<'a>(&self, text: &'a str) -> (&'a str, Option<u32>, &'a str) {
        for (place, _) in text.match_indices('[') {
            for (name, id) in SPECIAL.iter().zip(self.special) {
                if let Some(after) = text[place..].strip_prefix(name) {
                    return (&text[..place], Some(id), after);
                }
            }
        }
        (text, None, "")
    }

    /// Appends the ids of plain text, until there are enough.
    fn words(&self, text: &str, ids: &mut Vec<u32>) {
        let mut word = Word::default();
        for c in clean(text) {
            let alone = is_punctuation(c) || is_ideograph(c);
            if alone || c.is_whitespace() {
                self.word(&mut word, ids);
            }
            if alone {
                word.push(c);
                self.word(&mut word, ids);
            } else if !c.is_whitespace() {
                word.push(c);
            }
            if ids.len() >= MAX_TOKENS {
                return;
            }
        }
        self.word(&mut word, ids);
    }

    /// Appends the ids of one word, the longest known piece first, and empties it.
    fn word(&self, word: &mut Word, ids: &mut Vec<u32>) {
        let before = ids.len();
        let mut rest = word.text.as_str();
        while !rest.is_empty() {
            let known = if ids.len() == before { &self.starts } else { &self.parts };
            let piece = (word.length <= LONGEST_WORD).then(|| self.longest(known, rest)).flatten();
            let Some((id, length)) = piece else {
                // A word is known whole or not at all.
                ids.truncate(before);
                ids.push(self.special[1]);
                break;
            };
            ids.push(id);
            rest = &rest[length..];
        }
        word.clear();
    }

    /// The longest beginning of `text` that is known, and its bytes.
    fn longest(&self, known: &HashMap<Box<str>, u32>, text: &str) -> Option<(u32, usize)> {
        let most = text.floor_char_boundary(self.longest);
        let ends = text[..most].char_indices().rev().map(|(place, c)| place + c.len_utf8());
        ends.into_iter().find_map(|end| known.get(&text[..end]).map(|id| (*id, end)))
    }
}

/// A word while it is read. What is past [`LONGEST_WORD`] is counted, not kept.
#[derive(Default)]
struct Word {
    text: String,
    length: usize,
}

impl Word {
    fn push(&mut self, c: char) {
        self.length += 1;
        if self.length <= LONGEST_WORD {
            self.text.push(c);
        }
    }

    fn clear(&mut self) {
        self.text.clear();
        self.length = 0;
    }
}

/// Text as the vocabulary has it: without what is not shown, without accents, in lower case.
fn clean(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|c| !is_hidden(*c))
        .nfd()
        .filter(|c| c.is_ascii() || c.general_category() != GeneralCategory::NonspacingMark)
        .flat_map(char::to_lowercase)
}

/// Control and format characters, those for private use, and what stands for unreadable bytes.
fn is_hidden(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_control() && !matches!(c, '\t' | '\n' | '\r');
    }
    c == char::REPLACEMENT_CHARACTER
        || matches!(
            c.general_category(),
            GeneralCategory::Control | GeneralCategory::Format | GeneralCategory::PrivateUse
        )
}

/// Punctuation in the sense of BERT: all that is neither letter nor digit in ASCII, of the rest what Unicode calls so.
fn is_punctuation(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_punctuation();
    }
    c.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// A Chinese character: a word by itself.
fn is_ideograph(c: char) -> bool {
    matches!(c,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}'
        | '\u{2a700}'..='\u{2b73f}' | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}'
        | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}
