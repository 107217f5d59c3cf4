//! Filters: the small languages between the quotes of `f'…'`, one for each type of field.
//!
//! [`parse_string`], [`parse_number`], [`parse_boolean`] and [`parse_temporal`] take the text and give a [`Filter`], which is
//! the same for all but for its clauses. What a filter means in SQL is said elsewhere; what is here is what was written,
//! brought into one form: values that stand in a list together are together, `starting` is "not before".
//!
//! `and`, `or`, `,`, `;` and `|` group to the left and none binds tighter than another: `a or b and c` is `(a or b) and c`.

mod boolean;
mod number;
mod scan;
mod string;
mod temporal;

pub use boolean::{BooleanClause, parse_boolean};
pub use number::{NumberBound, NumberClause, parse_number};
pub use string::{StringClause, parse_string};
pub use temporal::{Moment, TemporalClause, Weekday, parse_temporal};

use crate::span::Span;

pub type StringFilter = Filter<StringClause>;
pub type NumberFilter = Filter<NumberClause>;
pub type BooleanFilter = Filter<BooleanClause>;
pub type TemporalFilter = Filter<TemporalClause>;

/// A filter whose clauses are of type `C`. Never deeper than [`MAX_DEPTH`].
#[derive(Debug, Clone, PartialEq)]
pub enum Filter<C> {
    /// The empty text: everything passes.
    Everything,
    /// `none`: nothing passes.
    Nothing {
        negated: bool,
    },
    /// `null`
    Null {
        negated: bool,
    },
    Clause {
        clause: C,
        negated: bool,
    },
    /// What stands in parentheses.
    Group {
        inner: Box<Self>,
        negated: bool,
    },
    /// At least two, as are those of the others.
    And(Vec<Self>),
    Or(Vec<Self>),
    /// Strings with commas between them: any of those that are wanted, and none of those that are not.
    List(Vec<Self>),
}

/// Why a text is no filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FilterError {
    pub message: String,
    /// Within the text of the filter; [`FilterLiteral::inner`](crate::tree::FilterLiteral) says where that begins.
    pub span: Span,
}

impl FilterError {
    fn new(span: Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span }
    }
}

type Result<T> = std::result::Result<T, FilterError>;

/// How many parentheses may be open at a time.
pub const MAX_DEPTH: u32 = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    And,
    Or,
    Comma,
}

impl<C> Filter<C> {
    /// `self joint next`, a run of the same joint being one list.
    fn join(self, joint: Joint, next: Self) -> Self {
        let (list, make): (_, fn(Vec<Self>) -> Self) = match joint {
            Joint::And => (matches!(self, Self::And(_)), Self::And),
            Joint::Or => (matches!(self, Self::Or(_)), Self::Or),
            Joint::Comma => (matches!(self, Self::List(_)), Self::List),
        };
        match self {
            Self::And(mut items) | Self::Or(mut items) | Self::List(mut items) if list => {
                items.push(next);
                make(items)
            }
            first => make(vec![first, next]),
        }
    }

    /// Turns a filter around, where it was not turned around before.
    fn negate(self) -> Self {
        match self {
            Self::Nothing { negated } => Self::Nothing { negated: !negated },
            Self::Null { negated } => Self::Null { negated: !negated },
            Self::Clause { clause, negated } => Self::Clause { clause, negated: !negated },
            Self::Group { inner, negated } => Self::Group { inner, negated: !negated },
            other => Self::Group { inner: Box::new(other), negated: true },
        }
    }
}
