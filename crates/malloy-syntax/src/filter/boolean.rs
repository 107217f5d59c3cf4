//! Filters of booleans: `true`, `=false`, `not null`.

use super::{BooleanFilter, Filter, FilterError, Result};
use crate::span::{Span, offset};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BooleanClause {
    /// Null counts as false.
    True,
    /// Null counts as false, and so is in.
    False,
    /// `=true`: null is neither.
    EqualTrue,
    /// `=false`: null is neither.
    EqualFalse,
}

/// Parses a filter of booleans, which is a single word.
pub fn parse_boolean(text: &str) -> Result<BooleanFilter> {
    let lower = text.trim().to_lowercase();
    let (word, negated) = match lower.strip_prefix("not") {
        Some(rest) if rest.starts_with([' ', '\t', '=']) => (rest.trim(), true),
        _ => (&*lower, false),
    };
    let clause = |clause| Ok(Filter::Clause { clause, negated });
    match word {
        "" if !negated => Ok(Filter::Everything),
        "null" => Ok(Filter::Null { negated }),
        "none" => Ok(Filter::Nothing { negated }),
        "true" => clause(BooleanClause::True),
        "false" => clause(BooleanClause::False),
        "=true" | "= true" => clause(BooleanClause::EqualTrue),
        "=false" | "= false" => clause(BooleanClause::EqualFalse),
        _ => {
            let message = "expected `true`, `false`, `=true`, `=false`, `null` or `none`";
            Err(FilterError::new(Span::new(0, offset(text.len())), message))
        }
    }
}
