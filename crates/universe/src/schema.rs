//! The shapes of commands and entities as JSON Schema, made from the tables of the domain.
//!
//! Two readers want them: models, for whom every word costs, and programs, who want all of it. [`Depth`] is the
//! difference. Neither schema judges: a value that does not fit is told by the service, with the same words on every
//! surface, and an unknown command reaches the reducer.

use kit_mcp::rmcp::schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use universe_core::{
    catalogue,
    shape::{self, Field, FieldKind, Presence, Shape},
};

/// How much a schema says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Depth {
    /// For models: the usual fields of an entity, the first time it comes up.
    Brief,
    /// For programs: references to components that have everything.
    Whole,
}

/// A kind of entity.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entity {
    Body,
    Group,
    Belt,
    Field,
    Disk,
    Nebula,
    Ring,
}

impl Entity {
    pub(crate) const ALL: [Self; 7] =
        [Self::Body, Self::Group, Self::Belt, Self::Field, Self::Disk, Self::Nebula, Self::Ring];

    /// Its name among the components.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Body => "Body",
            Self::Group => "Group",
            Self::Belt => "AsteroidBelt",
            Self::Field => "SmallBodyField",
            Self::Disk => "ProtoplanetaryDisk",
            Self::Nebula => "NebulaRegion",
            Self::Ring => "PlanetaryRing",
        }
    }

    pub(crate) fn shape(self) -> Shape {
        match self {
            Self::Body => shape::BODY,
            Self::Group => shape::GROUP,
            Self::Belt => shape::ASTEROID_BELT,
            Self::Field => shape::SMALL_BODY_FIELD,
            Self::Disk => shape::PROTOPLANETARY_DISK,
            Self::Nebula => shape::NEBULA_REGION,
            Self::Ring => shape::RING,
        }
    }
}

/// What a field of a command holds.
#[derive(Debug, Clone, Copy)]
enum Holds {
    Number,
    Flag,
    Revision,
    Id,
    IdOrNull,
    MemberKind,
    Member,
    /// All of an entity's fields; what is missing gets a default.
    New(Entity),
    /// The fields to change.
    Part(Entity),
    /// An entity with its id.
    Full(Entity),
    /// Entities by id.
    Map(Entity),
    Snapshot,
}

