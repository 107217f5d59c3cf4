//! The stable result: a schema, and cells that say what they are.

use malloy_model::ir::{Level, NumberKind, OutputField, Type};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::facts::{self, Annotation};
use super::{Rows, instant, last_level, nest_of};

/// Rows in the stable form.
#[derive(Debug, Clone, Copy)]
pub struct Stable<'a>(pub Rows<'a>);

impl Serialize for Stable<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Rows { query, sql, rows, model_notes, source_notes, .. } = &self.0;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &schema(&self.0))?;
        map.serialize_entry("data", &Table { fields: &query.schema, rows })?;
        map.serialize_entry("connection_name", &query.connection)?;
        map.serialize_entry("annotations", &facts::of_rows(&self.0))?;
        if !model_notes.is_empty() {
            map.serialize_entry("model_annotations", &Annotation::of(*model_notes))?;
        }
        if !source_notes.is_empty() {
            map.serialize_entry("source_annotations", &Annotation::of(*source_notes))?;
        }
        if let Some(zone) = &query.zone {
            map.serialize_entry("query_timezone", zone)?;
        }
        map.serialize_entry("sql", sql)?;
        map.end()
    }
}

/// The columns of rows: `{"fields": […]}`.
pub fn schema(rows: &Rows<'_>) -> Value {
    json!({"fields": columns(rows.source(), rows.level(), &rows.query.schema)})
}

/// Columns that come out of a query, each a `dimension`. `level` is the operation that they come from, where it is known.
pub fn columns(source: &str, level: Option<&Level>, fields: &[OutputField]) -> Vec<Value> {
    let column = |field: &OutputField| {
        let mut made = json!({
            "kind": "dimension",
            "name": field.name,
            "type": column_type(source, level, field),
        });
        annotate(&mut made, &facts::of_column(source, level, field));
        made
    };
    fields.iter().map(column).collect()
}

/// Puts annotations on something, if there are any.
pub fn annotate(on: &mut Value, annotations: &[Annotation]) {
    if !annotations.is_empty() {
        on["annotations"] = json!(annotations);
    }
}

/// The type of a column: of a nest with the annotations of the columns inside.
fn column_type(source: &str, level: Option<&Level>, field: &OutputField) -> Value {
    if field.fields.is_empty() {
        return type_of(&field.ty);
    }
    let inner = nest_of(level, field).map(last_level);
    let fields: Vec<Value> = columns(source, inner, &field.fields)
        .into_iter()
        .map(|mut column| {
            if let Value::Object(column) = &mut column {
                column.remove("kind");
            }
            column
        })
        .collect();
    let record = json!({"kind": "record_type", "fields": fields});
    match &field.ty {
        Type::Array(_) => json!({"kind": "array_type", "element_type": record}),
        _ => record,
    }
}

/// A type: `{"kind": "number_type", "subtype": "integer"}`.
pub fn type_of(ty: &Type) -> Value {
    let timed = |kind: &str| match ty.time_unit() {
        Some(unit) => json!({"kind": kind, "timeframe": unit.name()}),
        None => json!({"kind": kind}),
    };
    match ty {
        Type::String => json!({"kind": "string_type"}),
        Type::Boolean => json!({"kind": "boolean_type"}),
        Type::Number(kind) => match subtype(*kind) {
            Some(subtype) => json!({"kind": "number_type", "subtype": subtype}),
            None => json!({"kind": "number_type"}),
        },
        Type::Null => json!({"kind": "number_type"}),
        Type::Date(_) => timed("date_type"),
        Type::Timestamp(_) => timed("timestamp_type"),
        Type::Timestamptz(_) => timed("timestamptz_type"),
        Type::Json => json!({"kind": "json_type"}),
        Type::Sql(name) => json!({"kind": "sql_native_type", "sql_type": name}),
        Type::Array(element) => json!({"kind": "array_type", "element_type": type_of(element)}),
        Type::Record(fields) => {
            let fields: Vec<Value> = fields
                .iter()
                .map(|field| json!({"name": field.name, "type": type_of(&field.ty)}))
                .collect();
            json!({"kind": "record_type", "fields": fields})
        }
    }
}

fn subtype(kind: NumberKind) -> Option<&'static str> {
    match kind {
        NumberKind::Integer => Some("integer"),
        NumberKind::Bigint => Some("bigint"),
        NumberKind::Float => Some("decimal"),
        NumberKind::Unknown => None,
    }
}

