//! All that a client may want to know about a model: entries, fields with their types, joins all the way down, what comes
//! out of views, where things were written.
//!
//! [`outline`] is the whole; [`describe`](crate::describe()) is a short form of it.

use std::collections::HashMap;
use std::sync::Arc;

use malloy_syntax::token::TokenKind;
use malloy_syntax::tree::AccessLabel;

use crate::analyser::Analyser;
use crate::build::{Build, Scope};
use crate::ir::{Direction, OutputField, Relationship, Type};
use crate::known::Known;
use crate::model::{Entry, Model};
use crate::query::{QueryDef, Shape, notes_of_view};
use crate::source::{Entry as Field, FieldDef, FieldKind, FileId, Source, ValueType};

/// What a model exports, and what its text runs.
#[derive(Debug, Clone, Default)]
pub struct Outline {
    pub sources: Vec<SourceOutline>,
    pub queries: Vec<QueryOutline>,
    /// The `run:` statements of the text.
    pub runs: Vec<QueryOutline>,
    pub givens: Vec<ParameterOutline>,
}

/// A source.
#[derive(Debug, Clone)]
pub struct SourceOutline {
    pub name: String,
    /// Whether the text defines it, and did not import it.
    pub own: bool,
    /// Whether those who import the text get it: it is their own, or the text says so.
    pub exported: bool,
    pub notes: Notes,
    pub connection: String,
    pub primary_key: Option<String>,
    pub parameters: Vec<ParameterOutline>,
    pub fields: Arc<[FieldOutline]>,
}

/// Annotations as written, without the final line break.
#[derive(Debug, Clone, Default)]
pub struct Notes {
    /// Inherited ones first.
    pub all: Vec<Arc<str>>,
    /// How many of the last ones were written with the thing itself, in this text.
    pub here: usize,
}

/// A public field of a source: dimensions come first, then measures, joins and views.
#[derive(Debug, Clone)]
pub struct FieldOutline {
    pub name: String,
    pub notes: Notes,
    /// What it is defined as, as written. None for columns and joins.
    pub code: Option<String>,
    pub kind: FieldOutlineKind,
}

/// What a field is.
#[derive(Debug, Clone)]
pub enum FieldOutlineKind {
    Dimension(Type),
    Measure(Type),
    Join { relationship: Relationship, fields: Arc<[FieldOutline]> },
    View(Arc<OutputOutline>),
}

/// What comes out of a view or a query.
#[derive(Debug, Clone, Default)]
pub struct OutputOutline {
    pub fields: Vec<OutputField>,
    /// Names of columns.
    pub order: Vec<(String, Direction)>,
    pub limit: Option<u64>,
    /// How many operations there are, one after another.
    pub stages: usize,
    /// Whether each of them groups: there is no index and no projection among them.
    pub groups: bool,
}

/// A named query, or a `run:`.
#[derive(Debug, Clone)]
pub struct QueryOutline {
    /// Empty for a `run:` of something that has no name.
    pub name: String,
    pub own: bool,
    pub exported: bool,
    pub notes: Notes,
    /// What it asks.
    pub source: String,
    pub code: Option<String>,
    pub output: OutputOutline,
}

/// A parameter of a source, or a given.
#[derive(Debug, Clone)]
pub struct ParameterOutline {
    pub name: String,
    pub ty: ValueType,
    pub notes: Vec<Arc<str>>,
    /// As written.
    pub default: Option<String>,
}

impl Notes {
    /// Those that were written with the thing itself, in this text.
    pub fn here(&self) -> &[Arc<str>] {
        &self.all[self.all.len().saturating_sub(self.here)..]
    }
}

