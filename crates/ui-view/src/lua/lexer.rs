//! Lua's tokens: enough to know code from comments and strings.

use crate::html::{Lines, Place};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) at: Place,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// A name or a keyword.
    Word(&'a str),
    /// A string's content as written, escapes unresolved.
    String(&'a str),
    Number,
    /// One character; longer operators come as several, which nobody here minds.
    Symbol(char),
}

impl<'a> Token<'a> {
    pub(super) fn word(&self) -> Option<&'a str> {
        match self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    pub(super) fn string(&self) -> Option<&'a str> {
        match self.kind {
            Kind::String(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn is(&self, symbol: char) -> bool {
        self.kind == Kind::Symbol(symbol)
    }

    pub(super) fn is_word(&self, word: &str) -> bool {
        self.kind == Kind::Word(word)
    }
}

/// The tokens of `source`. What cannot be read is skipped: the virtual machine complains about it, with better words.
pub(super) fn tokens(source: &str) -> Vec<Token<'_>> {
    let lines = Lines::new(source);
    let mut rest = Rest { source, at: 0 };
    let mut found = Vec::new();
    while let Some((start, kind)) = rest.next() {
        found.push(Token { kind, at: lines.place(start) });
    }
    found
}

struct Rest<'a> {
    source: &'a str,
    at: usize,
}

impl<'a> Rest<'a> {
    fn next(&mut self) -> Option<(usize, Kind<'a>)> {
        self.skip_blank();
        let start = self.at;
        let first = self.text().chars().next()?;
        let kind = if first.is_ascii_alphabetic() || first == '_' {
            Kind::Word(self.take(|c| c.is_ascii_alphanumeric() || c == '_'))
        } else if first.is_ascii_digit() {
            self.take(|c| c.is_ascii_alphanumeric() || c == '.');
            Kind::Number
        } else if first == '"' || first == '\'' {
            Kind::String(self.quoted(first))
        } else if let Some(text) = self.long_bracket() {
            Kind::String(text)
        } else {
            self.at += first.len_utf8();
            Kind::Symbol(first)
        };
        Some((start, kind))
    }

    fn text(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn take(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let text = self.text();
        let end = text.find(|c| !wanted(c)).unwrap_or(text.len());
        self.at += end;
        &text[..end]
    }

    fn skip_blank(&mut self) {
        loop {
            self.take(char::is_whitespace);
            if !self.text().starts_with("--") {
                return;
            }
            self.at += 2;
            if self.long_bracket().is_none() {
                self.take(|c| c != '\n');
            }
        }
    }

    /// `"…"` or `'…'`, which ends at its quote or, broken, at the end of the line.
    fn quoted(&mut self, quote: char) -> &'a str {
        self.at += 1;
        let text = self.text();
        let mut escaped = false;
        for (i, c) in text.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => {
                    self.at += i;
                    return &text[..i];
                }
                c if c == quote => {
                    self.at += i + 1;
                    return &text[..i];
                }
                _ => {}
            }
        }
        self.at = self.source.len();
        text
    }

    /// `[[…]]` or `[==[…]==]`, if that is what comes next.
    fn long_bracket(&mut self) -> Option<&'a str> {
        let text = self.text().strip_prefix('[')?;
        let level = text.len() - text.trim_start_matches('=').len();
        let body = text[level..].strip_prefix('[')?;
        let close = format!("]{}]", "=".repeat(level));
        let end = body.find(&close);
        let content = &body[..end.unwrap_or(body.len())];
        self.at += 2 + level + content.len() + end.map_or(0, |_| close.len());
        Some(content)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn code_is_told_from_comments_and_strings() {
        let source = "local a = 'b\\'c' -- d\n--[[ e\nf ]] g([==[h]]i]==], 1.5)";
        let shown: Vec<_> = tokens(source).into_iter().map(|t| t.kind).collect();
        let expected = [
            Kind::Word("local"),
            Kind::Word("a"),
            Kind::Symbol('='),
            Kind::String("b\\'c"),
            Kind::Word("g"),
            Kind::Symbol('('),
            Kind::String("h]]i"),
            Kind::Symbol(','),
            Kind::Number,
            Kind::Symbol(')'),
        ];
        assert_eq!(shown, expected);
    }

    proptest! {
        #[test]
        fn any_text_ends(source in "[-\\[\\]=\"'\\\\a-c0-9\nñ(.:]{0,100}") {
            prop_assert!(tokens(&source).len() <= source.len());
        }
    }
}
