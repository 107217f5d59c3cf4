//! What a client may discover about a model: sources with their fields, joins and views, and named queries.

use serde::{Serialize, Serializer};

use crate::ir::{Direction, NumberKind, OutputField, TimeUnit, Type};
use crate::model::Model;
use crate::outline::{
    FieldOutline, FieldOutlineKind, Notes, Outline, OutputOutline, SourceOutline, outline,
};

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
    Description::from(&outline(model))
}

impl From<&Outline> for Description {
    fn from(outline: &Outline) -> Self {
        let sources = outline.sources.iter().map(describe_source).collect();
        let queries = outline.queries.iter().map(|query| QueryDescription {
            name: query.name.clone(),
            tags: query_tags(&query.notes, &query.output, false),
            output: outputs(&query.output.fields),
        });
        Description { sources, queries: queries.collect() }
    }
}

fn describe_source(source: &SourceOutline) -> SourceDescription {
    SourceDescription {
        name: source.name.clone(),
        tags: texts(&source.notes),
        parameters: source.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
        fields: source.fields.iter().map(describe_field).collect(),
    }
}

fn describe_field(field: &FieldOutline) -> FieldDescription {
    let name = field.name.clone();
    let tags = texts(&field.notes);
    match &field.kind {
        FieldOutlineKind::Dimension(ty) => {
            FieldDescription::Dimension { name, ty: TypeName(ty.clone()), tags }
        }
        FieldOutlineKind::Measure(ty) => {
            FieldDescription::Measure { name, ty: TypeName(ty.clone()), tags }
        }
        FieldOutlineKind::Join { relationship, fields } => FieldDescription::Join {
            name,
            relationship: relationship.name(),
            fields: fields.iter().map(|field| field.name.clone()).collect(),
            tags,
        },
        FieldOutlineKind::View(output) => FieldDescription::View {
            name,
            output: outputs(&output.fields),
            tags: query_tags(&field.notes, output, output.stages == 1),
        },
    }
}

/// The annotations, and one that tells order and limit.
fn query_tags(notes: &Notes, output: &OutputOutline, drillable: bool) -> Vec<String> {
    let mut tags = texts(notes);
    let mut about = Vec::new();
    if let Some(limit) = output.limit {
        about.push(format!("limit = {limit}"));
    }
    if drillable {
        about.push("drillable".to_owned());
    }
    if !output.order.is_empty() {
        let keys: Vec<String> = output
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

fn texts(notes: &Notes) -> Vec<String> {
    notes.all.iter().map(|note| note.trim_end().to_owned()).collect()
}
