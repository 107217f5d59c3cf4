//! Items of statements: names, values, and what has no place where.

use std::sync::Arc;

use malloy_syntax::tree::{self, FieldItem, FieldItemKind, ReferenceSuffix};
use malloy_syntax::{Diagnostic, Span};

use super::{Later, Making, Tag, Whole, note_texts, texts};
use crate::analyser::Analyser;
use crate::build::{Build, LevelNames, OutputName, Role, Scope};
use crate::ir::{Expr, Output, OutputKind, Type};
use crate::resolve::Place;
use crate::typed::{Kind, Typed};

impl Analyser<'_> {
    /// A field that stands for an operation with it alone.
    pub(super) fn field_leaf(
        &mut self,
        b: &mut Build,
        m: &mut Making,
        s: &Scope,
        path: &tree::FieldPath,
    ) {
        let Place::Value(found) = self.place(b, s, path) else {
            m.failed = true;
            return;
        };
        if found.value.is_error() {
            m.failed = true;
            return;
        }
        let role = if found.value.kind.is_row_level() { Role::Dimension } else { Role::Aggregate };
        if m.kind == Some(Tag::Project) && role == Role::Aggregate {
            self.error(
                "illegal-project-operation",
                path.span,
                format!("`{}` is an aggregate and has no place in a `select:`", path.dotted()),
            );
            m.failed = true;
            return;
        }
        m.kind.get_or_insert(Tag::Group);
        let name = Arc::clone(&path.last().text);
        if let Some(slot) = self.take_name(b, m, &name, path.span, role, false, Some(path)) {
            put(b, m, slot, role, &found.value, &found.notes, self.written(path.span));
        }
    }

    /// Takes a place among the outputs. A dotted reference whose name is taken gets the name of its path.
    #[expect(clippy::too_many_arguments, reason = "all of it is about one name")]
    pub(crate) fn take_name(
        &mut self,
        b: &mut Build,
        m: &mut Making,
        name: &Arc<str>,
        span: Span,
        role: Role,
        defined: bool,
        path: Option<&tree::FieldPath>,
    ) -> Option<usize> {
        let level = b.levels.last_mut()?;
        let mut name = Arc::clone(name);
        let taken = |level: &LevelNames, name: &str| {
            level.outputs.iter().find(|output| &*output.name == name).map(|output| output.span)
        };
        if taken(level, &name).is_some() {
            let long: Option<Arc<str>> = path
                .filter(|path| path.names.len() > 1)
                .map(|path| Arc::from(path.dotted().replace('.', "_")));
            match long {
                Some(long) if taken(level, &long).is_none() => {
                    let message = format!("the name `{name}` is taken, so this is called `{long}`");
                    self.report(Diagnostic::warning("name-conflict-auto-renamed", span, message));
                    name = long;
                }
                _ if self.quiet > m.whole.quiet => {
                    // A part that was fine by itself does not go with the parts before it.
                    let message = format!("more than one part of this has a field `{name}`");
                    let help = "what refines a view can only add fields that it does not have";
                    self.report_whole(m.whole, "name-conflict-in-refinement", message, help);
                    m.failed = true;
                    return None;
                }
                _ => {
                    let code =
                        if defined { "definition-name-conflict" } else { "output-name-conflict" };
                    let mut diagnostic = Diagnostic::error(
                        code,
                        span,
                        format!("there is already a field `{name}` in the output"),
                    );
                    if let Some(other) = taken(level, &name).filter(|_| self.quiet == 0) {
                        diagnostic = diagnostic.with_related(other, "here");
                    }
                    self.report(diagnostic.with_help("give it another name: `name is …`"));
                    m.failed = true;
                    return None;
                }
            }
        }
        level.outputs.push(OutputName { name, role, ty: None, kind: None, span });
        m.outputs.push(None);
        Some(m.outputs.len() - 1)
    }

    /// Reports about an operation rather than about the part that is being gone through.
    pub(super) fn report_whole(
        &mut self,
        whole: Whole,
        code: &'static str,
        message: String,
        help: &str,
    ) {
        let before = (self.file, self.quiet);
        (self.file, self.quiet) = (whole.file, whole.quiet);
        self.report(Diagnostic::error(code, whole.span, message).with_help(help));
        (self.file, self.quiet) = before;
    }

    /// Refuses an aggregate that also reads a row, unless it is grouped by what it reads.
    pub(super) fn want_grouped(
        &mut self,
        b: &mut Build,
        m: &mut Making,
        value: &Typed,
        span: Span,
    ) -> bool {
        if !b.real {
            return true;
        }
        let (code, message, help) = if let Some(name) = b.ungrouped_need.take() {
            let message = format!("this is only right where rows are grouped by `{name}`");
            (
                "missing-required-group-by",
                message,
                "add it to `group_by:`, or filter by one value of it",
            )
        } else if let Some(name) = ungrouped_part(&value.expr, b) {
            let message = format!("`{name}` is neither aggregated nor grouped by");
            ("scalar-not-grouped-by", message, "add it to `group_by:`, or aggregate it: `max(…)`")
        } else {
            return true;
        };
        if self.quiet > m.whole.quiet {
            self.report_whole(m.whole, code, message, help);
        } else {
            self.report(Diagnostic::error(code, span, message).with_help(help));
        }
        m.failed = true;
        false
    }

    pub(super) fn dimensions(
        &mut self,
        b: &mut Build,
        m: &mut Making,
        s: &Scope,
        items: &[FieldItem],
        notes: &[Arc<str>],
        statement: &'static str,
    ) {
        for item in items {
            if let FieldItemKind::Star(star) = &item.kind {
                self.star(b, m, s, star, item.span, notes);
                continue;
            }
            let Some((name, defined, path)) = item_name(item) else {
                m.failed = true;
                continue;
            };
            let slot = self.take_name(b, m, &name, item.span, Role::Dimension, defined, path);
            let made = self.item_value(b, s, item, statement);
            match (slot, made) {
                (Some(slot), Some((value, inherited))) => {
                    put(
                        b,
                        m,
                        slot,
                        Role::Dimension,
                        &value,
                        &all_notes(inherited, notes, &item.notes),
                        self.origin(item),
                    );
                }
                _ => m.failed = true,
            }
        }
    }

    #[expect(clippy::too_many_arguments, reason = "passes on what a statement has")]
    pub(super) fn reserve<'l>(
        &mut self,
        b: &mut Build,
        m: &mut Making,
        s: &Scope,
        items: &'l [FieldItem],
        role: Role,
        leaf: usize,
        notes: &[Arc<str>],
        later: &mut Vec<Later<'l>>,
    ) {
        for item in items {
            let Some((name, defined, path)) = item_name(item) else {
                m.failed = true;
                continue;
            };
            match self.take_name(b, m, &name, item.span, role, defined, path) {
                Some(slot) => {
                    let scope = s.clone();
                    later.push(Later::Field {
                        scope,
                        leaf,
                        slot,
                        item,
                        role,
                        notes: notes.to_vec(),
                    });
                }
                None => m.failed = true,
            }
        }
    }

    /// The value of an item, and the annotations that it inherits. Refuses what has no place in the statement.
    pub(super) fn item_value(
        &mut self,
        b: &mut Build,
        s: &Scope,
        item: &FieldItem,
        statement: &'static str,
    ) -> Option<(Typed, Vec<Arc<str>>)> {
        let (value, notes, span) = match &item.kind {
            FieldItemKind::Define { expr, .. } => {
                let value = self.expr(b, s, expr);
                let notes = self.notes_of(b, s, expr);
                (value, notes, item.span)
            }
            FieldItemKind::Reference { path, suffix } => {
                let (value, notes) = self.reference(b, s, path, *suffix, statement)?;
                (value, notes, path.span)
            }
            _ => return None,
        };
        if value.is_error() {
            return None;
        }
        if let Some((code, message)) = misplaced(statement, value.kind) {
            self.report(
                Diagnostic::error(code, item_start(item, span), message)
                    .with_help(place_for(value.kind)),
            );
            return None;
        }
        if value.value_type().is_none() {
            self.error(
                "invalid-type-for-field-definition",
                span,
                format!("a {} cannot be a field", value.ty.name()),
            );
            return None;
        }
        Some((value, notes))
    }

    pub(super) fn reference(
        &mut self,
        b: &mut Build,
        s: &Scope,
        path: &tree::FieldPath,
        suffix: Option<ReferenceSuffix>,
        statement: &'static str,
    ) -> Option<(Typed, Vec<Arc<str>>)> {
        if let Some(ReferenceSuffix::Aggregate { function, span }) = suffix {
            if function != tree::AggregateFunction::Sum {
                let message = format!(
                    "`{}()` needs a name here: `name is {}.{}()`",
                    function.as_str(),
                    path.dotted(),
                    function.as_str()
                );
                self.error("invalid-reference-only-aggregation", span, message);
                return None;
            }
            let over = tree::AggregateOver::Path(path.clone());
            let kind = tree::ExprKind::Aggregate { over, function, argument: None };
            let value = self.expr(b, s, &tree::Expr { kind, span: path.span.cover(span) });
            return Some((value, Vec::new()));
        }
        match self.place(b, s, path) {
            Place::Value(found) => match suffix {
                Some(ReferenceSuffix::Truncate { unit, .. }) => {
                    let value =
                        self.truncate_value(s, found.value, crate::expr::unit_of(unit), path.span);
                    Some((value, found.notes))
                }
                _ => Some((found.value, found.notes)),
            },
            Place::View(..) => {
                let code = match statement {
                    "group-by" => "group-by-view",
                    "select" => "select-of-view",
                    "aggregate" => "aggregate-of-view",
                    _ => "calculate-of-view",
                };
                let message = format!("`{}` is a view", path.dotted());
                self.report(
                    Diagnostic::error(code, path.span, message).with_help("use it in `nest:`"),
                );
                None
            }
            Place::Join(_) => {
                let message = format!("`{}` is a join", path.dotted());
                self.report(
                    Diagnostic::error("join-as-field", path.span, message)
                        .with_help(format!("name its fields: `{}.…`", path.dotted())),
                );
                None
            }
            Place::Error => None,
        }
    }

    /// What an item stands for, as written.
    pub(super) fn origin(&self, item: &FieldItem) -> Option<String> {
        let span = match &item.kind {
            FieldItemKind::Define { expr, .. } => expr.span,
            FieldItemKind::Reference { path, suffix } => match suffix {
                Some(
                    ReferenceSuffix::Aggregate { span, .. }
                    | ReferenceSuffix::Truncate { span, .. },
                ) => path.span.cover(*span),
                _ => path.span,
            },
            _ => return None,
        };
        self.written(span)
    }

    pub(super) fn star(
        &mut self,
        b: &mut Build,
        m: &mut Making,
        s: &Scope,
        star: &tree::Star,
        span: Span,
        notes: &[Arc<str>],
    ) {
        let Some(names) = self.star_names(b, s, star.path.as_ref(), &star.except) else {
            m.failed = true;
            return;
        };
        for name in names {
            let mut path = star.path.as_ref().map_or_else(Vec::new, |path| path.names.clone());
            path.push(tree::Name { text: Arc::clone(&name), span });
            let path = tree::FieldPath { names: path, span };
            let Some(slot) = self.take_name(b, m, &name, span, Role::Dimension, false, Some(&path))
            else {
                continue;
            };
            match self.place(b, s, &path) {
                Place::Value(found) if !found.value.is_error() => {
                    let mut all = found.notes;
                    all.extend(notes.iter().cloned());
                    put(b, m, slot, Role::Dimension, &found.value, &all, Some(quoted(&path)));
                }
                _ => m.failed = true,
            }
        }
    }
}

