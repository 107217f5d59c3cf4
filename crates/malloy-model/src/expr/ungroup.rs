//! `all(…)`, `exclude(…)` and `{ grouped_by: … }`: aggregates over coarser groups.

use malloy_syntax::tree::{self, FieldPath, Name, Ungroup};

use crate::analyser::Analyser;
use crate::build::{Build, Role, Scope};
use crate::ir::{self, DimensionRef, Expr};
use crate::typed::{Kind, Typed};

impl Analyser<'_> {
    pub(super) fn ungroup(
        &mut self,
        b: &mut Build,
        s: &Scope,
        kind: Ungroup,
        value: &tree::Expr,
        fields: &[Name],
    ) -> Typed {
        let called = if kind == Ungroup::All { "all" } else { "exclude" };
        let outer = std::mem::replace(&mut b.ungrouped, true);
        let inner = self.expr(b, s, value);
        b.ungrouped = outer;
        if inner.is_error() {
            return Typed::error();
        }
        if inner.kind == Kind::Ungrouped {
            self.error(
                "ungroup-of-ungrouped-aggregate",
                value.span,
                format!("what is inside `{called}()` is ungrouped already"),
            );
            return Typed::error();
        }
        if inner.kind != Kind::Aggregate {
            self.error(
                "ungroup-of-non-aggregate",
                value.span,
                format!("`{called}()` needs an aggregate"),
            );
            return Typed::error();
        }
        let keep = match kind {
            Ungroup::All => self.kept(b, s, fields, called, true),
            Ungroup::Exclude if fields.is_empty() => self.kept(b, s, fields, called, true),
            Ungroup::Exclude => self.kept(b, s, fields, called, false),
        };
        ungrouped(inner, keep)
    }

    /// `m { grouped_by: d }`: m is only right in a query that groups by d, or where d has one value.
    pub(super) fn grouped_by(
        &mut self,
        b: &mut Build,
        s: &Scope,
        inner: Typed,
        fields: &[Name],
    ) -> Typed {
        for name in fields {
            let path = FieldPath { names: vec![name.clone()], span: name.span };
            let value =
                self.expr(b, s, &tree::Expr { kind: tree::ExprKind::Path(path), span: name.span });
            if value.is_error() || !b.real || b.levels.is_empty() {
                continue;
            }
            let grouped = b.levels.iter().any(|level| level.dimensions.contains(&value.expr));
            if !grouped && !b.fixed.contains(&value.expr) {
                b.ungrouped_need.get_or_insert_with(|| name.text.to_string());
            }
        }
        inner
    }

    /// The dimensions that remain: those of the levels around, and of this one those that are named (or are not).
    fn kept(
        &mut self,
        b: &Build,
        s: &Scope,
        fields: &[Name],
        called: &str,
        named: bool,
    ) -> Vec<DimensionRef> {
        let depth = b.levels.len();
        let mut keep = Vec::new();
        for (index, level) in b.levels.iter().enumerate() {
            let up = u32::try_from(depth - 1 - index).unwrap_or(0);
            for (position, output) in level.outputs.iter().enumerate() {
                if output.role != Role::Dimension {
                    continue;
                }
                let is_named = fields.iter().any(|name| name.text == output.name);
                let is_kept = if named { up > 0 || is_named } else { !is_named };
                if is_kept {
                    keep.push(DimensionRef {
                        up,
                        output: u32::try_from(position).unwrap_or(u32::MAX),
                    });
                }
            }
        }
        for name in fields {
            if depth == 0 {
                // The definition of a measure: whether the dimension is grouped by is for the query to say.
                if s.source.names.get(&name.text, s.version).is_none() {
                    self.not_found(&s.source, s.version, name, name.span);
                }
            } else if !b
                .levels
                .iter()
                .flat_map(|level| &level.outputs)
                .any(|output| output.name == name.text && output.role == Role::Dimension)
            {
                let message =
                    format!("`{}` is not grouped by, so `{called}()` cannot use it", name.text);
                self.error("ungroup-field-not-in-output", name.span, message);
            }
        }
        keep
    }
}

fn ungrouped(inner: Typed, keep: Vec<DimensionRef>) -> Typed {
    let ty = inner.ty.clone();
    let mut made =
        inner.map(ty, |expr| Expr::Ungrouped(Box::new(ir::Ungrouped { expr: *expr, keep })));
    made.kind = Kind::Ungrouped;
    made
}
