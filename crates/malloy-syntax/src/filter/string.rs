//! Filters of strings: `abc`, `a%, -b`, `(a, b); -c`, `null`, `empty`.

use std::sync::Arc;

use super::{Filter, FilterError, Joint, MAX_DEPTH, Result, StringFilter};
use crate::span::{Span, offset};

/// Several values are any of them.
#[derive(Debug, Clone, PartialEq)]
pub enum StringClause {
    Equal(Vec<Arc<str>>),
    /// `abc%`
    Starts(Vec<Arc<str>>),
    /// `%abc`
    Ends(Vec<Arc<str>>),
    /// `%abc%`
    Contains(Vec<Arc<str>>),
    /// Patterns of LIKE, in which a backslash escapes `%`, `_` and itself.
    Like(Vec<Arc<str>>),
    /// Null or `''`.
    Empty,
}

/// Parses a filter of strings.
pub fn parse_string(text: &str) -> Result<StringFilter> {
    if text.trim().is_empty() {
        return Ok(Filter::Everything);
    }
    let mut parser = Parser { text, at: 0, depth: 0 };
    let filter = parser.chain()?;
    match parser.peek() {
        None => Ok(filter),
        Some(mark) => Err(parser.error(format!(
            "`{mark}` closes or begins nothing here; to mean it, write `\\{mark}`"
        ))),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        self.text[self.at..].chars().next()
    }

    fn error(&self, message: impl Into<String>) -> FilterError {
        let end = (self.at + 1).min(self.text.len());
        FilterError::new(Span::new(offset(self.at), offset(end)), message)
    }

    fn chain(&mut self) -> Result<StringFilter> {
        let mut filter = self.clause()?;
        loop {
            let joint = match self.peek() {
                Some(',') => Joint::Comma,
                Some(';') => Joint::And,
                Some('|') => Joint::Or,
                _ => return Ok(merged(filter)),
            };
            self.at += 1;
            let next = self.clause()?;
            // What a run of commas put together is one item of what comes next.
            let left = if joint == Joint::Comma { filter } else { merged(filter) };
            filter = left.join(joint, next);
        }
    }

    fn clause(&mut self) -> Result<StringFilter> {
        let negated = self.peek() == Some('-');
        if negated {
            self.at += 1;
        }
        let filter = if self.peek() == Some('(') { self.group()? } else { self.word()? };
        Ok(if negated { filter.negate() } else { filter })
    }

    fn group(&mut self) -> Result<StringFilter> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error("too many parentheses"));
        }
        self.at += 1;
        let inner = Box::new(self.chain()?);
        if self.peek() != Some(')') {
            return Err(self.error("expected `)`"));
        }
        self.at += 1;
        self.depth -= 1;
        Ok(Filter::Group { inner, negated: false })
    }

    /// Everything up to a mark; blanks around it do not count, unless escaped.
    fn word(&mut self) -> Result<StringFilter> {
        let start = self.at;
        let mut letters: Vec<(char, bool)> = Vec::new();
        let mut rest = self.text[start..].char_indices();
        let mut end = self.text.len();
        while let Some((at, letter)) = rest.next() {
            match letter {
                ',' | ';' | '|' | '(' | ')' => {
                    end = start + at;
                    break;
                }
                '\\' => match rest.next() {
                    Some((_, escaped)) => letters.push((escaped, true)),
                    None => letters.push(('\\', true)),
                },
                letter => letters.push((letter, false)),
            }
        }
        while letters.last().is_some_and(|(letter, escaped)| letter.is_whitespace() && !escaped) {
            letters.pop();
        }
        if letters.is_empty() {
            return Err(self.error("expected a string"));
        }
        self.at = end;
        Ok(classify(&letters))
    }
}

fn classify(letters: &[(char, bool)]) -> StringFilter {
    let plain = letters.iter().all(|(_, escaped)| !escaped);
    let text: String = letters.iter().map(|(letter, _)| letter).collect();
    let clause = |clause| Filter::Clause { clause, negated: false };
    match &*text.to_lowercase() {
        "null" if plain => return Filter::Null { negated: false },
        "none" if plain => return Filter::Nothing { negated: false },
        "empty" if plain => return clause(StringClause::Empty),
        _ => {}
    }
    let percent = |at: Option<&(char, bool)>| at == Some(&('%', false));
    let (starts, ends) = (percent(letters.first()), percent(letters.last()) && letters.len() > 1);
    let inner = &letters[usize::from(starts)..letters.len() - usize::from(ends)];
    let wild = |(letter, escaped): &(char, bool)| matches!(letter, '%' | '_') && !escaped;
    if inner.is_empty() || inner.iter().any(wild) {
        return clause(StringClause::Like(vec![Arc::from(pattern(letters))]));
    }
    let inner: String = inner.iter().map(|(letter, _)| letter).collect();
    let values = vec![Arc::from(inner)];
    clause(match (starts, ends) {
        (true, true) => StringClause::Contains(values),
        (true, false) => StringClause::Ends(values),
        (false, true) => StringClause::Starts(values),
        (false, false) => StringClause::Equal(values),
    })
}

fn pattern(letters: &[(char, bool)]) -> String {
    let mut pattern = String::new();
    for (letter, escaped) in letters {
        if *escaped && matches!(letter, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(*letter);
    }
    pattern
}

/// Puts neighbours of a list together that differ in their values only.
fn merged(filter: StringFilter) -> StringFilter {
    let Filter::List(items) = filter else { return filter };
    let mut list: Vec<StringFilter> = Vec::with_capacity(items.len());
    for item in items {
        if let Some(last) = list.last_mut()
            && absorb(last, &item)
        {
            continue;
        }
        list.push(item);
    }
    if list.len() == 1 { list.remove(0) } else { Filter::List(list) }
}

/// Adds the values of `item` to those of `last`, if they are of one kind.
fn absorb(last: &mut StringFilter, item: &StringFilter) -> bool {
    use StringClause as S;
    let (Filter::Clause { clause: into, negated }, Filter::Clause { clause: from, negated: also }) =
        (last, item)
    else {
        return false;
    };
    match (into, from) {
        _ if negated != also => return false,
        (S::Equal(into), S::Equal(from))
        | (S::Starts(into), S::Starts(from))
        | (S::Ends(into), S::Ends(from))
        | (S::Contains(into), S::Contains(from))
        | (S::Like(into), S::Like(from)) => into.extend(from.iter().cloned()),
        _ => return false,
    }
    true
}
