//! Comparisons, where the right operand decides: values, alternatives, partial comparisons, ranges, times with a grain, patterns, filters.

use malloy_syntax::tree::{self, AlternationOp, CompareOp, ExprKind, TimeLiteral};
use malloy_syntax::{Diagnostic, Span};

use crate::analyser::Analyser;
use crate::build::{Build, Scope};
use crate::expr::time::{self, Moment, unit_of};
use crate::expr::{FilterText, coerce};
use crate::ir::{BinaryOp, Expr, Literal, TimeUnit, Type};
use crate::typed::{Ty, Typed, alike};

/// A comparison on its way: what is on the left, and how it was written.
#[derive(Clone, Copy)]
pub(super) struct Test<'t> {
    pub(super) op: CompareOp,
    pub(super) left: &'t Typed,
    /// Whether it was written `?`, with which a truncated time is a range.
    pub(super) applied: bool,
    /// The whole comparison.
    pub(super) span: Span,
}

impl Analyser<'_> {
    pub(super) fn compare(
        &mut self,
        b: &mut Build,
        s: &Scope,
        op: CompareOp,
        left: &tree::Expr,
        right: &tree::Expr,
        span: Span,
    ) -> Typed {
        // `null = x` reads as `x = null`.
        if matches!(left.unparenthesized().kind, ExprKind::Null)
            && !matches!(right.unparenthesized().kind, ExprKind::Null)
        {
            return self.compare(b, s, op, right, left, span);
        }
        // A literal on the left of a time: what is on the right decides the type.
        let value = match &left.unparenthesized().kind {
            ExprKind::Time(literal) => {
                let other = self.within(self.file, |a| a.expr(b, s, right));
                let value = time::literal_value(literal, s.zone.as_deref());
                match other.value_type() {
                    Some(ty) if ty.is_time() => coerce(value, ty, s.zone.as_deref()),
                    _ => value,
                }
            }
            _ => self.expr(b, s, left),
        };
        self.test(b, s, Test { op, left: &value, applied: false, span }, right)
    }

    /// `value ? test`
    pub(super) fn apply(
        &mut self,
        b: &mut Build,
        s: &Scope,
        value: &tree::Expr,
        test: &tree::Expr,
        span: Span,
    ) -> Typed {
        if let ExprKind::Pick { arms, otherwise } = &test.unparenthesized().kind {
            return self.pick_on(b, s, value, arms, otherwise.as_deref(), test.span);
        }
        let left = self.expr(b, s, value);
        self.test(b, s, Test { op: CompareOp::Equal, left: &left, applied: true, span }, test)
    }

    /// Whether a field has the value that a drill says.
    pub(crate) fn drill_test(
        &mut self,
        b: &mut Build,
        s: &Scope,
        left: &Typed,
        right: &tree::Expr,
        whole: &tree::Expr,
    ) -> Option<Typed> {
        let made = self.test(
            b,
            s,
            Test { op: CompareOp::Equal, left, applied: false, span: whole.span },
            right,
        );
        (!made.is_error()).then_some(made)
    }

    /// Asks what is on the right to compare itself.
    pub(super) fn test(
        &mut self,
        b: &mut Build,
        s: &Scope,
        t: Test<'_>,
        right: &tree::Expr,
    ) -> Typed {
        match &right.unparenthesized().kind {
            ExprKind::Alternation { op, items } => self.alternatives(b, s, t, *op, items),
            ExprKind::PartialCompare { op, right } => {
                self.test(b, s, Test { op: *op, applied: false, ..t }, right)
            }
            ExprKind::PartialNull { negated } => is_null(t.left, *negated),
            ExprKind::Null if matches!(t.op, CompareOp::Equal | CompareOp::NotEqual) => {
                is_null(t.left, t.op == CompareOp::NotEqual)
            }
            ExprKind::Range { from, until } => {
                let from = self.bound(b, s, t, from);
                let until = self.bound(b, s, t, until);
                self.range(t, &from, &until)
            }
            ExprKind::For { from, count, unit } => {
                let start = self.bound(b, s, t, from);
                let count = self.expr(b, s, count);
                self.want_number(&count, t.span, "`for`");
                let Some(ty) = start.value_type().cloned() else { return boolean_error() };
                if !ty.is_time() {
                    let message =
                        format!("`for` needs a time to begin with, not a `{}`", start.ty.name());
                    self.error("expression-type-error", t.span, message);
                    return boolean_error();
                }
                let end = time::offset(
                    start.expr.clone(),
                    count.expr.clone(),
                    unit_of(*unit),
                    &ty,
                    s.zone.as_deref(),
                );
                let end = Typed::of(end, start.ty.clone(), &[&start, &count]);
                self.range(t, &start, &end)
            }
            ExprKind::Time(literal) if !matches!(t.op, CompareOp::Match | CompareOp::NotMatch) => {
                self.time_literal(s, t, literal)
            }
            ExprKind::And(items) if t.applied => self.joined_tests(b, s, t, items, Expr::And),
            ExprKind::Or(items) if t.applied => self.joined_tests(b, s, t, items, Expr::Or),
            _ => self.test_value(b, s, t, right),
        }
    }

    /// `x ? 'a' and y`: the first is the test, the rest stand for themselves.
    fn joined_tests(
        &mut self,
        b: &mut Build,
        s: &Scope,
        t: Test<'_>,
        items: &[tree::Expr],
        combine: fn(Vec<Expr>) -> Expr,
    ) -> Typed {
        let mut made = vec![self.test(b, s, t, &items[0])];
        for item in &items[1..] {
            let value = self.expr(b, s, item);
            self.want_boolean(&value, item.span, "a logical operator");
            made.push(value);
        }
        let parts: Vec<&Typed> = made.iter().collect();
        Typed::of(
            combine(made.iter().map(|item| item.expr.clone()).collect()),
            Ty::Is(Type::Boolean),
            &parts,
        )
    }

    fn test_value(&mut self, b: &mut Build, s: &Scope, t: Test<'_>, right: &tree::Expr) -> Typed {
        if let Some(filter) = self.filter_text(b, s, right) {
            if !matches!(t.op, CompareOp::Match | CompareOp::NotMatch) {
                let message = format!("`{}` does not take a filter", t.op.as_str());
                self.report(
                    Diagnostic::error("filter-expression-error", right.span, message)
                        .with_help("`~` does: `field ~ f'…'`"),
                );
                return boolean_error();
            }
            let negated = t.op == CompareOp::NotMatch;
            return match filter {
                FilterText::Written(text) => {
                    self.filter(s, t.left, &text, negated, right.span, t.span)
                }
                FilterText::Unknown => Typed::of(
                    Expr::Literal(Literal::Boolean(true)),
                    Ty::Is(Type::Boolean),
                    &[t.left],
                ),
            };
        }
        let value = self.expr(b, s, right);
        if let (true, Some(unit)) = (t.applied, value.value_type().and_then(Type::time_unit)) {
            let same =
                t.left.value_type().zip(value.value_type()).is_some_and(|(l, r)| alike(l, r));
            if let (true, Some(ty)) = (same, value.value_type().cloned()) {
                let one = Expr::Literal(Literal::Number("1".into()));
                let end = time::offset(value.expr.clone(), one, unit, &ty, s.zone.as_deref());
                let end = Typed::of(end, value.ty.clone(), &[&value]);
                return self.range(t, &value, &end);
            }
        }
        self.compare_values(t, &value, right.span)
    }

    /// Compares two values as they are.
    pub(super) fn compare_values(&mut self, t: Test<'_>, right: &Typed, right_span: Span) -> Typed {
        if t.left.is_error() || right.is_error() {
            return boolean_error();
        }
        if matches!(t.op, CompareOp::Match | CompareOp::NotMatch) {
            return self.match_pattern(t, right, right_span);
        }
        let (Some(l), Some(r)) = (t.left.value_type(), right.value_type()) else {
            let odd = if t.left.value_type().is_none() { t.left } else { right };
            let message =
                format!("a {} cannot be compared with `{}`", odd.ty.name(), t.op.as_str());
            self.error("expression-type-error", right_span, message);
            return boolean_error();
        };
        if !comparable(l, r) {
            let (l, r) = (t.left.ty.name(), right.ty.name());
            let is_time = t.left.is_time() || right.is_time();
            let code =
                if is_time { "time-comparison-type-mismatch" } else { "expression-type-error" };
            let mut diagnostic =
                Diagnostic::error(code, t.span, format!("a {l} cannot be compared with a {r}"));
            if is_time && t.left.is_time() && right.is_time() {
                diagnostic = diagnostic.with_help(format!("cast one of them: `::{l}`"));
            }
            self.report(diagnostic);
            return boolean_error();
        }
        if t.left.is_null() {
            return is_null(right, t.op == CompareOp::NotEqual);
        }
        plain(t.op, t.left, right)
    }

    fn match_pattern(&mut self, t: Test<'_>, right: &Typed, right_span: Span) -> Typed {
        if !t.left.is_string() && !t.left.is_null() {
            let message = format!("`{}` matches text, not a `{}`", t.op.as_str(), t.left.ty.name());
            self.error("expression-type-error", t.span, message);
            return boolean_error();
        }
        let matched = match (&right.ty, &right.expr) {
            (Ty::Regex, Expr::Literal(Literal::String(pattern))) => {
                Expr::RegexMatch { expr: Box::new(t.left.expr.clone()), pattern: pattern.clone() }
            }
            (Ty::Is(Type::String), pattern) => Expr::Like {
                expr: Box::new(t.left.expr.clone()),
                pattern: Box::new(pattern.clone()),
            },
            _ => {
                let message = format!(
                    "`{}` needs a pattern: a string with `%`, `r'…'` or `f'…'`, not a `{}`",
                    t.op.as_str(),
                    right.ty.name()
                );
                self.error("expression-type-error", right_span, message);
                return boolean_error();
            }
        };
        let expr = if t.op == CompareOp::NotMatch { not(matched) } else { matched };
        Typed::of(expr, Ty::Is(Type::Boolean), &[t.left, right])
    }

    pub(super) fn like(
        &mut self,
        b: &mut Build,
        s: &Scope,
        value: &tree::Expr,
        pattern: &tree::Expr,
        negated: bool,
        span: Span,
    ) -> Typed {
        let left = self.expr(b, s, value);
        let right = self.expr(b, s, pattern);
        if left.is_error() || right.is_error() {
            return boolean_error();
        }
        if !left.is_string() || !right.is_string() {
            self.error("expression-type-error", span, "`like` compares a string with a string");
            return boolean_error();
        }
        let op = if negated { CompareOp::NotMatch } else { CompareOp::Match };
        self.match_pattern(Test { op, left: &left, applied: false, span }, &right, pattern.span)
    }

    pub(super) fn in_list(
        &mut self,
        b: &mut Build,
        s: &Scope,
        value: &tree::Expr,
        items: &[tree::Expr],
        negated: bool,
    ) -> Typed {
        let left = self.expr(b, s, value);
        let mut made = Vec::new();
        for item in items {
            let right = self.in_item(b, s, &left, item);
            made.push(right);
        }
        membership(&left, &made, negated)
    }

    /// A value to be found among others, of the type of what is looked for.
    fn in_item(&mut self, b: &mut Build, s: &Scope, left: &Typed, item: &tree::Expr) -> Typed {
        let right = self.typed_literal(b, s, left, item);
        if let (Some(l), Some(r)) = (left.value_type(), right.value_type())
            && !comparable(l, r)
        {
            let code = if l.is_time() || r.is_time() {
                "time-comparison-type-mismatch"
            } else {
                "expression-type-error"
            };
            let message =
                format!("a {} cannot be compared with a {}", left.ty.name(), right.ty.name());
            self.error(code, item.span, message);
        }
        right
    }

    pub(super) fn in_given(
        &mut self,
        b: &mut Build,
        s: &Scope,
        value: &tree::Expr,
        given: &tree::Name,
        negated: bool,
        span: Span,
    ) -> Typed {
        let left = self.expr(b, s, value);
        let right = self.given_value(b, s, given);
        match right.value_type() {
            Some(Type::Array(element)) => {
                if left.value_type().is_some_and(|l| !comparable(l, element)) {
                    let message =
                        format!("a {} cannot be found in a `{}`", left.ty.name(), right.ty.name());
                    self.error("expression-type-error", span, message);
                }
                let expr = match &right.expr {
                    Expr::Array { items, .. } if !items.is_empty() => {
                        Expr::In { expr: Box::new(left.expr.clone()), list: items.clone(), negated }
                    }
                    Expr::Array { .. } => Expr::Literal(Literal::Boolean(negated)),
                    other => Expr::InList {
                        expr: Box::new(left.expr.clone()),
                        list: Box::new(other.clone()),
                        negated,
                    },
                };
                Typed::of(expr, Ty::Is(Type::Boolean), &[&left, &right])
            }
            Some(_) => {
                self.error(
                    "expression-type-error",
                    given.span,
                    format!("`${}` is no list", given.text),
                );
                boolean_error()
            }
            None => boolean_error(),
        }
    }

    fn alternatives(
        &mut self,
        b: &mut Build,
        s: &Scope,
        t: Test<'_>,
        op: AlternationOp,
        items: &[tree::Expr],
    ) -> Typed {
        let is_equality = matches!(t.op, CompareOp::Equal | CompareOp::NotEqual);
        if op == AlternationOp::Any
            && is_equality
            && items.iter().all(|item| is_plain(item, t.left))
        {
            let made: Vec<Typed> =
                items.iter().map(|item| self.in_item(b, s, t.left, item)).collect();
            if made.iter().all(|item| item.value_type().is_some()) {
                return membership(t.left, &made, t.op == CompareOp::NotEqual);
            }
            // Filters and patterns among them stand for themselves.
        }
        let made: Vec<Typed> = items.iter().map(|item| self.test(b, s, t, item)).collect();
        let parts: Vec<&Typed> = made.iter().collect();
        let exprs: Vec<Expr> = made.iter().map(|item| item.expr.clone()).collect();
        let expr = if op == AlternationOp::Any { Expr::Or(exprs) } else { Expr::And(exprs) };
        Typed::of(expr, Ty::Is(Type::Boolean), &parts)
    }

    /// An end of a range, as a value of the type of what is compared.
    fn bound(&mut self, b: &mut Build, s: &Scope, t: Test<'_>, e: &tree::Expr) -> Typed {
        self.typed_literal(b, s, t.left, e)
    }

    /// An expression; a time literal takes the type of what it is compared with.
    fn typed_literal(&mut self, b: &mut Build, s: &Scope, left: &Typed, e: &tree::Expr) -> Typed {
        let value = self.expr(b, s, e);
        let is_literal = matches!(e.unparenthesized().kind, ExprKind::Time(_));
        match left.value_type() {
            Some(ty) if is_literal && ty.is_time() => {
                let unit = value.value_type().and_then(Type::time_unit);
                let wanted = ty.clone().with_unit(unit);
                coerce(value, &wanted, s.zone.as_deref())
            }
            _ => value,
        }
    }

    /// Compares with everything from `from` until `until`, which is not included.
    pub(super) fn range(&mut self, t: Test<'_>, from: &Typed, until: &Typed) -> Typed {
        if t.left.is_error() || from.is_error() || until.is_error() {
            return boolean_error();
        }
        for end in [from, until] {
            let fits =
                t.left.value_type().zip(end.value_type()).is_some_and(|(l, r)| comparable(l, r));
            if !fits {
                let is_time = t.left.is_time() || end.is_time();
                let code =
                    if is_time { "time-comparison-type-mismatch" } else { "expression-type-error" };
                let message =
                    format!("a {} cannot be compared with a {}", t.left.ty.name(), end.ty.name());
                self.error(code, t.span, message);
                return boolean_error();
            }
        }
        let test = |op, end: &Typed| Expr::Binary {
            op,
            left: Box::new(t.left.expr.clone()),
            right: Box::new(end.expr.clone()),
        };
        let expr = match t.op {
            CompareOp::Equal | CompareOp::Match => {
                Expr::And(vec![test(BinaryOp::GreaterOrEqual, from), test(BinaryOp::Less, until)])
            }
            CompareOp::NotEqual | CompareOp::NotMatch => {
                Expr::Or(vec![test(BinaryOp::Less, from), test(BinaryOp::GreaterOrEqual, until)])
            }
            CompareOp::Greater => test(BinaryOp::GreaterOrEqual, until),
            CompareOp::GreaterOrEqual => test(BinaryOp::GreaterOrEqual, from),
            CompareOp::Less => test(BinaryOp::Less, from),
            CompareOp::LessOrEqual => test(BinaryOp::Less, until),
        };
        Typed::of(expr, Ty::Is(Type::Boolean), &[t.left, from, until])
    }

    /// A literal stands for all that is within it.
    fn time_literal(&mut self, s: &Scope, t: Test<'_>, literal: &TimeLiteral) -> Typed {
        let value = time::literal_value(literal, s.zone.as_deref());
        let Some(ty) = t.left.value_type().cloned() else { return boolean_error() };
        if !ty.is_time() {
            return self.compare_values(t, &value, t.span);
        }
        let zone = literal.zone.as_deref().or(s.zone.as_deref());
        let start = Moment::of(literal);
        let Some(unit) = literal.shape.unit().map(unit_of) else {
            let value = coerce(value, &ty.clone().with_unit(None), s.zone.as_deref());
            return self.compare_values(t, &value, t.span);
        };
        // A date has no hours: it is midnight of its day then.
        let (left, ty) = match (&ty, literal.shape.is_date()) {
            (Type::Date(_), false) => (
                coerce(t.left.clone(), &Type::Timestamp(None), s.zone.as_deref()),
                Type::Timestamp(None),
            ),
            _ => (t.left.clone(), ty),
        };
        let constant = |moment: &Moment| {
            Typed::constant(moment.literal(&ty, zone), Ty::Is(ty.clone().with_unit(None)))
        };
        let t = Test { left: &left, ..t };
        if unit == TimeUnit::Day && matches!(ty, Type::Date(_)) && t.op == CompareOp::Equal {
            return self.compare_values(t, &constant(&start), t.span);
        }
        self.range(t, &constant(&start), &constant(&start.plus(1, unit)))
    }
}

