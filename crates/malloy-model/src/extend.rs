//! `extend { … }`: what is added to a source.

use std::collections::HashMap;
use std::sync::Arc;

use malloy_syntax::tree::{
    self, AccessLabel, FieldDefinition, JoinRelation, Name, SourceBlock, SourceStatement,
    SourceStatementKind,
};
use malloy_syntax::{Diagnostic, Span};

use crate::analyser::{Analyser, nearest};
use crate::build::{Build, Scope};
use crate::expr::comparable;
use crate::ir::{JoinId, JoinKind, Relationship};
use crate::level::note_texts;
use crate::source::{
    Condition, ExprDef, FieldDef, FieldKind, Info, JoinCondition, JoinDef, Source, ViewDef,
};
use crate::sources::Context;
use crate::typed::{Kind, Ty, Typed};
use crate::uses::{self, Used};

impl Analyser<'_> {
    /// The source with what a block adds.
    ///
    /// In which order the statements stand does not matter: names are changed and taken away first, then fields are defined, each
    /// after those that it uses, and filters come last.
    pub(crate) fn extended(&mut self, mut source: Arc<Source>, block: &SourceBlock) -> Arc<Source> {
        self.once_each(block);
        for statement in &block.statements {
            self.change_names(&mut source, statement);
        }
        let items = items(block);
        let order = in_order(&items);
        let before = std::mem::take(&mut self.undefined);
        self.undefined = items.iter().map(|item| Arc::clone(&item.name().text)).collect();
        let base = source.names.next_place();
        for at in order {
            let item = &items[at];
            self.undefined.remove(&item.name().text);
            let place = base + u32::try_from(at).unwrap_or(u32::MAX / 2);
            Arc::make_mut(&mut source).names.place_next_at(place);
            self.define_item(&mut source, item);
        }
        Arc::make_mut(&mut source)
            .names
            .place_next_at(base + u32::try_from(items.len()).unwrap_or(u32::MAX / 2));
        self.undefined = before;
        for statement in &block.statements {
            self.add_conditions(&mut source, statement);
        }
        source
    }

    fn change_names(&mut self, source: &mut Arc<Source>, statement: &SourceStatement) {
        match &statement.kind {
            SourceStatementKind::Rename(items) => {
                let notes = note_texts(&statement.notes);
                for item in items {
                    self.rename(source, item, &notes);
                }
            }
            SourceStatementKind::Accept(names) => self.accept(source, names, true),
            SourceStatementKind::Except(names) => self.accept(source, names, false),
            SourceStatementKind::Timezone(zone) => {
                self.check_zone(zone);
                Arc::make_mut(source).zone = Some(Arc::clone(&zone.value));
            }
            _ => {}
        }
    }

    fn define_item(&mut self, source: &mut Arc<Source>, item: &Item<'_>) {
        let notes = note_texts(&item.statement.notes);
        let access = match &item.statement.access {
            Some(access) => access.label,
            None => AccessLabel::Public,
        };
        match item.kind {
            ItemKind::Field(field, measure) => self.define(source, field, measure, access, &notes),
            ItemKind::Join(join, relation) => {
                let keyed = matches!(join.condition, tree::JoinCondition::With(_));
                if relation == JoinRelation::Many && keyed {
                    let message = "`with` finds one row, so it is for `join_one:`";
                    self.report(
                        Diagnostic::error(
                            "foreign-key-in-join-many",
                            item.statement.keyword,
                            message,
                        )
                        .with_help("say which rows match: `on …`"),
                    );
                }
                self.define_join(source, relation, join, access, &notes);
            }
            ItemKind::View(view) => self.define_view(source, view, access, &notes),
        }
    }

    fn add_conditions(&mut self, source: &mut Arc<Source>, statement: &SourceStatement) {
        match &statement.kind {
            SourceStatementKind::Where(items) => {
                for item in items {
                    let scope = Scope::of(source);
                    let mut check = Build::check(source);
                    let before = self.problems.len();
                    let condition = self.condition(&mut check, &scope, item);
                    for problem in &mut self.problems[before..] {
                        if problem.diagnostic.code == "aggregate-in-where" {
                            problem.diagnostic.code = "aggregate-in-source-filter";
                        }
                    }
                    if condition.is_some() {
                        let version = source.names.version();
                        let condition =
                            Condition { expr: Arc::new(item.clone()), version, file: self.file };
                        drop((check, scope));
                        Arc::make_mut(source).filters.push(condition);
                    }
                }
            }
            SourceStatementKind::PrimaryKey(name) => {
                self.primary_key(source, name, statement.keyword.cover(name.span));
            }
            _ => {}
        }
    }

    /// Whether a name is free for a new field.
    fn is_free(&mut self, source: &Source, name: &Name, span: Span) -> bool {
        if name.is_missing() {
            return false;
        }
        if source.names.current(&name.text).is_none() {
            return true;
        }
        let message = format!("`{}` is defined already", name.text);
        self.report(Diagnostic::error("definition-name-conflict", span, message).with_help(
            "choose another name, or take the old one away with `except:` or `rename:`",
        ));
        false
    }

    fn define(
        &mut self,
        source: &mut Arc<Source>,
        item: &FieldDefinition,
        measure: bool,
        access: AccessLabel,
        notes: &[Arc<str>],
    ) {
        let free = self.is_free(source, &item.name, item.span);
        let scope = Scope::of(source);
        let mut check = Build::check(source);
        let value = self.expr(&mut check, &scope, &item.expr);
        let kind = self.field_kind(&check, source, item, measure, &value);
        drop(check);
        drop(scope);
        if !free {
            return;
        }
        let mut all = notes.to_vec();
        all.extend(note_texts(&item.notes));
        let def = self.new_def(&item.name.text, kind, all);
        Arc::make_mut(source).names.add(Arc::clone(&item.name.text), def, access);
    }

    fn field_kind(
        &mut self,
        b: &Build,
        source: &Arc<Source>,
        item: &FieldDefinition,
        measure: bool,
        value: &Typed,
    ) -> FieldKind {
        let Ty::Is(ty) = value.ty.clone() else {
            if !value.is_error() {
                let message = format!("a {} cannot be a field", value.ty.name());
                self.error("invalid-type-for-field-definition", item.span, message);
            }
            return FieldKind::Error;
        };
        let wrong = match (measure, value.kind) {
            (true, Kind::Constant | Kind::Scalar) => {
                Some(("scalar-in-measure", "this is no aggregate", "make it a `dimension:`"))
            }
            (true, Kind::Analytic) => Some((
                "analytic-in-measure",
                "a calculation cannot be a measure",
                "use it in `calculate:` of a query",
            )),
            (false, Kind::Aggregate | Kind::Ungrouped) => Some((
                "aggregate-in-dimension",
                "an aggregate cannot be a dimension",
                "make it a `measure:`",
            )),
            (false, Kind::Analytic) => Some((
                "analytic-in-dimension",
                "a calculation cannot be a dimension",
                "use it in `calculate:` of a query",
            )),
            _ => None,
        };
        if let Some((code, message, help)) = wrong {
            self.report(Diagnostic::error(code, item.span, message).with_help(help));
            if !value.kind.is_row_level() {
                return FieldKind::Error;
            }
        }
        // What is a scalar by mistake is used as one, so that a query that takes it for an aggregate hears of it.
        let ty = if ty == crate::ir::Type::Null { crate::ir::Type::NUMBER } else { ty };
        let uses = value.uses.iter().filter_map(|id| b.steps(JoinId::ROOT, *id)).collect();
        let info = Info { ty, kind: value.kind, uses, depth: value.depth, size: value.size };
        let version = source.names.version();
        FieldKind::Expr(ExprDef {
            measure: measure && wrong.is_none(),
            expr: Arc::new(item.expr.clone()),
            version,
            info,
        })
    }

    fn define_view(
        &mut self,
        source: &mut Arc<Source>,
        item: &tree::ViewDefinition,
        access: AccessLabel,
        notes: &[Arc<str>],
    ) {
        let free = self.is_free(source, &item.name, item.span);
        let before = self.problems.len();
        self.view_shape(source, &item.view, item.span);
        let failed = self.problems[before..].iter().any(crate::analyser::Problem::is_error);
        if !free {
            return;
        }
        let mut all = notes.to_vec();
        all.extend(note_texts(&item.notes));
        let version = source.names.version();
        let kind = if failed {
            FieldKind::Error
        } else {
            FieldKind::View(ViewDef { view: Arc::new(item.view.clone()), version })
        };
        let def = self.new_def(&item.name.text, kind, all);
        Arc::make_mut(source).names.add(Arc::clone(&item.name.text), def, access);
    }

    /// What comes out of a view of a source.
    pub(crate) fn view_shape(
        &mut self,
        source: &Arc<Source>,
        view: &tree::View,
        span: Span,
    ) -> crate::query::Shape {
        let scope = Scope::of(source);
        let mut check = Build::check(source);
        let stages = self.expand_view(&mut check, &scope, view, None);
        drop(check);
        self.stages_shape(source, &stages, span)
    }

    /// What comes out of stages of leaves.
    pub(crate) fn stages_shape(
        &mut self,
        source: &Arc<Source>,
        stages: &[Vec<crate::query::Leaf>],
        span: Span,
    ) -> crate::query::Shape {
        let mut shape = crate::query::Shape { failed: true, ..Default::default() };
        let mut input = Arc::clone(source);
        for (index, leaves) in stages.iter().enumerate() {
            let mut b = Build::check(&input);
            let reach = if index == 0 {
                Scope::of(&input)
            } else {
                Scope { reach: crate::build::Reach::Query, ..Scope::of(&input) }
            };
            let (level, failed) = self.level(&mut b, &reach, leaves, span);
            let Some(level) = level else { return shape };
            shape = crate::level::shape_of(&level).after(&shape);
            shape.failed = failed;
            input = Arc::new(self.output_source(&input, &shape));
        }
        shape
    }

    fn define_join(
        &mut self,
        source: &mut Arc<Source>,
        relation: JoinRelation,
        item: &tree::Join,
        access: AccessLabel,
        notes: &[Arc<str>],
    ) {
        if !self.is_free(source, &item.name, item.span) {
            return;
        }
        let context = Context { scope: Some(Scope::of(source)), source: true };
        let target = match &item.source {
            Some(written) => self.source_expr(written, &context),
            None => self.named_source(&item.name, item.arguments.as_ref(), &context),
        };
        drop(context);
        if !self.same_connection(&source.connection, &target.connection, item.name.span) {
            return;
        }
        let kind = match &item.kind {
            Some(kind) => {
                self.experiment("join_types", kind.span);
                match kind.matrix {
                    tree::JoinMatrix::Left => JoinKind::Left,
                    tree::JoinMatrix::Inner => JoinKind::Inner,
                    tree::JoinMatrix::Right => JoinKind::Right,
                    tree::JoinMatrix::Full => JoinKind::Full,
                }
            }
            None => JoinKind::Left,
        };
        let relationship = match relation {
            JoinRelation::One => Relationship::One,
            JoinRelation::Many => Relationship::Many,
            JoinRelation::Cross => Relationship::Cross,
        };
        let condition = match &item.condition {
            tree::JoinCondition::None => JoinCondition::None,
            tree::JoinCondition::With(key) => JoinCondition::Key(Arc::new(key.clone())),
            tree::JoinCondition::On(on) => JoinCondition::On(Arc::new(on.clone())),
        };
        if matches!(condition, JoinCondition::None)
            && relation != JoinRelation::Cross
            && !target.is_error()
        {
            let message =
                format!("the join `{}` has no condition, so every row matches", item.name.text);
            self.report(
                Diagnostic::warning("missing-join-condition", item.span, message)
                    .with_help("add `on …` or `with key`"),
            );
        }
        let mut all = target.notes.clone();
        all.extend(notes.iter().cloned());
        all.extend(note_texts(&item.notes));
        let is_error = target.is_error();
        let version = source.names.version() + 1;
        let join = JoinDef { source: target, relationship, kind, condition, version };
        let def = self.new_def(&item.name.text, FieldKind::Join(join), all);
        Arc::make_mut(source).names.add(Arc::clone(&item.name.text), Arc::clone(&def), access);
        if !is_error {
            self.check_join(source, &def, item);
        }
    }

    fn check_join(&mut self, source: &Arc<Source>, def: &Arc<FieldDef>, item: &tree::Join) {
        let FieldKind::Join(join) = &def.kind else { return };
        let scope = Scope::of(source);
        let mut check = Build::check(source);
        match &join.condition {
            JoinCondition::None => {}
            JoinCondition::On(on) => {
                let value = self.expr(&mut check, &scope, on);
                if value.is_error() {
                    return;
                }
                if !value.is_boolean() {
                    let message = format!(
                        "the condition of a join has to be boolean, not a `{}`",
                        value.ty.name()
                    );
                    self.error("non-boolean-join-on", item.span, message);
                } else if !value.kind.is_row_level() {
                    self.error(
                        "aggregate-in-join-on",
                        item.span,
                        "an aggregate cannot be used in the condition of a join",
                    );
                }
            }
            JoinCondition::Key(key) => {
                let value = self.expr(&mut check, &scope, key);
                let Some(target_key) = join.source.key() else {
                    let message =
                        format!("`with` needs a primary key, and `{}` has none", item.name.text);
                    self.report(
                        Diagnostic::error("join-with-without-primary-key", item.span, message)
                            .with_help("add `primary_key:` to the source, or use `on`"),
                    );
                    return;
                };
                if let (Some(left), Some(right)) = (value.value_type(), target_key.value_type())
                    && !comparable(left, right)
                {
                    let message = format!(
                        "the primary key is a {}, and this is a {}",
                        crate::typed::type_name(right),
                        value.ty.name()
                    );
                    self.error("join-on-primary-key-type-mismatch", item.span, message);
                }
            }
        }
    }

    fn primary_key(&mut self, source: &mut Arc<Source>, name: &Name, span: Span) {
        if name.is_missing() || source.is_error() {
            return;
        }
        match source.names.current(&name.text).map(|entry| Arc::clone(&entry.def)) {
            Some(def) if def.is_dimension() => Arc::make_mut(source).primary_key = Some(def.id),
            Some(def) if matches!(def.kind, FieldKind::Error) => {}
            Some(_) => self.error(
                "invalid-primary-key",
                span,
                format!("`{}` is no column or dimension", name.text),
            ),
            None => {
                let version = source.names.version();
                self.not_found(&Arc::clone(source), version, name, span);
            }
        }
    }

    fn rename(&mut self, source: &mut Arc<Source>, item: &tree::Rename, notes: &[Arc<str>]) {
        if item.new.is_missing() || item.old.is_missing() || source.is_error() {
            return;
        }
        if source.names.current(&item.old.text).is_none() {
            let mut diagnostic = Diagnostic::error(
                "rename-field-not-found",
                item.span,
                format!("there is no field `{}` to rename", item.old.text),
            );
            if let Some(near) =
                nearest(&item.old.text, source.names.iter().map(|entry| &*entry.name))
            {
                diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
            }
            self.report(diagnostic);
            return;
        }
        if item.new.text == item.old.text {
            self.error(
                "invalid-rename-with-same-name",
                item.span,
                format!("`{}` has that name already", item.new.text),
            );
            return;
        }
        let before = self.problems.len();
        if !self.is_free(source, &item.new, item.span) {
            for problem in &mut self.problems[before..] {
                problem.diagnostic.code = "invalid-rename-with-same-name";
            }
            return;
        }
        let names = &mut Arc::make_mut(source).names;
        if let Some(old) = names.remove(&item.old.text) {
            names.add(Arc::clone(&item.new.text), old.def, old.access);
            let mut all = old.notes;
            all.extend(notes.iter().cloned());
            all.extend(note_texts(&item.notes));
            names.relabel(&item.new.text, old.access, all);
        }
    }

    fn accept(&mut self, source: &mut Arc<Source>, names: &[Name], keep: bool) {
        if source.is_error() {
            return;
        }
        for name in names {
            if !name.is_missing() && source.names.current(&name.text).is_none() {
                let mut diagnostic = Diagnostic::error(
                    "field-list-edit-not-found",
                    name.span,
                    format!("`{}` is not defined", name.text),
                );
                if let Some(near) =
                    nearest(&name.text, source.names.iter().map(|entry| &*entry.name))
                {
                    diagnostic = diagnostic.with_help(format!("did you mean `{near}`?"));
                }
                self.report(diagnostic);
            }
        }
        let is_named = |field: &str| names.iter().any(|name| &*name.text == field);
        let gone: Vec<Arc<str>> =
            source
                .names
                .iter()
                .filter(|entry| {
                    if keep { !entry.own && !is_named(&entry.name) } else { is_named(&entry.name) }
                })
                .map(|entry| Arc::clone(&entry.name))
                .collect();
        let source = Arc::make_mut(source);
        for name in gone {
            source.names.remove(&name);
        }
    }

    /// Zones are `Area/City` names or a few letters; whether the database knows one is for it to say.
    pub(crate) fn check_zone(&mut self, zone: &tree::StringLiteral) {
        let plausible = !zone.value.is_empty()
            && zone.value.chars().all(|c| c.is_ascii_alphanumeric() || "/_+-:".contains(c));
        if !plausible {
            self.error("invalid-timezone", zone.span, format!("`{}` is no time zone", zone.value));
        }
    }
}

