//! Types of columns and of expressions.

use serde::{Deserialize, Serialize};

/// The type of a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Type {
    /// Text.
    String,
    /// A number, with what is known of its kind.
    Number(NumberKind),
    /// True or false.
    Boolean,
    /// A calendar day. The unit says what it was truncated to, if it was.
    Date(Option<TimeUnit>),
    /// A wall clock reading in UTC, without zone (`TIMESTAMP` in DuckDB).
    Timestamp(Option<TimeUnit>),
    /// An instant (`TIMESTAMPTZ` in DuckDB).
    Timestamptz(Option<TimeUnit>),
    /// A JSON document.
    Json,
    /// A list. A list of records is what a nest or a `STRUCT[]` column gives.
    Array(Box<Type>),
    /// A record.
    Record(Vec<RecordField>),
    /// A database type that Malloy has no name for; the name as the database wrote it.
    Sql(String),
    /// The type of `null` alone.
    Null,
}

/// A field of a record type.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RecordField {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: Type,
}

/// What is known of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NumberKind {
    /// At most 32 bits.
    Integer,
    /// Whole, up to 64 bits and more.
    Bigint,
    /// Floats and decimals.
    Float,
    /// Not known, as of most functions.
    Unknown,
}

/// A unit of time, from short to long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeUnit {
    Second,
    Minute,
    Hour,
    Day,
    /// Begins on Sunday.
    Week,
    Month,
    Quarter,
    Year,
}

impl Type {
    /// A number of unknown kind.
    pub const NUMBER: Type = Type::Number(NumberKind::Unknown);
    /// A whole number of 32 bits.
    pub const INTEGER: Type = Type::Number(NumberKind::Integer);

    /// Whether this is a date, a timestamp or a timestamptz.
    pub fn is_time(&self) -> bool {
        matches!(self, Type::Date(_) | Type::Timestamp(_) | Type::Timestamptz(_))
    }

    /// The unit that a time was truncated to.
    pub fn time_unit(&self) -> Option<TimeUnit> {
        match self {
            Type::Date(unit) | Type::Timestamp(unit) | Type::Timestamptz(unit) => *unit,
            _ => None,
        }
    }

    /// The same type of time with another unit; other types as they are.
    #[must_use]
    pub fn with_unit(self, unit: Option<TimeUnit>) -> Type {
        match self {
            Type::Date(_) => Type::Date(unit),
            Type::Timestamp(_) => Type::Timestamp(unit),
            Type::Timestamptz(_) => Type::Timestamptz(unit),
            other => other,
        }
    }

    /// Whether rows can be sorted by it: all but records, lists, JSON and unknown types.
    pub fn is_orderable(&self) -> bool {
        matches!(
            self,
            Type::String
                | Type::Number(_)
                | Type::Boolean
                | Type::Date(_)
                | Type::Timestamp(_)
                | Type::Timestamptz(_)
        )
    }
}

impl TimeUnit {
    /// The unit's name, in the singular: `month`.
    pub fn name(self) -> &'static str {
        match self {
            TimeUnit::Second => "second",
            TimeUnit::Minute => "minute",
            TimeUnit::Hour => "hour",
            TimeUnit::Day => "day",
            TimeUnit::Week => "week",
            TimeUnit::Month => "month",
            TimeUnit::Quarter => "quarter",
            TimeUnit::Year => "year",
        }
    }

    /// Whether it takes a calendar to count: day and longer. Only these are done in the query's zone.
    pub fn is_calendar(self) -> bool {
        self >= TimeUnit::Day
    }
}
