//! Expressions as text.

use super::Dumper;
use crate::tree::{AggregateOver, Call, Expr, ExprKind, Property, PropertyKind};

impl Dumper {
    pub(super) fn expr(&mut self, expr: &Expr) {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Path(path) => self.path("path", path),
            ExprKind::Call(call) => self.node(span, "call", |d| d.call(call)),
            _ => self.node(span, label(&expr.kind), |d| d.expr_parts(&expr.kind)),
        }
    }

    fn exprs<'a>(&mut self, exprs: impl IntoIterator<Item = &'a Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    fn expr_parts(&mut self, kind: &ExprKind) {
        use ExprKind as E;
        match kind {
            E::Array(items)
            | E::And(items)
            | E::Or(items)
            | E::Coalesce(items)
            | E::Alternation { items, .. } => self.exprs(items),
            E::Record(items) => {
                for item in items {
                    self.names("name", item.name.as_slice());
                    self.expr(&item.value);
                }
            }
            E::Paren(inner) | E::Negate(inner) | E::Not(inner) => self.expr(inner),
            E::Arithmetic { left, right, .. } | E::Compare { left, right, .. } => {
                self.exprs([&**left, right]);
            }
            E::Apply { value, test } => self.exprs([&**value, test]),
            E::PartialCompare { right, .. } => self.expr(right),
            E::Range { from, until } => self.exprs([&**from, until]),
            E::For { from, count, .. } => self.exprs([&**from, count]),
            E::Like { value, pattern, .. } => self.exprs([&**value, pattern]),
            E::IsNull { value, .. }
            | E::InGiven { value, .. }
            | E::Duration { count: value, .. }
            | E::Truncate { value, .. } => self.expr(value),
            E::In { value, items, .. } => self.exprs(std::iter::once(&**value).chain(items)),
            E::Cast { value, ty, .. } => {
                self.expr(value);
                self.ty(ty);
            }
            E::Properties { value, properties } => {
                self.expr(value);
                for property in properties {
                    self.property(property);
                }
            }
            E::Aggregate { over, argument, .. } => {
                match over {
                    AggregateOver::Nothing => {}
                    AggregateOver::Source(span) => self.leaf(*span, "over source"),
                    AggregateOver::Path(path) => self.path("over", path),
                }
                self.exprs(argument.as_deref());
            }
            E::Ungroup { value, fields, .. } => {
                self.expr(value);
                self.names("field", fields);
            }
            E::Pick { arms, otherwise } => {
                for arm in arms {
                    self.node(arm.span, "pick", |d| {
                        d.exprs(&arm.value);
                        d.node(arm.when.span, "when", |d| d.expr(&arm.when));
                    });
                }
                self.exprs(otherwise.as_deref());
            }
            E::Case { subject, arms, otherwise } => {
                self.exprs(subject.as_deref());
                for arm in arms {
                    self.node(arm.span, "when", |d| d.exprs([&arm.when, &arm.then]));
                }
                self.exprs(otherwise.as_deref());
            }
            _ => {}
        }
    }

    fn call(&mut self, call: &Call) {
        self.name("function", &call.name);
        if let Some(path) = &call.path {
            self.path("of", path);
        }
        if let Some(raw) = &call.raw {
            self.node(raw.span, "raw", |d| raw.ty.iter().for_each(|ty| d.ty(ty)));
        }
        self.exprs(&call.arguments);
    }

    fn property(&mut self, property: &Property) {
        match &property.kind {
            PropertyKind::Where(items) => self.node(property.span, "where:", |d| d.exprs(items)),
            PropertyKind::PartitionBy(names) => {
                self.node(property.span, "partition_by:", |d| d.names("name", names));
            }
            PropertyKind::GroupedBy(names) => {
                self.node(property.span, "grouped_by:", |d| d.names("name", names));
            }
            PropertyKind::OrderBy(items) => self.node(property.span, "order_by:", |d| {
                for item in items {
                    d.node(item.span, format!("by {:?}", item.direction), |d| d.exprs(&item.expr));
                }
            }),
            PropertyKind::Limit(count) => {
                self.leaf(property.span, format!("limit: {}", count.value));
            }
            PropertyKind::Error => self.leaf(property.span, "error"),
        }
    }
}

/// What a node is, without its parts.
fn label(kind: &ExprKind) -> String {
    use ExprKind as E;
    let not = |negated: &bool| if *negated { "not " } else { "" };
    match kind {
        E::Given(name) => format!("${}", name.text),
        E::String(text) => format!("string {text:?}"),
        E::Number(number) => format!("number {}", number.text),
        E::Boolean(value) => value.to_string(),
        E::Time(time) => format!("time {}", time.text),
        E::Regex(pattern) => format!("regex {pattern:?}"),
        E::Filter(filter) => format!("filter {:?}", filter.text),
        E::Arithmetic { op, .. } => op.as_str().to_owned(),
        E::Compare { op, .. } => op.as_str().to_owned(),
        E::PartialCompare { op, .. } => format!("partial {}", op.as_str()),
        E::PartialNull { negated } => format!("partial is {}null", not(negated)),
        E::Alternation { op, .. } => format!("alternation {op:?}"),
        E::For { unit, .. } => format!("for {}", unit.as_str()),
        E::Like { negated, .. } => format!("{}like", not(negated)),
        E::IsNull { negated, .. } => format!("is {}null", not(negated)),
        E::In { negated, .. } => format!("{}in", not(negated)),
        E::InGiven { given, negated, .. } => format!("{}in ${}", not(negated), given.text),
        E::Duration { unit, .. } => format!("duration {}", unit.as_str()),
        E::Truncate { unit, .. } => format!("truncate {}", unit.as_str()),
        E::Cast { safe, .. } => if *safe { "safe cast" } else { "cast" }.to_owned(),
        E::Aggregate { function, .. } => format!("aggregate {}", function.as_str()),
        E::Ungroup { kind, .. } => format!("ungroup {kind:?}"),
        E::Path(_) | E::Call(_) => String::new(),
        E::Null => "null".to_owned(),
        E::Now => "now".to_owned(),
        E::Array(_) => "array".to_owned(),
        E::Record(_) => "record".to_owned(),
        E::Paren(_) => "paren".to_owned(),
        E::Negate(_) => "negate".to_owned(),
        E::Not(_) => "not".to_owned(),
        E::And(_) => "and".to_owned(),
        E::Or(_) => "or".to_owned(),
        E::Coalesce(_) => "coalesce".to_owned(),
        E::Apply { .. } => "apply".to_owned(),
        E::Range { .. } => "range".to_owned(),
        E::Properties { .. } => "properties".to_owned(),
        E::Pick { .. } => "pick".to_owned(),
        E::Case { .. } => "case".to_owned(),
        E::Error => "error".to_owned(),
    }
}
