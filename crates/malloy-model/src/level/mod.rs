//! Operations: from blocks of statements to a level of a stage.
//!
//! The statements of all leaves are gone through once in order, which gives the outputs their places and works out the
//! dimensions; aggregates, nests and calculations follow, since they may name any dimension. Start at [`Analyser::stage`].

mod close;
mod fields;
mod nest;

use std::sync::Arc;

use malloy_syntax::tree::{self, FieldItem, NestItem, OrderKey, QueryStatementKind};
use malloy_syntax::{Diagnostic, Span};

pub(crate) use close::shape_of;
pub(crate) use fields::put;
pub(crate) use nest::nest_name;

use self::close::write_out;
use self::fields::{all_notes, ungrouped_part};
use crate::analyser::Analyser;
use crate::build::{Build, LevelNames, QueryBuild, Reach, Role, Scope};
use crate::ir::{self, Direction, Expr, JoinId, Level, Output, Stage};
use crate::query::{Leaf, LeafKind, Shape};
use crate::source::{FileId, Source};

/// A level in the making.
#[derive(Default)]
pub(crate) struct Making {
    pub(crate) kind: Option<Tag>,
    pub(crate) outputs: Vec<Option<Output>>,
    filters: Vec<Expr>,
    having: Vec<Expr>,
    order: Option<Vec<(OrderKey, Direction)>>,
    /// Where the order is written, and what names mean there.
    order_at: Option<(Span, Scope)>,
    limit: Option<u64>,
    pub(crate) index: Option<ir::Index>,
    pub(crate) sample: Option<ir::Sample>,
    pub(crate) failed: bool,
    /// Where the whole operation stands, for what is wrong between its parts.
    pub(crate) whole: Whole,
}

/// The place of an operation, and whether it is reported about.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Whole {
    pub(crate) span: Span,
    pub(crate) file: FileId,
    pub(crate) quiet: u32,
}

impl Making {
    pub(crate) fn filters_mut(&mut self) -> &mut Vec<Expr> {
        &mut self.filters
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tag {
    Group,
    Project,
    Index,
}

/// Something to do once the dimensions are known.
enum Later<'l> {
    Field {
        scope: Scope,
        leaf: usize,
        slot: usize,
        item: &'l FieldItem,
        role: Role,
        notes: Vec<Arc<str>>,
    },
    Nest {
        scope: Scope,
        leaf: usize,
        slot: usize,
        item: &'l NestItem,
        notes: Vec<Arc<str>>,
    },
    Having {
        scope: Scope,
        leaf: usize,
        expr: &'l tree::Expr,
        keyword: Span,
    },
}

impl Analyser<'_> {
    /// Works out a stage from its leaves.
    pub(crate) fn stage(
        &mut self,
        mut b: Build,
        input: &Arc<Source>,
        leaves: &[Leaf],
        last: bool,
        span: Span,
    ) -> (QueryBuild, Option<Stage>, Shape) {
        let scope = Scope { reach: Reach::Query, ..Scope::of(input) };
        let zone = leaves.iter().rev().find_map(zone_of).or_else(|| input.zone.clone());
        let conditions = self.source_conditions(&mut b, input, JoinId::ROOT, zone.as_ref());
        b.fixed.extend(conditions.iter().filter_map(|condition| fixed_by(&condition.expr)));
        let (level, failed) = self.level(&mut b, &scope, leaves, span);
        let Some(mut level) = level else {
            return (b.query, None, Shape { failed: true, ..Shape::default() });
        };
        let mut filters: Vec<Expr> =
            conditions.into_iter().map(|condition| condition.expr).collect();
        filters.append(&mut level.filters);
        level.filters = filters;
        let mut shape = shape_of(&level);
        shape.failed = failed;
        shape.zone = zone;
        if !last && level.limit.is_none() {
            level.order.clear();
        }
        if !b.real {
            return (b.query, None, shape);
        }
        let (query, stage) = self.finish_stage(b, level);
        (query, Some(stage), shape)
    }

