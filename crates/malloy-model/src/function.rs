//! The functions of the language: names, arguments, results.

use crate::ir::{AggregateFunction, Bound, Frame, Function, Type, WindowFunction};

/// One way to call a function.
pub(crate) struct Overload {
    pub(crate) name: &'static str,
    pub(crate) takes: &'static [Arg],
    pub(crate) returns: Returns,
    pub(crate) means: Means,
}

/// What an argument has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arg {
    String,
    Number,
    Regex,
    /// A string that is written out.
    StringLiteral,
    /// A whole number that is written out.
    Count,
    /// A date or a timestamp.
    Time,
    /// A duration of the database.
    Interval,
    /// The same type for all arguments that are this.
    Same,
    /// A list, whose element type is the result's.
    List,
    /// Anything that has a type.
    Any,
    /// Of the type of the others, a constant.
    SameConstant,
    /// Any number of values of any simple type.
    Many,
    /// One or more of the same type.
    ManySame,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Returns {
    String,
    Number,
    Boolean,
    Timestamp,
    Date,
    Interval,
    /// The type of the first argument that is `Same`.
    Same,
    /// The element type of the list.
    Element,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Means {
    Scalar(Function),
    Coalesce,
    Aggregate(AggregateFunction),
    Window(WindowFunction, Reach),
    /// SQL text with `${field}` in it.
    SqlText,
}

/// The frame of a window, before the arguments are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    None,
    Whole,
    WholeOrdered,
    Cumulative,
    /// So many rows before, and after, by the second and third argument.
    Moving,
}

impl Reach {
    /// The frame, with the counts of a moving one.
    pub(crate) fn frame(self, counts: &[u64]) -> Frame {
        match self {
            Reach::None => Frame::None,
            Reach::Whole => Frame::All,
            Reach::WholeOrdered => Frame::Rows { start: Bound::Unbounded, end: Bound::Unbounded },
            Reach::Cumulative => Frame::Rows { start: Bound::Unbounded, end: Bound::Current },
            Reach::Moving => Frame::Rows {
                start: Bound::Preceding(counts.first().copied().unwrap_or(0)),
                end: match counts.get(1) {
                    Some(0) | None => Bound::Current,
                    Some(count) => Bound::Following(*count),
                },
            },
        }
    }
}

const fn f(
    name: &'static str,
    takes: &'static [Arg],
    returns: Returns,
    function: Function,
) -> Overload {
    Overload { name, takes, returns, means: Means::Scalar(function) }
}
const fn coalesce(name: &'static str, takes: &'static [Arg]) -> Overload {
    Overload { name, takes, returns: Returns::Same, means: Means::Coalesce }
}
const fn aggregate(
    name: &'static str,
    takes: &'static [Arg],
    returns: Returns,
    function: AggregateFunction,
) -> Overload {
    Overload { name, takes, returns, means: Means::Aggregate(function) }
}
const fn window(
    name: &'static str,
    takes: &'static [Arg],
    returns: Returns,
    function: WindowFunction,
    reach: Reach,
) -> Overload {
    Overload { name, takes, returns, means: Means::Window(function, reach) }
}
const fn sql(name: &'static str, returns: Returns) -> Overload {
    Overload { name, takes: &[Arg::StringLiteral], returns, means: Means::SqlText }
}

use Arg as A;
use Returns as R;

