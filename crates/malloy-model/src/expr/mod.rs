//! Expressions: from what was written to what it means, with type and kind.
//!
//! Start at [`Analyser::expr`]. The same function checks a definition when it is made and works it out where it is used; in the second
//! case nothing is reported, since it was before. An operand that went wrong has the type [`Ty::Error`], with which everything agrees.

mod aggregate;
mod arithmetic;
mod call;
mod cast;
mod compare;
mod pick;
mod time;
mod ungroup;

use std::sync::Arc;

use malloy_syntax::tree::{self, ExprKind};
use malloy_syntax::{Diagnostic, Span};

pub(crate) use cast::{basic_type, coerce, written_type};
pub(crate) use compare::comparable;
pub(crate) use time::{Moment, offset, truncated, unit_of};

use crate::analyser::Analyser;
use crate::build::{Build, Scope};
use crate::ir::{Expr, Literal, NumberKind, RecordField, Type};
use crate::resolve::Place;
use crate::source::FieldKind;
use crate::typed::{Ty, Typed, alike, either, wider};

/// How deep and how large an expression may be with everything written out that it refers to.
const MAX_DEPTH: u32 = 240;
const MAX_SIZE: u32 = 200_000;

impl Analyser<'_> {
    pub(crate) fn expr(&mut self, b: &mut Build, s: &Scope, e: &tree::Expr) -> Typed {
        let made = self.expr_kind(b, s, e);
        if made.depth > MAX_DEPTH || made.size > MAX_SIZE {
            let message =
                "this expression is too large with everything written out that it refers to";
            self.error("expression-too-large", e.span, message);
            return Typed::error();
        }
        made
    }

    fn expr_kind(&mut self, b: &mut Build, s: &Scope, e: &tree::Expr) -> Typed {
        match &e.kind {
            ExprKind::Path(path) => self.path(b, s, path),
            ExprKind::Given(name) => self.given_value(b, s, name),
            ExprKind::String(value) => Typed::constant(
                Expr::Literal(Literal::String(value.to_string())),
                Ty::Is(Type::String),
            ),
            ExprKind::Number(number) => number_literal(number),
            ExprKind::Boolean(value) => {
                Typed::constant(Expr::Literal(Literal::Boolean(*value)), Ty::Is(Type::Boolean))
            }
            ExprKind::Null => Typed::constant(Expr::Literal(Literal::Null), Ty::Is(Type::Null)),
            ExprKind::Now => {
                let ty = Type::Timestamp(None);
                Typed::constant(Expr::Now { ty: ty.clone() }, Ty::Is(ty))
            }
            ExprKind::Time(literal) => time::literal_value(literal, s.zone.as_deref()),
            ExprKind::Regex(pattern) => {
                Typed::constant(Expr::Literal(Literal::String(pattern.to_string())), Ty::Regex)
            }
            ExprKind::Filter(_) => Typed::constant(Expr::Literal(Literal::Null), Ty::Filter),
            ExprKind::Array(items) => self.array(b, s, items),
            ExprKind::Record(items) => self.record(b, s, items),
            ExprKind::Paren(inner) => self.expr(b, s, inner),
            ExprKind::Negate(inner) => self.negate(b, s, inner),
            ExprKind::Not(inner) => self.not(b, s, inner),
            ExprKind::Arithmetic { op, left, right } => self.arithmetic(b, s, *op, left, right),
            ExprKind::Compare { op, left, right } => self.compare(b, s, *op, left, right, e.span),
            ExprKind::And(items) => self.logical(b, s, items, Expr::And),
            ExprKind::Or(items) => self.logical(b, s, items, Expr::Or),
            ExprKind::Coalesce(items) => self.coalesce(b, s, items),
            ExprKind::Apply { value, test } => self.apply(b, s, value, test, e.span),
            ExprKind::Alternation { .. } => self.no_value(
                "alternation-as-value",
                e.span,
                "a list of alternatives is only good to compare with",
            ),
            ExprKind::PartialCompare { .. } | ExprKind::PartialNull { .. } => self.no_value(
                "partial-as-value",
                e.span,
                "a comparison without a left side needs a `?` before it",
            ),
            ExprKind::Range { .. } | ExprKind::For { .. } => {
                self.no_value("range-as-value", e.span, "a range is only good to compare with")
            }
            ExprKind::Like { value, pattern, negated } => {
                self.like(b, s, value, pattern, *negated, e.span)
            }
            ExprKind::IsNull { value, negated } => {
                let value = self.expr(b, s, value);
                let negated = *negated;
                value.map(Ty::Is(Type::Boolean), |expr| Expr::IsNull { expr, negated })
            }
            ExprKind::In { value, items, negated } => self.in_list(b, s, value, items, *negated),
            ExprKind::InGiven { value, given, negated } => {
                self.in_given(b, s, value, given, *negated, e.span)
            }
            ExprKind::Duration { count, .. } => {
                let count = self.expr(b, s, count);
                self.want_number(&count, e.span, "a duration");
                count.map(Ty::Duration, |expr| *expr)
            }
            ExprKind::Truncate { value, unit } => self.truncate(b, s, value, *unit, e.span),
            ExprKind::Cast { value, ty, safe } => self.cast(b, s, value, ty, *safe, e.span),
            ExprKind::Properties { value, properties } => {
                self.properties(b, s, value, properties, e.span)
            }
            ExprKind::Aggregate { over, function, argument } => {
                self.aggregate(b, s, over, *function, argument.as_deref(), e.span)
            }
            ExprKind::Call(call) => self.call(b, s, call, &[], e.span),
            ExprKind::Ungroup { kind, value, fields } => self.ungroup(b, s, *kind, value, fields),
            ExprKind::Pick { arms, otherwise } => {
                self.pick(b, s, arms, otherwise.as_deref(), e.span)
            }
            ExprKind::Case { subject, arms, otherwise } => {
                self.case(b, s, subject.as_deref(), arms, otherwise.as_deref(), e.span)
            }
            ExprKind::Error => Typed::error(),
        }
    }

    /// The value that a path leads to.
    fn path(&mut self, b: &mut Build, s: &Scope, path: &tree::FieldPath) -> Typed {
        match self.place(b, s, path) {
            Place::Value(found) => found.value,
            Place::Join(_) => {
                let message = format!("`{}` is a join and has no value", path.dotted());
                self.report(
                    Diagnostic::error("join-as-value", path.span, message)
                        .with_help(format!("name one of its fields: `{}.…`", path.dotted())),
                );
                Typed::error()
            }
            Place::View(..) => {
                let message = format!("`{}` is a view and has no value", path.dotted());
                self.error("view-as-value", path.span, message);
                Typed::error()
            }
            Place::Error => Typed::error(),
        }
    }

    /// Annotations of the field that an expression is, if it is nothing else.
    pub(crate) fn notes_of(&mut self, b: &mut Build, s: &Scope, e: &tree::Expr) -> Vec<Arc<str>> {
        let ExprKind::Path(path) = &e.kind else { return Vec::new() };
        match self.within(self.file, |a| a.place(b, s, path)) {
            Place::Value(found) => found.notes,
            _ => Vec::new(),
        }
    }

    fn no_value(&mut self, code: &'static str, span: Span, message: &str) -> Typed {
        self.error(code, span, message);
        Typed::error()
    }

    fn array(&mut self, b: &mut Build, s: &Scope, items: &[tree::Expr]) -> Typed {
        let made: Vec<Typed> = items.iter().map(|item| self.expr(b, s, item)).collect();
        let mut element: Option<Type> = None;
        for (item, written) in made.iter().zip(items) {
            let Some(ty) = item.value_type() else { continue };
            element = match element {
                None => Some(ty.clone()),
                // A list has one kind of number: the one that all of them are.
                Some(Type::Number(before)) if let Type::Number(kind) = ty => {
                    Some(Type::Number(wider(before, *kind)))
                }
                Some(before) if alike(&before, ty) => Some(either(&before, ty)),
                Some(before) => {
                    let message = format!(
                        "this list holds values of type `{}`, not `{}`",
                        Ty::Is(before.clone()).name(),
                        item.ty.name()
                    );
                    self.error("array-values-incompatible", written.span, message);
                    Some(before)
                }
            };
        }
        let element = match element {
            None => return Typed::error(),
            Some(Type::Null) => Type::NUMBER,
            Some(element) => element,
        };
        let parts: Vec<&Typed> = made.iter().collect();
        let expr = Expr::Array {
            items: made.iter().map(|item| item.expr.clone()).collect(),
            element: element.clone(),
        };
        Typed::of(expr, Ty::Is(Type::Array(Box::new(element))), &parts)
    }

    fn record(&mut self, b: &mut Build, s: &Scope, items: &[tree::RecordItem]) -> Typed {
        let mut made = Vec::new();
        let mut fields: Vec<RecordField> = Vec::new();
        for item in items {
            let value = self.expr(b, s, &item.value);
            let name = match (&item.name, &item.value.kind) {
                (Some(name), _) => Arc::clone(&name.text),
                (None, ExprKind::Path(path)) => Arc::clone(&path.last().text),
                _ => {
                    self.error(
                        "record-field-without-name",
                        item.span,
                        "this field of the record needs a name: `name is …`",
                    );
                    continue;
                }
            };
            let Some(ty) = value.value_type().cloned() else { continue };
            if ty == Type::Null {
                let message = format!("`{name}` has no type; give it one: `null::string`");
                self.error("illegal-record-property-type", item.value.span, message);
                continue;
            }
            if fields.iter().any(|field| field.name == *name) {
                self.error(
                    "record-field-name-conflict",
                    item.span,
                    format!("the record already has a field `{name}`"),
                );
                continue;
            }
            fields.push(RecordField { name: name.to_string(), ty });
            made.push(value);
        }
        let parts: Vec<&Typed> = made.iter().collect();
        let expr = Expr::Record {
            items: made.iter().map(|item| item.expr.clone()).collect(),
            fields: fields.clone(),
        };
        Typed::of(expr, Ty::Is(Type::Record(fields)), &parts)
    }

    fn not(&mut self, b: &mut Build, s: &Scope, inner: &tree::Expr) -> Typed {
        let value = self.expr(b, s, inner);
        if value.is_error() {
            return value;
        }
        self.want_boolean(&value, inner.span, "`not`");
        value.map(Ty::Is(Type::Boolean), |expr| Expr::OrTrue(Box::new(Expr::Not(expr))))
    }

    fn logical(
        &mut self,
        b: &mut Build,
        s: &Scope,
        items: &[tree::Expr],
        combine: fn(Vec<Expr>) -> Expr,
    ) -> Typed {
        let made: Vec<Typed> = items.iter().map(|item| self.expr(b, s, item)).collect();
        for (value, written) in made.iter().zip(items) {
            self.want_boolean(value, written.span, "a logical operator");
            if value.is_null() && !value.is_error() {
                let message = "a logical operator needs a boolean, not `null`";
                self.error("expression-type-error", written.span, message);
            }
        }
        let parts: Vec<&Typed> = made.iter().collect();
        let expr = combine(made.iter().map(|item| item.expr.clone()).collect());
        Typed::of(expr, Ty::Is(Type::Boolean), &parts)
    }

    fn coalesce(&mut self, b: &mut Build, s: &Scope, items: &[tree::Expr]) -> Typed {
        let made: Vec<Typed> = items.iter().map(|item| self.expr(b, s, item)).collect();
        let Some(ty) = self.common_type("mismatched-coalesce-types", &made, items) else {
            return Typed::error();
        };
        let parts: Vec<&Typed> = made.iter().collect();
        let expr = Expr::Coalesce(made.iter().map(|item| item.expr.clone()).collect());
        Typed::of(expr, Ty::Is(ty), &parts)
    }

    /// The type that all of them have.
    fn common_type(
        &mut self,
        code: &'static str,
        made: &[Typed],
        all: &[tree::Expr],
    ) -> Option<Type> {
        let mut common: Option<Type> = None;
        for value in made {
            let Some(ty) = value.value_type() else { continue };
            common = match common {
                None => Some(ty.clone()),
                Some(before) if alike(&before, ty) => Some(either(&before, ty)),
                Some(before) => {
                    let message = format!(
                        "these have different types, `{}` and `{}`",
                        Ty::Is(before).name(),
                        value.ty.name()
                    );
                    self.error(
                        code,
                        all.first().map_or(Span::default(), |first| first.span),
                        message,
                    );
                    return None;
                }
            };
        }
        common
    }

    pub(crate) fn want_boolean(&mut self, value: &Typed, span: Span, what: &str) {
        if !value.is_error() && !value.is_boolean() && !value.is_null() {
            let message = format!("{what} needs a boolean, not a `{}`", value.ty.name());
            self.error("expression-type-error", span, message);
        }
    }

    pub(crate) fn want_number(&mut self, value: &Typed, span: Span, what: &str) {
        if !value.is_error() && !value.is_number() && !value.is_null() {
            let message = format!("{what} needs a number, not a `{}`", value.ty.name());
            self.error("expression-type-error", span, message);
        }
    }

    /// A condition of `where:`, `on` or `{ where: … }`: boolean and of rows.
    pub(crate) fn condition(&mut self, b: &mut Build, s: &Scope, e: &tree::Expr) -> Option<Typed> {
        let value = self.expr(b, s, e);
        if value.is_error() {
            return None;
        }
        if !value.kind.is_row_level() {
            let (code, message) = if value.kind == crate::typed::Kind::Analytic {
                ("analytic-in-where", "a calculation cannot be used in `where:`")
            } else {
                ("aggregate-in-where", "an aggregate cannot be used in `where:`")
            };
            self.report(
                Diagnostic::error(code, e.span, message)
                    .with_help("use `having:` to filter after grouping"),
            );
            return None;
        }
        if !value.is_boolean() && !value.is_null() {
            let message = format!("a condition has to be boolean, not a `{}`", value.ty.name());
            self.error("non-boolean-filter", e.span, message);
            return None;
        }
        Some(value)
    }

    /// The text and the type of a filter expression, if that is what an expression is: a literal, or the value of a parameter or given.
    pub(crate) fn filter_text(
        &mut self,
        b: &mut Build,
        s: &Scope,
        e: &tree::Expr,
    ) -> Option<FilterText> {
        match &e.unparenthesized().kind {
            ExprKind::Filter(literal) => Some(FilterText::Written(Arc::clone(&literal.text))),
            ExprKind::Given(name) => {
                let given = self.given(&name.text)?;
                if !matches!(given.ty, crate::source::ValueType::Filter(_)) {
                    return None;
                }
                if let Some(value) = self.givens.and_then(|givens| givens.get(&*name.text)) {
                    return Some(FilterText::Written(Arc::from(
                        value.as_str().unwrap_or_default(),
                    )));
                }
                match &given.default {
                    Some(default) => self.within(given.file, |a| a.filter_text(b, s, default)),
                    None => Some(FilterText::Unknown),
                }
            }
            ExprKind::Path(path) if path.names.len() == 1 => {
                let entry = s.source.names.get(&path.names[0].text, s.version)?;
                let def = Arc::clone(&entry.def);
                let FieldKind::Parameter(parameter) = &def.kind else { return None };
                if !matches!(parameter.ty, crate::source::ValueType::Filter(_)) {
                    return None;
                }
                if !b.real {
                    return Some(FilterText::Unknown);
                }
                let owner = Arc::clone(&s.source);
                let (scope, expr, file) = Self::argument(b, &owner, s, s.at, &def, parameter)?;
                self.within(file, |a| a.filter_text(b, &scope, &expr))
            }
            _ => None,
        }
    }
}

/// A filter expression.
pub(crate) enum FilterText {
    Written(Arc<str>),
    /// A parameter or given without a value yet.
    Unknown,
}

fn number_literal(number: &tree::NumberLiteral) -> Typed {
    let kind = if !number.integer {
        NumberKind::Float
    } else if number.text.parse::<i32>().is_ok() {
        NumberKind::Integer
    } else {
        NumberKind::Bigint
    };
    Typed::constant(
        Expr::Literal(Literal::Number(number.text.to_string())),
        Ty::Is(Type::Number(kind)),
    )
}
