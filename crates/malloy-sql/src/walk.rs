//! Going through expressions. Start at [`deep`].

use malloy_model::ir::{Expr, Ungrouped};

/// Calls `visit` for `expr` and all that is inside, from the outside in; what it answers false to is not entered.
pub(crate) fn deep<'a>(expr: &'a Expr, visit: &mut dyn FnMut(&'a Expr) -> bool) {
    // With a list of what is still to do, so that a long chain of operators needs no deep stack.
    let mut waiting = vec![expr];
    while let Some(expr) = waiting.pop() {
        if visit(expr) {
            expr.for_each_child(|child| waiting.push(child));
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