/// All of them, by name.
pub(crate) static OVERLOADS: &[Overload] = &[
    f("abs", &[A::Number], R::Number, Function::Abs),
    f("acos", &[A::Number], R::Number, Function::Acos),
    f("ascii", &[A::String], R::Number, Function::Ascii),
    f("asin", &[A::Number], R::Number, Function::Asin),
    f("atan", &[A::Number], R::Number, Function::Atan),
    f("atan2", &[A::Number, A::Number], R::Number, Function::Atan2),
    f("byte_length", &[A::String], R::Number, Function::ByteLength),
    f("ceil", &[A::Number], R::Number, Function::Ceil),
    f("chr", &[A::Number], R::String, Function::Chr),
    coalesce("coalesce", &[A::ManySame]),
    f("concat", &[A::Many], R::String, Function::Concat),
    f("cos", &[A::Number], R::Number, Function::Cos),
    f("div", &[A::Number, A::Number], R::Number, Function::Div),
    f("ends_with", &[A::String, A::String], R::Boolean, Function::EndsWith),
    f("exp", &[A::Number], R::Number, Function::Exp),
    f("floor", &[A::Number], R::Number, Function::Floor),
    f("greatest", &[A::ManySame], R::Same, Function::Greatest),
    coalesce("ifnull", &[A::Same, A::Same]),
    f("is_inf", &[A::Number], R::Boolean, Function::IsInf),
    f("is_nan", &[A::Number], R::Boolean, Function::IsNan),
    f("least", &[A::ManySame], R::Same, Function::Least),
    f("length", &[A::String], R::Number, Function::Length),
    f("ln", &[A::Number], R::Number, Function::Ln),
    f("log", &[A::Number, A::Number], R::Number, Function::Log),
    f("lower", &[A::String], R::String, Function::Lower),
    f("ltrim", &[A::String], R::String, Function::Ltrim),
    f("ltrim", &[A::String, A::String], R::String, Function::LtrimChars),
    f("nullif", &[A::Same, A::Same], R::Same, Function::Nullif),
    f("pi", &[], R::Number, Function::Pi),
    f("pow", &[A::Number, A::Number], R::Number, Function::Pow),
    f("rand", &[], R::Number, Function::Rand),
    f("regexp_extract", &[A::String, A::Regex], R::String, Function::RegexpExtract),
    f("string_repeat", &[A::String, A::Number], R::String, Function::Repeat),
    f("repeat", &[A::String, A::Number], R::String, Function::Repeat),
    f("replace", &[A::String, A::String, A::String], R::String, Function::Replace),
    f("replace", &[A::String, A::Regex, A::String], R::String, Function::ReplaceRegex),
    f("reverse", &[A::String], R::String, Function::Reverse),
    f("round", &[A::Number], R::Number, Function::Round),
    f("round", &[A::Number, A::Number], R::Number, Function::RoundTo),
    f("rtrim", &[A::String], R::String, Function::Rtrim),
    f("rtrim", &[A::String, A::String], R::String, Function::RtrimChars),
    f("sign", &[A::Number], R::Number, Function::Sign),
    f("sin", &[A::Number], R::Number, Function::Sin),
    f("sqrt", &[A::Number], R::Number, Function::Sqrt),
    f("starts_with", &[A::String, A::String], R::Boolean, Function::StartsWith),
    f("strpos", &[A::String, A::String], R::Number, Function::Strpos),
    f("substr", &[A::String, A::Number], R::String, Function::Substr),
    f("substr", &[A::String, A::Number, A::Number], R::String, Function::Substr),
    f("tan", &[A::Number], R::Number, Function::Tan),
    f("trim", &[A::String], R::String, Function::Trim),
    f("trim", &[A::String, A::String], R::String, Function::TrimChars),
    f("trunc", &[A::Number], R::Number, Function::Trunc),
    f("trunc", &[A::Number, A::Number], R::Number, Function::TruncTo),
    f("unicode", &[A::String], R::Number, Function::Unicode),
    f("upper", &[A::String], R::String, Function::Upper),
    f("list_extract", &[A::List, A::Number], R::Element, Function::ListExtract),
    f("dayname", &[A::Time], R::String, Function::Dayname),
    f("date_part", &[A::String, A::Interval], R::Number, Function::DatePart),
    f("to_seconds", &[A::Number], R::Interval, Function::ToSeconds),
    f("to_timestamp", &[A::Number], R::Timestamp, Function::ToTimestamp),
    aggregate("stddev", &[A::Number], R::Number, AggregateFunction::Stddev),
    aggregate("count_approx", &[A::Any], R::Number, AggregateFunction::CountApprox),
    aggregate("string_agg", &[A::String], R::String, AggregateFunction::StringAgg),
    aggregate(
        "string_agg",
        &[A::String, A::StringLiteral],
        R::String,
        AggregateFunction::StringAgg,
    ),
    aggregate("string_agg_distinct", &[A::String], R::String, AggregateFunction::StringAggDistinct),
    aggregate(
        "string_agg_distinct",
        &[A::String, A::StringLiteral],
        R::String,
        AggregateFunction::StringAggDistinct,
    ),
    window("rank", &[], R::Number, WindowFunction::Rank, Reach::None),
    window("dense_rank", &[], R::Number, WindowFunction::DenseRank, Reach::None),
    window("row_number", &[], R::Number, WindowFunction::RowNumber, Reach::None),
    window("lag", &[A::Same], R::Same, WindowFunction::Lag, Reach::None),
    window("lag", &[A::Same, A::Count], R::Same, WindowFunction::Lag, Reach::None),
    window("lag", &[A::Same, A::Count, A::SameConstant], R::Same, WindowFunction::Lag, Reach::None),
    window("lead", &[A::Same], R::Same, WindowFunction::Lead, Reach::None),
    window("lead", &[A::Same, A::Count], R::Same, WindowFunction::Lead, Reach::None),
    window(
        "lead",
        &[A::Same, A::Count, A::SameConstant],
        R::Same,
        WindowFunction::Lead,
        Reach::None,
    ),
    window("first_value", &[A::Same], R::Same, WindowFunction::FirstValue, Reach::None),
    window("last_value", &[A::Same], R::Same, WindowFunction::LastValue, Reach::WholeOrdered),
    window("sum_cumulative", &[A::Same], R::Same, WindowFunction::Sum, Reach::Cumulative),
    window("min_cumulative", &[A::Same], R::Same, WindowFunction::Min, Reach::Cumulative),
    window("max_cumulative", &[A::Same], R::Same, WindowFunction::Max, Reach::Cumulative),
    window("sum_window", &[A::Same], R::Same, WindowFunction::Sum, Reach::Whole),
    window("min_window", &[A::Same], R::Same, WindowFunction::Min, Reach::Whole),
    window("max_window", &[A::Same], R::Same, WindowFunction::Max, Reach::Whole),
    window("sum_moving", &[A::Same, A::Count], R::Same, WindowFunction::Sum, Reach::Moving),
    window(
        "sum_moving",
        &[A::Same, A::Count, A::Count],
        R::Same,
        WindowFunction::Sum,
        Reach::Moving,
    ),
    window("avg_moving", &[A::Same, A::Count], R::Same, WindowFunction::Avg, Reach::Moving),
    window(
        "avg_moving",
        &[A::Same, A::Count, A::Count],
        R::Same,
        WindowFunction::Avg,
        Reach::Moving,
    ),
    sql("sql_boolean", R::Boolean),
    sql("sql_date", R::Date),
    sql("sql_number", R::Number),
    sql("sql_string", R::String),
    sql("sql_timestamp", R::Timestamp),
];

