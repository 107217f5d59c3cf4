//! Time literals: `@2021`, `@2021-Q2`, `@2021-05-06 07:08:09.5[Europe/Rome]`.
//!
//! The longest reading wins: `@2021-5` is the year 2021, minus five.

use super::Lexer;
use crate::token::TokenKind;
use crate::tree::TimeShape;

/// The time literal that a text begins with, and its length.
pub(crate) fn scan_time(text: &str) -> Option<(TimeShape, usize)> {
    let mut lexer = Lexer::new(text);
    lexer.at = 1;
    (text.starts_with('@') && lexer.pass("dddd")).then(|| (lexer.after_year(), lexer.at))
}

impl Lexer<'_> {
    pub(super) fn time(&mut self) {
        let start = self.at;
        self.at += 1;
        if !self.pass("dddd") {
            self.at = start;
            return self.unexpected(1);
        }
        let shape = self.after_year();
        self.push(TokenKind::Time(shape), start);
    }

    fn after_year(&mut self) -> TimeShape {
        if self.pass("-Qq") {
            return TimeShape::Quarter;
        }
        if !self.pass("-dd") {
            return TimeShape::Year;
        }
        if !self.pass("-dd") {
            return TimeShape::Month;
        }
        if self.pass("-WK") {
            return TimeShape::Week;
        }
        if !(self.pass(" dd") || self.pass("Tdd")) {
            return TimeShape::Day;
        }
        if !self.pass(":dd") {
            return TimeShape::Hour;
        }
        let mut shape = TimeShape::Minute;
        if self.pass(":dd") {
            shape = TimeShape::Second;
            if self.pass(".d") || self.pass(",d") {
                self.digits();
            }
        }
        self.zone();
        shape
    }

    /// `[Europe/Rome]`
    fn zone(&mut self) {
        if self.peek(0) != Some(b'[') {
            return;
        }
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"_/+-".contains(byte);
        let name = self.bytes[self.at + 1..].iter().take_while(|byte| part(byte)).count();
        if self.peek(1 + name) == Some(b']') {
            self.at += name + 2;
        }
    }

    /// Moves past what matches a pattern: `d` is a digit, `q` a digit from 1 to 4, a capital letter itself in either
    /// case, but for `T`, and anything else itself. Nothing moves if it does not match.
    fn pass(&mut self, pattern: &str) -> bool {
        let matches = |byte: u8, mark: u8| match mark {
            b'd' => byte.is_ascii_digit(),
            b'q' => (b'1'..=b'4').contains(&byte),
            b'Q' | b'W' | b'K' => byte.eq_ignore_ascii_case(&mark),
            _ => byte == mark,
        };
        let here = &self.bytes[self.at..];
        let found = here.len() >= pattern.len()
            && pattern.bytes().zip(here).all(|(mark, byte)| matches(*byte, mark));
        if found {
            self.at += pattern.len();
        }
        found
    }
}
