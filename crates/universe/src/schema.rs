//! The announced shape of a command.
//!
//! A union of the commands that are carried out, and one arm that takes anything with a `type`: the service
//! judges the values, with the same words as over REST, and answers unknown commands itself.

use kit_mcp::rmcp::schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use universe_core::shape::{self, Field, FieldKind};

/// Fields that most bodies are made with; the others are in the documents, where they cost nothing.
const USUAL: &[&str] = &[
    "name",
    "mass",
    "radius",
    "color",
    "orbitalDistance",
    "orbitalSpeed",
    "orbitalPhase",
    "bodyType",
    "semiMajorAxis",
    "eccentricity",
];

pub(crate) fn command(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "description": "The command. `list_universe_commands` lists all of them with their fields.",
        "required": ["type"],
        "properties": {"type": {"type": "string", "description": "Which command, such as `addStar`."}},
        "anyOf": arms(),
    })
}

fn arms() -> Vec<Value> {
    let id = json!({"type": "string", "description": "Id of the body."});
    let new_id = json!({"type": "string", "description": "Id of the new body, your choice."});
    let dt = json!({"type": "number", "description": "Seconds; negative goes back. Default 1."});
    vec![
        arm("tick", &[], json!({"dt": dt})),
        arm("addStar", &["id", "payload"], json!({"id": new_id, "payload": body()})),
        arm(
            "updateStar",
            &["id", "payload"],
            json!({"id": id, "payload": {
                "type": "object",
                "description": "The fields to change, as in `addStar`; the others stay.",
            }}),
        ),
        arm("removeStar", &["id"], json!({"id": id})),
        json!({"description": "Any other command.", "type": "object", "required": ["type"]}),
    ]
}

fn arm(name: &str, required: &[&str], properties: Value) -> Value {
    let mut all = Map::from_iter([("type".to_owned(), json!({"const": name}))]);
    if let Value::Object(properties) = properties {
        all.extend(properties);
    }
    let required: Vec<_> = ["type"].iter().chain(required).collect();
    json!({"type": "object", "required": required, "properties": all})
}

fn body() -> Value {
    let parent = json!({"type": ["string", "null"], "description": "Id of the body it circles; null or absent for a root."});
    let mut properties = Map::from_iter([("parentId".to_owned(), parent)]);
    let usual = shape::BODY.iter().filter(|field| USUAL.contains(&field.name));
    properties.extend(usual.map(|field| (field.name.to_owned(), property(field))));
    json!({
        "type": "object",
        "description": "The body's fields; whatever is missing gets a default. More fields: `docs://universe/universe-structure`.",
        "properties": properties,
    })
}

fn property(field: &Field) -> Value {
    let mut property = match field.kind {
        FieldKind::Number => json!({"type": "number"}),
        FieldKind::Flag => json!({"type": "boolean"}),
        FieldKind::Text => json!({"type": "string"}),
        FieldKind::Seed => json!({"type": ["string", "number"]}),
        FieldKind::OneOf(names) => json!({"enum": names}),
        FieldKind::Point | FieldKind::Record(_) => json!({"type": "object"}),
        FieldKind::Ids => json!({"type": "array", "items": {"type": "string"}}),
        FieldKind::Range => json!({"type": "array", "items": {"type": "number"}}),
    };
    property["description"] = field.about.into();
    property
}