type Parameter = (&'static str, Holds, Presence);

const fn must(name: &'static str, holds: Holds) -> Parameter {
    (name, holds, Presence::Required)
}

const fn may(name: &'static str, holds: Holds) -> Parameter {
    (name, holds, Presence::Optional)
}

/// Every command with its fields besides `type`, in the order of the contract; then ours that stand beside the 25.
static COMMANDS: &[(&str, &[Parameter])] = &[
    ("tick", &[may("dt", Holds::Number)]),
    ("addStar", &[must("id", Holds::Id), must("payload", Holds::New(Entity::Body))]),
    ("updateStar", &[must("id", Holds::Id), must("payload", Holds::Part(Entity::Body))]),
    ("removeStar", &[must("id", Holds::Id)]),
    ("attachStar", &[must("childId", Holds::Id), must("parentId", Holds::Id)]),
    ("detachStar", &[must("childId", Holds::Id)]),
    ("addGroup", &[must("id", Holds::Id), must("payload", Holds::New(Entity::Group))]),
    ("updateGroup", &[must("id", Holds::Id), must("payload", Holds::Part(Entity::Group))]),
    ("removeGroup", &[must("id", Holds::Id)]),
    ("addToGroup", &[must("groupId", Holds::Id), must("child", Holds::Member)]),
    ("removeFromGroup", &[must("groupId", Holds::Id), must("childId", Holds::Id)]),
    (
        "moveToGroup",
        &[
            must("childId", Holds::Id),
            must("childType", Holds::MemberKind),
            must("targetGroupId", Holds::IdOrNull),
        ],
    ),
    ("setSmallBodyFields", &[must("fields", Holds::Map(Entity::Field))]),
    ("updateSmallBodyField", &[must("id", Holds::Id), must("patch", Holds::Part(Entity::Field))]),
    ("removeSmallBodyField", &[must("id", Holds::Id)]),
    ("setProtoplanetaryDisks", &[must("disks", Holds::Map(Entity::Disk))]),
    ("addProtoplanetaryDisk", &[must("disk", Holds::Full(Entity::Disk))]),
    (
        "updateProtoplanetaryDisk",
        &[must("id", Holds::Id), must("patch", Holds::Part(Entity::Disk))],
    ),
    ("removeProtoplanetaryDisk", &[must("id", Holds::Id)]),
    ("setNebulae", &[must("nebulae", Holds::Map(Entity::Nebula))]),
    ("updateNebula", &[must("id", Holds::Id), must("patch", Holds::Part(Entity::Nebula))]),
    ("removeNebula", &[must("id", Holds::Id)]),
    ("updateRing", &[must("planetId", Holds::Id), must("patch", Holds::Part(Entity::Ring))]),
    ("removeRing", &[must("planetId", Holds::Id)]),
    ("replaceSnapshot", &[must("snapshot", Holds::Snapshot)]),
    ("undo", &[may("revision", Holds::Revision)]),
    ("redo", &[may("revision", Holds::Revision)]),
    (
        "setClock",
        &[may("playing", Holds::Flag), may("rate", Holds::Number), may("time", Holds::Number)],
    ),
];

/// The announced shape of a command in the tool's input.
pub(crate) fn command(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "object",
        "description": "The command. `list_universe_commands` tells what each is for.",
        "required": ["type"],
        "properties": {"type": {"type": "string"}},
        "anyOf": commands(Depth::Brief),
    })
}

/// The same for a list of further ones, told in a word: the shapes are there already.
pub(crate) fn more_commands(_: &mut SchemaGenerator) -> Schema {
    let properties = json!({"type": {"type": "string"}});
    json_schema!({
        "type": "array",
        "items": {"type": "object", "required": ["type"], "properties": properties},
    })
}

/// A schema for each command, and one that takes what is none of them.
pub(crate) fn commands(depth: Depth) -> Vec<Value> {
    let mut seen = Vec::new();
    let arms = COMMANDS.iter().map(|(name, fields)| arm(name, fields, depth, &mut seen));
    let mut arms: Vec<_> = arms.collect();
    arms.push(json!({"description": "Anything else is answered with `unknownCommand`."}));
    arms
}

fn arm(name: &str, fields: &[Parameter], depth: Depth, seen: &mut Vec<Entity>) -> Value {
    let mut properties = Map::from_iter([("type".to_owned(), json!({"const": name}))]);
    for (field, holds, _) in fields {
        properties.insert((*field).to_owned(), schema_of(*holds, depth, seen));
    }
    let needed = fields.iter().filter(|(_, _, presence)| *presence == Presence::Required);
    let required: Vec<_> = ["type"].into_iter().chain(needed.map(|(name, ..)| *name)).collect();
    let mut arm = json!({"required": required, "properties": properties});
    if depth == Depth::Whole {
        arm["type"] = "object".into();
        arm["title"] = name.into();
        if let Some(info) = catalogue::find(name) {
            arm["description"] = info.purpose.into();
        }
    }
    arm
}

