//! Expressions, resolved and typed.

use serde::{Deserialize, Serialize};

use super::{Direction, FieldId, Function, JoinId, RecordField, TimeUnit, Type};

/// An expression. Operands have the types that the operator wants: what had to be converted is a [`Expr::Cast`].
///
/// Zones: where `zone` is given, the operation happens on that zone's wall clock. Of a timestamp: read it as UTC, convert to local
/// wall time, do it, convert back to UTC. Of a timestamptz: the same with the instant, giving an instant. `None` is no conversion.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Expr {
    /// A column of the relation of a join (of the root: of what the stage reads).
    Column {
        join: JoinId,
        name: String,
    },
    /// A named row-level expression of the stage.
    Field(FieldId),
    /// An output of the same level, by position. Only in calculations, and never of a calculation that stands later.
    Output(u32),
    /// A field of a record.
    RecordField {
        record: Box<Expr>,
        name: String,
    },
    Literal(Literal),
    /// The value of `now`, a timestamptz or timestamp as `ty` says; one value throughout a query.
    Now {
        ty: Type,
    },
    Negate(Box<Expr>),
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// SQL `NOT`: null stays null.
    Not(Box<Expr>),
    /// `COALESCE(x, true)`. Malloy's `!=`, `not` and `!~` are wrapped in it.
    OrTrue(Box<Expr>),
    /// `COALESCE(x, false)`.
    OrFalse(Box<Expr>),
    IsNull {
        expr: Box<Expr>,
        negated: bool,
    },
    /// All must hold, as SQL's `AND`; of none: true.
    And(Vec<Expr>),
    /// One must hold, as SQL's `OR`; of none: false.
    Or(Vec<Expr>),
    /// The first that is not null.
    Coalesce(Vec<Expr>),
    /// `x IN (…)` or `x NOT IN (…)`, nulls as in SQL. The list is not empty.
    In {
        expr: Box<Expr>,
        list: Vec<Expr>,
        negated: bool,
    },
    /// `x IN` the elements of a list value.
    InList {
        expr: Box<Expr>,
        list: Box<Expr>,
        negated: bool,
    },
    /// `x LIKE pattern`, where a backslash in the pattern takes `%`, `_` and backslash literally, whatever the dialect's own
    /// rule is. Null if either is null.
    Like {
        expr: Box<Expr>,
        pattern: Box<Expr>,
    },
    /// Whether the regular expression matches somewhere in it.
    RegexMatch {
        expr: Box<Expr>,
        pattern: String,
    },
    /// `CASE WHEN a THEN b … ELSE c END`; null without `otherwise`.
    Case {
        whens: Vec<(Expr, Expr)>,
        otherwise: Option<Box<Expr>>,
        ty: Type,
    },
    /// From a type to a type. See section 8 of the language reference for times in a zone.
    Cast {
        expr: Box<Expr>,
        from: Type,
        to: Type,
        /// Null instead of failure.
        safe: bool,
        /// The query's zone, for casts between types of time.
        zone: Option<String>,
    },
    /// To a database type by name: `x::'decimal(10,2)'`.
    SqlCast {
        expr: Box<Expr>,
        to: String,
        safe: bool,
    },
    /// The start of the unit that it falls in. `ty` is the type of the operand, a date or a time. The zone is set only where
    /// it matters, for [calendar units](TimeUnit::is_calendar) of timestamps.
    Truncate {
        expr: Box<Expr>,
        unit: TimeUnit,
        ty: Type,
        zone: Option<String>,
    },
    /// So many units later (earlier, when the amount is negative). `ty` is the type of the operand and of the result: a date stays
    /// a date. The zone is set only for calendar units of timestamps.
    Offset {
        expr: Box<Expr>,
        amount: Box<Expr>,
        unit: TimeUnit,
        ty: Type,
        zone: Option<String>,
    },
    /// A part of a time, as an integer. `ty` is the type of the operand.
    Extract {
        expr: Box<Expr>,
        unit: ExtractUnit,
        ty: Type,
        zone: Option<String>,
    },
    /// Whole units from one to another, truncated toward zero; `ty` is the type of both.
    Diff {
        from: Box<Expr>,
        to: Box<Expr>,
        unit: TimeUnit,
        ty: Type,
    },
    /// A list of these.
    Array {
        items: Vec<Expr>,
        element: Type,
    },
    /// A record of these, with the field's types.
    Record {
        items: Vec<Expr>,
        fields: Vec<RecordField>,
    },
    /// A function of the language on rows or on aggregates; `ty` is the type of the result.
    Call {
        function: Function,
        args: Vec<Expr>,
        ty: Type,
    },
    /// A function of the database: `name!type(…)`, the name as written. `ty` is what was claimed, or guessed.
    SqlCall {
        name: String,
        args: Vec<Expr>,
        ty: Type,
    },
    /// SQL text with expressions spliced in, to be put in parentheses.
    SqlText {
        parts: Vec<SqlPart>,
        ty: Type,
    },
    Aggregate(Box<Aggregate>),
    Ungrouped(Box<Ungrouped>),
    Window(Box<Window>),
}

