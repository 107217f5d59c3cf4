//! Expressions.
//!
//! # Precedence
//!
//! Tightest first: postfix (`{ where: … }`, `3 days`, `.month`, `::type`), unary `-`, `* / %`, `+ -`, `to`, `for`, `&`,
//! `|`, comparisons, `like`, `is null`, `in`, `?`, `not`, `and`, `or`, `??`. All of them group to the left, but for
//! one thing: what stands right of `&`, `|`, `?` and of a comparison without a left side (`x ? > 3`) goes on as far as it
//! can, looser operators included. So
//!
//! * `x = 'a' | 'b' | 'c'` is `x = (…)` with one [`ExprKind::Alternation`] of three;
//! * `x ? > 3 | 10` is `x ? (> (3 | 10))`, and so `x > 3 or x > 10`;
//! * `x ? > 3 & < 5 | > 9` is `x ? > (3 & < (5 | > 9))`;
//! * `x = 'a' | 'b' and y` is `x = ('a' | ('b' and y))`, most likely a type error that wants parentheses.
//!
//! That is how the language is, and not how one would guess; the trees here agree with the official parser's.

use std::sync::Arc;

use super::{
    Count, Direction, FieldPath, FilterLiteral, Name, NumberLiteral, StringLiteral, TimeLiteral,
    TimeUnit, Type,
};
use crate::span::Span;

#[derive(Debug, Clone, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum ExprKind {
    /// `a.b.c`
    Path(FieldPath),
    /// `$NAME`; the name is without the `$`, its span with it.
    Given(Name),
    String(Arc<str>),
    Number(NumberLiteral),
    Boolean(bool),
    Null,
    Now,
    Time(TimeLiteral),
    /// `r'…'`, the pattern as written.
    Regex(Arc<str>),
    /// `f'…'`
    Filter(FilterLiteral),
    /// `[a, b]`: at least one.
    Array(Vec<Expr>),
    /// `{ a is 1, b.c }`: at least one.
    Record(Vec<RecordItem>),
    Paren(Box<Expr>),
    /// `-a`
    Negate(Box<Expr>),
    Not(Box<Expr>),
    /// `a + b` and the other arithmetic.
    Arithmetic {
        op: ArithmeticOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `a = b` and the other comparisons.
    Compare {
        op: CompareOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `a and b and c`: at least two. One list for a whole run of the same operator, as for the three below.
    And(Vec<Expr>),
    Or(Vec<Expr>),
    /// `a ?? b ?? c`
    Coalesce(Vec<Expr>),
    /// `a | b | c` or `a & b & c`: what to compare with. Items may be partial. See the module for how far they go.
    Alternation {
        op: AlternationOp,
        items: Vec<Expr>,
    },
    /// `value ? test`
    Apply {
        value: Box<Expr>,
        test: Box<Expr>,
    },
    /// `> 5`, with nothing on its left: a partial comparison.
    PartialCompare {
        op: CompareOp,
        right: Box<Expr>,
    },
    /// `is null`, with nothing on its left.
    PartialNull {
        negated: bool,
    },
    /// `from to until`
    Range {
        from: Box<Expr>,
        until: Box<Expr>,
    },
    /// `from for count units`
    For {
        from: Box<Expr>,
        count: Box<Expr>,
        unit: TimeUnit,
    },
    /// `a like b`, `a not like b`
    Like {
        value: Box<Expr>,
        pattern: Box<Expr>,
        negated: bool,
    },
    /// `a is null`, `a is not null`
    IsNull {
        value: Box<Expr>,
        negated: bool,
    },
    /// `a in (b, c)`, `a not in (b, c)`
    In {
        value: Box<Expr>,
        items: Vec<Expr>,
        negated: bool,
    },
    /// `a in $GIVEN`
    InGiven {
        value: Box<Expr>,
        given: Name,
        negated: bool,
    },
    /// `3 days`
    Duration {
        count: Box<Expr>,
        unit: TimeUnit,
    },
    /// `t.month`
    Truncate {
        value: Box<Expr>,
        unit: TimeUnit,
    },
    /// `a::type`, `cast(a as type)`, and `a:::type`, which is safe: null instead of a failure.
    Cast {
        value: Box<Expr>,
        ty: Type,
        safe: bool,
    },
    /// `m { where: … }`
    Properties {
        value: Box<Expr>,
        properties: Vec<Property>,
    },
    /// `sum(x)`, `source.sum(x)`, `a.b.sum(x)`, `a.b.sum()`
    Aggregate {
        over: AggregateOver,
        function: AggregateFunction,
        argument: Option<Box<Expr>>,
    },
    /// `name(…)`, `name!(…)`, `path.name(…)`
    Call(Call),
    /// `all(m, d)`, `exclude(m, d)`
    Ungroup {
        kind: Ungroup,
        value: Box<Expr>,
        fields: Vec<Name>,
    },
    /// `pick v when t … else d`
    Pick {
        arms: Vec<PickArm>,
        otherwise: Option<Box<Expr>>,
    },
    /// `case v when t then r … else d end`
    Case {
        subject: Option<Box<Expr>>,
        arms: Vec<CaseArm>,
        otherwise: Option<Box<Expr>>,
    },
    /// Something that is no expression; a diagnostic tells.
    Error,
}

/// `name is value`, or `path`, whose name is its last part.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordItem {
    pub name: Option<Name>,
    pub value: Expr,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// `path.name(…)`
    pub path: Option<FieldPath>,
    pub name: Name,
    /// Set where the name is a unit of time: `month(t)`, `days(a to b)`.
    pub unit: Option<TimeUnit>,
    /// Set for `name!(…)`, a function of the database.
    pub raw: Option<RawCall>,
    pub arguments: Vec<Expr>,
}