fn schema_of(holds: Holds, depth: Depth, seen: &mut Vec<Entity>) -> Value {
    match holds {
        Holds::Number => json!({"type": "number"}),
        Holds::Flag => json!({"type": "boolean"}),
        Holds::Revision => json!({"type": "integer", "minimum": 1}),
        Holds::Id => json!({"type": "string"}),
        Holds::IdOrNull => json!({"type": ["string", "null"]}),
        Holds::MemberKind => json!({"enum": ["system", "group"]}),
        Holds::Member => json!({
            "type": "object",
            "required": ["id", "type"],
            "properties": {"id": {"type": "string"}, "type": {"enum": ["system", "group"]}},
        }),
        Holds::New(entity) | Holds::Part(entity) if depth == Depth::Whole => partial(entity),
        Holds::Full(entity) if depth == Depth::Whole => {
            json!({"allOf": [partial(entity), {"type": "object", "required": ["id"]}]})
        }
        Holds::Map(entity) if depth == Depth::Whole => {
            json!({"type": "object", "additionalProperties": partial(entity)})
        }
        Holds::New(entity) | Holds::Part(entity) | Holds::Full(entity) => brief(entity, seen),
        Holds::Map(entity) => {
            json!({"type": "object", "additionalProperties": brief(entity, seen)})
        }
        Holds::Snapshot => json!({
            "type": "object",
            "required": ["stars", "rootIds"],
            "description": "A state as `get_universe_state` gives it; its `time` is ignored.",
        }),
    }
}

fn partial(entity: Entity) -> Value {
    json!({"$ref": format!("#/components/schemas/{}Fields", entity.name())})
}

/// The fields of an entity with their types, where it comes up first; then only its name.
fn brief(entity: Entity, seen: &mut Vec<Entity>) -> Value {
    if seen.contains(&entity) {
        return json!({"type": "object"});
    }
    seen.push(entity);
    json!({"type": "object", "properties": properties(entity, true)})
}

/// The schema of an entity's fields, none of them required.
pub(crate) fn fields(entity: Entity) -> Value {
    json!({"type": "object", "properties": properties(entity, false)})
}

fn properties(entity: Entity, brief: bool) -> Map<String, Value> {
    let tree = match entity {
        Entity::Body => Some(("parentId", "the body it circles; null for a root")),
        Entity::Group => Some(("parentGroupId", "the group it is in, or null")),
        _ => None,
    };
    let parent = tree.map(|(name, about)| {
        (name.to_owned(), json!({"type": ["string", "null"], "description": about}))
    });
    let shape =
        entity.shape().iter().filter(|field| tree.is_none_or(|(name, _)| name != field.name));
    parent
        .into_iter()
        .chain(shape.map(|field| (field.name.to_owned(), property(field, brief))))
        .collect()
}

fn property(field: &Field, brief: bool) -> Value {
    let mut property = match field.kind {
        FieldKind::Number => json!({"type": "number"}),
        FieldKind::Flag => json!({"type": "boolean"}),
        FieldKind::Text => json!({"type": "string"}),
        FieldKind::Seed => json!({"type": ["string", "number"]}),
        FieldKind::OneOf(names) => json!({"enum": names}),
        FieldKind::Record(inner) if !brief => {
            let inner = inner.iter().map(|field| (field.name.to_owned(), property(field, false)));
            json!({"type": "object", "properties": inner.collect::<Map<_, _>>()})
        }
        FieldKind::Record(_) => json!({"type": "object"}),
        FieldKind::Point => point(),
        FieldKind::Ids => json!({"type": "array", "items": {"type": "string"}}),
        FieldKind::Range => {
            json!({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2})
        }
    };
    let null_too = !brief && field.presence == Presence::Optional;
    if null_too && let Some(kind) = property.get("type").and_then(Value::as_str) {
        property["type"] = json!([kind, "null"]);
    }
    if !brief && !field.about.is_empty() {
        property["description"] = field.about.into();
    }
    property
}

fn point() -> Value {
    let number = json!({"type": "number"});
    json!({"type": "object", "required": ["x", "y", "z"],
        "properties": {"x": number, "y": number, "z": number}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_of_the_contract_has_a_shape_in_its_order() {
        let names: Vec<_> = COMMANDS.iter().map(|(name, _)| *name).collect();
        let known: Vec<_> = catalogue::commands().map(|command| command.name).collect();
        assert_eq!(names[..25], known);
        assert_eq!(names[25..], ["undo", "redo", "setClock"]);
    }
}
