//! Queries: a source and a pipeline of operations.
//!
//! A [`QueryDef`] is kept as it was written and worked out where it is used, as fields are. Start at [`Analyser::pipeline`].

use std::collections::BTreeMap;
use std::sync::Arc;

use malloy_syntax::Span;
use malloy_syntax::tree::{AccessLabel, FieldPath, QueryBlock, Segment, SegmentKind, View};

use crate::analyser::{Analyser, MAX_NESTING};
use crate::build::{Build, QueryBuild, Reach, Scope};
use crate::ir::{
    self, Column, JoinId, LevelKind, Output, OutputField, OutputKind, Pipeline, Relation, SourceId,
    SourceKind, Type,
};
use crate::joins::JoinedRows;
use crate::resolve::Place;
use crate::source::{FieldKind, FileId, Names, Origin, Source};

/// A query as it was defined.
#[derive(Debug)]
pub(crate) struct QueryDef {
    pub(crate) name: Option<Arc<str>>,
    pub(crate) base: Arc<Source>,
    /// What follows each arrow: a segment, and those that refine it.
    pub(crate) arrows: Vec<Vec<Arc<Segment>>>,
    pub(crate) file: FileId,
    pub(crate) notes: Vec<Arc<str>>,
    /// How many of the notes are from what it was made from; they come first.
    pub(crate) inherited_notes: usize,
    pub(crate) span: Span,
    pub(crate) shape: Shape,
}

/// What comes out of a query.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shape {
    pub(crate) fields: Vec<OutputField>,
    /// The only dimension of the last stage, which is then a key.
    pub(crate) key: Option<String>,
    /// What the last stage is ordered and limited by, for descriptions.
    pub(crate) order: Vec<(String, ir::Direction)>,
    pub(crate) limit: Option<u64>,
    /// Annotations of the view that the last arrow leads to.
    pub(crate) notes: Vec<Arc<str>>,
    /// The time zone of the last stage.
    pub(crate) zone: Option<Arc<str>>,
    /// Whether every stage groups: there is no index and no projection among them.
    pub(crate) groups: bool,
    /// How many stages there are.
    pub(crate) stages: usize,
    /// Whether there is one row, since nothing is grouped by.
    pub(crate) one_record: bool,
    /// Whether something was wrong, so that fields may be missing.
    pub(crate) failed: bool,
}

impl Shape {
    /// The shape of a stage, as that of the pipeline that it ends.
    pub(crate) fn after(self, before: &Shape) -> Shape {
        let groups = self.groups && (before.stages == 0 || before.groups);
        Shape { groups, stages: before.stages + 1, ..self }
    }
}

/// A part of an operation: a block, or a field that stands for a block with it alone.
#[derive(Clone)]
pub(crate) struct Leaf {
    pub(crate) what: LeafKind,
    /// The version of the name space that it sees; `None` is the latest.
    pub(crate) version: Option<u32>,
    /// The text that it is from, if it was checked there already.
    pub(crate) from: Option<FileId>,
    /// Annotations of the view that it is.
    pub(crate) notes: Vec<Arc<str>>,
}

#[derive(Clone)]
pub(crate) enum LeafKind {
    Block(Arc<QueryBlock>),
    Field(FieldPath),
}

