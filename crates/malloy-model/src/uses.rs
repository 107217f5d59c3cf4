//! Which names a definition uses, by its text alone, so that definitions of a block can be made in an order that suits them.
//!
//! Too many names do no harm; outputs of an operation are among them.

use std::collections::HashSet;
use std::sync::Arc;

use malloy_syntax::tree::{
    AggregateOver, Expr, ExprKind, FieldItemKind, FieldPath, Join, JoinCondition, Name,
    PropertyKind, QueryBlock, QueryStatementKind, Segment, SegmentKind, SourceBase, SourceExpr,
    SourceStatementKind, View,
};

/// Names that may be fields of the source around.
pub(crate) type Used = HashSet<Arc<str>>;

pub(crate) fn expr(e: &Expr, used: &mut Used) {
    match &e.kind {
        ExprKind::Path(path) => first(path, used),
        ExprKind::Given(_)
        | ExprKind::String(_)
        | ExprKind::Number(_)
        | ExprKind::Boolean(_)
        | ExprKind::Null
        | ExprKind::Now
        | ExprKind::Time(_)
        | ExprKind::Regex(_)
        | ExprKind::Filter(_)
        | ExprKind::PartialNull { .. }
        | ExprKind::Error => {}
        ExprKind::Array(items)
        | ExprKind::And(items)
        | ExprKind::Or(items)
        | ExprKind::Coalesce(items)
        | ExprKind::Alternation { items, .. } => all(items, used),
        ExprKind::Record(items) => {
            for item in items {
                expr(&item.value, used);
            }
        }
        ExprKind::Paren(inner)
        | ExprKind::Negate(inner)
        | ExprKind::Not(inner)
        | ExprKind::PartialCompare { right: inner, .. }
        | ExprKind::IsNull { value: inner, .. }
        | ExprKind::InGiven { value: inner, .. }
        | ExprKind::Duration { count: inner, .. }
        | ExprKind::Truncate { value: inner, .. }
        | ExprKind::Cast { value: inner, .. } => expr(inner, used),
        ExprKind::Arithmetic { left, right, .. }
        | ExprKind::Compare { left, right, .. }
        | ExprKind::Apply { value: left, test: right }
        | ExprKind::Range { from: left, until: right }
        | ExprKind::For { from: left, count: right, .. }
        | ExprKind::Like { value: left, pattern: right, .. } => {
            expr(left, used);
            expr(right, used);
        }
        ExprKind::In { value, items, .. } => {
            expr(value, used);
            all(items, used);
        }
        ExprKind::Properties { value, properties } => {
            expr(value, used);
            for property in properties {
                match &property.kind {
                    PropertyKind::Where(items) => all(items, used),
                    PropertyKind::PartitionBy(list) | PropertyKind::GroupedBy(list) => {
                        names(list, used);
                    }
                    PropertyKind::OrderBy(items) => {
                        items
                            .iter()
                            .filter_map(|item| item.expr.as_ref())
                            .for_each(|item| expr(item, used));
                    }
                    PropertyKind::Limit(_) | PropertyKind::Error => {}
                }
            }
        }
        ExprKind::Aggregate { over, argument, .. } => {
            if let AggregateOver::Path(path) = over {
                first(path, used);
            }
            maybe(argument.as_deref(), used);
        }
        ExprKind::Call(call) => {
            maybe_path(call.path.as_ref(), used);
            all(&call.arguments, used);
            // `sql_number("${field}")` names fields in its text.
            for argument in &call.arguments {
                if let ExprKind::String(text) = &argument.kind {
                    let holes =
                        text.split("${").skip(1).filter_map(|rest| rest.split(['}', '.']).next());
                    used.extend(holes.map(|name| Arc::from(name.trim().trim_matches('`'))));
                }
            }
        }
        ExprKind::Ungroup { value, fields, .. } => {
            expr(value, used);
            names(fields, used);
        }
        ExprKind::Pick { arms, otherwise } => {
            for arm in arms {
                maybe(arm.value.as_ref(), used);
                expr(&arm.when, used);
            }
            maybe(otherwise.as_deref(), used);
        }
        ExprKind::Case { subject, arms, otherwise } => {
            maybe(subject.as_deref(), used);
            for arm in arms {
                expr(&arm.when, used);
                expr(&arm.then, used);
            }
            maybe(otherwise.as_deref(), used);
        }
    }
}