/// A path as it would be written.
fn quoted(path: &tree::FieldPath) -> String {
    let names: Vec<String> =
        path.names.iter().map(|name| crate::outline::quoted(&name.text)).collect();
    names.join(".")
}

/// Fills a place among the outputs.
pub(crate) fn put(
    b: &mut Build,
    m: &mut Making,
    slot: usize,
    role: Role,
    value: &Typed,
    notes: &[Arc<str>],
    origin: Option<String>,
) {
    let ty = match value.value_type() {
        // Nothing is known of it; the database will give some number.
        Some(Type::Null) | None => Type::NUMBER,
        Some(ty) => ty.clone(),
    };
    let Some(output) = b.levels.last_mut().and_then(|level| level.outputs.get_mut(slot)) else {
        return;
    };
    (output.ty, output.kind) = (Some(ty.clone()), Some(value.kind));
    let name = output.name.to_string();
    let expr = value.expr.clone();
    if let (Role::Dimension, Some(level)) = (role, b.levels.last_mut()) {
        level.dimensions.push(expr.clone());
    }
    let kind = match role {
        Role::Aggregate => OutputKind::Aggregate(expr),
        Role::Calculation => OutputKind::Calculation(expr),
        _ => OutputKind::Dimension(expr),
    };
    m.outputs[slot] = Some(Output { name, ty, annotations: texts(notes), origin, kind });
}

