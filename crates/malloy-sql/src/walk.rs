//! Going through expressions. Start at [`children`].

use malloy_model::ir::{Aggregate, Expr, SqlPart, Ungrouped};

/// Calls `visit` for each expression directly inside `expr`.
pub(crate) fn children<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr)) {
    match expr {
        Expr::Column { .. }
        | Expr::Field(_)
        | Expr::Output(_)
        | Expr::Literal(_)
        | Expr::Now { .. } => {}
        Expr::RecordField { record: expr, .. }
        | Expr::Negate(expr)
        | Expr::Not(expr)
        | Expr::OrTrue(expr)
        | Expr::OrFalse(expr)
        | Expr::IsNull { expr, .. }
        | Expr::RegexMatch { expr, .. }
        | Expr::Cast { expr, .. }
        | Expr::SqlCast { expr, .. }
        | Expr::Truncate { expr, .. }
        | Expr::Extract { expr, .. } => visit(expr),
        Expr::Binary { left, right, .. }
        | Expr::InList { expr: left, list: right, .. }
        | Expr::Like { expr: left, pattern: right }
        | Expr::Offset { expr: left, amount: right, .. }
        | Expr::Diff { from: left, to: right, .. } => {
            visit(left);
            visit(right);
        }
        Expr::And(items)
        | Expr::Or(items)
        | Expr::Coalesce(items)
        | Expr::Array { items, .. }
        | Expr::Record { items, .. }
        | Expr::Call { args: items, .. }
        | Expr::SqlCall { args: items, .. } => items.iter().for_each(visit),
        Expr::In { expr, list, .. } => {
            visit(expr);
            list.iter().for_each(visit);
        }
        Expr::Case { whens, otherwise, .. } => {
            for (when, then) in whens {
                visit(when);
                visit(then);
            }
            if let Some(expr) = otherwise {
                visit(expr);
            }
        }
        Expr::SqlText { parts, .. } => {
            for part in parts {
                if let SqlPart::Expr(expr) = part {
                    visit(expr);
                }
            }
        }
        Expr::Aggregate(aggregate) => aggregate_parts(aggregate).for_each(visit),
        Expr::Ungrouped(ungrouped) => visit(&ungrouped.expr),
        Expr::Window(window) => {
            window.args.iter().for_each(&mut *visit);
            window.partition.iter().for_each(&mut *visit);
            window.order.iter().for_each(|order| visit(&order.expr));
        }
    }
}

fn aggregate_parts(aggregate: &Aggregate) -> impl Iterator<Item = &Expr> {
    let order = aggregate.order.iter().map(|order| &order.expr);
    aggregate.args.iter().chain(&aggregate.filter).chain(order)
}

/// Calls `visit` for `expr` and all that is inside, from the outside in; what it answers false to is not entered.
pub(crate) fn deep<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr) -> bool) {
    // With a list of what is still to do, so that a long chain of operators needs no deep stack.
    let mut waiting = vec![expr];
    while let Some(expr) = waiting.pop() {
        if visit(expr) {
            children(expr, &mut |child| waiting.push(child));
        }
    }
}

/// The aggregates in `expr` that are not inside an ungrouped one.
pub(crate) fn aggregates<'a>(expr: &'a Expr, found: &mut Vec<&'a Expr>) {
    deep(expr, &mut |expr| match expr {
        Expr::Aggregate(_) => {
            if !found.contains(&expr) {
                found.push(expr);
            }
            false
        }
        Expr::Ungrouped(_) => false,
        _ => true,
    });
}

/// The ungrouped aggregates in `expr`.
pub(crate) fn ungrouped<'a>(expr: &'a Expr, found: &mut Vec<(&'a Expr, &'a Ungrouped)>) {
    deep(expr, &mut |expr| {
        if let Expr::Ungrouped(ungrouped) = expr {
            if !found.iter().any(|(known, _)| *known == expr) {
                found.push((expr, ungrouped));
            }
            return false;
        }
        true
    });
}

pub(crate) fn any(expr: &Expr, test: &dyn Fn(&Expr) -> bool) -> bool {
    let mut found = false;
    deep(expr, &mut |expr| {
        found = found || test(expr);
        !found
    });
    found
}
