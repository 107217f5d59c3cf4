//! Filter expressions: `field ~ f'…'`, lowered to plain conditions.
//!
//! The language between the quotes depends on the type of the field. Start at [`Analyser::filter`].

mod temporal;

use std::sync::Arc;

use malloy_syntax::filter::{
    BooleanClause, Filter, FilterError, NumberClause, StringClause, parse_boolean, parse_number,
    parse_string, parse_temporal,
};
use malloy_syntax::tree::{self, CompareOp, ExprKind};
use malloy_syntax::{Diagnostic, Span};

use self::temporal::Clock;
use crate::analyser::Analyser;
use crate::build::Scope;
use crate::ir::{BinaryOp, Expr, Literal, Type};
use crate::model::Given;
use crate::source::ValueType;
use crate::typed::{Ty, Typed, type_name};

impl Analyser<'_> {
    /// Whether a value passes a filter. `span` is where the filter stands, `whole` the comparison.
    pub(crate) fn filter(
        &mut self,
        s: &Scope,
        left: &Typed,
        text: &Arc<str>,
        negated: bool,
        span: Span,
        whole: Span,
    ) -> Typed {
        let Some(ty) = left.value_type().cloned() else { return Typed::error() };
        match lowered(&left.expr, &ty, s.zone.as_deref(), text, negated) {
            Ok(Some(expr)) => Typed::of(expr, Ty::Is(Type::Boolean), &[left]),
            Ok(None) => {
                let message = format!("there are no filters for a {}", left.ty.name());
                self.error("filter-expression-type", whole, message);
                Typed::error()
            }
            Err(error) => {
                let message =
                    format!("this is no filter for a {}: {}", left.ty.name(), error.message);
                self.error("filter-expression-error", span, message);
                Typed::error()
            }
        }
    }

    /// Checks a filter that is a default, by the type that it is for.
    pub(crate) fn check_filter(&mut self, e: &tree::Expr, ty: &Type) {
        let ExprKind::Filter(literal) = &e.unparenthesized().kind else { return };
        let nothing = Expr::Literal(Literal::Null);
        if let Err(error) = lowered(&nothing, ty, None, &literal.text, false) {
            let message = format!("this is no filter for a {}: {}", type_name(ty), error.message);
            self.report(Diagnostic::error(
                "filter-expression-error",
                error.span.shifted(literal.inner.start),
                message,
            ));
        }
    }

    /// Checks the filter that a given is passed.
    pub(crate) fn check_given_filter(&mut self, given: &Given, value: &serde_json::Value) {
        let (ValueType::Filter(ty), Some(text)) = (&given.ty, value.as_str()) else { return };
        let nothing = Expr::Literal(Literal::Null);
        if let Err(error) = lowered(&nothing, ty, None, text, false) {
            let message = format!(
                "`${}` is no filter for a {}: {}",
                given.name,
                type_name(ty),
                error.message
            );
            self.error("filter-expression-error", Span::default(), message);
        }
    }
}

/// The condition; `None` if there are no filters for the type.
fn lowered(
    left: &Expr,
    ty: &Type,
    zone: Option<&str>,
    text: &str,
    negated: bool,
) -> Result<Option<Expr>, FilterError> {
    Ok(Some(match ty {
        Type::String => whole(left, &parse_string(text)?, negated, &|clause, negated| {
            string(left, clause, negated)
        }),
        Type::Number(_) => whole(left, &parse_number(text)?, negated, &|clause, negated| {
            number(left, clause, negated)
        }),
        Type::Boolean => whole(left, &parse_boolean(text)?, negated, &|clause, negated| {
            boolean(left, *clause, negated)
        }),
        ty if ty.is_time() => {
            let clock = Clock::new(left, ty, zone);
            whole(left, &parse_temporal(text)?, negated, &|clause, negated| {
                clock.clause(clause, negated)
            })
        }
        _ => return Ok(None),
    }))
}

