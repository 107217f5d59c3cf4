//! Filters of numbers: `5`, `1, 3`, `!= 5`, `> 5`, `[1 to 5)`, `not null`, `< 0 or > 9`.

use std::sync::Arc;

use super::scan::Scanner;
use super::{Filter, NumberFilter, Result};
use crate::tree::CompareOp;

#[derive(Debug, Clone, PartialEq)]
pub enum NumberClause {
    /// `5, 6` is `=` any of them, `!= 5, 6` none of them; the other comparisons have one value or more, any of which is
    /// enough. Never `~`.
    Compare { op: CompareOp, values: Vec<Arc<str>> },
    /// `[1 to 5)`
    Range { from: NumberBound, to: NumberBound },
}

#[derive(Debug, Clone, PartialEq)]
pub struct NumberBound {
    pub value: Arc<str>,
    pub inclusive: bool,
}

/// Parses a filter of numbers. A negated equality is `!=`.
pub fn parse_number(text: &str) -> Result<NumberFilter> {
    Scanner::new(text).whole(&mut clause).map(unequal)
}

const OPS: [(&str, CompareOp); 6] = [
    ("<=", CompareOp::LessOrEqual),
    (">=", CompareOp::GreaterOrEqual),
    ("!=", CompareOp::NotEqual),
    ("<", CompareOp::Less),
    (">", CompareOp::Greater),
    ("=", CompareOp::Equal),
];

fn clause(scan: &mut Scanner<'_>) -> Result<NumberFilter> {
    if scan.eat_mark("[") {
        return range(scan, true);
    }
    if scan.eat_mark("(") {
        let at = scan.at;
        if scan.number().is_some() && scan.peek_word() == "to" {
            scan.at = at;
            return range(scan, false);
        }
        scan.at = at;
        return scan.group(&mut clause);
    }
    let op = OPS
        .into_iter()
        .find(|(mark, _)| scan.eat_mark(mark))
        .map_or(CompareOp::Equal, |(_, op)| op);
    let mut values = vec![value(scan)?];
    while scan.eat_mark(",") {
        values.push(value(scan)?);
    }
    Ok(Filter::Clause { clause: NumberClause::Compare { op, values }, negated: false })
}

fn range(scan: &mut Scanner<'_>, inclusive: bool) -> Result<NumberFilter> {
    let from = NumberBound { value: value(scan)?, inclusive };
    if !scan.eat_word("to") {
        return Err(scan.expected("`to`"));
    }
    let value = value(scan)?;
    let inclusive = scan.eat_mark("]");
    if !inclusive && !scan.eat_mark(")") {
        return Err(scan.expected("`]` or `)`"));
    }
    let to = NumberBound { value, inclusive };
    Ok(Filter::Clause { clause: NumberClause::Range { from, to }, negated: false })
}

fn value(scan: &mut Scanner<'_>) -> Result<Arc<str>> {
    scan.number().map(Arc::from).ok_or_else(|| scan.expected("a number"))
}

/// `not 5` is `!= 5`, which keeps nulls as `!=` does.
fn unequal(filter: NumberFilter) -> NumberFilter {
    let all = |items: Vec<NumberFilter>| items.into_iter().map(unequal).collect();
    match filter {
        Filter::Clause { clause: NumberClause::Compare { op, values }, negated: true }
            if matches!(op, CompareOp::Equal | CompareOp::NotEqual) =>
        {
            let equal = op == CompareOp::NotEqual;
            let op = if equal { CompareOp::Equal } else { CompareOp::NotEqual };
            Filter::Clause { clause: NumberClause::Compare { op, values }, negated: false }
        }
        Filter::Group { inner, negated } => {
            Filter::Group { inner: Box::new(unequal(*inner)), negated }
        }
        Filter::And(items) => Filter::And(all(items)),
        Filter::Or(items) => Filter::Or(all(items)),
        other => other,
    }
}
