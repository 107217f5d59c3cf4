//! Calls: functions of the language by name and argument types, functions of the database, SQL text.

use malloy_syntax::tree::{
    self, Call, Direction as Written, ExprKind, FieldPath, Name, PropertyKind,
};
use malloy_syntax::{Diagnostic, Span};

use super::aggregate::{Locus, Parts, made_aggregate};
use crate::analyser::{Analyser, nearest};
use crate::build::{Build, Scope};
use crate::function::{Arg, Means, OVERLOADS, Overload, overloads};
use crate::ir::{
    self, AggregateFunction, Direction, Expr, Function, Literal, Ordering, SqlPart, Type,
};
use crate::typed::{Kind, Space, Ty, Typed, alike};

impl Analyser<'_> {
    pub(super) fn call(
        &mut self,
        b: &mut Build,
        s: &Scope,
        call: &Call,
        properties: &[&tree::Property],
        span: Span,
    ) -> Typed {
        if call.name.is_missing() {
            return Typed::error();
        }
        if let Some(made) = self.time_function(b, s, call, span) {
            return made;
        }
        if let Some(raw) = &call.raw {
            return self.sql_call(b, s, call, raw, span);
        }
        let candidates = overloads(&call.name.text);
        if candidates.is_empty() {
            let mut diagnostic = Diagnostic::error(
                "function-not-found",
                span,
                format!("there is no function `{}`", call.name.text),
            );
            diagnostic =
                match nearest(&call.name.text, OVERLOADS.iter().map(|overload| overload.name)) {
                    Some(near) => diagnostic.with_help(format!(
                        "did you mean `{near}`? `{}!(…)` calls a function of the database",
                        call.name.text
                    )),
                    None => diagnostic.with_help(format!(
                        "`{}!(…)` calls a function of the database",
                        call.name.text
                    )),
                };
            self.report(diagnostic);
            return Typed::error();
        }
        let is_aggregate = matches!(candidates[0].means, Means::Aggregate(_));
        if matches!(candidates[0].means, Means::SqlText) {
            return self.sql_text(b, s, call, candidates[0], span);
        }
        let locus = match &call.path {
            None => Locus { at: s.at, value: None, explicit: false },
            Some(path) if is_aggregate => match self.locus(b, s, path, false) {
                Some(locus) => locus,
                None => return Typed::error(),
            },
            Some(path) => {
                let message =
                    format!("`{}` is no aggregate, so nothing can stand before it", call.name.text);
                self.error("invalid-function-locality", path.span, message);
                return Typed::error();
            }
        };
        let mut args: Vec<(Typed, Span)> =
            locus.value.clone().into_iter().map(|value| (value, span)).collect();
        for argument in &call.arguments {
            let value = if is_aggregate {
                self.row_level(b, s, argument)
            } else {
                self.expr(b, s, argument)
            };
            args.push((value, argument.span));
        }
        if args.iter().any(|(value, _)| value.is_error()) {
            return Typed::error();
        }
        let Some((overload, ty)) = self.choose(call, &candidates, &args, span) else {
            return Typed::error();
        };
        match overload.means {
            Means::Aggregate(function) => {
                self.call_aggregate(b, s, call, function, &locus, args, ty, properties, span)
            }
            Means::Window(function, reach) => {
                for (wanted, (value, span)) in overload.takes.iter().zip(&args) {
                    if *wanted == Arg::Count && whole_number(&value.expr).is_none() {
                        let message =
                            format!("`{}` takes a whole number that is written out", overload.name);
                        self.error("invalid-function-argument-evaluation-space", *span, message);
                        return Typed::error();
                    }
                }
                let counts: Vec<u64> = args
                    .iter()
                    .skip(1)
                    .filter_map(|(value, _)| whole_number(&value.expr))
                    .collect();
                let frame = reach.frame(&counts);
                let moving = matches!(reach, crate::function::Reach::Moving);
                self.call_window(b, s, call, (function, frame, moving), args, ty, properties)
            }
            means => {
                if let Some(property) = properties.first() {
                    let message =
                        format!("`{}` cannot be ordered, partitioned or limited", call.name.text);
                    self.error("illegal-function-property", property.span, message);
                }
                let parts: Vec<&Typed> = args.iter().map(|(value, _)| value).collect();
                let exprs: Vec<Expr> = parts.iter().map(|value| value.expr.clone()).collect();
                let expr = match means {
                    Means::Scalar(function) => Expr::Call { function, args: exprs, ty: ty.clone() },
                    _ => Expr::Coalesce(exprs),
                };
                let mut made = Typed::of(expr, Ty::Is(ty), &parts);
                if means == Means::Scalar(Function::Rand) {
                    made.kind = made.kind.max(Kind::Scalar);
                }
                made
            }
        }
    }

    /// The overload that the arguments fit, and its type.
    fn choose(
        &mut self,
        call: &Call,
        candidates: &[&'static Overload],
        args: &[(Typed, Span)],
        span: Span,
    ) -> Option<(&'static Overload, Type)> {
        for overload in candidates {
            if let Some(ty) = fit(overload, args) {
                return Some((overload, ty));
            }
        }
        let given: Vec<String> = args.iter().map(|(value, _)| value.ty.name()).collect();
        let ways: Vec<String> = candidates
            .iter()
            .map(|overload| {
                let takes: Vec<&str> = overload.takes.iter().map(|arg| arg.name()).collect();
                format!("`{}({})`", overload.name, takes.join(", "))
            })
            .collect();
        let message = format!("`{}` cannot be called with ({})", call.name.text, given.join(", "));
        self.report(
            Diagnostic::error("no-matching-function-overload", span, message)
                .with_help(format!("it takes {}", ways.join(" or "))),
        );
        None
    }

    #[expect(clippy::too_many_arguments, reason = "what a call is made of")]
    fn call_aggregate(
        &mut self,
        b: &mut Build,
        s: &Scope,
        call: &Call,
        function: AggregateFunction,
        locus: &Locus,
        args: Vec<(Typed, Span)>,
        ty: Type,
        properties: &[&tree::Property],
        span: Span,
    ) -> Typed {
        for (value, span) in &args {
            if !self.want_row_level(value, *span) {
                return Typed::error();
            }
        }
        let asymmetric =
            matches!(function, AggregateFunction::Stddev | AggregateFunction::StringAgg);
        if asymmetric {
            let over = match &call.path {
                Some(path) => tree::AggregateOver::Path(path.clone()),
                None => tree::AggregateOver::Nothing,
            };
            if !self.may_aggregate(b, locus, &args[0].0, &call.name.text, &over, span) {
                return Typed::error();
            }
        }
        let mut parts = Parts {
            args: args.into_iter().map(|(value, _)| value).collect(),
            order: Vec::new(),
            limit: None,
        };
        let is_text =
            matches!(function, AggregateFunction::StringAgg | AggregateFunction::StringAggDistinct);
        if is_text && parts.args.len() == 1 {
            parts.args.push(Typed::constant(
                Expr::Literal(Literal::String(",".into())),
                Ty::Is(Type::String),
            ));
        }
        for property in properties {
            match &property.kind {
                PropertyKind::OrderBy(items) if is_text => {
                    let place = items.first().map_or(property.span, |item| item.span);
                    self.experiment_as(
                        "aggregate-order-by-experiment-not-enabled",
                        "aggregate_order_by",
                        place,
                    );
                    for item in items {
                        let value = match &item.expr {
                            Some(written) => self.row_level(b, s, written),
                            None => parts.args[0].clone(),
                        };
                        parts.order.push(Ordering {
                            expr: value.expr,
                            direction: direction(item.direction),
                        });
                    }
                }
                PropertyKind::Limit(count) if is_text => {
                    self.experiment("aggregate_limit", property.span);
                    parts.limit = Some(count.value);
                }
                _ => {
                    let message = format!("`{}` cannot have this", call.name.text);
                    self.error("illegal-function-property", property.span, message);
                }
            }
        }
        made_aggregate(b, function, locus.at, parts, ty)
    }

    #[expect(clippy::too_many_arguments, reason = "what a call is made of")]
    fn call_window(
        &mut self,
        b: &mut Build,
        s: &Scope,
        call: &Call,
        (function, frame, moving): (ir::WindowFunction, ir::Frame, bool),
        mut args: Vec<(Typed, Span)>,
        ty: Type,
        properties: &[&tree::Property],
    ) -> Typed {
        for (value, span) in &args {
            if value.kind >= Kind::Ungrouped {
                let message = format!(
                    "`{}` needs a dimension or an aggregate, not an {}",
                    call.name.text,
                    value.kind.name()
                );
                self.report(
                    Diagnostic::error("invalid-function-argument-expression-type", *span, message)
                        .with_help("calculate it in the next stage: `… -> { … }`"),
                );
                return Typed::error();
            }
            if value.space == Space::Input {
                let message = format!(
                    "`{}` goes over the rows that come out, so it needs a field of the output",
                    call.name.text
                );
                self.report(
                    Diagnostic::error("invalid-function-argument-evaluation-space", *span, message)
                        .with_help("add the field to `group_by:`, `aggregate:` or `select:`"),
                );
                return Typed::error();
            }
        }
        if moving {
            args.truncate(1);
        }
        let mut window = ir::Window {
            function,
            args: args.iter().map(|(value, _)| value.expr.clone()).collect(),
            partition: Vec::new(),
            order: Vec::new(),
            frame,
            ty: ty.clone(),
        };
        for property in properties {
            match &property.kind {
                PropertyKind::PartitionBy(names) => {
                    for name in names {
                        let path = FieldPath { names: vec![name.clone()], span: name.span };
                        let written = tree::Expr { kind: ExprKind::Path(path), span: name.span };
                        let value = self.expr(b, s, &written);
                        window.partition.push(value.expr);
                    }
                }
                PropertyKind::OrderBy(items) => {
                    for item in items {
                        let Some(written) = &item.expr else {
                            self.error(
                                "function-order-by-without-expression",
                                item.span,
                                "say what to order by",
                            );
                            continue;
                        };
                        let value = self.expr(b, s, written);
                        window.order.push(Ordering {
                            expr: value.expr,
                            direction: direction(item.direction),
                        });
                    }
                }
                _ => {
                    let message = format!("`{}` cannot have this", call.name.text);
                    self.error("illegal-function-property", property.span, message);
                }
            }
        }
        let parts: Vec<&Typed> = args.iter().map(|(value, _)| value).collect();
        let mut made = Typed::of(Expr::Window(Box::new(window)), Ty::Is(ty), &parts);
        (made.kind, made.space) = (Kind::Analytic, Space::Output);
        made
    }

    /// `name!type(…)`
    fn sql_call(
        &mut self,
        b: &mut Build,
        s: &Scope,
        call: &Call,
        raw: &tree::RawCall,
        span: Span,
    ) -> Typed {
        if !self
            .unrestricted(&format!("`{}!(…)`, a function of the database,", call.name.text), span)
        {
            return Typed::error();
        }
        let args: Vec<Typed> =
            call.arguments.iter().map(|argument| self.expr(b, s, argument)).collect();
        if args.iter().any(Typed::is_error) {
            return Typed::error();
        }
        let parts: Vec<&Typed> = args.iter().collect();
        let ty = match &raw.ty {
            Some(written) => super::written_type(written).unwrap_or(Type::NUMBER),
            None => args.iter().find_map(|arg| arg.value_type().cloned()).unwrap_or(Type::NUMBER),
        };
        let expr = Expr::SqlCall {
            name: call.name.text.to_string(),
            args: args.iter().map(|arg| arg.expr.clone()).collect(),
            ty: ty.clone(),
        };
        let mut made = Typed::of(expr, Ty::Is(ty), &parts);
        made.kind = made.kind.max(Kind::Scalar);
        made
    }

    /// `sql_string("… ${field} …")`
    fn sql_text(
        &mut self,
        b: &mut Build,
        s: &Scope,
        call: &Call,
        overload: &Overload,
        span: Span,
    ) -> Typed {
        if !self.unrestricted(&format!("`{}(…)`, SQL text,", call.name.text), span)
            || !self.experiment_as("sql-functions-experiment-not-enabled", "sql_functions", span)
        {
            return Typed::error();
        }
        let [argument] = call.arguments.as_slice() else {
            self.error(
                "no-matching-function-overload",
                span,
                format!("`{}` takes one string", call.name.text),
            );
            return Typed::error();
        };
        let ExprKind::String(text) = &argument.unparenthesized().kind else {
            let message = format!("`{}` takes a string that is written out", call.name.text);
            self.error("invalid-sql-function-argument", argument.span, message);
            return Typed::error();
        };
        let mut parts = Vec::new();
        let mut values = Vec::new();
        let mut rest: &str = text;
        while let Some((before, after)) = rest.split_once("${") {
            let Some((inside, after)) = after.split_once('}') else { break };
            parts.push(SqlPart::Text(before.to_owned()));
            let names = inside.split('.').map(|name| Name {
                text: std::sync::Arc::from(name.trim().trim_matches('`')),
                span: argument.span,
            });
            let path = FieldPath { names: names.collect(), span: argument.span };
            let written = tree::Expr { kind: ExprKind::Path(path), span: argument.span };
            let before = self.problems.len();
            let value = self.expr(b, s, &written);
            if value.is_error() {
                for problem in &mut self.problems[before..] {
                    if problem.diagnostic.code == "field-not-found" {
                        problem.diagnostic.code = "sql-function-interpolation-not-found";
                        problem.diagnostic.span = span;
                    }
                }
                return Typed::error();
            }
            parts.push(SqlPart::Expr(value.expr.clone()));
            values.push(value);
            rest = after;
        }
        parts.push(SqlPart::Text(rest.to_owned()));
        let ty = overload.returns.ty(None, None);
        let of: Vec<&Typed> = values.iter().collect();
        let mut made = Typed::of(Expr::SqlText { parts, ty: ty.clone() }, Ty::Is(ty), &of);
        made.kind = made.kind.max(Kind::Scalar);
        made
    }
}

