//! What closes a level: `having:`, order and limit.

use malloy_syntax::tree::{self, OrderKey};
use malloy_syntax::{Diagnostic, Span};

use super::{Making, Tag};
use crate::analyser::{Analyser, nearest};
use crate::build::{Build, Scope};
use crate::ir::{Direction, Expr, Level, LevelKind, Order, Output, OutputKind};
use crate::query::{Shape, output_fields};
use crate::typed::{Kind, Typed};

impl Analyser<'_> {
    /// The finished level: outputs that came out well, order and limit.
    pub(super) fn close(&mut self, b: &Build, m: &mut Making) -> Level {
        let mut place: Vec<Option<u32>> = Vec::new();
        let mut outputs = Vec::new();
        for output in m.outputs.drain(..) {
            place.push(output.as_ref().map(|_| u32::try_from(outputs.len()).unwrap_or(u32::MAX)));
            outputs.extend(output);
        }
        let kind = match (m.kind, m.index.take()) {
            (Some(Tag::Index), Some(mut index)) => {
                index.sample = m.sample;
                LevelKind::Index(index)
            }
            (Some(Tag::Project), _) => LevelKind::Project,
            _ => LevelKind::Group,
        };
        let mut level = Level {
            kind,
            filters: std::mem::take(&mut m.filters),
            outputs,
            having: std::mem::take(&mut m.having),
            order: Vec::new(),
            window_order: Vec::new(),
            limit: m.limit,
        };
        level.order = match m.order.take() {
            Some(keys) => self.written_order(b, m, &keys, &place, &level),
            // One row has no order.
            None if !has_dimension(&level) => Vec::new(),
            None => default_order(&level),
        };
        level.window_order.clone_from(&level.order);
        level
    }

    pub(super) fn written_order(
        &mut self,
        b: &Build,
        m: &mut Making,
        keys: &[(OrderKey, Direction)],
        place: &[Option<u32>],
        level: &Level,
    ) -> Vec<Order> {
        let names = b.levels.last().map_or(&[][..], |level| &level.outputs);
        let mut order = Vec::new();
        for (key, direction) in keys {
            let found = match key {
                OrderKey::Name(name) if name.is_missing() => continue,
                OrderKey::Name(name) => match names
                    .iter()
                    .position(|output| output.name == name.text)
                {
                    Some(at) => place.get(at).copied().flatten(),
                    None if m.failed => continue,
                    None => {
                        // A name that is a field, only not of the output, is the statement's fault.
                        let keyword = m.order_at.as_ref().and_then(|(keyword, s)| {
                            s.source.names.get(&name.text, s.version).map(|_| *keyword)
                        });
                        let (code, place) = match keyword {
                            Some(keyword) => ("order-by-not-found-in-output", keyword),
                            None => ("field-not-found", name.span),
                        };
                        let mut diagnostic = Diagnostic::error(
                            code,
                            place,
                            format!("there is no field `{}` in the output to order by", name.text),
                        );
                        if let Some(near) =
                            nearest(&name.text, names.iter().map(|output| &*output.name))
                        {
                            diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
                        }
                        self.report(diagnostic);
                        m.failed = true;
                        continue;
                    }
                },
                OrderKey::Position(count) => {
                    let at = usize::try_from(count.value)
                        .ok()
                        .and_then(|at| at.checked_sub(1))
                        .filter(|at| *at < names.len());
                    if at.is_none() {
                        let message =
                            format!("the output has {} fields, not {}", names.len(), count.value);
                        self.error("order-by-not-found-in-output", count.span, message);
                        m.failed = true;
                    }
                    at.and_then(|at| place.get(at).copied().flatten())
                }
                OrderKey::Error(_) => continue,
            };
            let Some(output) = found else { continue };
            if matches!(level.outputs[output as usize].kind, OutputKind::Nest(_)) {
                let span = if let OrderKey::Name(name) = key { name.span } else { Span::default() };
                self.error("illegal-order-by", span, "a nest has no order");
                m.failed = true;
                continue;
            }
            order.push(Order { output, direction: *direction });
        }
        order
    }

    pub(super) fn having(&mut self, b: &mut Build, s: &Scope, expr: &tree::Expr) -> Option<Typed> {
        let value = self.expr(b, s, expr);
        if value.is_error() {
            return None;
        }
        if value.kind == Kind::Analytic {
            let message = "a calculation cannot be used in `having:`";
            self.report(
                Diagnostic::error("analytic-in-having", expr.span, message)
                    .with_help("filter in the next stage: `… -> { where: … }`"),
            );
            return None;
        }
        if !value.is_boolean() {
            self.error(
                "non-boolean-filter",
                expr.span,
                format!("a condition has to be boolean, not a `{}`", value.ty.name()),
            );
            return None;
        }
        Some(value)
    }
}

/// The first date, timestamp or aggregate, descending; without one the first that has an order, ascending.
pub(super) fn default_order(level: &Level) -> Vec<Order> {
    if level.kind != LevelKind::Group {
        return Vec::new();
    }
    let mut first = None;
    for (index, output) in level.outputs.iter().enumerate() {
        let output_index = u32::try_from(index).unwrap_or(u32::MAX);
        let counts = match &output.kind {
            OutputKind::Aggregate(_) => output.ty.is_orderable(),
            OutputKind::Dimension(_) => output.ty.is_time(),
            _ => continue,
        };
        if counts {
            return vec![Order { output: output_index, direction: Direction::Desc }];
        }
        if output.ty.is_orderable() {
            first.get_or_insert(output_index);
        }
    }
    first.map(|output| Order { output, direction: Direction::Asc }).into_iter().collect()
}

pub(crate) fn shape_of(level: &Level) -> Shape {
    let mut dimensions =
        level.outputs.iter().filter(|output| matches!(output.kind, OutputKind::Dimension(_)));
    let key =
        dimensions.next().filter(|_| dimensions.next().is_none() && level.kind == LevelKind::Group);
    // What a single row would be ordered by is told, too.
    let order = if level.order.is_empty() { default_order(level) } else { level.order.clone() };
    Shape {
        fields: output_fields(level),
        key: key.map(|output| output.name.clone()),
        order: order
            .iter()
            .map(|by| (level.outputs[by.output as usize].name.clone(), by.direction))
            .collect(),
        limit: level.limit,
        notes: Vec::new(),
        zone: None,
        groups: level.kind == LevelKind::Group,
        stages: 1,
        one_record: level.kind == LevelKind::Group && !has_dimension(level),
        failed: false,
    }
}

pub(super) fn has_dimension(level: &Level) -> bool {
    level.outputs.iter().any(|output| matches!(output.kind, OutputKind::Dimension(_)))
}

/// Puts the outputs themselves where they are named.
pub(super) fn write_out(expr: &mut Expr, outputs: &[Option<Output>]) {
    expr.walk_mut(&mut |expr| {
        if let Expr::Output(at) = expr
            && let Some(Some(output)) = outputs.get(*at as usize)
            && let OutputKind::Dimension(inner) | OutputKind::Aggregate(inner) = &output.kind
        {
            *expr = inner.clone();
        }
    });
}
