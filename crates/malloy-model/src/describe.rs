//! What a client may discover about a model: sources with their fields, joins and views, and named queries.

use std::sync::Arc;

use malloy_syntax::tree::AccessLabel;
use serde::{Serialize, Serializer};

use crate::analyser::Analyser;
use crate::build::{Build, Scope};
use crate::ir::{Direction, NumberKind, OutputField, Relationship, TimeUnit, Type};
use crate::known::Known;
use crate::model::{Entry, Model};
use crate::query::Shape;
use crate::source::{Entry as Field, FieldKind, Source};

/// A model as a client sees it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Description {
    pub sources: Vec<SourceDescription>,
    pub queries: Vec<QueryDescription>,
}

/// A source and its public fields: dimensions, measures, joins, views.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceDescription {
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    pub fields: Vec<FieldDescription>,
}

/// A field of a source.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum FieldDescription {
    Dimension {
        name: String,
        #[serde(rename = "type")]
        ty: TypeName,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
    },
    Measure {
        name: String,
        #[serde(rename = "type")]
        ty: TypeName,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
    },
    Join {
        name: String,
        /// `one`, `many` or `cross`.
        relationship: &'static str,
        /// Names of the joined source's fields.
        fields: Vec<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
    },
    View {
        name: String,
        output: Vec<OutputDescription>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
    },
}

/// A column of a view or query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OutputDescription {
    pub name: String,
    #[serde(rename = "type")]
    pub ty: TypeName,
}

/// A named query.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct QueryDescription {
    pub name: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    pub output: Vec<OutputDescription>,
}

/// A type, written `number:integer`, `timestamp:month`, `{"array": …}`.
#[derive(Debug, Clone, PartialEq)]
pub struct TypeName(pub Type);

impl Serialize for TypeName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeMap;
        let timed = |name: &str, unit: Option<TimeUnit>| match unit {
            Some(unit) => format!("{name}:{}", unit.name()),
            None => name.to_owned(),
        };
        let text = match &self.0 {
            Type::String => "string".to_owned(),
            Type::Number(NumberKind::Integer) => "number:integer".to_owned(),
            Type::Number(NumberKind::Bigint) => "number:bigint".to_owned(),
            Type::Number(NumberKind::Float) => "number:decimal".to_owned(),
            Type::Number(NumberKind::Unknown) | Type::Null => "number".to_owned(),
            Type::Boolean => "boolean".to_owned(),
            Type::Date(unit) => timed("date", *unit),
            Type::Timestamp(unit) => timed("timestamp", *unit),
            Type::Timestamptz(unit) => timed("timestamptz", *unit),
            Type::Json => "json".to_owned(),
            Type::Sql(name) => format!("sql:{name}"),
            Type::Array(element) => {
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("array", &TypeName((**element).clone()))?;
                return map.end();
            }
            Type::Record(fields) => {
                let fields: Vec<OutputDescription> = fields
                    .iter()
                    .map(|field| OutputDescription {
                        name: field.name.clone(),
                        ty: TypeName(field.ty.clone()),
                    })
                    .collect();
                let mut map = serializer.serialize_map(Some(1))?;
                map.serialize_entry("record", &fields)?;
                return map.end();
            }
        };
        serializer.serialize_str(&text)
    }
}

/// Describes what a model exports.
pub fn describe(model: &Model) -> Description {
    let known = Known::default();
    let mut analyser = Analyser::new(&known, model.files.clone(), model.next_def);
    analyser.file = model.file;
    analyser.tables.clone_from(&model.tables);
    analyser.quiet = 1;
    let mut made = Description { sources: Vec::new(), queries: Vec::new() };
    for (name, entry) in model.entries() {
        match entry {
            Entry::Source { source, .. } => {
                made.sources.push(analyser.describe_source(name, source));
            }
            Entry::Query { query, .. } => {
                let tags = query_tags(&query.notes, &query.shape, false);
                made.queries.push(QueryDescription {
                    name: name.to_string(),
                    tags,
                    output: outputs(&query.shape.fields),
                });
            }
            _ => {}
        }
    }
    made
}

