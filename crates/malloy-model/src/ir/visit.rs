//! Walking over expressions.

use super::{Expr, Level, LevelKind, OutputKind, SqlPart, Stage};

impl Expr {
    /// Calls `visit` with each direct operand.
    pub fn for_each_child_mut<'e>(&'e mut self, mut visit: impl FnMut(&'e mut Expr)) {
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
            Expr::And(items) | Expr::Or(items) | Expr::Coalesce(items) => {
                items.iter_mut().for_each(visit);
            }
            Expr::Array { items, .. }
            | Expr::Record { items, .. }
            | Expr::Call { args: items, .. }
            | Expr::SqlCall { args: items, .. } => items.iter_mut().for_each(visit),
            Expr::In { expr, list, .. } => {
                visit(expr);
                list.iter_mut().for_each(visit);
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
                aggregate.args.iter_mut().for_each(&mut visit);
                aggregate.filter.iter_mut().for_each(&mut visit);
                aggregate.order.iter_mut().for_each(|by| visit(&mut by.expr));
            }
            Expr::Ungrouped(ungrouped) => visit(&mut ungrouped.expr),
            Expr::Window(window) => {
                window.args.iter_mut().for_each(&mut visit);
                window.partition.iter_mut().for_each(&mut visit);
                window.order.iter_mut().for_each(|by| visit(&mut by.expr));
            }
        }
    }

    /// Calls `visit` with this expression and everything in it, operands first. Takes no more stack than the expression
    /// is deep.
    pub fn walk_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        self.for_each_child_mut(|child| child.walk_mut(visit));
        visit(self);
    }
}

impl Level {
    /// Calls `visit` with every expression of the level and of the levels in it, but not of the stages after a nest.
    pub fn for_each_expr_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        self.filters.iter_mut().for_each(&mut *visit);
        self.having.iter_mut().for_each(&mut *visit);
        if let LevelKind::Index(index) = &mut self.kind {
            index.fields.iter_mut().for_each(|field| visit(&mut field.expr));
            visit(&mut index.weight);
        }
        for output in &mut self.outputs {
            match &mut output.kind {
                OutputKind::Dimension(expr)
                | OutputKind::Aggregate(expr)
                | OutputKind::Calculation(expr) => visit(expr),
                OutputKind::Nest(nest) => nest.level.for_each_expr_mut(visit),
            }
        }
    }
}

impl Stage {
    /// Calls `visit` with every expression of the stage: of its joins, fields and levels.
    pub fn for_each_expr_mut(&mut self, visit: &mut impl FnMut(&mut Expr)) {
        for join in &mut self.joins {
            join.on.iter_mut().for_each(&mut *visit);
            if let super::Relation::Unnest { list, .. } = &mut join.relation {
                visit(list);
            }
            if let Some(super::Key::Primary(key)) = &mut join.key {
                visit(key);
            }
        }
        self.fields.iter_mut().for_each(|field| visit(&mut field.expr));
        self.level.for_each_expr_mut(visit);
    }
}