/// Whether alternatives with it can be a list: no test of its own, no range, no grain.
fn is_plain(item: &tree::Expr, left: &Typed) -> bool {
    match &item.unparenthesized().kind {
        ExprKind::Alternation { .. }
        | ExprKind::PartialCompare { .. }
        | ExprKind::PartialNull { .. }
        | ExprKind::Range { .. }
        | ExprKind::For { .. }
        | ExprKind::Filter(_)
        | ExprKind::Regex(_)
        | ExprKind::And(_)
        | ExprKind::Or(_) => false,
        ExprKind::Time(literal) => matches!(
            (literal.shape.unit(), left.value_type()),
            (None, _) | (Some(tree::TimeUnit::Day), Some(Type::Date(_)))
        ),
        _ => true,
    }
}

fn membership(left: &Typed, items: &[Typed], negated: bool) -> Typed {
    let mut parts: Vec<&Typed> = vec![left];
    parts.extend(items);
    let list = items.iter().map(|item| item.expr.clone()).collect();
    let expr = Expr::In { expr: Box::new(left.expr.clone()), list, negated };
    Typed::of(expr, Ty::Is(Type::Boolean), &parts)
}

/// Whether the database can compare the two, without a cast.
pub(crate) fn comparable(left: &Type, right: &Type) -> bool {
    let instant = |ty: &Type| matches!(ty, Type::Timestamp(_) | Type::Timestamptz(_));
    matches!(left, Type::Sql(_) | Type::Json)
        || matches!(right, Type::Sql(_) | Type::Json)
        || alike(left, right)
        || (instant(left) && instant(right))
}

