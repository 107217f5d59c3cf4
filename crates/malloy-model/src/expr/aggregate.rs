//! Aggregates: what is aggregated, and over the rows of which join.

use malloy_syntax::tree::{
    self, AggregateFunction as Written, AggregateOver, FieldPath, PropertyKind,
};
use malloy_syntax::{Diagnostic, Span};

use crate::analyser::Analyser;
use crate::build::{Build, Scope};
use crate::ir::{
    Aggregate, AggregateFunction, Expr, JoinId, NumberKind, Ordering, Relation, Relationship, Type,
};
use crate::joins::and;
use crate::resolve::Place;
use crate::typed::{Kind, Space, Ty, Typed};

/// Where an aggregate is taken, and of what.
pub(super) struct Locus {
    pub(super) at: JoinId,
    /// The field that the path leads to, when it leads to one.
    pub(super) value: Option<Typed>,
    /// Whether a path was written.
    pub(super) explicit: bool,
}

/// What is aggregated, in which order, and how many at most.
pub(super) struct Parts {
    pub(super) args: Vec<Typed>,
    pub(super) order: Vec<Ordering>,
    pub(super) limit: Option<u64>,
}

impl Analyser<'_> {
    pub(super) fn aggregate(
        &mut self,
        b: &mut Build,
        s: &Scope,
        over: &AggregateOver,
        function: Written,
        argument: Option<&tree::Expr>,
        span: Span,
    ) -> Typed {
        let locus = match over {
            AggregateOver::Nothing => Locus { at: s.at, value: None, explicit: false },
            AggregateOver::Source(_) => Locus { at: s.at, value: None, explicit: true },
            AggregateOver::Path(path) => match self.locus(b, s, path, function == Written::Count) {
                Some(locus) => locus,
                None => return Typed::error(),
            },
        };
        if function == Written::Count {
            return self.count(b, s, &locus, over, argument, span);
        }
        let least_or_most = matches!(function, Written::Min | Written::Max);
        if let (true, AggregateOver::Path(_) | AggregateOver::Source(_), None, Some(_)) =
            (least_or_most, over, &locus.value, argument)
        {
            let name = function.as_str();
            let message = format!("`{name}` is the same over the rows of any join");
            self.report(
                Diagnostic::error("invalid-symmetric-aggregate", span, message)
                    .with_help(format!("write `{name}(…)` or `path.to.field.{name}()`")),
            );
            return Typed::error();
        }
        let (value, value_span) = match (locus.value.clone(), argument) {
            (Some(value), None) => (value, span),
            (None, Some(argument)) => (self.row_level(b, s, argument), argument.span),
            (Some(_), Some(argument)) => {
                let message =
                    "the field before the dot is what is aggregated; leave the parentheses empty";
                self.error("aggregate-expression-with-field", argument.span, message);
                return Typed::error();
            }
            (None, None) => {
                let message = format!("`{}()` needs something to aggregate", function.as_str());
                self.error("invalid-asymmetric-aggregate", span, message);
                return Typed::error();
            }
        };
        if value.is_error() || !self.want_row_level(&value, span) {
            return Typed::error();
        }
        let (made, ty) = match function {
            Written::Sum => (AggregateFunction::Sum, sum_type(&value)),
            Written::Avg => (AggregateFunction::Avg, Type::Number(NumberKind::Float)),
            Written::Min => {
                (AggregateFunction::Min, value.value_type().cloned().unwrap_or(Type::NUMBER))
            }
            Written::Max | Written::Count => {
                (AggregateFunction::Max, value.value_type().cloned().unwrap_or(Type::NUMBER))
            }
        };
        if matches!(function, Written::Sum | Written::Avg) {
            if !value.is_number() && !value.is_null() {
                let message =
                    format!("`{}` needs a number, not a `{}`", function.as_str(), value.ty.name());
                self.error("expression-type-error", value_span, message);
                return Typed::error();
            }
            if !self.may_aggregate(b, &locus, &value, function.as_str(), over, span) {
                return Typed::error();
            }
        } else if !value.value_type().is_some_and(is_countable) {
            let message = format!(
                "`{}` needs something that has an order, not a `{}`",
                function.as_str(),
                value.ty.name()
            );
            self.error("expression-type-error", value_span, message);
            return Typed::error();
        }
        made_aggregate(
            b,
            made,
            locus.at,
            Parts { args: vec![value], order: Vec::new(), limit: None },
            ty,
        )
    }

    fn count(
        &mut self,
        b: &mut Build,
        s: &Scope,
        locus: &Locus,
        over: &AggregateOver,
        argument: Option<&tree::Expr>,
        span: Span,
    ) -> Typed {
        let none = Parts { args: Vec::new(), order: Vec::new(), limit: None };
        let Some(argument) = argument else {
            return made_aggregate(b, AggregateFunction::Count, locus.at, none, Type::INTEGER);
        };
        if matches!(over, AggregateOver::Path(_)) {
            let message = "`path.count()` counts rows of the join; leave the parentheses empty";
            self.report(
                Diagnostic::error("count-expression-with-locality", argument.span, message)
                    .with_help("`count(path.field)` counts different values"),
            );
            return Typed::error();
        }
        let value = self.row_level(b, s, argument);
        if value.is_error() || !self.want_row_level(&value, span) {
            return Typed::error();
        }
        if !value.value_type().is_some_and(is_countable) {
            let message = format!("`count` cannot tell values of type `{}` apart", value.ty.name());
            self.error("expression-type-error", argument.span, message);
            return Typed::error();
        }
        let parts = Parts { args: vec![value], ..none };
        made_aggregate(b, AggregateFunction::CountDistinct, locus.at, parts, Type::INTEGER)
    }

    /// Works out an argument of an aggregate, which the filters around it do not concern.
    pub(super) fn row_level(&mut self, b: &mut Build, s: &Scope, argument: &tree::Expr) -> Typed {
        let conditions = std::mem::take(&mut b.conditions);
        let value = self.expr(b, s, argument);
        b.conditions = conditions;
        value
    }

    pub(super) fn want_row_level(&mut self, value: &Typed, span: Span) -> bool {
        if value.kind.is_row_level() {
            return true;
        }
        let (code, what) = if value.kind == Kind::Analytic {
            ("aggregate-of-analytic", "a calculation")
        } else {
            ("aggregate-of-aggregate", "an aggregate")
        };
        self.report(
            Diagnostic::error(code, span, format!("{what} cannot be aggregated"))
                .with_help("group in one stage and aggregate in the next: `… -> { aggregate: … }`"),
        );
        false
    }

    /// The join that a path before an aggregate names, and the field if it goes on to one.
    pub(super) fn locus(
        &mut self,
        b: &mut Build,
        s: &Scope,
        path: &FieldPath,
        counts: bool,
    ) -> Option<Locus> {
        let before = self.problems.len();
        match self.place(b, s, path) {
            Place::Join(at) => Some(Locus { at, value: None, explicit: true }),
            Place::Value(found) => {
                let element = match found.value.value_type() {
                    Some(Type::Array(element)) => Some((**element).clone()),
                    _ => None,
                };
                if let Some(element) = element {
                    let at = Self::unnest(b, &found, &element);
                    return Some(Locus { at, value: None, explicit: true });
                }
                if matches!(found.value.value_type(), Some(Type::Record(_))) {
                    return Some(Locus { at: found.at, value: None, explicit: true });
                }
                if counts {
                    let message =
                        format!("`{}` is no join whose rows could be counted", path.dotted());
                    self.report(
                        Diagnostic::error("aggregate-source-not-found", path.span, message)
                            .with_help(format!(
                                "`count({})` counts different values",
                                path.dotted()
                            )),
                    );
                    return None;
                }
                // A dimension that reads one join alone is aggregated there.
                let at = match found.value.uses.as_slice() {
                    [only] => *only,
                    _ => found.at,
                };
                Some(Locus { at, value: Some(found.value), explicit: true })
            }
            Place::View(..) => {
                self.error(
                    "aggregate-source-not-found",
                    path.span,
                    format!("`{}` is a view", path.dotted()),
                );
                None
            }
            Place::Error => {
                for problem in &mut self.problems[before..] {
                    problem.diagnostic.code = "aggregate-source-not-found";
                }
                None
            }
        }
    }

    /// Whether a sum over the rows of a join makes sense for a value: not when there are many values for one row.
    pub(super) fn may_aggregate(
        &mut self,
        b: &Build,
        locus: &Locus,
        value: &Typed,
        function: &str,
        over: &AggregateOver,
        span: Span,
    ) -> bool {
        for used in &value.uses {
            let top = b.common(locus.at, *used);
            let down = b.path_down(top, *used).unwrap_or_default();
            let up = b.path_down(top, locus.at).unwrap_or_default();
            let relation = |id: &JoinId| b.join(*id).relationship;
            let crossed = down.iter().chain(&up).find(|id| relation(id) == Relationship::Cross);
            let many = down.iter().find(|id| relation(id) == Relationship::Many);
            let Some((join, code)) =
                crossed.map(|id| (*id, "aggregate-traverses-join-cross")).or_else(|| {
                    many.map(|id| {
                        let is_list = b.join(*id).element.is_some()
                            || matches!(b.join(*id).relation, Relation::Unnest { .. });
                        let code = if is_list {
                            "aggregate-traverses-repeated-relationship"
                        } else {
                            "aggregate-traverses-join-many"
                        };
                        (*id, code)
                    })
                })
            else {
                continue;
            };
            let way = b.dotted(*used);
            let message = if locus.explicit {
                format!(
                    "`{function}` would count rows more than once across `{}`",
                    b.join(join).name
                )
            } else {
                format!(
                    "`{function}` has to say whose rows it adds up, since `{}` has many for one",
                    b.join(join).name
                )
            };
            let help = match over {
                AggregateOver::Path(path) => format!(
                    "aggregate over the rows of the join: `{way}.{function}({})`",
                    path.dotted()
                ),
                _ => format!("aggregate over the rows of the join: `{way}.{function}(…)`"),
            };
            self.report(Diagnostic::error(code, span, message).with_help(help));
            return false;
        }
        true
    }

    /// `m { where: … }` and the other properties.
    pub(super) fn properties(
        &mut self,
        b: &mut Build,
        s: &Scope,
        value: &tree::Expr,
        properties: &[tree::Property],
        span: Span,
    ) -> Typed {
        let mut conditions = Vec::new();
        let mut failed = false;
        let mut grouped: Option<&[tree::Name]> = None;
        let mut others = Vec::new();
        for property in properties {
            match &property.kind {
                PropertyKind::Where(items) => {
                    for item in items {
                        let outer = std::mem::take(&mut b.conditions);
                        let condition = self.condition(b, s, item);
                        b.conditions = outer;
                        match condition {
                            Some(condition) => conditions.push(condition),
                            None => failed = true,
                        }
                    }
                }
                PropertyKind::GroupedBy(names) => {
                    self.experiment("grouped_by", property.span);
                    grouped = Some(names);
                }
                PropertyKind::Error => failed = true,
                _ => others.push(property),
            }
        }
        let count = b.conditions.len();
        b.conditions.extend(conditions.iter().map(|condition| condition.expr.clone()));
        let mut made = match &value.unparenthesized().kind {
            tree::ExprKind::Call(call) if !others.is_empty() => {
                self.call(b, s, call, &others, value.span)
            }
            _ => {
                let made = self.expr(b, s, value);
                if let (Some(property), false) = (others.first(), made.is_error()) {
                    let message = "only functions such as `string_agg` and `lag` can be ordered, partitioned or limited";
                    let (code, place) = match &property.kind {
                        PropertyKind::OrderBy(items) => (
                            "order-by-of-non-aggregate-function",
                            items.first().map_or(property.span, |item| item.span),
                        ),
                        PropertyKind::PartitionBy(_) => {
                            ("partition-by-of-non-window-function", property.span)
                        }
                        _ => ("illegal-function-property", property.span),
                    };
                    self.error(code, place, message);
                }
                made
            }
        };
        b.conditions.truncate(count);
        if made.is_error() {
            return made;
        }
        let filters =
            properties.iter().any(|property| matches!(property.kind, PropertyKind::Where(_)));
        if filters && made.kind.is_row_level() {
            self.error(
                "filter-of-non-aggregate",
                value.span,
                "only an aggregate can be filtered by `{ where: … }`",
            );
            return Typed::error();
        }
        if filters && made.kind == Kind::Analytic {
            self.error(
                "filter-of-analytic",
                span,
                "a calculation cannot be filtered by `{ where: … }`",
            );
            return Typed::error();
        }
        if failed {
            return Typed { ty: Ty::Error, ..made };
        }
        for condition in &conditions {
            made.size = made.size.saturating_add(condition.size);
            made.depth = made.depth.max(condition.depth.saturating_add(1));
        }
        match grouped {
            Some(names) => self.grouped_by(b, s, made, names),
            None => made,
        }
    }
}

/// The aggregate, with the filters that are around it.
pub(super) fn made_aggregate(
    b: &Build,
    function: AggregateFunction,
    at: JoinId,
    parts: Parts,
    ty: Type,
) -> Typed {
    let of: Vec<&Typed> = parts.args.iter().collect();
    let aggregate = Aggregate {
        function,
        args: parts.args.iter().map(|arg| arg.expr.clone()).collect(),
        at,
        by_key: false,
        filter: and(b.conditions.clone()),
        order: parts.order,
        limit: parts.limit,
    };
    let mut made = Typed::of(Expr::Aggregate(Box::new(aggregate)), Ty::Is(ty), &of);
    (made.kind, made.space, made.uses) = (Kind::Aggregate, Space::Output, Vec::new());
    made
}

fn sum_type(value: &Typed) -> Type {
    match value.value_type() {
        Some(Type::Number(kind)) => Type::Number(*kind),
        _ => Type::NUMBER,
    }
}

/// What `min`, `max` and `count` can take: what is told apart by an order, and is no condition.
fn is_countable(ty: &Type) -> bool {
    ty.is_orderable() && *ty != Type::Boolean || *ty == Type::Null
}