impl Analyser<'_> {
    /// Works out a query: its sources into `query`, its stages into the pipeline.
    pub(crate) fn pipeline(
        &mut self,
        real: bool,
        mut query: QueryBuild,
        def: &QueryDef,
        ordered: bool,
    ) -> (QueryBuild, Pipeline, Shape) {
        self.nesting += 1;
        let mut base = Arc::clone(&def.base);
        if !base.inputs.is_empty() {
            base = self.specialise(&base);
        }
        let mut id = SourceId(0);
        if self.nesting > MAX_NESTING {
            // Whoever asks for it, it is said.
            let quiet = std::mem::take(&mut self.quiet);
            self.error(
                "query-too-deep",
                def.span,
                "sources are made from each other too many times over",
            );
            self.quiet = quiet;
        } else if real {
            (query, id) = self.source_id(query, &base);
        }
        let mut made = Pipeline { base: id, stages: Vec::new() };
        let mut shape =
            Shape { fields: columns_of(&base), failed: base.is_error(), ..Shape::default() };
        let mut input = base;
        let mut relation = Relation::Source(id);
        let count = def.arrows.len();
        for (index, segments) in def.arrows.iter().enumerate() {
            if self.nesting > MAX_NESTING || input.is_error() {
                shape.failed = true;
                break;
            }
            let scope = Scope { reach: Reach::Query, ..Scope::of(&input) };
            let mut check = Build::check(&input);
            let stages = self.expand_all(&mut check, &scope, segments);
            let notes = notes_of_view(&stages);
            let last_stage = stages.len();
            for (position, leaves) in stages.into_iter().enumerate() {
                let last = ordered && index + 1 == count && position + 1 == last_stage;
                let b = Build::new(real, query, &input, relation);
                let (back, stage, stage_shape) = self.stage(b, &input, &leaves, last, def.span);
                query = back;
                made.stages.extend(stage);
                shape = stage_shape.after(&shape);
                input = Arc::new(self.output_source(&input, &shape));
                relation = Relation::Previous;
            }
            shape.notes = notes;
        }
        self.nesting -= 1;
        (query, made, shape)
    }

    /// A segment and what refines it, as stages of leaves.
    pub(crate) fn expand_all(
        &mut self,
        b: &mut Build,
        s: &Scope,
        segments: &[Arc<Segment>],
    ) -> Vec<Vec<Leaf>> {
        let mut stages: Vec<Vec<Leaf>> = Vec::new();
        for segment in segments {
            let more = self.expand(b, s, segment, None);
            self.refine(&mut stages, more, segment.span);
        }
        stages
    }

    fn refine(&mut self, stages: &mut Vec<Vec<Leaf>>, mut more: Vec<Vec<Leaf>>, span: Span) {
        match stages.last_mut() {
            None => *stages = more,
            Some(last) if more.len() == 1 => last.append(&mut more[0]),
            Some(_) if more.is_empty() => {}
            Some(_) => self.error(
                "refinement-with-multistage-view",
                span,
                "a view of several stages cannot refine another",
            ),
        }
    }

    fn expand(
        &mut self,
        b: &mut Build,
        s: &Scope,
        segment: &Segment,
        from: Option<(u32, FileId)>,
    ) -> Vec<Vec<Leaf>> {
        let leaf = |what| Leaf {
            what,
            version: from.map(|(version, _)| version),
            from: from.map(|(_, file)| file),
            notes: Vec::new(),
        };
        match &segment.kind {
            SegmentKind::Block(block) => vec![vec![leaf(LeafKind::Block(Arc::new(block.clone())))]],
            SegmentKind::Paren(view) => self.expand_view(b, s, view, from),
            SegmentKind::Refine(parts) => {
                let mut stages = Vec::new();
                for part in parts {
                    let more = self.expand(b, s, part, from);
                    self.refine(&mut stages, more, part.span);
                }
                stages
            }
            SegmentKind::Path(path) => {
                self.expand_path(b, s, path, leaf(LeafKind::Field(path.clone())))
            }
            SegmentKind::Error => Vec::new(),
        }
    }

    fn expand_path(
        &mut self,
        b: &mut Build,
        s: &Scope,
        path: &FieldPath,
        leaf: Leaf,
    ) -> Vec<Vec<Leaf>> {
        match self.place(b, s, path) {
            Place::View(def, at) => {
                if at != s.at {
                    self.error(
                        "nest-of-joined-view",
                        path.span,
                        format!("`{}` is a view of a join and cannot be used here", path.dotted()),
                    );
                    return Vec::new();
                }
                let FieldKind::View(view) = &def.kind else { return Vec::new() };
                self.nesting += 1;
                if self.nesting > MAX_NESTING {
                    self.nesting -= 1;
                    let quiet = std::mem::take(&mut self.quiet);
                    self.error(
                        "query-too-deep",
                        path.span,
                        "views are made from each other too many times over",
                    );
                    self.quiet = quiet;
                    return Vec::new();
                }
                let inner = Scope { version: view.version, reach: Reach::Definition, ..s.clone() };
                let stages = self.within(def.file, |a| {
                    a.expand_view(b, &inner, &view.view, Some((view.version, def.file)))
                });
                self.nesting -= 1;
                let mut stages = stages;
                if let Some(leaf) = stages.last_mut().and_then(|stage| stage.first_mut()) {
                    leaf.notes.extend(def.notes.iter().cloned());
                }
                stages
            }
            Place::Join(_) => {
                self.error(
                    "nest-of-source",
                    path.span,
                    format!("`{}` is a join and no view", path.dotted()),
                );
                Vec::new()
            }
            Place::Value(_) => vec![vec![leaf]],
            Place::Error => Vec::new(),
        }
    }

    pub(crate) fn expand_view(
        &mut self,
        b: &mut Build,
        s: &Scope,
        view: &View,
        from: Option<(u32, FileId)>,
    ) -> Vec<Vec<Leaf>> {
        let mut stages = Vec::new();
        for (index, segment) in view.stages.iter().enumerate() {
            if index == 0 {
                stages = self.expand(b, s, segment, from);
                if stages.is_empty() {
                    return stages;
                }
            } else {
                let mut leaves = Vec::new();
                later_leaves(segment, from.map(|(_, file)| file), &mut leaves);
                stages.push(leaves);
            }
        }
        stages
    }

    /// What a source reads, as a source of the compiled query.
    pub(crate) fn source_id(
        &mut self,
        mut query: QueryBuild,
        source: &Arc<Source>,
    ) -> (QueryBuild, SourceId) {
        if !source.connection.is_empty() {
            query.connection.get_or_insert_with(|| Arc::clone(&source.connection));
        }
        let columns = || {
            source
                .names
                .columns()
                .map(|(name, ty)| Column { name: name.to_string(), ty: ty.clone() })
                .collect()
        };
        let (key, kind) = match &source.origin {
            Origin::Table { path } => {
                (format!("table {path}"), SourceKind::Table { path: path.to_string() })
            }
            Origin::Virtual { name } => {
                (format!("virtual {name}"), SourceKind::Table { path: name.to_string() })
            }
            Origin::Sql { text } => (
                format!("sql {}", crate::known::select_key(text)),
                SourceKind::Sql((**text).clone()),
            ),
            Origin::Query(def) => {
                let key = format!("query {:p}", Arc::as_ptr(def));
                if let Some(id) = query.find(&key) {
                    return (query, id);
                }
                let def = Arc::clone(def);
                let before = self.file;
                self.file = def.file;
                self.quiet += 1;
                let (back, pipeline, shape) = self.pipeline(true, query, &def, false);
                self.quiet -= 1;
                self.file = before;
                query = back;
                let columns = shape
                    .fields
                    .iter()
                    .map(|field| Column { name: field.name.clone(), ty: field.ty.clone() });
                let made = ir::Source {
                    name: source.name.to_string(),
                    kind: SourceKind::Query(pipeline),
                    columns: columns.collect(),
                };
                let id = query.push(Some(key), made);
                return (query, id);
            }
            Origin::Stage | Origin::Compose | Origin::Error => {
                let made = ir::Source {
                    name: source.name.to_string(),
                    kind: SourceKind::Table { path: String::new() },
                    columns: Vec::new(),
                };
                let id = query.push(None, made);
                return (query, id);
            }
        };
        if let Some(id) = query.find(&key) {
            return (query, id);
        }
        let made = ir::Source { name: source.name.to_string(), kind, columns: columns() };
        let id = query.push(Some(key), made);
        (query, id)
    }

    /// The rows of a source that is joined. Conditions that need joins of their own go into a select.
    pub(crate) fn relation_of_join(&mut self, b: &mut Build, source: &Arc<Source>) -> JoinedRows {
        let query = std::mem::take(&mut b.query);
        if !self.filters_need_joins(source) {
            let (query, id) = self.source_id(query, source);
            b.query = query;
            return JoinedRows::Plain(id);
        }
        let (query, id) = self.source_id(query, source);
        let mut inner = Build::new(true, query, source, Relation::Source(id));
        let conditions =
            self.source_conditions(&mut inner, source, JoinId::ROOT, source.zone.as_ref());
        let columns: Vec<Column> = source
            .names
            .columns()
            .map(|(name, ty)| Column { name: name.to_string(), ty: ty.clone() })
            .collect();
        let outputs = columns.iter().map(|column| Output {
            name: column.name.clone(),
            ty: column.ty.clone(),
            annotations: Vec::new(),
            origin: None,
            kind: OutputKind::Dimension(ir::Expr::Column {
                join: JoinId::ROOT,
                name: column.name.clone(),
            }),
        });
        let level = ir::Level {
            kind: LevelKind::Project,
            filters: conditions.into_iter().map(|condition| condition.expr).collect(),
            outputs: outputs.collect(),
            having: Vec::new(),
            order: Vec::new(),
            window_order: Vec::new(),
            limit: None,
        };
        let (mut query, stage) = self.finish_stage(inner, level);
        let kind = SourceKind::Query(Pipeline { base: id, stages: vec![stage] });
        let made = query.push(None, ir::Source { name: source.name.to_string(), kind, columns });
        b.query = query;
        JoinedRows::Filtered(made)
    }

    fn filters_need_joins(&mut self, source: &Arc<Source>) -> bool {
        if source.filters.is_empty() {
            return false;
        }
        let mut check = Build::check(source);
        let conditions = self.source_conditions(&mut check, source, JoinId::ROOT, None);
        conditions.iter().any(|condition| condition.uses.iter().any(|id| *id != JoinId::ROOT))
    }

    /// What a stage gives, as a source for the next.
    pub(crate) fn output_source(&mut self, input: &Source, shape: &Shape) -> Source {
        let mut source = self.source_of_fields(&shape.fields, shape.key.as_deref());
        source.name = Arc::clone(&input.name);
        source.connection = Arc::clone(&input.connection);
        source.zone.clone_from(&input.zone);
        source.origin =
            if shape.failed && shape.fields.is_empty() { Origin::Error } else { Origin::Stage };
        source
    }

    /// A source with these fields as columns.
    pub(crate) fn source_of_fields(&mut self, fields: &[OutputField], key: Option<&str>) -> Source {
        let mut names = Names::default();
        let mut primary_key = None;
        for field in fields {
            let name: Arc<str> = Arc::from(field.name.as_str());
            let notes = field.annotations.iter().map(|note| Arc::from(note.as_str())).collect();
            let def = self.new_def(&name, FieldKind::Column(field.ty.clone()), notes);
            if key == Some(&field.name) {
                primary_key = Some(def.id);
            }
            names.add(name, def, AccessLabel::Public);
        }
        Source {
            names,
            primary_key,
            origin: Origin::Stage,
            arguments: BTreeMap::new(),
            ..Source::error()
        }
    }
}