/// All rows: an array cell of record cells.
struct Table<'a> {
    fields: &'a [OutputField],
    rows: &'a [Value],
}

impl Serialize for Table<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let names: Vec<(&str, &Type)> =
            self.fields.iter().map(|field| (field.name.as_str(), &field.ty)).collect();
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("kind", "array_cell")?;
        let cells = Each(self.rows, |row| Record { fields: &names, row });
        map.serialize_entry("array_value", &cells)?;
        map.end()
    }
}

/// A row or a record, its cells in the order of the columns.
struct Record<'a> {
    fields: &'a [(&'a str, &'a Type)],
    row: &'a Value,
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(2))?;
        map.serialize_entry("kind", "record_cell")?;
        let cells = self.fields.iter().map(|(name, ty)| Cell { ty, value: self.row.get(name) });
        let cells: Vec<Cell<'_>> = cells.collect();
        map.serialize_entry("record_value", &cells)?;
        map.end()
    }
}

/// One value with its kind.
struct Cell<'a> {
    ty: &'a Type,
    value: Option<&'a Value>,
}

impl Serialize for Cell<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let Some(value) = self.value.filter(|value| !value.is_null()) else {
            map.serialize_entry("kind", "null_cell")?;
            return map.end();
        };
        match (self.ty, value) {
            (Type::Number(kind), _) => number(&mut map, *kind, value)?,
            (Type::Null, _) => number(&mut map, NumberKind::Unknown, value)?,
            (Type::Boolean, Value::Bool(flag)) => {
                map.serialize_entry("kind", "boolean_cell")?;
                map.serialize_entry("boolean_value", flag)?;
            }
            (Type::Date(_), _) => {
                map.serialize_entry("kind", "date_cell")?;
                map.serialize_entry("date_value", &*instant(self.ty, value))?;
            }
            (Type::Timestamp(_) | Type::Timestamptz(_), _) => {
                map.serialize_entry("kind", "timestamp_cell")?;
                map.serialize_entry("timestamp_value", value)?;
            }
            (Type::Json, _) => {
                map.serialize_entry("kind", "json_cell")?;
                map.serialize_entry("json_value", &value.to_string())?;
            }
            (Type::Sql(_), _) => {
                map.serialize_entry("kind", "sql_native_cell")?;
                map.serialize_entry("sql_native_value", &value.to_string())?;
            }
            (Type::Array(element), Value::Array(items)) => {
                map.serialize_entry("kind", "array_cell")?;
                let cells = Each(items, |value| Cell { ty: element, value: Some(value) });
                map.serialize_entry("array_value", &cells)?;
            }
            (Type::Record(fields), _) => {
                map.serialize_entry("kind", "record_cell")?;
                let cells = fields
                    .iter()
                    .map(|field| Cell { ty: &field.ty, value: value.get(&field.name) });
                let cells: Vec<Cell<'_>> = cells.collect();
                map.serialize_entry("record_value", &cells)?;
            }
            (_, Value::String(text)) => {
                map.serialize_entry("kind", "string_cell")?;
                map.serialize_entry("string_value", text)?;
            }
            // The database gave something else than it said it would.
            (_, other) => {
                map.serialize_entry("kind", "string_cell")?;
                map.serialize_entry("string_value", &other.to_string())?;
            }
        }
        map.end()
    }
}

/// A number. One that JSON cannot say exactly, or not at all, is also given as text.
fn number<M: SerializeMap>(map: &mut M, kind: NumberKind, value: &Value) -> Result<(), M::Error> {
    map.serialize_entry("kind", "number_cell")?;
    let text = match value {
        Value::String(text) => {
            let near: Option<f64> = text.parse().ok().filter(|near: &f64| near.is_finite());
            map.serialize_entry("number_value", &near)?;
            Some(text.clone())
        }
        number => {
            map.serialize_entry("number_value", number)?;
            (kind == NumberKind::Bigint).then(|| number.to_string())
        }
    };
    if let Some(subtype) = subtype(kind) {
        map.serialize_entry("subtype", subtype)?;
    }
    match text {
        Some(text) => map.serialize_entry("string_value", &text),
        None => Ok(()),
    }
}

/// Items, each as something else, without a list of those.
struct Each<'a, F>(&'a [Value], F);

impl<'a, T: Serialize, F: Fn(&'a Value) -> T> Serialize for Each<'a, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.0.len()))?;
        for value in self.0 {
            list.serialize_element(&(self.1)(value))?;
        }
        list.end()
    }
}
