//! What stands in quotes: strings, names, regular expressions, filters, SQL.

use super::Lexer;
use crate::diagnostic::Diagnostic;
use crate::span::{Span, offset};
use crate::token::TokenKind;

impl Lexer<'_> {
    /// `'…'`, `"…"` or `` `…` ``, with escapes, on one line.
    pub(super) fn string(&mut self, quote: u8, kind: TokenKind) {
        let start = self.at;
        self.at += 1;
        let closed = self.pass_to_quote(quote);
        if closed {
            return self.push(kind, start);
        }
        let open = Span::new(offset(start), offset(start + 1));
        let mark = char::from(quote);
        self.problem(open, format!("this {mark} is not closed on its line"));
        self.push(TokenKind::Error, start);
    }

    /// `s'…'`, `r'…'` or `f'…'`, the cursor being after a one-letter word. Whether it is one; if not, nothing moved.
    pub(super) fn prefixed_literal(&mut self, start: usize) -> bool {
        match self.bytes[start] {
            b'r' | b'R' => self.peek(0) == Some(b'\'') && self.regex_from(start),
            b's' | b'S' => self.raw(start, b"'\"", TokenKind::RawString),
            b'f' | b'F' => self.raw(start, b"'\"`", TokenKind::Filter),
            _ => false,
        }
    }

    /// `/'…'`: a regular expression, if its quote is closed on the line; a division otherwise.
    pub(super) fn slash(&mut self) {
        let start = self.at;
        self.at += 1;
        if !self.regex_from(start) {
            self.push(TokenKind::Slash, start);
        }
    }

    fn regex_from(&mut self, start: usize) -> bool {
        let quote = self.at;
        self.at += 1;
        if self.pass_to_quote(b'\'') {
            self.push(TokenKind::Regex, start);
            return true;
        }
        self.at = quote;
        false
    }

    /// A raw literal after its prefix and perhaps spaces.
    fn raw(&mut self, start: usize, quotes: &[u8], kind: TokenKind) -> bool {
        let open = self.past_space(self.at);
        let Some(quote) = self.bytes.get(open).copied().filter(|byte| quotes.contains(byte)) else {
            return false;
        };
        let triple = [quote; 3];
        if kind == TokenKind::Filter && self.bytes[open..].starts_with(&triple) {
            self.triple(start, open, triple);
            return true;
        }
        self.at = open + 1;
        if self.pass_to_quote(quote) {
            self.push(kind, start);
            return true;
        }
        let mark = Span::new(offset(open), offset(open + 1));
        let message = format!("this {} is not closed on its line", char::from(quote));
        let code =
            if self.at < self.bytes.len() { "literal-string-newline" } else { "syntax-error" };
        self.lexed.diagnostics.push(Diagnostic::error(code, mark, message));
        self.push(TokenKind::Error, start);
        true
    }

    /// `f'''…'''`, which may go over several lines.
    fn triple(&mut self, start: usize, open: usize, quotes: [u8; 3]) {
        self.at = open + 3;
        while self.at < self.bytes.len() {
            if self.bytes[self.at..].starts_with(&quotes) {
                self.at += 3;
                return self.push(TokenKind::Filter, start);
            }
            self.at += if self.bytes[self.at] == b'\\' { 2 } else { 1 };
        }
        self.at = self.bytes.len();
        let mark = Span::new(offset(open), offset(open + 3));
        self.problem(mark, "this filter is not closed");
        self.push(TokenKind::Error, start);
    }

    /// Moves past the closing quote. If the line ends first: to its end, and false.
    fn pass_to_quote(&mut self, quote: u8) -> bool {
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' if self.peek(1).is_some_and(|next| next != b'\n') => self.at += 2,
                b'\n' => return false,
                byte if byte == quote => {
                    self.at += 1;
                    return true;
                }
                _ => self.at += 1,
            }
        }
        self.at = self.at.min(self.bytes.len());
        false
    }

    pub(super) fn sql_open(&mut self) {
        self.at += 3;
        self.in_sql = true;
        self.push(TokenKind::SqlOpen, self.at - 3);
    }

    /// Text up to a hole or the closing quotes, and those.
    pub(super) fn sql_text(&mut self) {
        let start = self.at;
        while self.at < self.bytes.len() {
            let rest = &self.bytes[self.at..];
            if rest.starts_with(b"\"\"\"") {
                self.push_text(start);
                self.at += 3;
                self.in_sql = false;
                return self.push(TokenKind::SqlClose, self.at - 3);
            }
            if rest.starts_with(b"%{") {
                self.push_text(start);
                self.at += 2;
                self.in_sql = false;
                self.holes.push(0);
                return self.push(TokenKind::HoleOpen, self.at - 2);
            }
            self.at += if rest[0] == b'\\' { 2 } else { 1 };
        }
        self.at = self.bytes.len();
        self.push_text(start);
    }

    pub(super) fn sql_not_closed(&mut self) {
        let open = self.lexed.tokens.iter().rfind(|token| token.kind == TokenKind::SqlOpen);
        let span = open.map_or(Span::at(offset(self.at)), |token| token.span);
        self.problem(span, "this `\"\"\"` is not closed");
        self.push(TokenKind::SqlClose, self.at);
    }

    fn push_text(&mut self, start: usize) {
        if self.at > start {
            self.push(TokenKind::SqlText, start);
        }
    }
}

