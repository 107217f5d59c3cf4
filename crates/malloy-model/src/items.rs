//! `*`, `index:` and `drill:`.

use std::sync::Arc;

use malloy_syntax::Diagnostic;
use malloy_syntax::tree::{
    self, AccessLabel, CompareOp, ExprKind, FieldItemKind, FieldPath, Name, QueryStatementKind,
};

use crate::analyser::Analyser;
use crate::build::{Build, Role, Scope};
use crate::ir::{self, Aggregate, AggregateFunction, Expr, Literal, Type};
use crate::level::{Making, put};
use crate::query::LeafKind;
use crate::resolve::Place;
use crate::source::Source;
use crate::typed::{Kind, Ty, Typed};

impl Analyser<'_> {
    /// The names that `*` or `path.*` stands for, sorted.
    pub(crate) fn star_names(
        &mut self,
        b: &mut Build,
        s: &Scope,
        path: Option<&FieldPath>,
        except: &[Name],
    ) -> Option<Vec<Arc<str>>> {
        let before = self.problems.len();
        let mut names: Vec<Arc<str>> = match path {
            None => visible(&s.source, s.source.names.version()),
            Some(path) => match self.place(b, s, path) {
                Place::Join(at) => match (&b.join(at).source, &b.join(at).element) {
                    (Some(source), _) => visible(source, source.names.version()),
                    (None, Some(Type::Record(fields))) => {
                        fields.iter().map(|field| Arc::from(field.name.as_str())).collect()
                    }
                    _ => vec![Arc::from("each")],
                },
                Place::Value(found) => match found.value.value_type() {
                    Some(Type::Record(fields)) => {
                        fields.iter().map(|field| Arc::from(field.name.as_str())).collect()
                    }
                    Some(Type::Array(element)) => match &**element {
                        Type::Record(fields) => {
                            fields.iter().map(|field| Arc::from(field.name.as_str())).collect()
                        }
                        _ => vec![Arc::from("each")],
                    },
                    _ => {
                        self.error(
                            "invalid-wildcard-source",
                            path.span,
                            format!("`{}` has no fields", path.dotted()),
                        );
                        return None;
                    }
                },
                Place::View(..) => {
                    self.error(
                        "invalid-wildcard-source",
                        path.span,
                        format!("`{}` is a view", path.dotted()),
                    );
                    return None;
                }
                Place::Error => {
                    for problem in &mut self.problems[before..] {
                        if problem.diagnostic.code == "field-not-found" {
                            problem.diagnostic.code = "wildcard-source-not-defined";
                        }
                    }
                    return None;
                }
            },
        };
        for name in except {
            if !name.is_missing() && !names.contains(&name.text) {
                let message = format!("`{}` is not among the fields here", name.text);
                self.report(Diagnostic::warning("wildcard-except-not-found", name.span, message));
            }
        }
        names.retain(|name| !except.iter().any(|except| except.text == *name));
        names.sort_by(|left, right| crate::collate::compare(left, right));
        Some(names)
    }

    pub(crate) fn index(
        &mut self,
        b: &mut Build,
        m: &mut Making,
        s: &Scope,
        fields: &[tree::IndexField],
        by: Option<&Name>,
    ) {
        let mut made = m.index.take().map_or_else(Vec::new, |index| index.fields);
        for field in fields {
            let paths: Vec<FieldPath> = match (&field.path, field.star) {
                (Some(path), false) => vec![path.clone()],
                (path, _) => {
                    let Some(names) = self.star_names(b, s, path.as_ref(), &[]) else {
                        m.failed = true;
                        continue;
                    };
                    let before = path.as_ref().map_or_else(Vec::new, |path| path.names.clone());
                    names
                        .into_iter()
                        .map(|text| {
                            let mut names = before.clone();
                            names.push(Name { text, span: field.span });
                            FieldPath { names, span: field.span }
                        })
                        .collect()
                }
            };
            for path in paths {
                match self.place(b, s, &path) {
                    Place::Value(found) if !found.value.is_error() => {
                        let Some(ty) = found.value.value_type().cloned() else { continue };
                        let indexable =
                            matches!(ty, Type::String | Type::Number(_) | Type::Boolean)
                                || ty.is_time();
                        if !found.value.kind.is_row_level() || !indexable {
                            if !field.star {
                                let code = if found.value.kind.is_row_level() {
                                    "invalid-index-field"
                                } else {
                                    "index-of-aggregate"
                                };
                                let message = format!("`{}` cannot be indexed", path.dotted());
                                self.error(code, path.span, message);
                                m.failed = true;
                            }
                            continue;
                        }
                        let name = path.dotted();
                        let slashed = name.replace('.', "/");
                        if made.iter().any(|other: &ir::IndexField| other.name == name) {
                            if !field.star {
                                let message = format!("`{name}` is in the index already");
                                self.error("output-name-conflict", path.span, message);
                                m.failed = true;
                            }
                        } else {
                            made.push(ir::IndexField {
                                path: slashed,
                                name,
                                ty,
                                expr: found.value.expr,
                            });
                        }
                    }
                    Place::Error => m.failed = true,
                    _ if field.star => {}
                    place => {
                        let is_view = matches!(place, Place::View(..));
                        self.error(
                            if is_view { "index-of-view" } else { "invalid-index-field" },
                            path.span,
                            format!("`{}` cannot be indexed", path.dotted()),
                        );
                        m.failed = true;
                    }
                }
            }
        }
        let count = Aggregate {
            function: AggregateFunction::Count,
            args: Vec::new(),
            at: s.at,
            by_key: false,
            filter: None,
            order: Vec::new(),
            limit: None,
        };
        let mut weight = (Expr::Aggregate(Box::new(count)), Type::INTEGER);
        if let Some(name) = by {
            let path = FieldPath { names: vec![name.clone()], span: name.span };
            let value =
                self.expr(b, s, &tree::Expr { kind: ExprKind::Path(path), span: name.span });
            if !value.is_error() && value.kind != Kind::Aggregate {
                self.error(
                    "index-by-non-aggregate",
                    name.span,
                    format!("`{}` is no aggregate", name.text),
                );
                m.failed = true;
            } else if let Some(ty) = value.value_type().cloned() {
                weight = (value.expr, ty);
            }
        }
        if m.outputs.is_empty() {
            let columns = [
                ("fieldName", Type::String),
                ("fieldPath", Type::String),
                ("fieldValue", Type::String),
                ("fieldType", Type::String),
                ("weight", weight_type(&weight.1)),
            ];
            for (name, ty) in columns {
                let name: Arc<str> = Arc::from(name);
                let value = Typed::constant(Expr::Literal(Literal::Null), Ty::Is(ty));
                if let Some(slot) = self.take_name(
                    b,
                    m,
                    &name,
                    malloy_syntax::Span::default(),
                    Role::Dimension,
                    true,
                    None,
                ) {
                    put(b, m, slot, Role::Dimension, &value, &[], None);
                }
            }
        }
        m.index = Some(ir::Index { fields: made, weight: weight.0, sample: None });
    }

    /// `drill: view.field = value`: the filters that lead to a cell of a view.
    pub(crate) fn drill(&mut self, b: &mut Build, m: &mut Making, s: &Scope, items: &[tree::Expr]) {
        for item in items {
            let made = match &item.unparenthesized().kind {
                ExprKind::Compare { op: CompareOp::Equal, left, right } => {
                    match &left.unparenthesized().kind {
                        ExprKind::Path(path) => self.drill_into(b, s, path, right, item),
                        _ => None,
                    }
                }
                ExprKind::Path(path) => {
                    let path = path.clone();
                    self.drill_filters(b, s, &path)
                }
                _ => {
                    let message = "a drill is `view.field = value`";
                    self.report(Diagnostic::error("illegal-drill", item.span, message));
                    None
                }
            };
            match made {
                Some(conditions) => m.filters_mut().extend(conditions),
                None => m.failed = true,
            }
        }
    }

    /// Conditions of the views on the way, and that the field has the value.
    fn drill_into(
        &mut self,
        b: &mut Build,
        s: &Scope,
        path: &FieldPath,
        right: &tree::Expr,
        whole: &tree::Expr,
    ) -> Option<Vec<Expr>> {
        let mut conditions = Vec::new();
        let mut field: Option<(tree::Expr, Option<crate::source::FileId>, Scope)> = None;
        let (last, views) = path.names.split_last()?;
        if views.is_empty() {
            let left = tree::Expr { kind: ExprKind::Path(path.clone()), span: path.span };
            field = Some((left, None, s.clone()));
        } else {
            let view = FieldPath { names: vec![views[0].clone()], span: path.span };
            let stages = {
                let mut check = Build::check(&s.source);
                let segment = Arc::new(tree::Segment {
                    kind: tree::SegmentKind::Path(view),
                    span: path.span,
                });
                self.expand_all(&mut check, s, &[segment])
            };
            let mut leaves = stages.into_iter().next()?;
            for name in &views[1..] {
                leaves = self.nested_leaves(b, s, &leaves, name, &mut conditions)?;
            }
            for leaf in &leaves {
                let LeafKind::Block(block) = &leaf.what else {
                    if let LeafKind::Field(path) = &leaf.what
                        && path.last().text == last.text
                    {
                        field = Some((
                            tree::Expr { kind: ExprKind::Path(path.clone()), span: path.span },
                            leaf.from,
                            s.clone(),
                        ));
                    }
                    continue;
                };
                let scope = Scope { version: leaf.version.unwrap_or(s.version), ..s.clone() };
                for statement in &block.statements {
                    match &statement.kind {
                        QueryStatementKind::Where(items) => {
                            self.drill_where(b, &scope, leaf.from, items, &mut conditions);
                        }
                        QueryStatementKind::GroupBy(items) | QueryStatementKind::Select(items) => {
                            for item in items {
                                if let Some(expr) = field_named(item, &last.text) {
                                    field = Some((expr, leaf.from, scope.clone()));
                                }
                            }
                        }
                        _ => {}
                    }
                }
            }
        }
        let Some((left, from, scope)) = field else {
            let message = format!(
                "`{}` has no dimension `{}`",
                views.iter().map(|name| &*name.text).collect::<Vec<_>>().join("."),
                last.text
            );
            self.error("illegal-drill", path.span, message);
            return None;
        };
        let mut work = |a: &mut Self| a.expr(b, &scope, &left);
        let value = match from {
            Some(file) => self.within(file, work),
            None => work(self),
        };
        if value.is_error() {
            return None;
        }
        let test = self.drill_test(b, s, &value, right, whole)?;
        conditions.push(test.expr);
        Some(conditions)
    }

    fn drill_filters(&mut self, b: &mut Build, s: &Scope, path: &FieldPath) -> Option<Vec<Expr>> {
        let mut conditions = Vec::new();
        let segment = Arc::new(tree::Segment {
            kind: tree::SegmentKind::Path(path.clone()),
            span: path.span,
        });
        let mut check = Build::check(&s.source);
        let stages = self.expand_all(&mut check, s, &[segment]);
        for leaf in stages.first()? {
            if let LeafKind::Block(block) = &leaf.what {
                let scope = Scope { version: leaf.version.unwrap_or(s.version), ..s.clone() };
                for statement in &block.statements {
                    if let QueryStatementKind::Where(items) = &statement.kind {
                        self.drill_where(b, &scope, leaf.from, items, &mut conditions);
                    }
                }
            }
        }
        Some(conditions)
    }

    fn drill_where(
        &mut self,
        b: &mut Build,
        s: &Scope,
        from: Option<crate::source::FileId>,
        items: &[tree::Expr],
        conditions: &mut Vec<Expr>,
    ) {
        for item in items {
            let mut work = |a: &mut Self| a.condition(b, s, item);
            let made = match from {
                Some(file) => self.within(file, work),
                None => work(self),
            };
            conditions.extend(made.map(|condition| condition.expr));
        }
    }

    /// The leaves of a nest of a view, with the conditions of the view around it.
    fn nested_leaves(
        &mut self,
        b: &mut Build,
        s: &Scope,
        leaves: &[crate::query::Leaf],
        name: &Name,
        conditions: &mut Vec<Expr>,
    ) -> Option<Vec<crate::query::Leaf>> {
        let mut found = None;
        for leaf in leaves {
            let LeafKind::Block(block) = &leaf.what else { continue };
            let scope = Scope { version: leaf.version.unwrap_or(s.version), ..s.clone() };
            for statement in &block.statements {
                match &statement.kind {
                    QueryStatementKind::Where(items) => {
                        self.drill_where(b, &scope, leaf.from, items, conditions);
                    }
                    QueryStatementKind::Nest(items) => {
                        for item in items {
                            if crate::level::nest_name(item).is_some_and(|nest| nest == name.text) {
                                let mut check = Build::check(&s.source);
                                let from = leaf.from.map(|file| (scope.version, file));
                                let stages = self.expand_view(&mut check, &scope, &item.view, from);
                                found = stages.into_iter().next();
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        if found.is_none() {
            self.error(
                "illegal-drill",
                name.span,
                format!("there is no nest `{}` here", name.text),
            );
        }
        found
    }
}

/// A weight that is whole is an integer, however large its parts may be.
fn weight_type(ty: &Type) -> Type {
    match ty {
        Type::Number(ir::NumberKind::Bigint) => Type::INTEGER,
        other => other.clone(),
    }
}

/// What a field of that name is in an item, as an expression.
fn field_named(item: &tree::FieldItem, name: &str) -> Option<tree::Expr> {
    match &item.kind {
        FieldItemKind::Define { name: defined, expr } if &*defined.text == name => {
            Some(expr.clone())
        }
        FieldItemKind::Reference { path, suffix } if &*path.last().text == name => {
            let plain = tree::Expr { kind: ExprKind::Path(path.clone()), span: path.span };
            Some(match suffix {
                Some(tree::ReferenceSuffix::Truncate { unit, span }) => tree::Expr {
                    kind: ExprKind::Truncate { value: Box::new(plain), unit: *unit },
                    span: path.span.cover(*span),
                },
                _ => plain,
            })
        }
        _ => None,
    }
}

/// The public columns and dimensions of a source.
fn visible(source: &Source, version: u32) -> Vec<Arc<str>> {
    source
        .names
        .at(version)
        .filter(|entry| entry.def.is_dimension() && entry.access == AccessLabel::Public)
        .map(|entry| Arc::clone(&entry.name))
        .collect()
}