impl Analyser<'_> {
    fn describe_source(&mut self, name: &str, source: &Arc<Source>) -> SourceDescription {
        let mut fields: Vec<(u8, FieldDescription)> = Vec::new();
        for entry in public(source) {
            fields.extend(self.describe_field(source, entry));
        }
        // In the order of their definition, by kind.
        fields.sort_by_key(|(kind, _)| *kind);
        SourceDescription {
            name: name.to_owned(),
            tags: texts(&source.notes),
            parameters: source
                .parameters
                .iter()
                .map(|parameter| parameter.name.to_string())
                .collect(),
            fields: fields.into_iter().map(|(_, field)| field).collect(),
        }
    }

    fn describe_field(
        &mut self,
        source: &Arc<Source>,
        entry: &Field,
    ) -> Option<(u8, FieldDescription)> {
        let name = entry.name.to_string();
        let mut notes = entry.def.notes.clone();
        notes.extend(entry.notes.iter().cloned());
        let tags = texts(&notes);
        let def = match &entry.def.kind {
            FieldKind::Composite(inner) => inner,
            _ => &entry.def,
        };
        match &def.kind {
            FieldKind::Column(ty) => {
                Some((0, FieldDescription::Dimension { name, ty: TypeName(ty.clone()), tags }))
            }
            FieldKind::Expr(expr) if expr.measure => Some((
                1,
                FieldDescription::Measure { name, ty: TypeName(expr.info.ty.clone()), tags },
            )),
            FieldKind::Expr(expr) => Some((
                0,
                FieldDescription::Dimension { name, ty: TypeName(expr.info.ty.clone()), tags },
            )),
            FieldKind::Join(join) => {
                let relationship = match join.relationship {
                    Relationship::One => "one",
                    Relationship::Many => "many",
                    Relationship::Cross => "cross",
                };
                let mut names: Vec<(u8, String)> = public(&join.source)
                    .into_iter()
                    .map(|entry| (kind_rank(entry), entry.name.to_string()))
                    .collect();
                names.sort_by_key(|(kind, _)| *kind);
                let fields = names.into_iter().map(|(_, name)| name).collect();
                Some((2, FieldDescription::Join { name, relationship, fields, tags }))
            }
            FieldKind::View(view) => {
                let scope = Scope { version: view.version, ..Scope::of(source) };
                let mut check = Build::check(source);
                let stages = self.within(def.file, |a| {
                    a.expand_view(&mut check, &scope, &view.view, Some((view.version, def.file)))
                });
                let shape = self.stages_shape(source, &stages, view.view.span);
                let tags = query_tags(&notes, &shape, stages.len() == 1);
                Some((3, FieldDescription::View { name, output: outputs(&shape.fields), tags }))
            }
            _ => None,
        }
    }
}

/// The public fields in the order in which they are written.
fn public(source: &Source) -> Vec<&Field> {
    let mut fields: Vec<&Field> =
        source.names.iter().filter(|entry| entry.access == AccessLabel::Public).collect();
    fields.sort_by_key(|entry| entry.place);
    fields
}

fn kind_rank(entry: &Field) -> u8 {
    match &entry.def.kind {
        FieldKind::Expr(expr) if expr.measure => 1,
        FieldKind::Join(_) => 2,
        FieldKind::View(_) => 3,
        FieldKind::Composite(inner) if inner.is_measure() => 1,
        _ => 0,
    }
}

/// The annotations, and one that tells order and limit.
fn query_tags(notes: &[Arc<str>], shape: &Shape, drillable: bool) -> Vec<String> {
    let mut tags = texts(notes);
    let mut about = Vec::new();
    if let Some(limit) = shape.limit {
        about.push(format!("limit = {limit}"));
    }
    if drillable {
        about.push("drillable".to_owned());
    }
    if !shape.order.is_empty() {
        let keys: Vec<String> = shape
            .order
            .iter()
            .map(|(name, direction)| match direction {
                Direction::Asc => format!("{{ {name} }}"),
                Direction::Desc => format!("{{ {name} = desc }}"),
            })
            .collect();
        about.push(format!("ordered_by = [{}]", keys.join(", ")));
    }
    if !about.is_empty() {
        tags.push(format!("#(malloy) {}", about.join(" ")));
    }
    tags
}

fn outputs(fields: &[OutputField]) -> Vec<OutputDescription> {
    fields
        .iter()
        .map(|field| OutputDescription { name: field.name.clone(), ty: TypeName(field.ty.clone()) })
        .collect()
}

fn texts(notes: &[Arc<str>]) -> Vec<String> {
    notes.iter().map(|note| note.trim_end().to_owned()).collect()
}