/// A name as it has to be written: in backquotes unless it is a plain word.
pub fn quoted(name: &str) -> String {
    let lexed = malloy_syntax::lex(name);
    let plain = matches!(&lexed.tokens[..], [first, rest @ ..]
        if first.kind == TokenKind::Identifier
            && first.span.end as usize == name.len()
            && first.span.start == 0
            && rest.iter().all(|token| token.kind == TokenKind::End));
    if plain {
        return name.to_owned();
    }
    let mut text = String::with_capacity(name.len() + 2);
    text.push('`');
    for character in name.chars() {
        match character {
            '`' | '\\' => text.extend(['\\', character]),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            _ => text.push(character),
        }
    }
    text.push('`');
    text
}

/// Tells what a model exports.
pub fn outline(model: &Model) -> Outline {
    let known = Known::default();
    let mut analyser = Analyser::new(&known, model.files.clone(), model.next_def);
    analyser.file = model.file;
    analyser.tables.clone_from(&model.tables);
    analyser.quiet = 1;
    let exports = model.exports.is_some();
    let mut drawing = Drawing { analyser, file: model.file, exports, drawn: HashMap::new() };
    let mut made = Outline::default();
    for (name, entry) in model.entries() {
        match entry {
            Entry::Source { source, own } => {
                made.sources.push(drawing.source(name, source, *own));
            }
            Entry::Query { query, own } => made.queries.push(drawing.query(name, query, *own)),
            Entry::Given(given) => made.givens.push(ParameterOutline {
                name: name.to_string(),
                ty: given.ty.clone(),
                notes: given.notes.clone(),
                default: given
                    .default
                    .as_ref()
                    .and_then(|default| drawing.text(given.file, default.span)),
            }),
            Entry::Type { .. } | Entry::Error => {}
        }
    }
    for run in &model.runs {
        let name = run.name.clone().unwrap_or_default();
        made.runs.push(drawing.query(&name, run, true));
    }
    made
}

/// An outline in the making.
struct Drawing<'a> {
    analyser: Analyser<'a>,
    file: FileId,
    /// Whether the text says what it exports. Nothing else is drawn then.
    exports: bool,
    /// Fields of sources that were met, by the source's address: what is joined in many places is worked out once.
    drawn: HashMap<usize, (Arc<Source>, Arc<[FieldOutline]>)>,
}

