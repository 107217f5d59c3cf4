//! Literals.

use std::sync::Arc;

use super::Parser;
use crate::diagnostic::Diagnostic;
use crate::lexer::{unescape, unquote};
use crate::span::Span;
use crate::token::TokenKind;
use crate::tree::{
    Count, ExprKind, FilterLiteral, NumberLiteral, SqlPart, SqlText, StringLiteral, TimeLiteral,
    TimeShape,
};

impl Parser<'_> {
    /// A literal in an expression.
    pub(super) fn literal(&mut self) -> ExprKind {
        let span = self.span();
        let written = span.of(self.text);
        match self.kind() {
            TokenKind::String | TokenKind::SqlOpen => {
                ExprKind::String(self.string_literal("a string").value)
            }
            TokenKind::RawString => {
                self.bump();
                ExprKind::String(Arc::from(unquote(written).0))
            }
            TokenKind::Regex => {
                self.bump();
                ExprKind::Regex(Arc::from(unquote(written).0))
            }
            TokenKind::Filter => {
                self.bump();
                let (text, begins) = unquote(written);
                let start = span.start + begins;
                let end = start + crate::span::offset(text.len());
                ExprKind::Filter(FilterLiteral {
                    text: Arc::from(text),
                    inner: Span::new(start, end),
                })
            }
            TokenKind::Integer | TokenKind::Decimal => {
                let integer = self.bump().kind == TokenKind::Integer;
                ExprKind::Number(NumberLiteral { text: Arc::from(written), integer })
            }
            TokenKind::Time(shape) => self.time(shape),
            _ => {
                self.expected("an expression");
                ExprKind::Error
            }
        }
    }

    /// A string in quotes, or in tripled ones without holes.
    pub(super) fn string_literal(&mut self, what: &str) -> StringLiteral {
        let start = self.start();
        match self.kind() {
            TokenKind::String => {
                let span = self.bump().span;
                let value = Arc::from(unescape(unquote(span.of(self.text)).0));
                StringLiteral { value, span }
            }
            TokenKind::SqlOpen => {
                let sql = self.sql_text();
                let mut value = String::new();
                for part in &sql.parts {
                    match part {
                        SqlPart::Text { text, .. } => value.push_str(text),
                        SqlPart::Query { span, .. } => self.report(Diagnostic::error(
                            "illegal-query-interpolation-outside-sql-block",
                            *span,
                            "`%{ }` works in `connection.sql(…)` only",
                        )),
                    }
                }
                StringLiteral { value: Arc::from(value), span: self.span_from(start) }
            }
            TokenKind::Error => {
                let span = self.bump().span;
                StringLiteral { value: Arc::from(""), span }
            }
            _ => {
                self.expected(what);
                StringLiteral { value: Arc::from(""), span: Span::at(self.end()) }
            }
        }
    }

    /// `"""text %{ query } text"""`, the cursor being on the quotes.
    pub(super) fn sql_text(&mut self) -> SqlText {
        let start = self.bump().span.start;
        let mut parts = Vec::new();
        loop {
            match self.kind() {
                TokenKind::SqlText => {
                    let span = self.bump().span;
                    parts.push(SqlPart::Text { text: Arc::from(span.of(self.text)), span });
                }
                TokenKind::HoleOpen => {
                    let open = self.bump().span;
                    let query = self.source_expr();
                    if !self.expect_close(TokenKind::HoleClose, open) {
                        self.skip_hole();
                    }
                    parts.push(SqlPart::Query { query, span: self.span_from(open.start) });
                }
                TokenKind::SqlClose => {
                    self.bump();
                    break;
                }
                _ => break,
            }
        }
        SqlText { parts, span: self.span_from(start) }
    }

    /// Skips to the end of the hole, so that an error in it stays in it.
    fn skip_hole(&mut self) {
        while !matches!(self.kind(), TokenKind::HoleClose | TokenKind::SqlClose | TokenKind::End) {
            self.bump();
        }
        self.eat(TokenKind::HoleClose);
    }

    /// A whole number, with or without a percent sign.
    pub(super) fn count(&mut self, what: &str) -> Count {
        if !matches!(self.kind(), TokenKind::Integer | TokenKind::Percent) {
            self.expected(what);
            if matches!(self.kind(), TokenKind::Decimal | TokenKind::Error) {
                self.bump();
            }
            return Count { value: 0, span: Span::at(self.end()) };
        }
        let span = self.bump().span;
        let digits = span.of(self.text).trim_end_matches('%');
        Count { value: digits.parse().unwrap_or(u64::MAX), span }
    }

    fn time(&mut self, shape: TimeShape) -> ExprKind {
        let span = self.bump().span;
        let literal = time_literal(span.of(self.text), shape);
        let (message, help) = if !time_exists(&literal) {
            (format!("there is no `{}`", literal.text), None)
        } else if shape == TimeShape::Week && weekday(&literal) != 0 {
            let day = literal.text.get(..11).unwrap_or("");
            let help = format!("`{day}.week` is the week of any day");
            (format!("a week begins on a Sunday, and `{day}` is none"), Some(help))
        } else {
            return ExprKind::Time(literal);
        };
        let mut error = Diagnostic::error("failed-to-parse-time-literal", span, message);
        error.help = help;
        self.report(error);
        ExprKind::Error
    }
}

/// Takes the parts out of a literal that the lexer has found to be of that shape.
pub(crate) fn time_literal(written: &str, shape: TimeShape) -> TimeLiteral {
    let (text, zone) = match written.split_once('[') {
        Some((text, zone)) => (text, Some(Arc::from(zone.trim_end_matches(']')))),
        None => (written, None),
    };
    let (text, fraction) = match text.split_once(['.', ',']) {
        Some((text, digits)) => (text, Some(Arc::from(digits))),
        None => (text, None),
    };
    let part = |from: usize, otherwise: u8| {
        text.get(from..from + 2).and_then(|digits| digits.parse().ok()).unwrap_or(otherwise)
    };
    let month = match shape {
        TimeShape::Quarter => {
            let quarter: u8 = text.get(7..8).and_then(|digit| digit.parse().ok()).unwrap_or(1);
            quarter.saturating_sub(1) * 3 + 1
        }
        _ => part(6, 1),
    };
    let year = text.get(1..5).and_then(|digits| digits.parse().ok()).unwrap_or(0);
    let (day, hour, minute, second) = (part(9, 1), part(12, 0), part(15, 0), part(18, 0));
    let text = Arc::from(written);
    TimeLiteral { shape, year, month, day, hour, minute, second, fraction, zone, text }
}

/// The day of the week of an existing date: 0 is Sunday (Sakamoto's method).
fn weekday(time: &TimeLiteral) -> u16 {
    const SHIFTS: [u16; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    // Years from 400 on have a predecessor, and the days of the week repeat every 400 years.
    let year = time.year + 400 - u16::from(time.month < 3);
    let shift = SHIFTS[usize::from(time.month) - 1];
    (year + year / 4 - year / 100 + year / 400 + shift + u16::from(time.day)) % 7
}

/// Whether there is such a time.
pub(crate) fn time_exists(time: &TimeLiteral) -> bool {
    let leap = time.year.is_multiple_of(4)
        && (!time.year.is_multiple_of(100) || time.year.is_multiple_of(400));
    let days = match time.month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return false,
    };
    let clock = time.hour < 24 && time.minute < 60 && time.second < 60;
    (1..=days).contains(&time.day) && clock
}