/// A filter, turned around by `!~` or not. Turned around it keeps nulls, as a single negated clause does.
fn whole<C>(
    left: &Expr,
    filter: &Filter<C>,
    negated: bool,
    clause: &dyn Fn(&C, bool) -> Expr,
) -> Expr {
    if !negated {
        return lower(left, filter, clause);
    }
    match filter {
        Filter::Everything => constant(false),
        Filter::Nothing { negated } => constant(!negated),
        Filter::Null { negated } => is_null(left, !negated),
        Filter::Clause { clause: inner, negated } => clause(inner, !negated),
        Filter::Group { inner, negated: true } => lower(left, inner, clause),
        other => Expr::OrTrue(Box::new(Expr::Not(Box::new(lower(left, other, clause))))),
    }
}

fn lower<C>(left: &Expr, filter: &Filter<C>, clause: &dyn Fn(&C, bool) -> Expr) -> Expr {
    let all = |items: &[Filter<C>]| items.iter().map(|item| lower(left, item, clause)).collect();
    match filter {
        Filter::Everything => constant(true),
        Filter::Nothing { negated } => constant(*negated),
        Filter::Null { negated } => is_null(left, *negated),
        Filter::Clause { clause: inner, negated } => clause(inner, *negated),
        Filter::Group { inner, negated: false } => lower(left, inner, clause),
        Filter::Group { inner, negated: true } => Expr::Not(Box::new(lower(left, inner, clause))),
        Filter::And(items) => Expr::And(all(items)),
        Filter::Or(items) => Expr::Or(all(items)),
        Filter::List(items) => {
            let (unwanted, wanted): (Vec<_>, Vec<_>) =
                items.iter().partition(|item| is_negated(item));
            let mut parts: Vec<Expr> = Vec::new();
            let mut any: Vec<Expr> = wanted.iter().map(|item| lower(left, item, clause)).collect();
            if any.len() == 1 {
                parts.append(&mut any);
            } else if !any.is_empty() {
                parts.push(Expr::Or(any));
            }
            parts.extend(unwanted.iter().map(|item| lower(left, item, clause)));
            Expr::And(parts)
        }
    }
}

fn is_negated<C>(filter: &Filter<C>) -> bool {
    matches!(
        filter,
        Filter::Nothing { negated: true }
            | Filter::Null { negated: true }
            | Filter::Clause { negated: true, .. }
            | Filter::Group { negated: true, .. }
    )
}

fn string(left: &Expr, clause: &StringClause, negated: bool) -> Expr {
    let like = |values: &[Arc<str>], pattern: &dyn Fn(&str) -> String| {
        let tests: Vec<Expr> = values
            .iter()
            .map(|value| Expr::Like {
                expr: Box::new(left.clone()),
                pattern: Box::new(text(&pattern(value))),
            })
            .collect();
        if negated {
            let tests = tests.into_iter().map(|test| or_null(left, Expr::Not(Box::new(test))));
            Expr::And(tests.collect())
        } else {
            Expr::Or(tests)
        }
    };
    match clause {
        StringClause::Equal(values) => {
            among(left, values.iter().map(|value| text(value)).collect(), negated)
        }
        StringClause::Starts(values) => like(values, &|value| format!("{}%", escaped(value))),
        StringClause::Ends(values) => like(values, &|value| format!("%{}", escaped(value))),
        StringClause::Contains(values) => like(values, &|value| format!("%{}%", escaped(value))),
        StringClause::Like(values) => like(values, &str::to_owned),
        StringClause::Empty => {
            let value = Expr::Coalesce(vec![left.clone(), text("")]);
            binary(if negated { BinaryOp::NotEqual } else { BinaryOp::Equal }, value, text(""))
        }
    }
}

