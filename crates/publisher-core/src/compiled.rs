//! A compiled model as clients see it.

use malloy_model::ir::Type;
use malloy_model::{FieldOutline, FieldOutlineKind, Notes, Outline, SourceOutline};
use serde_json::{Map, Value, json};

use crate::info;
use crate::result::facts::line;

/// A model, and where it is.
#[derive(Debug, Clone, Copy)]
pub struct Compiled<'a> {
    pub package: &'a str,
    /// Relative to the package.
    pub path: &'a str,
    pub outline: &'a Outline,
    pub data_styles: &'a Map<String, Value>,
    /// The text of the file.
    pub text: &'a str,
}

/// What the compiler calls itself towards clients that want to know.
pub const MALLOY_VERSION: &str = env!("CARGO_PKG_VERSION");

impl Compiled<'_> {
    /// The object of `/models/{path}`, with everything that later servers added to it.
    ///
    /// `modelDef`, `dataStyles`, `modelInfo` and each of `sourceInfos` are JSON in a string, as clients expect them.
    pub fn model(&self) -> Map<String, Value> {
        let mut made = self.head("source");
        self.put_model(&mut made);
        made.insert("text".to_owned(), json!(self.text));
        made
    }

    /// The object of a notebook, its cells not yet there. One without code has no model.
    pub fn notebook(&self, has_code: bool) -> Map<String, Value> {
        let mut made = self.head("notebook");
        if has_code {
            self.put_model(&mut made);
        }
        made
    }

    fn head(&self, kind: &str) -> Map<String, Value> {
        let head = json!({
            "type": kind,
            "packageName": self.package,
            "modelPath": self.path,
            "malloyVersion": MALLOY_VERSION,
            "dataStyles": Value::Object(self.data_styles.clone()).to_string(),
        });
        match head {
            Value::Object(head) => head,
            _ => Map::new(),
        }
    }

    fn put_model(&self, made: &mut Map<String, Value>) {
        let outline = self.outline;
        let infos: Vec<Value> = outline
            .sources
            .iter()
            .map(|source| Value::String(info::source_info(source).to_string()))
            .collect();
        made.extend([
            ("modelDef".to_owned(), json!(model_def(self.path, outline).to_string())),
            ("modelInfo".to_owned(), json!(info::model_info(outline).to_string())),
            ("sourceInfos".to_owned(), infos.into()),
            ("sources".to_owned(), outline.sources.iter().map(source).collect()),
            ("queries".to_owned(), queries(outline).into()),
            ("givens".to_owned(), info::givens(outline).into()),
        ]);
    }
}

/// A source in a list: its name, annotations and views.
pub fn source(source: &SourceOutline) -> Value {
    let views: Vec<Value> = listed_views(source).map(view).collect();
    let mut made = named(&source.name, &source.notes);
    made["views"] = views.into();
    made
}

/// The views of a source that are listed: those that only group. Others can be run as well.
pub fn listed_views(source: &SourceOutline) -> impl Iterator<Item = &FieldOutline> {
    source
        .fields
        .iter()
        .filter(|field| matches!(&field.kind, FieldOutlineKind::View(output) if output.groups))
}

/// A view in a list: its name and annotations.
pub fn view(view: &FieldOutline) -> Value {
    named(&view.name, &view.notes)
}

/// Named queries in a list, each with the source that it asks.
pub fn queries(outline: &Outline) -> Vec<Value> {
    let query = |query: &malloy_model::QueryOutline| {
        let mut made = named(&query.name, &query.notes);
        made["sourceName"] = json!(query.source);
        made
    };
    outline.queries.iter().map(query).collect()
}

/// A name and the annotations that were written with it in this file; imported ones are not told.
fn named(name: &str, notes: &Notes) -> Value {
    let mut made = json!({"name": name});
    let here: Vec<String> = notes.here().iter().map(|note| line(note)).collect();
    if !here.is_empty() {
        made["annotations"] = here.into();
    }
    made
}

/// The compact definition: names, kinds, types and notes of what a model has.
pub fn model_def(path: &str, outline: &Outline) -> Value {
    let sources = outline.sources.iter().map(|source| (source.name.clone(), source_def(source)));
    let queries = outline.queries.iter().map(|query| {
        let fields: Vec<Value> =
            query.output.fields.iter().map(|field| column(&field.name, &field.ty)).collect();
        let mut made = json!({
            "type": "query",
            "name": query.name,
            "structRef": query.source,
            "fields": fields,
        });
        put_notes(&mut made, &query.notes);
        (query.name.clone(), made)
    });
    let contents: Map<String, Value> = sources.chain(queries).collect();
    let exports: Vec<&String> = contents.keys().collect();
    json!({"name": path, "exports": exports, "contents": contents})
}

fn source_def(source: &SourceOutline) -> Value {
    let field = |field: &FieldOutline| {
        let mut made = match &field.kind {
            FieldOutlineKind::Dimension(ty) => column(&field.name, ty),
            FieldOutlineKind::Measure(ty) => {
                let mut made = column(&field.name, ty);
                made["expressionType"] = json!("aggregate");
                made
            }
            FieldOutlineKind::Join { relationship, .. } => {
                json!({"name": field.name, "type": "join", "join": relationship.name()})
            }
            FieldOutlineKind::View(_) => json!({"name": field.name, "type": "turtle"}),
        };
        put_notes(&mut made, &field.notes);
        made
    };
    let fields: Vec<Value> = source.fields.iter().map(field).collect();
    let mut made = json!({
        "type": "source",
        "name": source.name,
        "connection": source.connection,
        "fields": fields,
    });
    if let Some(key) = &source.primary_key {
        made["primaryKey"] = json!(key);
    }
    if !source.parameters.is_empty() {
        made["parameters"] = source.parameters.iter().map(|one| json!(one.name)).collect();
    }
    put_notes(&mut made, &source.notes);
    made
}

fn put_notes(made: &mut Value, notes: &Notes) {
    if !notes.all.is_empty() {
        made["annotations"] = notes.all.iter().map(|note| json!(line(note))).collect();
    }
}

fn column(name: &str, ty: &Type) -> Value {
    json!({"name": name, "type": type_word(ty)})
}

/// The name of a type in one word.
pub fn type_word(ty: &Type) -> &'static str {
    match ty {
        Type::String => "string",
        Type::Number(_) | Type::Null => "number",
        Type::Boolean => "boolean",
        Type::Date(_) => "date",
        Type::Timestamp(_) => "timestamp",
        Type::Timestamptz(_) => "timestamptz",
        Type::Json => "json",
        Type::Array(_) => "array",
        Type::Record(_) => "record",
        Type::Sql(_) => "sql native",
    }
}
