//! Expressions: where they may break.

use super::{Marker, Separator, spans};
use crate::span::Span;
use crate::tree::{Expr, ExprKind, FieldItem, FieldItemKind, Property, PropertyKind};

impl Marker<'_> {
    pub(super) fn field_item(&mut self, item: &FieldItem) {
        if let FieldItemKind::Define { expr, .. } = &item.kind {
            self.expr(expr);
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        use ExprKind as E;
        match &expr.kind {
            E::Array(items) => {
                let (open, close) = self.ends(expr.span);
                self.bracketed(open, close, &spans(items, |item| item.span));
                self.exprs(items);
            }
            E::Record(items) => {
                let (open, close) = self.ends(expr.span);
                self.group(open, close);
                self.indent(open + 1, close.saturating_sub(1));
                for item in items {
                    self.separate(item.span.start, Separator::Line);
                }
                self.separate_token(close, Separator::Line);
                for item in items {
                    self.expr(&item.value);
                }
            }
            E::And(items) | E::Or(items) | E::Coalesce(items) | E::Alternation { items, .. } => {
                self.chain(expr.span, items);
                self.exprs(items);
            }
            E::Negate(inner) => {
                // Two in a row would be a comment.
                if !matches!(inner.kind, E::Negate(_)) {
                    let at = self.token(expr.span.start) + 1;
                    self.separate_token(at, Separator::None);
                }
                self.expr(inner);
            }
            E::Call(call) => {
                let close = self.token_ending(expr.span.end);
                if let Some(first) = call.arguments.first() {
                    let open = self.token(first.span.start).saturating_sub(1);
                    self.bracketed(open, close, &spans(&call.arguments, |item| item.span));
                }
                self.exprs(&call.arguments);
            }
            E::Properties { value, properties } => {
                self.expr(value);
                self.properties(expr.span, properties);
            }
            E::Pick { .. } | E::Case { .. } => self.choice(expr),
            _ => self.parts(expr),
        }
    }

    fn exprs<'b>(&mut self, exprs: impl IntoIterator<Item = &'b Expr>) {
        exprs.into_iter().for_each(|expr| self.expr(expr));
    }

    /// What has no breaks of its own.
    fn parts(&mut self, expr: &Expr) {
        use ExprKind as E;
        match &expr.kind {
            E::Paren(inner) | E::Not(inner) | E::PartialCompare { right: inner, .. } => {
                self.expr(inner);
            }
            E::Arithmetic { left, right, .. } | E::Compare { left, right, .. } => {
                self.exprs([&**left, right]);
            }
            E::Apply { value, test } => self.exprs([&**value, test]),
            E::Range { from, until } => self.exprs([&**from, until]),
            E::For { from, count, .. } => self.exprs([&**from, count]),
            E::Like { value, pattern, .. } => self.exprs([&**value, pattern]),
            E::IsNull { value, .. }
            | E::InGiven { value, .. }
            | E::Duration { count: value, .. }
            | E::Truncate { value, .. }
            | E::Ungroup { value, .. } => self.expr(value),
            E::In { value, items, .. } => {
                self.expr(value);
                if let (Some(first), close) = (items.first(), self.token_ending(expr.span.end)) {
                    let open = self.token(first.span.start).saturating_sub(1);
                    self.bracketed(open, close, &spans(items, |item| item.span));
                }
                self.exprs(items);
            }
            E::Cast { value, ty, .. } => {
                self.expr(value);
                self.ty(ty);
            }
            E::Aggregate { argument, .. } => self.exprs(argument.as_deref()),
            _ => {}
        }
    }

    /// `a and b and c`: breaks before each operator.
    fn chain(&mut self, span: Span, items: &[Expr]) {
        let Some(second) = items.get(1) else { return };
        let (from, to) = self.ends(span);
        let operator = self.token(second.span.start).saturating_sub(1);
        self.group(from, to);
        self.indent(operator, to);
        for item in &items[1..] {
            let at = self.token(item.span.start).saturating_sub(1);
            self.separate_token(at, Separator::Line);
        }
    }

    /// `pick` and `case`: an arm on a line, if not all fit on one.
    fn choice(&mut self, expr: &Expr) {
        let (from, to) = self.ends(expr.span);
        let (arms, otherwise, case) = match &expr.kind {
            ExprKind::Pick { arms, otherwise } => (spans(arms, |arm| arm.span), otherwise, false),
            ExprKind::Case { arms, otherwise, .. } => {
                (spans(arms, |arm| arm.span), otherwise, true)
            }
            _ => return,
        };
        let Some(first) = arms.first() else { return };
        // The group begins with what stands before the first arm, which may go to a line of its own.
        let inside = self.token(first.start);
        self.group(if case { from } else { from.saturating_sub(1) }, to);
        self.indent(inside, if case { to.saturating_sub(1) } else { to });
        for arm in &arms {
            self.separate(arm.start, Separator::Line);
        }
        if let Some(otherwise) = otherwise {
            let at = self.token(otherwise.span.start).saturating_sub(1);
            self.separate_token(at, Separator::Line);
            self.expr(otherwise);
        }
        if case {
            self.separate_token(to, Separator::Line);
        }
        self.arms(expr);
    }

    fn arms(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Pick { arms, .. } => {
                for arm in arms {
                    self.exprs(&arm.value);
                    self.expr(&arm.when);
                }
            }
            ExprKind::Case { subject, arms, .. } => {
                self.exprs(subject.as_deref());
                for arm in arms {
                    self.exprs([&arm.when, &arm.then]);
                }
            }
            _ => {}
        }
    }

    /// `{ where: … }` after an expression.
    fn properties(&mut self, span: Span, properties: &[Property]) {
        let Some(first) = properties.first() else { return };
        let open = self.token(first.span.start).saturating_sub(1);
        let block = Span::new(self.tokens[open].span.start, span.end);
        self.block(block, &spans(properties, |property| property.span));
        for property in properties {
            match &property.kind {
                PropertyKind::Where(items) => {
                    self.list(&spans(items, |item| item.span));
                    self.exprs(items);
                }
                PropertyKind::OrderBy(items) => {
                    for item in items {
                        self.exprs(&item.expr);
                    }
                }
                _ => {}
            }
        }
    }
}