/// All ways to call a function of that name, whatever the case it is written in.
pub(crate) fn overloads(name: &str) -> Vec<&'static Overload> {
    OVERLOADS.iter().filter(|overload| overload.name.eq_ignore_ascii_case(name)).collect()
}

impl Arg {
    /// How it is called in messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Arg::String | Arg::StringLiteral => "string",
            Arg::Number | Arg::Count => "number",
            Arg::Regex => "regular expression",
            Arg::Time => "date or timestamp",
            Arg::Interval => "interval",
            Arg::Same | Arg::SameConstant => "T",
            Arg::List => "T[]",
            Arg::Any => "any",
            Arg::Many => "any…",
            Arg::ManySame => "T…",
        }
    }

    /// Whether a value of a type can be this, where the types of the other arguments do not matter.
    pub(crate) fn accepts(self, ty: &Type) -> bool {
        match self {
            Arg::String | Arg::StringLiteral => matches!(ty, Type::String | Type::Null),
            Arg::Number | Arg::Count => matches!(ty, Type::Number(_) | Type::Null),
            Arg::Time => matches!(ty, Type::Date(_) | Type::Timestamp(_)),
            Arg::Interval => matches!(ty, Type::Sql(name) if name.eq_ignore_ascii_case("interval")),
            Arg::List => matches!(ty, Type::Array(_)),
            Arg::Many => {
                matches!(
                    ty,
                    Type::String
                        | Type::Number(_)
                        | Type::Boolean
                        | Type::Date(_)
                        | Type::Timestamp(_)
                        | Type::Null
                )
            }
            Arg::Same | Arg::SameConstant | Arg::ManySame => matches!(
                ty,
                Type::String
                    | Type::Number(_)
                    | Type::Date(_)
                    | Type::Timestamp(_)
                    | Type::Json
                    | Type::Null
            ),
            Arg::Any => true,
            Arg::Regex => false,
        }
    }

    /// Whether the argument has to be written out, and so has no need to be a value of a row.
    pub(crate) fn is_literal(self) -> bool {
        matches!(self, Arg::Count | Arg::StringLiteral | Arg::SameConstant)
    }
}

impl Returns {
    pub(crate) fn ty(self, same: Option<&Type>, element: Option<&Type>) -> Type {
        match self {
            Returns::String => Type::String,
            Returns::Number => Type::NUMBER,
            Returns::Boolean => Type::Boolean,
            Returns::Timestamp => Type::Timestamp(None),
            Returns::Date => Type::Date(None),
            Returns::Interval => Type::Sql("interval".to_owned()),
            Returns::Same => same.cloned().unwrap_or(Type::NUMBER),
            Returns::Element => element.cloned().unwrap_or(Type::NUMBER),
        }
    }
}