fn number(left: &Expr, clause: &NumberClause, negated: bool) -> Expr {
    let literal = |value: &Arc<str>| Expr::Literal(Literal::Number(value.to_string()));
    let test = |op, value: &Arc<str>| binary(op, left.clone(), literal(value));
    match clause {
        NumberClause::Compare { op: op @ (CompareOp::Equal | CompareOp::NotEqual), values } => {
            let unequal = (*op == CompareOp::NotEqual) != negated;
            among(left, values.iter().map(literal).collect(), unequal)
        }
        NumberClause::Compare { op, values } => {
            let op = match op {
                CompareOp::Less => BinaryOp::Less,
                CompareOp::LessOrEqual => BinaryOp::LessOrEqual,
                CompareOp::GreaterOrEqual => BinaryOp::GreaterOrEqual,
                _ => BinaryOp::Greater,
            };
            let tests: Vec<Expr> = values
                .iter()
                .map(|value| test(if negated { opposite(op) } else { op }, value))
                .collect();
            if negated { Expr::And(tests) } else { Expr::Or(tests) }
        }
        NumberClause::Range { from, to } => {
            let low = if from.inclusive { BinaryOp::GreaterOrEqual } else { BinaryOp::Greater };
            let high = if to.inclusive { BinaryOp::LessOrEqual } else { BinaryOp::Less };
            if negated {
                Expr::Or(vec![test(opposite(low), &from.value), test(opposite(high), &to.value)])
            } else {
                Expr::And(vec![test(low, &from.value), test(high, &to.value)])
            }
        }
    }
}

fn boolean(left: &Expr, clause: BooleanClause, negated: bool) -> Expr {
    let or_false = || Expr::OrFalse(Box::new(left.clone()));
    match (clause, negated) {
        (BooleanClause::True, false) | (BooleanClause::False, true) => or_false(),
        (BooleanClause::True, true) | (BooleanClause::False, false) => {
            Expr::Not(Box::new(or_false()))
        }
        (BooleanClause::EqualTrue, false) | (BooleanClause::EqualFalse, true) => left.clone(),
        (BooleanClause::EqualTrue, true) | (BooleanClause::EqualFalse, false) => {
            Expr::Not(Box::new(left.clone()))
        }
    }
}

/// Equal to one of the values; negated to none of them, where null is none of them.
fn among(left: &Expr, mut values: Vec<Expr>, negated: bool) -> Expr {
    let test = match values.pop() {
        Some(only) if values.is_empty() => {
            binary(if negated { BinaryOp::NotEqual } else { BinaryOp::Equal }, left.clone(), only)
        }
        Some(last) => {
            values.push(last);
            Expr::In { expr: Box::new(left.clone()), list: values, negated }
        }
        None => return constant(negated),
    };
    if negated { or_null(left, test) } else { test }
}

fn or_null(left: &Expr, test: Expr) -> Expr {
    Expr::Or(vec![test, is_null(left, false)])
}

fn is_null(left: &Expr, negated: bool) -> Expr {
    Expr::IsNull { expr: Box::new(left.clone()), negated }
}

fn constant(value: bool) -> Expr {
    Expr::Literal(Literal::Boolean(value))
}

fn text(value: &str) -> Expr {
    Expr::Literal(Literal::String(value.to_owned()))
}

fn binary(op: BinaryOp, left: Expr, right: Expr) -> Expr {
    Expr::Binary { op, left: Box::new(left), right: Box::new(right) }
}

fn opposite(op: BinaryOp) -> BinaryOp {
    match op {
        BinaryOp::Less => BinaryOp::GreaterOrEqual,
        BinaryOp::LessOrEqual => BinaryOp::Greater,
        BinaryOp::Greater => BinaryOp::LessOrEqual,
        BinaryOp::GreaterOrEqual => BinaryOp::Less,
        other => other,
    }
}

/// A text that matches itself alone in a pattern.
fn escaped(value: &str) -> String {
    let mut made = String::with_capacity(value.len());
    for c in value.chars() {
        if matches!(c, '%' | '_' | '\\') {
            made.push('\\');
        }
        made.push(c);
    }
    made
}
