//! Literals: strings, numbers, times, filters, SQL text.

use std::sync::Arc;

use super::SourceExpr;
use crate::span::Span;

/// A string with its escapes resolved.
#[derive(Debug, Clone, PartialEq)]
pub struct StringLiteral {
    pub value: Arc<str>,
    /// As written, quotes included.
    pub span: Span,
}

/// A number as written. What fits into which type is a question for later.
#[derive(Debug, Clone, PartialEq)]
pub struct NumberLiteral {
    pub text: Arc<str>,
    /// Digits alone: no point, no exponent.
    pub integer: bool,
}

/// A whole number where the grammar asks for one: `limit: 10`.
#[derive(Debug, Clone, PartialEq)]
pub struct Count {
    /// `u64::MAX` if it is larger than that.
    pub value: u64,
    pub span: Span,
}

/// `f'…'`: the text between the quotes, which is a language of its own, see [`filter`](crate::filter).
#[derive(Debug, Clone, PartialEq)]
pub struct FilterLiteral {
    pub text: Arc<str>,
    /// Where `text` stands, quotes not included: add a place in the filter to its start.
    pub inner: Span,
}

/// `"""SELECT … %{ query } …"""`
#[derive(Debug, Clone, PartialEq)]
pub struct SqlText {
    /// In order. A text without holes is one part; an empty text is none.
    pub parts: Vec<SqlPart>,
    /// As written, quotes included.
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum SqlPart {
    Text {
        text: Arc<str>,
        span: Span,
    },
    /// `%{ query }`
    Query {
        query: SourceExpr,
        /// With the braces.
        span: Span,
    },
}

/// `@2021-05-06 07:08:09.5[Europe/Rome]`, any part after the year being optional. It is a time that exists: the
/// parser reports the 31st of June.
#[derive(Debug, Clone, PartialEq)]
pub struct TimeLiteral {
    pub shape: TimeShape,
    pub year: u16,
    /// 1 if not written; the first month of a quarter.
    pub month: u8,
    /// 1 if not written.
    pub day: u8,
    /// 0 if not written, as are the two below.
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    /// The digits after the second: `123`.
    pub fraction: Option<Arc<str>>,
    /// The name of a zone: `Europe/Rome`.
    pub zone: Option<Arc<str>>,
    /// As written, the `@` included.
    pub text: Arc<str>,
}

/// How much of a time was written, and so how long a range it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeShape {
    /// `@2021`
    Year,
    /// `@2021-Q2`
    Quarter,
    /// `@2021-05`
    Month,
    /// `@2021-05-02-WK`
    Week,
    /// `@2021-05-06`
    Day,
    /// `@2021-05-06 07`
    Hour,
    /// `@2021-05-06 07:08`
    Minute,
    /// `@2021-05-06 07:08:09`, perhaps with a fraction: an instant.
    Second,
}

impl TimeShape {
    /// Whether the literal is a date, and not a timestamp.
    pub const fn is_date(self) -> bool {
        matches!(self, Self::Year | Self::Quarter | Self::Month | Self::Week | Self::Day)
    }

    /// The unit of the range that it covers; `None` for an instant.
    pub const fn unit(self) -> Option<TimeUnit> {
        match self {
            Self::Year => Some(TimeUnit::Year),
            Self::Quarter => Some(TimeUnit::Quarter),
            Self::Month => Some(TimeUnit::Month),
            Self::Week => Some(TimeUnit::Week),
            Self::Day => Some(TimeUnit::Day),
            Self::Hour => Some(TimeUnit::Hour),
            Self::Minute => Some(TimeUnit::Minute),
            Self::Second => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TimeUnit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl TimeUnit {
    pub const ALL: [Self; 8] = [
        Self::Second,
        Self::Minute,
        Self::Hour,
        Self::Day,
        Self::Week,
        Self::Month,
        Self::Quarter,
        Self::Year,
    ];

    /// The singular: `day`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Second => "second",
            Self::Minute => "minute",
            Self::Hour => "hour",
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
            Self::Quarter => "quarter",
            Self::Year => "year",
        }
    }
}
