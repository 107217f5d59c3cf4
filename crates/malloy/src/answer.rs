//! What a query gives: rows, and what is known of their columns.

use malloy_engine::Cut;
use malloy_model::ir::{NumberKind, OutputField, RecordField, Type};
use serde::Serialize;
use serde_json::{Value, json};

/// The result of a query.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    /// Columns as `{"name": …, "type": …}`.
    pub schema: Vec<Value>,
    pub rows: Vec<Value>,
    pub sql: String,
    /// The limit that cut rows off at the end, where [`Beyond::Cut`](crate::Beyond::Cut) was asked for.
    #[serde(skip)]
    pub cut: Option<Cut>,
}

/// The columns of a query in JSON.
pub fn schema(fields: &[OutputField]) -> Vec<Value> {
    fields.iter().map(|field| json!({"name": field.name, "type": type_json(&field.ty)})).collect()
}

/// A type in JSON: `"number:integer"`, `{"array": …}`, `{"record": […]}`.
pub(crate) fn type_json(ty: &Type) -> Value {
    let timed = |name: &str| match ty.time_unit() {
        Some(unit) => format!("{name}:{}", unit.name()),
        None => name.to_owned(),
    };
    match ty {
        Type::String => json!("string"),
        Type::Boolean => json!("boolean"),
        Type::Number(NumberKind::Integer) => json!("number:integer"),
        Type::Number(NumberKind::Bigint) => json!("number:bigint"),
        Type::Number(NumberKind::Float) => json!("number:decimal"),
        Type::Number(NumberKind::Unknown) => json!("number"),
        Type::Date(_) => json!(timed("date")),
        Type::Timestamp(_) => json!(timed("timestamp")),
        Type::Timestamptz(_) => json!(timed("timestamptz")),
        Type::Json => json!("json"),
        Type::Array(element) => json!({"array": type_json(element)}),
        Type::Record(fields) => {
            let field =
                |field: &RecordField| json!({"name": field.name, "type": type_json(&field.ty)});
            json!({"record": fields.iter().map(field).collect::<Vec<_>>()})
        }
        Type::Sql(name) => json!(format!("sql:{name}")),
        Type::Null => json!("null"),
    }
}