/// The name of something that is read from rows outside of aggregates, and that no level groups by.
pub(super) fn ungrouped_part(expr: &Expr, b: &Build) -> Option<String> {
    fn search(expr: &mut Expr, b: &Build) -> Option<String> {
        if b.levels.iter().any(|level| level.dimensions.contains(expr)) {
            return None;
        }
        match expr {
            Expr::Aggregate(_) | Expr::Window(_) => None,
            Expr::Column { name, .. } => Some(name.clone()),
            Expr::Field(id) => b.fields.get(id.0 as usize).map(|field| field.name.clone()),
            _ => {
                let mut found = None;
                expr.for_each_child_mut(|child| {
                    if found.is_none() {
                        found = search(child, b);
                    }
                });
                found
            }
        }
    }
    search(&mut expr.clone(), b)
}

pub(super) fn item_name(item: &FieldItem) -> Option<(Arc<str>, bool, Option<&tree::FieldPath>)> {
    match &item.kind {
        FieldItemKind::Define { name, .. } if name.is_missing() => None,
        FieldItemKind::Define { name, .. } => Some((Arc::clone(&name.text), true, None)),
        FieldItemKind::Reference { path, .. } if path.last().is_missing() => None,
        FieldItemKind::Reference { path, .. } => {
            Some((Arc::clone(&path.last().text), false, Some(path)))
        }
        FieldItemKind::Star(_) | FieldItemKind::Error => None,
    }
}