pub(super) fn is_null(value: &Typed, negated: bool) -> Typed {
    value.clone().map(Ty::Is(Type::Boolean), |expr| Expr::IsNull { expr, negated })
}

/// A comparison with the rule for nulls: what is not equal may be null.
pub(super) fn plain(op: CompareOp, left: &Typed, right: &Typed) -> Typed {
    let op = match op {
        CompareOp::Equal | CompareOp::Match => BinaryOp::Equal,
        CompareOp::NotEqual | CompareOp::NotMatch => BinaryOp::NotEqual,
        CompareOp::Less => BinaryOp::Less,
        CompareOp::LessOrEqual => BinaryOp::LessOrEqual,
        CompareOp::Greater => BinaryOp::Greater,
        CompareOp::GreaterOrEqual => BinaryOp::GreaterOrEqual,
    };
    let mut made = crate::expr::arithmetic::binary(op, left, right, Type::Boolean);
    if op == BinaryOp::NotEqual {
        made.expr = Expr::OrTrue(Box::new(made.expr));
    }
    made
}

pub(super) fn not(expr: Expr) -> Expr {
    Expr::OrTrue(Box::new(Expr::Not(Box::new(expr))))
}

/// A condition that went wrong: boolean, so that nothing else is said about it.
pub(super) fn boolean_error() -> Typed {
    Typed::error()
}