/// The type of the result, if the arguments fit.
fn fit(overload: &Overload, args: &[(Typed, Span)]) -> Option<Type> {
    let repeats = matches!(overload.takes.last(), Some(Arg::Many | Arg::ManySame));
    let fits = if repeats {
        let least = if overload.takes.last() == Some(&Arg::ManySame) {
            overload.takes.len()
        } else {
            overload.takes.len() - 1
        };
        args.len() >= least
    } else {
        args.len() == overload.takes.len()
    };
    if !fits {
        return None;
    }
    // `lag` and `lead` give back what they find, so they take booleans too.
    let shifts = matches!(
        overload.means,
        Means::Window(ir::WindowFunction::Lag | ir::WindowFunction::Lead, _)
    );
    let mut same: Option<Type> = None;
    let mut element: Option<Type> = None;
    for (index, (value, _)) in args.iter().enumerate() {
        let wanted = overload.takes[index.min(overload.takes.len() - 1)];
        if value.ty == Ty::Regex {
            if wanted == Arg::Regex {
                continue;
            }
            return None;
        }
        let ty = value.value_type()?;
        if wanted.is_literal() && value.kind != Kind::Constant {
            return None;
        }
        let generic = matches!(wanted, Arg::Same | Arg::SameConstant | Arg::ManySame);
        let accepts = wanted.accepts(ty) || generic && shifts && *ty == Type::Boolean;
        let agrees = match (&same, ty) {
            _ if !generic => true,
            (None, Type::Null) => true,
            (None, ty) => {
                same = Some(ty.clone());
                true
            }
            (Some(before), ty) => alike(before, ty),
        };
        if let (Arg::List, Type::Array(inner)) = (wanted, ty) {
            element = Some((**inner).clone());
        }
        if !accepts || !agrees {
            return None;
        }
    }
    Some(overload.returns.ty(same.map(|ty| ty.with_unit(None)).as_ref(), element.as_ref()))
}

fn whole_number(expr: &Expr) -> Option<u64> {
    match expr {
        Expr::Literal(Literal::Number(text)) => text.parse().ok(),
        _ => None,
    }
}

fn direction(written: Option<Written>) -> Direction {
    match written {
        Some(Written::Descending) => Direction::Desc,
        _ => Direction::Asc,
    }
}