    /// Works out one level: the outermost of a stage, or a nest.
    pub(crate) fn level(
        &mut self,
        b: &mut Build,
        s: &Scope,
        leaves: &[Leaf],
        span: Span,
    ) -> (Option<Level>, bool) {
        b.levels.push(LevelNames::default());
        let whole = Whole { span, file: self.file, quiet: self.quiet };
        let mut m = Making { whole, ..Making::default() };
        let mut later = Vec::new();
        for (index, leaf) in leaves.iter().enumerate() {
            let scope = self.leaf_scope(b, s, leaf);
            self.in_leaf(leaf, |a| a.first_pass(b, &mut m, &scope, leaf, index, &mut later));
        }
        if m.kind.is_none() {
            if !m.failed && !leaves.is_empty() {
                let message = "nothing here says what comes out";
                self.report(
                    Diagnostic::error("ambiguous-view-type", span, message)
                        .with_help("add `group_by:`, `aggregate:`, `select:`, `nest:` or `index:`"),
                );
            }
            b.levels.pop();
            return (None, true);
        }
        for step in [Role::Aggregate, Role::Nest, Role::Calculation] {
            for task in &later {
                self.second_pass(b, &mut m, leaves, task, step);
            }
        }
        let level = self.close(b, &mut m);
        b.levels.pop();
        (Some(level), m.failed)
    }

    /// Reports for a leaf only if it was not checked before.
    fn in_leaf<T>(&mut self, leaf: &Leaf, work: impl FnOnce(&mut Self) -> T) -> T {
        match leaf.from {
            Some(file) => self.within(file, work),
            None => work(self),
        }
    }

    /// The names that a leaf sees: of the source, with what it adds itself by `extend:`.
    fn leaf_scope(&mut self, b: &mut Build, s: &Scope, leaf: &Leaf) -> Scope {
        let mut scope = s.clone();
        if let Some(version) = leaf.version {
            (scope.version, scope.reach) = (version, Reach::Definition);
        }
        scope.zone = zone_of(leaf).or_else(|| s.zone.clone());
        let LeafKind::Block(block) = &leaf.what else { return scope };
        for extension in self.in_leaf(leaf, |a| a.query_extensions(block)) {
            let mut source = (*scope.source).clone();
            source.names.close();
            let source = self.in_leaf(leaf, |a| a.extended(Arc::new(source), &extension));
            scope.version = source.names.version();
            if scope.at == JoinId::ROOT {
                b.joins[0].source = Some(Arc::clone(&source));
            }
            scope.source = source;
        }
        scope
    }

