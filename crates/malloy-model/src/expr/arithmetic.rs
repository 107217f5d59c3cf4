//! `+ - * / %` and the unary minus.

use malloy_syntax::tree::{self, ArithmeticOp, ExprKind};

use crate::analyser::Analyser;
use crate::build::{Build, Scope};
use crate::expr::time::{self, unit_of};
use crate::ir::{BinaryOp, Expr, Literal, NumberKind, TimeUnit, Type};
use crate::typed::{Ty, Typed, wider};

impl Analyser<'_> {
    pub(super) fn negate(&mut self, b: &mut Build, s: &Scope, inner: &tree::Expr) -> Typed {
        let value = self.expr(b, s, inner);
        self.want_number(&value, inner.span, "a minus sign");
        let ty = value.ty.clone();
        value.map(ty, Expr::Negate)
    }

    pub(super) fn arithmetic(
        &mut self,
        b: &mut Build,
        s: &Scope,
        op: ArithmeticOp,
        left: &tree::Expr,
        right: &tree::Expr,
    ) -> Typed {
        let value = self.expr(b, s, left);
        if matches!(op, ArithmeticOp::Add | ArithmeticOp::Subtract) && value.is_time() {
            return self.offset(b, s, op, &value, left, right);
        }
        let other = self.expr(b, s, right);
        for (operand, written) in [(&value, left), (&other, right)] {
            if !operand.is_error() && !operand.is_number() && !operand.is_null() {
                let message =
                    format!("`{}` needs a number, not a `{}`", op.as_str(), operand.ty.name());
                self.error("arithmetic-operation-type-mismatch", written.span, message);
                return Typed::error();
            }
        }
        if value.is_error() || other.is_error() {
            return Typed::error();
        }
        let kind = match op {
            ArithmeticOp::Divide | ArithmeticOp::Modulo => NumberKind::Float,
            _ => wider(kind_of(&value), kind_of(&other)),
        };
        let op = match op {
            ArithmeticOp::Add => BinaryOp::Add,
            ArithmeticOp::Subtract => BinaryOp::Subtract,
            ArithmeticOp::Multiply => BinaryOp::Multiply,
            ArithmeticOp::Divide => BinaryOp::Divide,
            ArithmeticOp::Modulo => BinaryOp::Modulo,
        };
        binary(op, &value, &other, Type::Number(kind))
    }

    /// `time + 3 days`, `time.month + 1`
    fn offset(
        &mut self,
        b: &mut Build,
        s: &Scope,
        op: ArithmeticOp,
        value: &Typed,
        left: &tree::Expr,
        right: &tree::Expr,
    ) -> Typed {
        let amount = self.expr(b, s, right);
        let Some(ty) = value.value_type().cloned() else { return Typed::error() };
        let unit = match &right.unparenthesized().kind {
            ExprKind::Duration { unit, .. } => unit_of(*unit),
            _ if amount.is_number() => match (&ty, ty.time_unit()) {
                (_, Some(unit)) => unit,
                (Type::Date(_), None) => TimeUnit::Day,
                _ => {
                    let message = format!(
                        "a number can be added to a truncated time, not to a `{}`",
                        value.ty.name()
                    );
                    self.report(
                        malloy_syntax::Diagnostic::error(
                            "time-offset-type-mismatch",
                            left.span,
                            message,
                        )
                        .with_help("say what it counts: `+ 3 days`"),
                    );
                    return Typed::error();
                }
            },
            _ if amount.is_error() => return Typed::error(),
            _ => {
                let message = format!("a time cannot be moved by a `{}`", amount.ty.name());
                self.error("time-offset-type-mismatch", left.span, message);
                return Typed::error();
            }
        };
        if matches!(ty, Type::Date(_)) && unit < TimeUnit::Day {
            let message = format!("a date cannot be moved by {}s", unit.name());
            self.report(
                malloy_syntax::Diagnostic::error(
                    "invalid-timeframe-for-time-offset",
                    right.span.cover(right.span),
                    message,
                )
                .with_help("make it a timestamp first: `::timestamp`"),
            );
            return Typed::error();
        }
        let _ = left;
        // What was truncated to months and is moved by months is still the start of one.
        let result =
            if ty.time_unit() == Some(unit) { ty.clone() } else { ty.clone().with_unit(None) };
        let by = if op == ArithmeticOp::Subtract {
            negative(amount.expr.clone())
        } else {
            amount.expr.clone()
        };
        let expr = time::offset(value.expr.clone(), by, unit, &ty, s.zone.as_deref());
        Typed::of(expr, Ty::Is(result), &[value, &amount])
    }
}

/// An operator on two values.
pub(crate) fn binary(op: BinaryOp, left: &Typed, right: &Typed, ty: Type) -> Typed {
    let expr =
        Expr::Binary { op, left: Box::new(left.expr.clone()), right: Box::new(right.expr.clone()) };
    Typed::of(expr, Ty::Is(ty), &[left, right])
}

/// The negation of an amount, simplified for constants.
pub(crate) fn negative(amount: Expr) -> Expr {
    match amount {
        Expr::Literal(Literal::Number(text)) => Expr::Literal(Literal::Number(
            text.strip_prefix('-').map_or_else(|| format!("-{text}"), str::to_owned),
        )),
        other => Expr::Negate(Box::new(other)),
    }
}

fn kind_of(value: &Typed) -> NumberKind {
    match value.value_type() {
        Some(Type::Number(kind)) => *kind,
        _ => NumberKind::Unknown,
    }
}
