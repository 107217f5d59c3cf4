//! Functions of the language, by overload.

use serde::{Deserialize, Serialize};

/// A function as chosen by name and argument types: one for each way to write it. The number of arguments is fixed unless said.
///
/// Aggregates are [`AggregateFunction`](super::AggregateFunction), windows [`WindowFunction`](super::WindowFunction).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Function {
    // Text.
    Ascii,
    ByteLength,
    Chr,
    /// Any number of arguments of any type, also none. Nulls count as nothing or make null, as the dialect's `CONCAT`
    /// does.
    Concat,
    /// False when an argument is null.
    EndsWith,
    /// In characters.
    Length,
    Lower,
    /// Strips blanks on the left.
    Ltrim,
    /// Strips a set of characters, the second argument, on the left.
    LtrimChars,
    /// The first match. The second argument is a string literal with the pattern.
    RegexpExtract,
    Repeat,
    /// Every occurrence of a text.
    Replace,
    /// Every match. The second argument is a string literal with the pattern.
    ReplaceRegex,
    Reverse,
    Rtrim,
    RtrimChars,
    /// False when an argument is null.
    StartsWith,
    /// Position of the second in the first, from 1; 0 when it is not there.
    Strpos,
    /// Text, position from 1 (from the end when negative), and optionally length.
    Substr,
    Trim,
    TrimChars,
    Unicode,
    Upper,

    // Numbers.
    Abs,
    Acos,
    Asin,
    Atan,
    Atan2,
    Ceil,
    Cos,
    /// Division truncated toward zero.
    Div,
    Exp,
    Floor,
    IsInf,
    IsNan,
    Ln,
    /// Number and base.
    Log,
    Pi,
    Pow,
    Rand,
    /// To a whole number.
    Round,
    /// To so many places, the second argument.
    RoundTo,
    Sign,
    Sin,
    Sqrt,
    Tan,
    /// To a whole number.
    Trunc,
    /// To so many places, the second argument.
    TruncTo,

    // Any type.
    /// One argument or more. Null if any argument is null.
    Greatest,
    /// One argument or more. Null if any argument is null.
    Least,
    Nullif,

    // DuckDB's own.
    /// List and position from 1.
    ListExtract,
    Dayname,
    /// Seconds since 1970 to a timestamptz.
    ToTimestamp,
    /// An interval to seconds, or as the database has it.
    ToSeconds,
    /// Part's name and time.
    DatePart,
}
