//! The raw result: structs that tell the columns, and rows as flat objects.

use malloy_model::ir::{Direction, Level, NumberKind, OutputField, OutputRole, RecordField, Type};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use super::{Rows, facts, instant, last_level, nest_of, order};

/// Rows in the raw form.
#[derive(Debug, Clone, Copy)]
pub struct Raw<'a>(pub Rows<'a>);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let rows = &self.0;
        let last = format!("__stage{}", rows.query.pipeline.stages.len().saturating_sub(1));
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("sql", rows.sql)?;
        map.serialize_entry("connectionName", &rows.query.connection)?;
        map.serialize_entry("sourceExplore", rows.source())?;
        map.serialize_entry("totalRows", &rows.rows.len())?;
        map.serialize_entry("rowLimit", &rows.row_limit)?;
        map.serialize_entry("limitHit", &rows.limit_hit)?;
        map.serialize_entry("lastStageName", &last)?;
        map.serialize_entry("malloy", rows.malloy)?;
        if let Some(name) = &rows.query.name {
            map.serialize_entry("queryName", name)?;
        }
        if !rows.query.annotations.is_empty() {
            map.serialize_entry("annotation", &annotation(&rows.query.annotations))?;
        }
        map.serialize_entry("structs", &[root(rows, &last)])?;
        let fields: Vec<(&str, &Type)> =
            rows.query.schema.iter().map(|field| (field.name.as_str(), &field.ty)).collect();
        map.serialize_entry("result", &Objects { fields: &fields, rows: rows.rows })?;
        map.end()
    }
}

/// What the rows are rows of.
fn root(rows: &Rows<'_>, name: &str) -> Value {
    let level = rows.level();
    let mut made = json!({
        "type": "query_result",
        "name": name,
        "dialect": rows.dialect,
        "connection": rows.query.connection,
        "fields": fields(level, &rows.query.schema),
        "resultMetadata": struct_metadata("", level),
    });
    let mut keys = rows.query.schema.iter().filter(|field| field.role == OutputRole::Dimension);
    let groups = level.is_some_and(|level| level.kind == malloy_model::ir::LevelKind::Group);
    if let (true, Some(key), None) = (groups, keys.next(), keys.next()) {
        made["primaryKey"] = json!(key.name);
    }
    if let Some(zone) = &rows.query.zone {
        made["queryTimezone"] = json!(zone);
    }
    made
}

fn fields(level: Option<&Level>, fields: &[OutputField]) -> Vec<Value> {
    fields.iter().map(|field| column(level, field)).collect()
}

fn column(level: Option<&Level>, output: &OutputField) -> Value {
    let mut made = Map::new();
    made.insert("name".to_owned(), json!(output.name));
    if output.role == OutputRole::Nest {
        let inner = nest_of(level, output).map(last_level);
        let many = matches!(output.ty, Type::Array(_));
        if many {
            made.insert("type".to_owned(), json!("array"));
            made.insert("elementTypeDef".to_owned(), json!({"type": "record_element"}));
        } else {
            made.insert("type".to_owned(), json!("record"));
        }
        made.insert("join".to_owned(), json!(if many { "many" } else { "one" }));
        made.insert("fields".to_owned(), json!(fields(inner, &output.fields)));
        made.insert("resultMetadata".to_owned(), struct_metadata(&output.name, inner));
    } else {
        made.extend(type_def(&output.ty));
        made.insert("resultMetadata".to_owned(), metadata(output));
    }
    if !output.annotations.is_empty() {
        made.insert("annotation".to_owned(), annotation(&output.annotations));
    }
    Value::Object(made)
}

fn metadata(output: &OutputField) -> Value {
    let source = output.origin.as_deref().filter(|origin| is_path(origin));
    let mut made = json!({
        "sourceField": source.unwrap_or(&output.name),
        "fieldKind": if output.role == OutputRole::Dimension { "dimension" } else { "measure" },
        "filterList": [],
    });
    if let (Some(origin), None) = (&output.origin, source) {
        made["sourceExpression"] = json!(origin);
    }
    made
}

/// Whether an expression only names a field.
fn is_path(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
}