/// Annotations that come with a view: its own, those of the view that it refines before them. What it is refined by brings none.
pub(crate) fn notes_of_view(stages: &[Vec<Leaf>]) -> Vec<Arc<str>> {
    let first = stages.last().and_then(|stage| stage.first());
    first.map(|leaf| leaf.notes.clone()).unwrap_or_default()
}

/// Fields of what is run without any operation.
fn columns_of(source: &Source) -> Vec<OutputField> {
    source
        .names
        .columns()
        .map(|(name, ty)| OutputField {
            name: name.to_string(),
            ty: ty.clone(),
            role: ir::OutputRole::Dimension,
            annotations: Vec::new(),
            origin: None,
            fields: Vec::new(),
        })
        .collect()
}

/// Leaves of a stage after the first, where only fields can be named.
fn later_leaves(segment: &Segment, from: Option<FileId>, leaves: &mut Vec<Leaf>) {
    let leaf = |what| Leaf { what, version: None, from, notes: Vec::new() };
    match &segment.kind {
        SegmentKind::Block(block) => leaves.push(leaf(LeafKind::Block(Arc::new(block.clone())))),
        SegmentKind::Path(path) => leaves.push(leaf(LeafKind::Field(path.clone()))),
        SegmentKind::Paren(view) => {
            for stage in view.stages.iter().take(1) {
                later_leaves(stage, from, leaves);
            }
        }
        SegmentKind::Refine(parts) => {
            for part in parts {
                later_leaves(part, from, leaves);
            }
        }
        SegmentKind::Error => {}
    }
}

/// The columns of a level with the annotations of everything inside.
pub(crate) fn output_fields(level: &ir::Level) -> Vec<OutputField> {
    level
        .outputs
        .iter()
        .map(|output| {
            let fields = match &output.kind {
                OutputKind::Nest(nest) => match nest.then.last() {
                    Some(stage) => output_fields(&stage.level),
                    None => output_fields(&nest.level),
                },
                _ => Vec::new(),
            };
            OutputField {
                name: output.name.clone(),
                ty: output.ty.clone(),
                role: output.kind.role(),
                annotations: output.annotations.clone(),
                origin: output.origin.clone(),
                fields,
            }
        })
        .collect()
}

/// The type of a nest with these columns.
pub(crate) fn nest_type(fields: &[OutputField], one_record: bool) -> Type {
    let record = Type::Record(
        fields
            .iter()
            .map(|field| ir::RecordField { name: field.name.clone(), ty: field.ty.clone() })
            .collect(),
    );
    if one_record { record } else { Type::Array(Box::new(record)) }
}
