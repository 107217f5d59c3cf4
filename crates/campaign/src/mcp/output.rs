//! What the dice tools answer, as schemas: the core itself knows none.

use std::sync::Arc;

use kit_mcp::rmcp::schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use crate::wire::schema::outcome;
pub(super) use crate::wire::schema::resolved;

/// One of these as a whole schema, for the answer of a tool.
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