fn struct_metadata(name: &str, level: Option<&Level>) -> Value {
    let mut made = json!({"fieldKind": "struct", "sourceField": name, "filterList": []});
    if let Some(level) = level {
        if let Some(limit) = level.limit {
            made["limit"] = json!(limit);
        }
        let keys: Vec<Value> = order(level)
            .map(|(field, direction)| {
                let dir = if direction == Direction::Desc { "desc" } else { "asc" };
                json!({"field": field, "dir": dir})
            })
            .collect();
        if !keys.is_empty() {
            made["orderBy"] = json!(keys);
        }
    }
    made
}

/// Members that tell a type.
fn type_def(ty: &Type) -> Map<String, Value> {
    let mut made = Map::new();
    let mut put = |name: &str, value: Value| {
        made.insert(name.to_owned(), value);
    };
    match ty {
        Type::String => put("type", json!("string")),
        Type::Boolean => put("type", json!("boolean")),
        Type::Number(kind) => {
            put("type", json!("number"));
            match kind {
                NumberKind::Integer | NumberKind::Bigint => put("numberType", json!("integer")),
                NumberKind::Float => put("numberType", json!("float")),
                NumberKind::Unknown => {}
            }
        }
        Type::Null => put("type", json!("number")),
        Type::Date(_) => put("type", json!("date")),
        Type::Timestamp(_) => put("type", json!("timestamp")),
        Type::Timestamptz(_) => put("type", json!("timestamptz")),
        Type::Json => put("type", json!("json")),
        Type::Sql(name) => {
            put("type", json!("sql native"));
            put("rawType", json!(name));
        }
        Type::Array(element) => {
            put("type", json!("array"));
            put("join", json!("many"));
            if let Type::Record(fields) = &**element {
                put("elementTypeDef", json!({"type": "record_element"}));
                put("fields", json!(record(fields)));
            } else {
                put("elementTypeDef", Value::Object(type_def(element)));
            }
        }
        Type::Record(fields) => {
            put("type", json!("record"));
            put("join", json!("one"));
            put("fields", json!(record(fields)));
        }
    }
    if let Some(unit) = ty.time_unit() {
        put("timeframe", json!(unit.name()));
    }
    made
}

fn record(fields: &[RecordField]) -> Vec<Value> {
    let field = |field: &RecordField| {
        let mut made = type_def(&field.ty);
        made.insert("name".to_owned(), json!(field.name));
        Value::Object(made)
    };
    fields.iter().map(field).collect()
}

fn annotation(notes: &[String]) -> Value {
    let notes: Vec<Value> = notes.iter().map(|note| json!({"text": facts::line(note)})).collect();
    json!({"notes": notes})
}

/// Rows as objects.
struct Objects<'a> {
    fields: &'a [(&'a str, &'a Type)],
    rows: &'a [Value],
}

impl Serialize for Objects<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(Some(self.rows.len()))?;
        for row in self.rows {
            list.serialize_element(&Object { fields: self.fields, row })?;
        }
        list.end()
    }
}

struct Object<'a> {
    fields: &'a [(&'a str, &'a Type)],
    row: &'a Value,
}

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, ty) in self.fields {
            let value = self.row.get(name).unwrap_or(&Value::Null);
            map.serialize_entry(name, &Item { ty, value })?;
        }
        map.end()
    }
}

/// A value in a row.
struct Item<'a> {
    ty: &'a Type,
    value: &'a Value,
}

impl Serialize for Item<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match (self.ty, self.value) {
            (Type::Array(element), Value::Array(items)) => {
                let mut list = serializer.serialize_seq(Some(items.len()))?;
                for value in items {
                    list.serialize_element(&Item { ty: element, value })?;
                }
                list.end()
            }
            (Type::Record(fields), row @ Value::Object(_)) => {
                let fields: Vec<(&str, &Type)> =
                    fields.iter().map(|field| (field.name.as_str(), &field.ty)).collect();
                Object { fields: &fields, row }.serialize(serializer)
            }
            (ty, value) => instant(ty, value).serialize(serializer),
        }
    }
}