/// The text between the quotes of a literal as written, its prefix and quotes taken off, nothing else changed; and
/// how far in it begins.
pub fn unquote(written: &str) -> (&str, u32) {
    let body = written.trim_start_matches(|mark: char| !matches!(mark, '\'' | '"' | '`'));
    let quote = body.chars().next().unwrap_or('\'');
    let triple: String = std::iter::repeat_n(quote, 3).collect();
    let width = if body.len() >= 6 && body.starts_with(&triple) { 3 } else { 1 };
    let inner = body.get(width..body.len().saturating_sub(width)).unwrap_or("");
    (inner, offset(written.len() - body.len() + width))
}

/// Resolves the escapes of a string: `\n` and the like, `\u00e9`; any other character after a backslash is itself.
pub fn unescape(inner: &str) -> String {
    let mut text = String::with_capacity(inner.len());
    let mut rest = inner;
    while let Some(at) = rest.find('\\') {
        text.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some((character, after)) = unicode(rest) {
            text.push(character);
            rest = after;
        } else if let Some(character) = rest.chars().next() {
            text.push(match character {
                'b' => '\u{8}',
                'f' => '\u{c}',
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                other => other,
            });
            rest = &rest[character.len_utf8()..];
        }
    }
    text.push_str(rest);
    text
}

/// `uXXXX`, or two of them, with a backslash between, that are a surrogate pair; and what follows.
fn unicode(rest: &str) -> Option<(char, &str)> {
    let unit = |text: &str| {
        let digits = text.strip_prefix('u')?.get(..4)?;
        let hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        u32::from_str_radix(digits, 16).ok().filter(|_| hex)
    };
    let high = unit(rest)?;
    let after = &rest[5..];
    if let Some(character) = char::from_u32(high) {
        return Some((character, after));
    }
    let low = after.strip_prefix('\\').and_then(unit).filter(|low| (0xDC00..0xE000).contains(low));
    match low {
        Some(low) if high < 0xDC00 => {
            let code = 0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00);
            Some((char::from_u32(code)?, &after[6..]))
        }
        _ => Some((char::REPLACEMENT_CHARACTER, after)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_json_and_others_stand_for_themselves() {
        assert_eq!(unescape(r"it\'s"), "it's");
        assert_eq!(unescape(r"a\tb\\c\q"), "a\tb\\cq");
        assert_eq!(unescape(r"caf\u00e9"), "café");
        assert_eq!(unescape(r"\ud834\udd1e!"), "𝄞!");
        assert_eq!(unescape(r"\ud834!"), "\u{fffd}!");
        assert_eq!(unescape(r"\uZZ"), "uZZ");
        assert_eq!(unescape(r"\u+123"), "u+123");
        assert_eq!(unescape("plain\\"), "plain");
        assert_eq!(unescape("\\u12é4"), "u12é4");
    }

    #[test]
    fn quotes_and_prefix_come_off() {
        assert_eq!(unquote("f 'a\\'b'"), ("a\\'b", 3));
        assert_eq!(unquote("f'''a'b'''"), ("a'b", 4));
        assert_eq!(unquote("r''"), ("", 2));
        assert_eq!(unquote("/'x'"), ("x", 2));
        assert_eq!(unquote("f''"), ("", 2));
    }
}