pub(crate) fn view(view: &View, used: &mut Used) {
    for stage in &view.stages {
        segment(stage, used);
    }
}

pub(crate) fn join(join: &Join, used: &mut Used) {
    match &join.condition {
        JoinCondition::None => {}
        JoinCondition::With(condition) | JoinCondition::On(condition) => expr(condition, used),
    }
    let arguments = join.arguments.iter().chain(join.source.iter().filter_map(arguments_of));
    for argument in arguments.flat_map(|arguments| &arguments.items) {
        expr(&argument.value, used);
    }
}

fn arguments_of(source: &SourceExpr) -> Option<&malloy_syntax::tree::Arguments> {
    match &source.base {
        SourceBase::Named { arguments, .. } => arguments.as_ref(),
        _ => None,
    }
}

fn segment(segment: &Segment, used: &mut Used) {
    match &segment.kind {
        SegmentKind::Path(path) => first(path, used),
        SegmentKind::Block(inner) => block(inner, used),
        SegmentKind::Paren(inner) => view(inner, used),
        SegmentKind::Refine(parts) => {
            for part in parts {
                self::segment(part, used);
            }
        }
        SegmentKind::Error => {}
    }
}

fn block(block: &QueryBlock, used: &mut Used) {
    for statement in &block.statements {
        match &statement.kind {
            QueryStatementKind::GroupBy(items)
            | QueryStatementKind::Aggregate(items)
            | QueryStatementKind::Calculate(items)
            | QueryStatementKind::Select(items) => {
                for item in items {
                    match &item.kind {
                        FieldItemKind::Reference { path, .. } => first(path, used),
                        FieldItemKind::Define { expr: value, .. } => expr(value, used),
                        FieldItemKind::Star(star) => maybe_path(star.path.as_ref(), used),
                        FieldItemKind::Error => {}
                    }
                }
            }
            QueryStatementKind::Nest(items) => {
                for item in items {
                    view(&item.view, used);
                }
            }
            QueryStatementKind::Where(items)
            | QueryStatementKind::Having(items)
            | QueryStatementKind::Drill(items) => {
                all(items, used);
            }
            QueryStatementKind::Index { fields, by } => {
                fields
                    .iter()
                    .filter_map(|field| field.path.as_ref())
                    .for_each(|path| first(path, used));
                used.extend(by.iter().map(|name| Arc::clone(&name.text)));
            }
            QueryStatementKind::Extend(inner) => {
                for statement in &inner.statements {
                    match &statement.kind {
                        SourceStatementKind::Dimension(items)
                        | SourceStatementKind::Measure(items) => {
                            for item in items {
                                expr(&item.expr, used);
                            }
                        }
                        SourceStatementKind::Join { items, .. } => {
                            for item in items {
                                join(item, used);
                            }
                        }
                        SourceStatementKind::Where(items) => all(items, used),
                        SourceStatementKind::View(items) => {
                            for item in items {
                                view(&item.view, used);
                            }
                        }
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }
}

fn all(items: &[Expr], used: &mut Used) {
    for item in items {
        expr(item, used);
    }
}

fn names(list: &[Name], used: &mut Used) {
    used.extend(list.iter().map(|name| Arc::clone(&name.text)));
}

fn first(path: &FieldPath, used: &mut Used) {
    used.extend(path.names.first().map(|name| Arc::clone(&name.text)));
}

fn maybe(e: Option<&Expr>, used: &mut Used) {
    if let Some(e) = e {
        expr(e, used);
    }
}

fn maybe_path(path: Option<&FieldPath>, used: &mut Used) {
    if let Some(path) = path {
        first(path, used);
    }
}