/// A constant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Literal {
    Null,
    Boolean(bool),
    String(String),
    /// Digits as written, with at most a point, an exponent and a leading minus sign.
    Number(String),
    /// `YYYY-MM-DD`.
    Date(String),
    /// `YYYY-MM-DD HH:MM:SS` with at most a fraction: a wall clock in the zone, or in UTC. The value is a UTC wall clock.
    Timestamp {
        text: String,
        zone: Option<String>,
    },
    /// `YYYY-MM-DD HH:MM:SS` with at most a fraction, on the clock of the zone. The value is an instant.
    Timestamptz {
        text: String,
        zone: String,
    },
}

/// An operator on two values of like type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    /// Never integer division: `5 / 2` is 2.5. By zero as the database has it.
    Divide,
    /// The remainder, with the sign of the left.
    Modulo,
    /// SQL `=`: null if either is null. `x = null` arrives as [`Expr::IsNull`].
    Equal,
    /// SQL `!=`: null if either is null.
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

/// A unit that can be extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExtractUnit {
    Second,
    Minute,
    Hour,
    Day,
    /// 1 on Sunday to 7 on Saturday.
    DayOfWeek,
    DayOfYear,
    /// The ISO number of the week.
    Week,
    Month,
    Quarter,
    Year,
}

/// A piece of spliced SQL.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SqlPart {
    Text(String),
    Expr(Expr),
}

/// An aggregate over the rows of one join.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Aggregate {
    pub function: AggregateFunction,
    /// Row-level expressions.
    pub args: Vec<Expr>,
    /// The join whose rows are aggregated, each once.
    pub at: JoinId,
    /// Whether joins repeat or lose rows of `at`, so that its [`key`](super::Join::key) must tell them apart: a count is a count
    /// of distinct keys, others go over distinct (key, arguments). False where a plain SQL aggregate is right, and always for
    /// `Min`, `Max` and `CountDistinct`.
    pub by_key: bool,
    /// Only rows for which this holds. Row-level. May name joins below `at`: a row of `at` counts when some combination does.
    pub filter: Option<Expr>,
    /// The order within the aggregate, for the string aggregates.
    pub order: Vec<Ordering>,
    /// At most so many, for the string aggregates.
    pub limit: Option<u64>,
}

/// A function over rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AggregateFunction {
    /// Of rows, no argument.
    Count,
    /// Of distinct values that are not null.
    CountDistinct,
    /// Zero, not null, when there is nothing.
    Sum,
    Avg,
    Min,
    Max,
    /// Sample standard deviation.
    Stddev,
    /// Text and separator (always given).
    StringAgg,
    /// Text and separator (always given); each text once.
    StringAggDistinct,
    /// Approximate count of distinct values.
    CountApprox,
}

/// An aggregate expression over coarser groups than those of its level. Not nested in another. It sees the level's filters
/// but neither its `having` nor its limit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ungrouped {
    /// Aggregates, and operators on them.
    pub expr: Expr,
    /// The dimensions to group by that remain, of this level and of those around it. `all(x)` in a nest keeps those of the
    /// levels around it; `exclude(x, d)` keeps all but `d`.
    pub keep: Vec<DimensionRef>,
}

/// A dimension of this level or of one around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DimensionRef {
    /// Levels to go out: 0 is the level of the expression.
    pub up: u32,
    /// Position in that level's outputs.
    pub output: u32,
}

/// A window calculation over the rows of a level.
///
/// It runs separately for each row of the parent level, and within that for each value of `partition`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Window {
    pub function: WindowFunction,
    /// [`Expr::Output`] of the level, constants, and operators on them.
    pub args: Vec<Expr>,
    pub partition: Vec<Expr>,
    /// Empty: the level's [`window_order`](super::Level::window_order). The order is left out where the frame is
    /// [`Frame::All`].
    pub order: Vec<Ordering>,
    pub frame: Frame,
    #[serde(rename = "type")]
    pub ty: Type,
}

/// A function over a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WindowFunction {
    RowNumber,
    Rank,
    DenseRank,
    /// Value, then optionally offset and default.
    Lag,
    /// Value, then optionally offset and default.
    Lead,
    FirstValue,
    LastValue,
    Sum,
    Avg,
    Min,
    Max,
}

/// Which rows of the partition a window function sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Frame {
    /// The function has no frame (`rank`, `lag`, …): write none.
    None,
    /// The whole partition.
    All,
    /// `ROWS BETWEEN start AND end`.
    Rows { start: Bound, end: Bound },
}

/// An end of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bound {
    Unbounded,
    Current,
    Preceding(u64),
    Following(u64),
}

/// An expression to order by, nulls last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ordering {
    pub expr: Expr,
    pub direction: Direction,
}