/// A definition of a block.
struct Item<'b> {
    kind: ItemKind<'b>,
    statement: &'b SourceStatement,
}

#[derive(Clone, Copy)]
enum ItemKind<'b> {
    /// A dimension, or a measure.
    Field(&'b FieldDefinition, bool),
    Join(&'b tree::Join, JoinRelation),
    View(&'b tree::ViewDefinition),
}

impl Item<'_> {
    fn name(&self) -> &Name {
        match self.kind {
            ItemKind::Field(field, _) => &field.name,
            ItemKind::Join(join, _) => &join.name,
            ItemKind::View(view) => &view.name,
        }
    }

    fn uses(&self) -> Used {
        let mut used = Used::new();
        match self.kind {
            ItemKind::Field(field, _) => uses::expr(&field.expr, &mut used),
            ItemKind::Join(join, _) => uses::join(join, &mut used),
            ItemKind::View(view) => uses::view(&view.view, &mut used),
        }
        used
    }
}

fn items(block: &SourceBlock) -> Vec<Item<'_>> {
    let mut made = Vec::new();
    for statement in &block.statements {
        match &statement.kind {
            SourceStatementKind::Dimension(fields) => {
                made.extend(
                    fields
                        .iter()
                        .map(|field| Item { kind: ItemKind::Field(field, false), statement }),
                );
            }
            SourceStatementKind::Measure(fields) => {
                made.extend(
                    fields
                        .iter()
                        .map(|field| Item { kind: ItemKind::Field(field, true), statement }),
                );
            }
            SourceStatementKind::Join { relation, items } => {
                made.extend(
                    items
                        .iter()
                        .map(|join| Item { kind: ItemKind::Join(join, *relation), statement }),
                );
            }
            SourceStatementKind::View(views) => {
                made.extend(
                    views.iter().map(|view| Item { kind: ItemKind::View(view), statement }),
                );
            }
            _ => {}
        }
    }
    made
}

/// As written, but each after those that it uses. Those that use each other stay as they are.
fn in_order(items: &[Item<'_>]) -> Vec<usize> {
    let by_name: HashMap<&str, usize> =
        items.iter().enumerate().rev().map(|(at, item)| (&*item.name().text, at)).collect();
    let needs: Vec<Vec<usize>> = items
        .iter()
        .map(|item| {
            let mut needed: Vec<usize> =
                item.uses().iter().filter_map(|name| by_name.get(&**name).copied()).collect();
            needed.sort_unstable();
            needed
        })
        .collect();
    let mut order = Vec::with_capacity(items.len());
    let (mut open, mut done) = (vec![false; items.len()], vec![false; items.len()]);
    for start in 0..items.len() {
        // Depth first, with a stack of our own: `false` is to open, `true` to close.
        let mut stack = vec![(start, false)];
        while let Some((at, close)) = stack.pop() {
            if close {
                done[at] = true;
                order.push(at);
            } else if !open[at] && !done[at] {
                open[at] = true;
                stack.push((at, true));
                stack.extend(
                    needs[at].iter().rev().filter(|need| !open[**need]).map(|need| (*need, false)),
                );
            }
        }
    }
    order
}