impl Drawing<'_> {
    fn source(&mut self, name: &str, source: &Arc<Source>, own: bool) -> SourceOutline {
        let here = source.notes.len() - source.inherited_notes.min(source.notes.len());
        SourceOutline {
            name: name.to_owned(),
            own,
            exported: own || self.exports,
            notes: Notes { all: source.notes.clone(), here: if own { here } else { 0 } },
            connection: source.connection.to_string(),
            primary_key: source.key().map(|key| key.name.to_string()),
            parameters: source.parameters.iter().filter_map(|def| self.parameter(def)).collect(),
            fields: self.fields(source),
        }
    }

    fn parameter(&self, def: &FieldDef) -> Option<ParameterOutline> {
        let FieldKind::Parameter(parameter) = &def.kind else { return None };
        Some(ParameterOutline {
            name: def.name.to_string(),
            ty: parameter.ty.clone(),
            notes: def.notes.clone(),
            default: parameter
                .default
                .as_ref()
                .and_then(|default| self.text(def.file, default.span)),
        })
    }

    fn query(&mut self, name: &str, query: &QueryDef, own: bool) -> QueryOutline {
        let here = query.notes.len() - query.inherited_notes.min(query.notes.len());
        let all = query.shape.notes.iter().chain(&query.notes).cloned().collect();
        QueryOutline {
            name: name.to_owned(),
            own,
            exported: own || self.exports,
            notes: Notes { all, here: if own { here } else { 0 } },
            source: query.base.name.to_string(),
            code: self.text(query.file, query.span),
            output: output(&query.shape),
        }
    }

    fn fields(&mut self, source: &Arc<Source>) -> Arc<[FieldOutline]> {
        let address = Arc::as_ptr(source).addr();
        if let Some((_, fields)) = self.drawn.get(&address) {
            return Arc::clone(fields);
        }
        let mut fields: Vec<FieldOutline> =
            public(source).into_iter().filter_map(|entry| self.field(source, entry)).collect();
        // In the order of their definition, by kind.
        fields.sort_by_key(FieldOutline::rank);
        let fields: Arc<[FieldOutline]> = fields.into();
        self.drawn.insert(address, (Arc::clone(source), Arc::clone(&fields)));
        fields
    }

    fn field(&mut self, source: &Arc<Source>, entry: &Field) -> Option<FieldOutline> {
        let def = match &entry.def.kind {
            FieldKind::Composite(inner) => inner,
            _ => &entry.def,
        };
        let mut all = entry.def.notes.clone();
        all.extend(entry.notes.iter().cloned());
        let here = if self.is_here(entry.def.file) { all.len() } else { 0 };
        let (kind, code) = match &def.kind {
            FieldKind::Column(ty) => (FieldOutlineKind::Dimension(ty.clone()), None),
            FieldKind::Expr(expr) => {
                let ty = expr.info.ty.clone();
                let code = self.text(def.file, expr.expr.span);
                if expr.measure {
                    (FieldOutlineKind::Measure(ty), code)
                } else {
                    (FieldOutlineKind::Dimension(ty), code)
                }
            }
            FieldKind::Join(join) => {
                let fields = self.fields(&join.source);
                (FieldOutlineKind::Join { relationship: join.relationship, fields }, None)
            }
            FieldKind::View(view) => {
                let scope = Scope { version: view.version, ..Scope::of(source) };
                let mut check = Build::check(source);
                let stages = self.analyser.within(def.file, |a| {
                    a.expand_view(&mut check, &scope, &view.view, Some((view.version, def.file)))
                });
                all.splice(0..0, notes_of_view(&stages));
                let shape = self.analyser.stages_shape(source, &stages, view.view.span);
                let code = self.text(def.file, view.view.span);
                (FieldOutlineKind::View(Arc::new(output(&shape))), code)
            }
            _ => return None,
        };
        Some(FieldOutline { name: entry.name.to_string(), notes: Notes { all, here }, code, kind })
    }

    /// Whether a text is the model's own. The cells of a notebook are texts of one place.
    fn is_here(&self, file: FileId) -> bool {
        self.analyser.file_scope(file).url == self.analyser.file_scope(self.file).url
    }

    fn text(&self, file: FileId, span: malloy_syntax::Span) -> Option<String> {
        let text = &self.analyser.file_scope(file).text;
        text.get(span.start as usize..span.end as usize).map(str::to_owned)
    }
}

impl FieldOutline {
    /// The name of its kind: `dimension`, `measure`, `join`, `view`.
    pub fn kind_name(&self) -> &'static str {
        match self.kind {
            FieldOutlineKind::Dimension(_) => "dimension",
            FieldOutlineKind::Measure(_) => "measure",
            FieldOutlineKind::Join { .. } => "join",
            FieldOutlineKind::View(_) => "view",
        }
    }

    fn rank(&self) -> u8 {
        match self.kind {
            FieldOutlineKind::Dimension(_) => 0,
            FieldOutlineKind::Measure(_) => 1,
            FieldOutlineKind::Join { .. } => 2,
            FieldOutlineKind::View(_) => 3,
        }
    }
}

fn output(shape: &Shape) -> OutputOutline {
    OutputOutline {
        fields: shape.fields.clone(),
        order: shape.order.clone(),
        limit: shape.limit,
        stages: shape.stages,
        groups: shape.groups,
    }
}

/// The public fields in the order in which they are written.
fn public(source: &Source) -> Vec<&Field> {
    let mut fields: Vec<&Field> =
        source.names.iter().filter(|entry| entry.access == AccessLabel::Public).collect();
    fields.sort_by_key(|entry| entry.place);
    fields
}