    fn first_pass<'l>(
        &mut self,
        b: &mut Build,
        m: &mut Making,
        s: &Scope,
        leaf: &'l Leaf,
        index: usize,
        later: &mut Vec<Later<'l>>,
    ) {
        let block = match &leaf.what {
            LeafKind::Field(path) => return self.field_leaf(b, m, s, path),
            LeafKind::Block(block) => block,
        };
        let (mut order, mut limit) = (None, None);
        for statement in &block.statements {
            let notes = note_texts(&statement.notes);
            let keyword = statement.keyword;
            match &statement.kind {
                QueryStatementKind::GroupBy(items) => {
                    if self.tag(m, Tag::Group, keyword, "group_by:") {
                        self.dimensions(b, m, s, items, &notes, "group-by");
                    }
                }
                QueryStatementKind::Select(items) => {
                    if self.tag(m, Tag::Project, keyword, "select:") {
                        self.dimensions(b, m, s, items, &notes, "select");
                    }
                }
                QueryStatementKind::Aggregate(items) => {
                    if self.tag(m, Tag::Group, keyword, "aggregate:") {
                        self.reserve(b, m, s, items, Role::Aggregate, index, &notes, later);
                    }
                }
                QueryStatementKind::Calculate(items) => {
                    self.reserve(b, m, s, items, Role::Calculation, index, &notes, later);
                }
                QueryStatementKind::Nest(items) => {
                    if self.tag(m, Tag::Group, keyword, "nest:") {
                        for item in items {
                            let Some(name) = nest_name(item) else {
                                self.error(
                                    "anonymous-nest",
                                    item.span,
                                    "this nest needs a name: `nest: name is { … }`",
                                );
                                m.failed = true;
                                continue;
                            };
                            let Some(slot) = self.take_name(
                                b,
                                m,
                                &name,
                                item.span,
                                Role::Nest,
                                item.name.is_some(),
                                None,
                            ) else {
                                continue;
                            };
                            let mut all = notes.clone();
                            all.extend(note_texts(&item.notes));
                            later.push(Later::Nest {
                                scope: s.clone(),
                                leaf: index,
                                slot,
                                item,
                                notes: all,
                            });
                        }
                    }
                }
                QueryStatementKind::Where(items) => {
                    for item in items {
                        match self.condition(b, s, item) {
                            Some(condition) => {
                                b.fixed.extend(fixed_by(&condition.expr));
                                m.filters.push(condition.expr);
                            }
                            None => m.failed = true,
                        }
                    }
                }
                QueryStatementKind::Drill(items) => self.drill(b, m, s, items),
                QueryStatementKind::Having(items) => {
                    later.extend(items.iter().map(|expr| Later::Having {
                        scope: s.clone(),
                        leaf: index,
                        expr,
                        keyword,
                    }));
                }
                QueryStatementKind::OrderBy(items) => {
                    if order.is_some() {
                        self.error(
                            "ordering-already-specified",
                            keyword,
                            "there is an `order_by:` already",
                        );
                    }
                    m.order_at = Some((keyword, s.clone()));
                    order = Some(
                        items
                            .iter()
                            .map(|item| (item.key.clone(), direction(item.direction)))
                            .collect(),
                    );
                }
                QueryStatementKind::Limit(count) | QueryStatementKind::Top(count) => {
                    if limit.is_some() {
                        self.error("limit-already-specified", keyword, "there is a limit already");
                    }
                    limit = Some(count.value);
                }
                QueryStatementKind::Index { fields, by } => {
                    if self.tag(m, Tag::Index, keyword, "index:") {
                        self.index(b, m, s, fields, by.as_ref());
                    }
                }
                QueryStatementKind::Sample(sample) => {
                    self.tag(m, Tag::Index, keyword, "sample:");
                    m.sample = match sample {
                        tree::Sample::Rows(count) => Some(ir::Sample::Rows(count.value)),
                        #[expect(clippy::cast_precision_loss, reason = "a percentage")]
                        tree::Sample::Percent(count) => {
                            Some(ir::Sample::Percent(count.value as f64))
                        }
                        tree::Sample::Flag { on: true, .. } => Some(ir::Sample::Default),
                        _ => None,
                    };
                }
                QueryStatementKind::Timezone(zone) => self.check_zone(zone),
                QueryStatementKind::Extend(_)
                | QueryStatementKind::Join { .. }
                | QueryStatementKind::LooseNotes => {}
                QueryStatementKind::Declare(_) => {
                    let message = "`declare:` is not part of the language any more";
                    self.report(
                        Diagnostic::error("unexpected-statement-in-translation", keyword, message)
                            .with_help("use `extend: { dimension: … measure: … }`"),
                    );
                    m.failed = true;
                }
                QueryStatementKind::Error => m.failed = true,
            }
        }
        // What refines later goes before; a new limit without an order brings the default order back.
        if order.is_some() || limit.is_some() {
            m.order = order;
        }
        m.limit = limit.or(m.limit);
    }

    /// Whether a statement fits the kind of operation, which the first one decides.
    fn tag(&mut self, m: &mut Making, tag: Tag, span: Span, statement: &str) -> bool {
        let kind = *m.kind.get_or_insert(tag);
        if kind == tag {
            return true;
        }
        let (code, of) = match kind {
            Tag::Project => ("illegal-project-operation", "a `select:`"),
            Tag::Group => ("illegal-grouping-operation", "a grouping"),
            Tag::Index => ("illegal-index-operation", "an `index:`"),
        };
        self.error(code, span, format!("`{statement}` has no place in {of}"));
        m.failed = true;
        false
    }

    fn second_pass(
        &mut self,
        b: &mut Build,
        m: &mut Making,
        leaves: &[Leaf],
        task: &Later<'_>,
        step: Role,
    ) {
        match task {
            Later::Field { scope, leaf, slot, item, role, notes } if *role == step => {
                let statement = if step == Role::Aggregate { "aggregate" } else { "calculate" };
                let scope = Scope { outputs: step == Role::Calculation, ..scope.clone() };
                let made =
                    self.in_leaf(&leaves[*leaf], |a| a.item_value(b, &scope, item, statement));
                let made = made.filter(|(value, _)| {
                    step != Role::Aggregate || self.want_grouped(b, m, value, item.span)
                });
                match made {
                    Some((value, inherited)) => {
                        let notes = all_notes(inherited, notes, &item.notes);
                        let origin = self.in_leaf(&leaves[*leaf], |a| a.origin(item));
                        put(b, m, *slot, step, &value, &notes, origin);
                    }
                    None => m.failed = true,
                }
            }
            Later::Nest { scope, leaf, slot, item, notes } if step == Role::Nest => {
                let made = self.in_leaf(&leaves[*leaf], |a| a.nest(b, scope, item, notes));
                match made {
                    Some(output) => {
                        if let Some(level) = b.levels.last_mut() {
                            level.outputs[*slot].ty = Some(output.ty.clone());
                        }
                        m.outputs[*slot] = Some(output);
                    }
                    None => m.failed = true,
                }
            }
            Later::Having { leaf, keyword, .. }
                if m.kind == Some(Tag::Project) && step == Role::Calculation =>
            {
                let message = "`having:` has no place in a `select:`, which does not group";
                self.in_leaf(&leaves[*leaf], |a| {
                    a.error("illegal-operation-in-select-segment", *keyword, message);
                });
                m.failed = true;
            }
            Later::Having { scope, leaf, expr, .. } if step == Role::Calculation => {
                let scope = Scope { outputs: true, ..scope.clone() };
                let made = self.in_leaf(&leaves[*leaf], |a| a.having(b, &scope, expr));
                match made {
                    Some(mut value) => {
                        write_out(&mut value.expr, &m.outputs);
                        // A condition on rows that nothing is grouped by has to hold before grouping.
                        let before =
                            value.kind.is_row_level() && ungrouped_part(&value.expr, b).is_some();
                        if before { m.filters.push(value.expr) } else { m.having.push(value.expr) }
                    }
                    None => m.failed = true,
                }
            }
            _ => {}
        }
    }
}

/// What has one value where a condition holds.
fn fixed_by(condition: &Expr) -> Option<Expr> {
    match condition {
        Expr::Binary { op: ir::BinaryOp::Equal, left, right }
            if matches!(**right, Expr::Literal(_)) =>
        {
            Some((**left).clone())
        }
        _ => None,
    }
}

fn zone_of(leaf: &Leaf) -> Option<Arc<str>> {
    let LeafKind::Block(block) = &leaf.what else { return None };
    block.statements.iter().rev().find_map(|statement| match &statement.kind {
        QueryStatementKind::Timezone(zone) => Some(Arc::clone(&zone.value)),
        _ => None,
    })
}

fn direction(written: Option<tree::Direction>) -> Direction {
    match written {
        Some(tree::Direction::Descending) => Direction::Desc,
        _ => Direction::Asc,
    }
}

/// Annotations of an object as written.
pub(crate) fn note_texts(notes: &[tree::Annotation]) -> Vec<Arc<str>> {
    notes
        .iter()
        .filter(|note| note.scope == tree::NoteScope::Object)
        .map(|note| Arc::clone(&note.text))
        .collect()
}

fn texts(notes: &[Arc<str>]) -> Vec<String> {
    notes.iter().map(ToString::to_string).collect()
}