pub(super) fn item_start(item: &FieldItem, span: Span) -> Span {
    match &item.kind {
        FieldItemKind::Define { name, .. } => name.span.cover(span),
        _ => span,
    }
}

/// Why a value has no place in a statement.
pub(super) fn misplaced(
    statement: &'static str,
    kind: Kind,
) -> Option<(&'static str, &'static str)> {
    let is_aggregate = matches!(kind, Kind::Aggregate | Kind::Ungrouped);
    match statement {
        "group-by" if is_aggregate => {
            Some(("group-by-aggregate", "an aggregate cannot be grouped by"))
        }
        "group-by" if kind == Kind::Analytic => {
            Some(("group-by-analytic", "a calculation cannot be grouped by"))
        }
        "select" if is_aggregate => {
            Some(("select-of-aggregate", "an aggregate cannot be selected"))
        }
        "select" if kind == Kind::Analytic => {
            Some(("select-of-analytic", "a calculation cannot be selected"))
        }
        "aggregate" if kind.is_row_level() => Some(("aggregate-of-scalar", "this is no aggregate")),
        "aggregate" if kind == Kind::Analytic => {
            Some(("aggregate-of-analytic", "a calculation is no aggregate"))
        }
        "calculate" if kind.is_row_level() => {
            Some(("calculate-of-scalar", "this is no calculation"))
        }
        "calculate" if is_aggregate => {
            Some(("calculate-of-aggregate", "an aggregate is no calculation"))
        }
        _ => None,
    }
}

pub(super) fn place_for(kind: Kind) -> &'static str {
    match kind {
        Kind::Constant | Kind::Scalar => "use it in `group_by:` or `select:`",
        Kind::Aggregate | Kind::Ungrouped => "use it in `aggregate:`",
        Kind::Analytic => "use it in `calculate:`",
    }
}

pub(super) fn all_notes(
    mut inherited: Vec<Arc<str>>,
    statement: &[Arc<str>],
    item: &[tree::Annotation],
) -> Vec<Arc<str>> {
    inherited.extend(statement.iter().cloned());
    inherited.extend(note_texts(item));
    inherited
}
