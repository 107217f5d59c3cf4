//! Walking over expressions. Each walk is there twice, for those who read and for those who change: one text gives both.

use super::{Expr, Key, Level, LevelKind, OutputKind, Relation, SqlPart, Stage};

macro_rules! walks {
    ($children:ident, $exprs:ident, $iter:ident $(, $mutable:tt)?) => {
        impl Expr {
            /// Calls `visit` with each direct operand.
            pub fn $children<'e>(&'e $($mutable)? self, mut visit: impl FnMut(&'e $($mutable)? Expr)) {
                match self {
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
                    | Expr::Like { expr: left, pattern: right }
                    | Expr::InList { expr: left, list: right, .. }
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
                    | Expr::SqlCall { args: items, .. } => items.$iter().for_each(visit),
                    Expr::In { expr, list, .. } => {
                        visit(expr);
                        list.$iter().for_each(visit);
                    }
                    Expr::Case { whens, otherwise, .. } => {
                        for (when, then) in whens {
                            visit(when);
                            visit(then);
                        }
                        if let Some(otherwise) = otherwise {
                            visit(otherwise);
                        }
                    }
                    Expr::SqlText { parts, .. } => {
                        for part in parts {
                            if let SqlPart::Expr(expr) = part {
                                visit(expr);
                            }
                        }
                    }
                    Expr::Aggregate(aggregate) => {
                        aggregate.args.$iter().for_each(&mut visit);
                        aggregate.filter.$iter().for_each(&mut visit);
                        aggregate.order.$iter().for_each(|by| visit(&$($mutable)? by.expr));
                    }
                    Expr::Ungrouped(ungrouped) => visit(&$($mutable)? ungrouped.expr),
                    Expr::Window(window) => {
                        window.args.$iter().for_each(&mut visit);
                        window.partition.$iter().for_each(&mut visit);
                        window.order.$iter().for_each(|by| visit(&$($mutable)? by.expr));
                    }
                }
            }
        }

        impl Level {
            /// Calls `visit` with every expression of the level and of the levels in it, but not of the stages after a nest.
            pub fn $exprs<'e>(&'e $($mutable)? self, visit: &mut impl FnMut(&'e $($mutable)? Expr)) {
                self.filters.$iter().for_each(&mut *visit);
                self.having.$iter().for_each(&mut *visit);
                if let LevelKind::Index(index) = &$($mutable)? self.kind {
                    index.fields.$iter().for_each(|field| visit(&$($mutable)? field.expr));
                    visit(&$($mutable)? index.weight);
                }
                for output in &$($mutable)? self.outputs {
                    match &$($mutable)? output.kind {
                        OutputKind::Dimension(expr)
                        | OutputKind::Aggregate(expr)
                        | OutputKind::Calculation(expr) => visit(expr),
                        OutputKind::Nest(nest) => nest.level.$exprs(visit),
                    }
                }
            }
        }

        impl Stage {
            /// Calls `visit` with every expression of the stage: of its joins, fields and levels.
            pub fn $exprs<'e>(&'e $($mutable)? self, visit: &mut impl FnMut(&'e $($mutable)? Expr)) {
                for join in &$($mutable)? self.joins {
                    join.on.$iter().for_each(&mut *visit);
                    if let Relation::Unnest { list, .. } = &$($mutable)? join.relation {
                        visit(list);
                    }
                    if let Some(Key::Primary(key)) = &$($mutable)? join.key {
                        visit(key);
                    }
                }
                self.fields.$iter().for_each(|field| visit(&$($mutable)? field.expr));
                self.level.$exprs(visit);
            }
        }
    };
}

walks!(for_each_child, for_each_expr, iter);
walks!(for_each_child_mut, for_each_expr_mut, iter_mut, mut);

impl Expr {
    /// Calls `visit` with this expression and everything in it, operands first. Takes no more stack than the expression
    /// is deep.
    pub fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        self.for_each_child_mut(|child| child.walk_mut(visit));
        visit(self);
    }
}
