//! `pick` and `case`.

use malloy_syntax::tree::{self, CaseArm, CompareOp, PickArm};
use malloy_syntax::{Diagnostic, Span};

use crate::analyser::Analyser;
use crate::build::{Build, Scope};
use crate::expr::compare::Test;
use crate::ir::{Expr, Type};
use crate::typed::{Ty, Typed, alike, either};

impl Analyser<'_> {
    /// `pick r when test … else d`, where tests are conditions.
    pub(super) fn pick(
        &mut self,
        b: &mut Build,
        s: &Scope,
        arms: &[PickArm],
        otherwise: Option<&tree::Expr>,
        span: Span,
    ) -> Typed {
        let mut choice = Choice::default();
        for arm in arms {
            let when = self.expr(b, s, &arm.when);
            if !when.is_error() && !when.is_boolean() {
                let message = format!("`when` needs a condition, not a `{}`", when.ty.name());
                self.error("pick-when-must-be-boolean", span, message);
            }
            let Some(written) = &arm.value else {
                self.error(
                    "pick-missing-value",
                    arm.span,
                    "there is nothing to pick here, since no value stands before a `?`",
                );
                continue;
            };
            let value = self.expr(b, s, written);
            self.add_arm(&mut choice, "pick-type-does-not-match", when, value, span);
        }
        let Some(written) = otherwise else {
            self.report(
                Diagnostic::error("pick-missing-else", span, "this `pick` has no `else`")
                    .with_help("add `else null` if there is nothing to say then"),
            );
            return Typed::error();
        };
        let value = self.expr(b, s, written);
        self.finish(choice, "pick-else-type-does-not-match", Some(&(value, written.span)))
    }

    /// `value ? pick r when test …`, where tests are applied to the value.
    pub(super) fn pick_on(
        &mut self,
        b: &mut Build,
        s: &Scope,
        value: &tree::Expr,
        arms: &[PickArm],
        otherwise: Option<&tree::Expr>,
        span: Span,
    ) -> Typed {
        let subject = self.expr(b, s, value);
        let mut choice = Choice::default();
        for arm in arms {
            let test =
                Test { op: CompareOp::Equal, left: &subject, applied: true, span: arm.when.span };
            let when = self.test(b, s, test, &arm.when);
            let picked = match &arm.value {
                Some(written) => self.expr(b, s, written),
                None => subject.clone(),
            };
            self.add_arm(&mut choice, "pick-type-does-not-match", when, picked, span);
        }
        match otherwise {
            Some(written) => {
                let value = self.expr(b, s, written);
                self.finish(choice, "pick-else-type-does-not-match", Some(&(value, span)))
            }
            None => self.finish(choice, "pick-default-type-does-not-match", Some(&(subject, span))),
        }
    }

    pub(super) fn case(
        &mut self,
        b: &mut Build,
        s: &Scope,
        subject: Option<&tree::Expr>,
        arms: &[CaseArm],
        otherwise: Option<&tree::Expr>,
        span: Span,
    ) -> Typed {
        let subject = subject.map(|subject| self.expr(b, s, subject));
        let mut choice = Choice::default();
        for arm in arms {
            let when = if let Some(subject) = &subject {
                let test = Test {
                    op: CompareOp::Equal,
                    left: subject,
                    applied: false,
                    span: arm.when.span,
                };
                self.test(b, s, test, &arm.when)
            } else {
                let when = self.expr(b, s, &arm.when);
                if !when.is_error() && !when.is_boolean() {
                    let message = format!("`when` needs a condition, not a `{}`", when.ty.name());
                    self.error("case-when-must-be-boolean", span, message);
                }
                when
            };
            let then = self.expr(b, s, &arm.then);
            self.add_arm(&mut choice, "case-then-type-does-not-match", when, then, span);
        }
        let last = otherwise.map(|written| (self.expr(b, s, written), span));
        self.finish(choice, "case-else-type-does-not-match", last.as_ref())
    }

    fn add_arm(
        &mut self,
        choice: &mut Choice,
        code: &'static str,
        when: Typed,
        then: Typed,
        span: Span,
    ) {
        self.same_type(choice, code, &then, span);
        choice.arms.push((when, then));
    }

    fn same_type(&mut self, choice: &mut Choice, code: &'static str, value: &Typed, span: Span) {
        let Some(ty) = value.value_type() else {
            if !value.is_error() {
                let message = format!("a {} cannot be picked", value.ty.name());
                self.error(code, span, message);
            }
            choice.failed = true;
            return;
        };
        choice.ty = match choice.ty.take() {
            None => Some(ty.clone()),
            Some(before) if alike(&before, ty) => Some(either(&before, ty)),
            Some(before) => {
                let message = format!(
                    "this is a `{}`, and what was picked before is a `{}`",
                    value.ty.name(),
                    Ty::Is(before.clone()).name()
                );
                self.error(code, span, message);
                choice.failed = true;
                Some(before)
            }
        };
    }

    fn finish(
        &mut self,
        mut choice: Choice,
        code: &'static str,
        otherwise: Option<&(Typed, Span)>,
    ) -> Typed {
        if let Some((value, span)) = otherwise {
            self.same_type(&mut choice, code, value, *span);
        }
        let (Some(ty), false) = (choice.ty, choice.failed) else { return Typed::error() };
        let mut parts: Vec<&Typed> = Vec::new();
        for (when, then) in &choice.arms {
            parts.push(when);
            parts.push(then);
        }
        parts.extend(otherwise.map(|(value, _)| value));
        let expr = Expr::Case {
            whens: choice
                .arms
                .iter()
                .map(|(when, then)| (when.expr.clone(), then.expr.clone()))
                .collect(),
            otherwise: otherwise.map(|(value, _)| Box::new(value.expr.clone())),
            ty: ty.clone(),
        };
        Typed::of(expr, Ty::Is(ty), &parts)
    }
}

#[derive(Default)]
struct Choice {
    arms: Vec<(Typed, Typed)>,
    ty: Option<Type>,
    failed: bool,
}
