//! What the tools answer, as schemas.

use std::sync::Arc;

use kit_mcp::rmcp::schemars::{
    JsonSchema, Schema, SchemaGenerator, generate::SchemaSettings, json_schema,
};
use serde_json::{Map, Value, json};

use crate::wire::schema::outcome;
pub(super) use crate::wire::schema::resolved;

/// The schema of an answer as it is written, in which what may be left out is not required.
pub(super) fn of<T: JsonSchema>() -> Arc<Map<String, Value>> {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.remove("title");
    schema.remove("description");
    schema.as_object().cloned().unwrap_or_default().into()
}

/// One of those below as a whole schema: the core itself knows none.
pub(super) fn object(shape: fn(&mut SchemaGenerator) -> Schema) -> Arc<Map<String, Value>> {
    let schema = shape(&mut SchemaGenerator::default());
    schema.as_object().cloned().unwrap_or_default().into()
}

/// The rules, which are always the same.
pub(super) fn rules(generator: &mut SchemaGenerator) -> Schema {
    let names = [
        "system",
        "module",
        "rules_version",
        "dice_model",
        "total_formula",
        "crit_rule",
        "difficulty_rule",
    ];
    let mut properties: Map<String, Value> =
        names.iter().map(|name| ((*name).to_owned(), json!({"type": "string"}))).collect();
    properties.insert("outcomes".into(), json!({"type": "array", "items": outcome(generator)}));
    let required: Vec<_> = properties.keys().cloned().collect();
    json_schema!({"type": "object", "required": required, "properties": properties})
}

/// Duality dice with the steps from them to their outcome.
pub(super) fn explanation(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = resolved(generator);
    let (number, flag) = (json!({"type": "integer"}), json!({"type": "boolean"}));
    let more = json!({
        "rules_version": {"type": "string"},
        "intermediates": {
            "type": "object",
            "required": ["base_total", "total", "is_crit", "meets_difficulty", "hope_gt_fear", "fear_gt_hope"],
            "properties": {
                "base_total": number, "total": number, "is_crit": flag, "meets_difficulty": flag,
                "hope_gt_fear": flag, "fear_gt_hope": flag,
            },
        },
        "steps": {
            "type": "array",
            "description": "Always five, in the order in which they are taken.",
            "items": {
                "type": "object",
                "required": ["code", "message", "data"],
                "properties": {
                    "code": {"type": "string"}, "message": {"type": "string"}, "data": {"type": "object"},
                },
            },
        },
    });
    if let (Some(object), Value::Object(more)) = (schema.as_object_mut(), more) {
        if let Some(required) = object.get_mut("required").and_then(Value::as_array_mut) {
            required.extend(more.keys().cloned().map(Value::from));
        }
        if let Some(properties) = object.get_mut("properties").and_then(Value::as_object_mut) {
            properties.extend(more);
        }
    }
    schema
}

/// How many pairs of dice come to what.
pub(super) fn odds(generator: &mut SchemaGenerator) -> Schema {
    let number = json!({"type": "integer", "minimum": 0});
    json_schema!({
        "type": "object",
        "required": ["total_outcomes", "crit_count", "success_count", "failure_count", "outcome_counts"],
        "properties": {
            "total_outcomes": {"type": "integer", "description": "144; 864 with a further die of six."},
            "crit_count": number,
            "success_count": {
                "type": "integer",
                "minimum": 0,
                "description": "Without the critical successes: the three counts add up to the total.",
            },
            "failure_count": number,
            "outcome_counts": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["outcome", "count"],
                    "properties": {"outcome": outcome(generator), "count": number},
                },
            },
        },
    })
}
