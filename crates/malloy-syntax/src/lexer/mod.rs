//! Text to tokens. Start at [`lex`].
//!
//! Never fails: what is no token becomes a [`TokenKind::Error`] with a diagnostic, and lexing goes on behind it. One
//! pass, no backing up but for a word that turns out not to have its colon, so the time is linear in the text.
//!
//! There are two modes. In SQL (`"""…"""`) everything is text up to the closing quotes or a hole, `%{`, in which it is
//! Malloy again up to the matching brace. Holes nest, so the braces that are open are kept on a stack.

mod notes;
mod quoted;
mod time;

pub(crate) use notes::block_text;
pub use quoted::{unescape, unquote};
pub(crate) use time::scan_time;

use crate::diagnostic::Diagnostic;
use crate::span::{Span, offset};
use crate::token::{Clause, Keyword, Token, TokenKind};

/// The tokens of a text, the last of them [`TokenKind::End`], and beside them what the parser does not look at.
#[derive(Debug, Clone, PartialEq)]
pub struct Lexed {
    pub tokens: Vec<Token>,
    pub comments: Vec<Comment>,
    pub diagnostics: Vec<Diagnostic>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comment {
    /// `/* … */`, and not a comment to the end of the line.
    pub block: bool,
    /// Without the line break.
    pub span: Span,
}

/// Texts from this size on are refused whole, so that offsets fit.
pub(crate) const MAX_TEXT: usize = 1 << 30;

/// Splits a text into tokens.
pub fn lex(text: &str) -> Lexed {
    let mut lexer = Lexer::new(text);
    if text.len() >= MAX_TEXT {
        lexer.problem(Span::at(0), "the text is too long; one GB is the most");
        lexer.at = text.len();
    }
    lexer.run();
    lexer.push(TokenKind::End, lexer.at);
    lexer.lexed
}

struct Lexer<'a> {
    text: &'a str,
    bytes: &'a [u8],
    at: usize,
    /// For each hole that is open, how many braces are open in it.
    holes: Vec<u32>,
    in_sql: bool,
    lexed: Lexed,
}

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Self {
        let tokens = Vec::with_capacity(text.len().min(MAX_TEXT) / 4 + 1);
        let lexed = Lexed { tokens, comments: Vec::new(), diagnostics: Vec::new() };
        Self { text, bytes: text.as_bytes(), at: 0, holes: Vec::new(), in_sql: false, lexed }
    }

    fn run(&mut self) {
        while self.at < self.bytes.len() {
            if self.in_sql {
                self.sql_text();
            } else {
                self.token();
            }
        }
        if self.in_sql {
            self.sql_not_closed();
        }
    }

    /// One token, comment or stretch of white space, in Malloy.
    fn token(&mut self) {
        match self.bytes[self.at] {
            byte if is_space(byte) => self.at += 1,
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.word(),
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            b'\'' => self.string(b'\'', TokenKind::String),
            b'"' if self.rest().starts_with("\"\"\"") => self.sql_open(),
            b'"' => self.string(b'"', TokenKind::String),
            b'`' => self.string(b'`', TokenKind::Quoted),
            b'#' => self.note(),
            b'@' => self.time(),
            b'$' => self.given(),
            b'-' if self.peek(1) == Some(b'-') => self.line_comment(),
            b'/' if self.peek(1) == Some(b'/') => self.line_comment(),
            b'/' if self.peek(1) == Some(b'*') => self.block_comment(),
            b'/' if self.peek(1) == Some(b'\'') => self.slash(),
            byte if byte.is_ascii() => self.symbol(),
            _ => self.beyond_ascii(),
        }
    }

    /// Punctuation.
    fn symbol(&mut self) {
        use TokenKind as K;
        let next = self.peek(1);
        let (kind, length) = match (self.bytes[self.at], next) {
            (b'(', _) => (K::ParenOpen, 1),
            (b')', _) => (K::ParenClose, 1),
            (b'[', _) => (K::BracketOpen, 1),
            (b']', _) => (K::BracketClose, 1),
            (b'{', _) => return self.brace_open(),
            (b'}', _) => return self.brace_close(),
            (b',', _) => (K::Comma, 1),
            (b';', _) => (K::Semicolon, 1),
            (b'.', _) => (K::Dot, 1),
            (b':', Some(b':')) if self.peek(2) == Some(b':') => (K::TripleColon, 3),
            (b':', Some(b':')) => (K::DoubleColon, 2),
            (b':', _) => (K::Colon, 1),
            (b'-', Some(b'>')) => (K::Arrow, 2),
            (b'-', _) => (K::Minus, 1),
            (b'+', _) => (K::Plus, 1),
            (b'*', _) => (K::Star, 1),
            (b'/', _) => (K::Slash, 1),
            (b'%', _) => (K::Percentage, 1),
            (b'&', _) => (K::Ampersand, 1),
            (b'|', _) => (K::Bar, 1),
            (b'?', Some(b'?')) => (K::DoubleQuestion, 2),
            (b'?', _) => (K::Question, 1),
            (b'=', _) => (K::Equal, 1),
            (b'!', Some(b'=')) => (K::NotEqual, 2),
            (b'!', Some(b'~')) => (K::NotTilde, 2),
            (b'!', _) => (K::Bang, 1),
            (b'<', Some(b'=')) => (K::LessOrEqual, 2),
            (b'<', _) => (K::Less, 1),
            (b'>', Some(b'=')) => (K::GreaterOrEqual, 2),
            (b'>', _) => (K::Greater, 1),
            (b'~', _) => (K::Tilde, 1),
            _ => return self.unexpected(1),
        };
        let start = self.at;
        self.at += length;
        self.push(kind, start);
    }

    fn brace_open(&mut self) {
        if let Some(open) = self.holes.last_mut() {
            *open += 1;
        }
        self.at += 1;
        self.push(TokenKind::BraceOpen, self.at - 1);
    }

    fn brace_close(&mut self) {
        self.at += 1;
        match self.holes.last_mut() {
            Some(0) => {
                self.holes.pop();
                self.in_sql = true;
                self.push(TokenKind::HoleClose, self.at - 1);
            }
            Some(open) => {
                *open -= 1;
                self.push(TokenKind::BraceClose, self.at - 1);
            }
            None => self.push(TokenKind::BraceClose, self.at - 1),
        }
    }

    /// A name, a reserved word, a clause with its colon, or the prefix of a literal.
    fn word(&mut self) {
        let start = self.at;
        self.at = self.word_end(start);
        let word = &self.text[start..self.at];
        if word.len() == 1 && self.prefixed_literal(start) {
            return;
        }
        let mut buffer = [0; LONGEST_WORD];
        let Some(lower) = lower_case(word, &mut buffer) else {
            return self.push(TokenKind::Identifier, start);
        };
        if let Some((clause, end)) = self.clause(lower) {
            self.at = end;
            return self.push(TokenKind::Clause(clause), start);
        }
        let keyword = Keyword::from_word(lower).map(TokenKind::Keyword);
        self.push(keyword.unwrap_or(TokenKind::Identifier), start);
    }

    /// The clause that `lower` is with the colon after it, and where that ends. A double colon is no colon: in
    /// `limit::number` the word is a name.
    fn clause(&self, lower: &str) -> Option<(Clause, usize)> {
        let clause = Clause::from_lower(lower)?;
        let colon = if clause.takes_space() { self.past_space(self.at) } else { self.at };
        let found =
            self.bytes.get(colon) == Some(&b':') && self.bytes.get(colon + 1) != Some(&b':');
        found.then_some((clause, colon + 1))
    }

    /// Where the word that begins at `start` ends.
    fn word_end(&self, start: usize) -> usize {
        let mut end = start;
        while let Some(&byte) = self.bytes.get(end) {
            if byte.is_ascii_alphanumeric() || byte == b'_' {
                end += 1;
            } else if let Some(letter) = self.letter_at(end) {
                end += letter.len_utf8();
            } else {
                break;
            }
        }
        end
    }

    /// A letter beyond ASCII.
    fn letter_at(&self, at: usize) -> Option<char> {
        if self.bytes[at].is_ascii() {
            return None;
        }
        self.text[at..].chars().next().filter(|letter| letter.is_alphabetic())
    }

    fn given(&mut self) {
        let start = self.at;
        let begins_word = self.peek(1).is_some_and(|next| {
            next == b'_' || next.is_ascii_alphabetic() || self.letter_at(start + 1).is_some()
        });
        if !begins_word {
            return self.unexpected(1);
        }
        self.at = self.word_end(start + 1);
        self.push(TokenKind::Given, start);
    }

    /// `12`, `1.5`, `.5`, `1e3`, and `10%` after `sample:`.
    fn number(&mut self) {
        let start = self.at;
        let mut kind = TokenKind::Integer;
        self.digits();
        let point = self.peek(0) == Some(b'.');
        if point && self.peek(1).is_some_and(|next| next.is_ascii_digit()) {
            self.at += 1;
            self.digits();
            kind = TokenKind::Decimal;
        }
        if self.exponent() {
            kind = TokenKind::Decimal;
        }
        let end = self.word_end(self.at);
        if end > self.at {
            self.at = end;
            let span = self.span_from(start);
            self.problem(span, format!("`{}` is neither a number nor a name", span.of(self.text)));
            return self.push(TokenKind::Error, start);
        }
        let sampling = self.lexed.tokens.last().map(|token| token.kind)
            == Some(TokenKind::Clause(Clause::Sample));
        if sampling && kind == TokenKind::Integer && self.peek(0) == Some(b'%') {
            self.at += 1;
            kind = TokenKind::Percent;
        }
        self.push(kind, start);
    }

    fn digits(&mut self) {
        while self.peek(0).is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    /// Passes an exponent, if here is one.
    fn exponent(&mut self) -> bool {
        if !matches!(self.peek(0), Some(b'e' | b'E')) {
            return false;
        }
        let sign = usize::from(matches!(self.peek(1), Some(b'+' | b'-')));
        if !self.peek(1 + sign).is_some_and(|byte| byte.is_ascii_digit()) {
            return false;
        }
        self.at += 1 + sign;
        self.digits();
        true
    }

    fn line_comment(&mut self) {
        let start = self.at;
        self.at = self.line_end(start);
        let span = self.span_from(start);
        self.lexed.comments.push(Comment { block: false, span });
    }

    fn block_comment(&mut self) {
        let start = self.at;
        if let Some(length) = self.text[start + 2..].find("*/") {
            self.at = start + 2 + length + 2;
        } else {
            self.at = self.bytes.len();
            let open = Span::new(offset(start), offset(start + 2));
            self.problem(open, "this comment is not closed; `*/` is missing");
        }
        let span = self.span_from(start);
        self.lexed.comments.push(Comment { block: true, span });
    }

    /// A letter of another script, a space of another kind, or something that does not belong here.
    fn beyond_ascii(&mut self) {
        let Some(character) = self.rest().chars().next() else { return };
        if character == '\u{a0}' || character == '\u{feff}' {
            self.at += character.len_utf8();
        } else if character.is_alphabetic() {
            self.word();
        } else {
            self.unexpected(character.len_utf8());
        }
    }

    fn unexpected(&mut self, length: usize) {
        let start = self.at;
        self.at += length;
        let span = self.span_from(start);
        self.problem(span, format!("`{}` means nothing here", span.of(self.text).escape_debug()));
        self.push(TokenKind::Error, start);
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.bytes.get(self.at + ahead).copied()
    }

    /// The end of the line that `from` is in, without a carriage return.
    fn line_end(&self, from: usize) -> usize {
        let line = self.text[from..].split('\n').next().unwrap_or("");
        from + line.strip_suffix('\r').unwrap_or(line).len()
    }

    fn past_space(&self, from: usize) -> usize {
        let space = self.bytes[from..].iter().take_while(|byte| is_space(**byte));
        from + space.count()
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(offset(start), offset(self.at))
    }

    fn push(&mut self, kind: TokenKind, start: usize) {
        let span = self.span_from(start);
        self.lexed.tokens.push(Token { kind, span });
    }

    fn problem(&mut self, span: Span, message: impl Into<String>) {
        self.lexed.diagnostics.push(Diagnostic::error("syntax-error", span, message));
    }
}

const LONGEST_WORD: usize = 12;

/// The word in lower case, if it is short enough to be a keyword.
fn lower_case<'b>(word: &str, buffer: &'b mut [u8; LONGEST_WORD]) -> Option<&'b str> {
    let lower = buffer.get_mut(..word.len())?;
    lower.copy_from_slice(word.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).ok()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c)
}