/// The `!` or `!type` of a call.
#[derive(Debug, Clone, PartialEq)]
pub struct RawCall {
    pub ty: Option<Type>,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum AggregateOver {
    /// `sum(x)`
    Nothing,
    /// `source.sum(x)`; the span is that of `source`.
    Source(Span),
    /// `a.b.sum(x)`, `a.b.sum()`
    Path(FieldPath),
}

/// `value when test`; a missing value is the value that is tested.
#[derive(Debug, Clone, PartialEq)]
pub struct PickArm {
    pub value: Option<Expr>,
    /// May be partial.
    pub when: Expr,
    pub span: Span,
}

/// `when test then value`
#[derive(Debug, Clone, PartialEq)]
pub struct CaseArm {
    pub when: Expr,
    pub then: Expr,
    pub span: Span,
}

/// A statement between the braces after an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Property {
    pub kind: PropertyKind,
    pub span: Span,
}

#[derive(Debug, Clone, PartialEq)]
pub enum PropertyKind {
    Where(Vec<Expr>),
    PartitionBy(Vec<Name>),
    GroupedBy(Vec<Name>),
    OrderBy(Vec<PropertyOrder>),
    Limit(Count),
    Error,
}

/// `expr desc`, or `desc` alone, which orders by what is aggregated.
#[derive(Debug, Clone, PartialEq)]
pub struct PropertyOrder {
    pub expr: Option<Expr>,
    pub direction: Option<Direction>,
    pub span: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AggregateFunction {
    Avg,
    Count,
    Max,
    Min,
    Sum,
}

impl AggregateFunction {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Avg => "avg",
            Self::Count => "count",
            Self::Max => "max",
            Self::Min => "min",
            Self::Sum => "sum",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Ungroup {
    All,
    Exclude,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ArithmeticOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl ArithmeticOp {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "*",
            Self::Divide => "/",
            Self::Modulo => "%",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    /// `~`
    Match,
    /// `!~`
    NotMatch,
}

impl CompareOp {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Equal => "=",
            Self::NotEqual => "!=",
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Greater => ">",
            Self::GreaterOrEqual => ">=",
            Self::Match => "~",
            Self::NotMatch => "!~",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AlternationOp {
    /// `|`: any of them.
    Any,
    /// `&`: all of them.
    All,
}

impl Expr {
    /// The expression without the parentheses around it.
    pub fn unparenthesized(&self) -> &Self {
        let mut expr = self;
        while let ExprKind::Paren(inner) = &expr.kind {
            expr = inner;
        }
        expr
    }

    pub fn string(&self) -> Option<StringLiteral> {
        match &self.kind {
            ExprKind::String(value) => {
                Some(StringLiteral { value: Arc::clone(value), span: self.span })
            }
            _ => None,
        }
    }
}
