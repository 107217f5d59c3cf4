//! What goes in and comes out.

use serde_json::{Map, Value, json};

use super::{examples, reference};
use crate::{
    schema::{self, Depth, Entity},
    service::{LONGEST_KEY, LONGEST_PAGE, LONGEST_VIA, MOST_COMMANDS},
};

pub(super) fn all() -> Value {
    json!({
        "schemas": schemas(),
        "parameters": parameters(),
        "headers": {
            "ETag": {"description": "The revision, in quotation marks.", "schema": {"type": "string"}},
            "Link": {
                "description": "`rel=\"next\"`: where the list goes on, if `limit` cut it.",
                "schema": {"type": "string"},
            },
        },
    })
}

fn schemas() -> Map<String, Value> {
    let mut all = Map::new();
    for entity in Entity::ALL {
        all.insert(format!("{}Fields", entity.name()), schema::fields(entity));
        if entity != Entity::Ring {
            all.insert(entity.name().to_owned(), whole(entity));
        }
    }
    let given = [base(), commands(), replies(), histories(), live(), generator()];
    for part in given {
        if let Value::Object(part) = part {
            all.extend(part);
        }
    }
    for (name, example) in examples::all() {
        if let Some(schema) = all.get_mut(name) {
            schema["examples"] = json!([example]);
        }
    }
    all
}

/// An entity as it stands in a state: its fields, its id, and its place in the tree.
fn whole(entity: Entity) -> Value {
    let fields = reference(&format!("{}Fields", entity.name()));
    let own = match entity {
        Entity::Body => json!({
            "type": "object",
            "required": ["id", "parentId", "children"],
            "properties": {
                "id": {"type": "string"},
                "children": {"type": "array", "items": {"type": "string"}},
            },
        }),
        Entity::Group => json!({
            "type": "object",
            "required": ["id", "parentGroupId", "children"],
            "properties": {
                "id": {"type": "string"},
                "children": {"type": "array", "items": {
                    "type": "object",
                    "required": ["id", "type"],
                    "properties": {"id": {"type": "string"}, "type": {"enum": ["system", "group"]}},
                }},
            },
        }),
        _ => json!({
            "type": "object", "required": ["id"], "properties": {"id": {"type": "string"}},
        }),
    };
    json!({"allOf": [fields, own]})
}

fn base() -> Value {
    let map = |name| json!({"type": "object", "additionalProperties": reference(name)});
    let ids = json!({"type": "array", "items": {"type": "string"}});
    json!({
        "Error": {
            "type": "object",
            "required": ["error"],
            "properties": {
                "error": {"type": "string"},
                "field": {"type": "string", "description": "The way to the value that is wrong."},
                "universeId": {"type": "string"},
                "revision": {"type": "integer"},
                "latest": {"type": "integer"},
                "hint": {"type": "string", "description": "The next step that gets past this."},
            },
        },
        "Health": {
            "type": "object",
            "required": ["ok", "uptime"],
            "properties": {
                "ok": {"type": "boolean"},
                "uptime": {"type": "integer", "description": "Seconds."},
            },
        },
        "Document": {"type": "object", "required": ["openapi", "paths"]},
        "State": {
            "type": "object",
            "description": "Everything that is in a universe. Unknown keys are kept.",
            "required": ["stars", "rootIds", "groups", "rootGroupIds", "belts", "smallBodyFields",
                "protoplanetaryDisks", "nebulae", "time"],
            "properties": {
                "stars": map("Body"),
                "rootIds": ids,
                "groups": map("Group"),
                "rootGroupIds": ids,
                "belts": map("AsteroidBelt"),
                "smallBodyFields": map("SmallBodyField"),
                "protoplanetaryDisks": map("ProtoplanetaryDisk"),
                "nebulae": map("NebulaRegion"),
                "time": {"type": "number", "description": "Seconds of simulation, at this moment."},
            },
        },
        "Clock": {
            "type": "object",
            "description": "Simulation time is `time + rate * (now - at)` while playing, else `time`.",
            "required": ["playing", "rate", "time", "at"],
            "properties": {
                "playing": {"type": "boolean"},
                "rate": {"type": "number", "minimum": -1000, "maximum": 1000},
                "time": {"type": "number", "description": "Simulation time at wall time `at`."},
                "at": {"type": "string", "format": "date-time"},
            },
        },
        "Universe": {
            "type": "object",
            "required": ["id", "name", "createdAt", "updatedAt", "revision", "clock"],
            "properties": {
                "id": {"type": "string"},
                "name": {"type": "string"},
                "state": reference("State"),
                "createdAt": {"type": "string", "format": "date-time"},
                "updatedAt": {"type": "string", "format": "date-time"},
                "revision": {"type": "integer", "minimum": 1},
                "clock": reference("Clock"),
            },
        },
        "Universes": {"type": "array", "items": reference("Universe")},
    })
}

fn commands() -> Value {
    let name = json!({"type": "string", "minLength": 1});
    json!({
        "NewUniverse": {
            "type": "object",
            "required": ["name", "state"],
            "properties": {"name": name, "state": {"type": "object"}},
        },
        "Replacement": {
            "type": "object",
            "properties": {"name": name, "state": {"type": "object"}},
        },
        "Fork": {
            "type": "object",
            "properties": {
                "revision": {"type": "integer", "minimum": 1},
                "name": {"type": "string", "description": "Default: the name and ` (fork)`."},
            },
        },
        "SetClock": {
            "type": "object",
            "properties": {
                "playing": {"type": "boolean"},
                "rate": {"type": "number", "minimum": -1000, "maximum": 1000},
                "time": {"type": "number"},
            },
        },
        "Command": {
            "type": "object",
            "required": ["type"],
            "properties": {"type": {"type": "string"}},
            "anyOf": schema::commands(Depth::Whole),
        },
        "Batch": {
            "type": "object",
            "required": ["commands"],
            "properties": {"commands": {
                "type": "array",
                "items": reference("Command"),
                "minItems": 1,
                "maxItems": MOST_COMMANDS,
            }},
        },
    })
}

fn replies() -> Value {
    let revision = json!({"type": "integer", "minimum": 1});
    let events = json!({"type": "array", "items": reference("Event")});
    let repeated = json!({"const": true,
        "description": "It had happened before under this key and did not happen again."});
    json!({
        "Event": {
            "type": "object",
            "description": "What happened to what, or why nothing did.",
            "required": ["type"],
            "properties": {"type": {"type": "string"}},
        },
        "Outcome": {
            "type": "object",
            "required": ["events", "applied", "revision"],
            "properties": {
                "nextState": reference("State"),
                "events": events,
                "applied": {"type": "boolean"},
                "revision": revision,
                "of": {"type": "integer", "description": "The change that was undone or redone."},
                "repeated": repeated,
                "hint": {"type": "string"},
            },
        },
        "BatchOutcome": {
            "type": "object",
            "required": ["applied", "revision"],
            "properties": {
                "nextState": reference("State"),
                "applied": {"type": "boolean"},
                "revision": revision,
                "results": {"type": "array", "items": {
                    "type": "object",
                    "required": ["events", "revision"],
                    "properties": {"events": events, "revision": revision},
                }},
                "failed": {"type": "integer", "minimum": 0, "description": "Which one was refused."},
                "events": events,
                "repeated": repeated,
                "hint": {"type": "string"},
            },
        },
    })
}

fn histories() -> Value {
    json!({
        "HistoryEntry": {
            "type": "object",
            "required": ["revision", "at", "by", "kind"],
            "properties": {
                "revision": {"type": "integer", "minimum": 1},
                "at": {"type": "string", "format": "date-time"},
                "by": {"type": "string", "description": "Who."},
                "via": {"type": "string", "description": "By which surface."},
                "kind": {"enum": ["created", "command", "replaced", "undone", "redone", "clock", "deleted"]},
                "name": {"type": "string", "description": "The name that was given."},
                "command": {"type": "object"},
                "events": {"type": "array", "items": reference("Event")},
                "of": {"type": "integer", "minimum": 1},
            },
        },
        "History": {
            "type": "object",
            "required": ["entries"],
            "properties": {
                "entries": {"type": "array", "items": reference("HistoryEntry")},
                "next": {"type": "integer", "minimum": 1},
            },
        },
    })
}

fn live() -> Value {
    let changed = json!({"type": "object", "additionalProperties": {"type": ["object", "null"]}});
    let delta: Map<_, _> =
        ["stars", "groups", "belts", "smallBodyFields", "protoplanetaryDisks", "nebulae"]
            .map(|part| (part.to_owned(), changed.clone()))
            .into_iter()
            .collect();
    json!({
        "Delta": {
            "type": "object",
            "description": "Only maps that changed. A value is the whole entity (a body without `children`); \
                `null` is gone.",
            "properties": delta,
            "additionalProperties": false,
        },
        "Change": {"allOf": [reference("HistoryEntry"), {
            "type": "object",
            "properties": {
                "delta": reference("Delta"),
                "reset": {"const": true, "description": "Anything may have changed: read the universe again."},
                "clock": reference("Clock"),
            },
        }]},
        "CommandEvents": {"type": "string", "description": "`id`, `event` and `data` lines."},
        "ChangeEvents": {"type": "string", "description": "`id`, `event: change` and `data` lines."},
    })
}

fn generator() -> Value {
    let named =
        json!({"type": "array", "items": {"type": "object", "required": ["name", "about"]}});
    let seed = json!({"type": ["string", "integer"]});
    json!({
        "Generator": {
            "type": "object",
            "required": ["presets", "parameters", "topologies"],
            "properties": {"presets": named, "parameters": named, "topologies": named},
        },
        "Generate": {
            "type": "object",
            "additionalProperties": false,
            "properties": {
                "name": {"type": "string"},
                "preset": {"type": "string"},
                "seed": seed,
                "topology": {"type": "string"},
                "parameters": {"type": "object"},
            },
        },
        "Generated": {"allOf": [reference("Universe"), {
            "type": "object",
            "required": ["generated"],
            "properties": {"generated": {
                "type": "object",
                "required": ["seed", "totals"],
                "properties": {
                    "seed": seed,
                    "totals": {"type": "object", "additionalProperties": {"type": "integer"}},
                },
            }},
        }]},
    })
}

fn parameters() -> Value {
    let query = |name: &str, about: &str, schema: Value| json!({"name": name, "in": "query", "description": about, "schema": schema});
    let header = |name: &str, about: &str, schema: Value| json!({"name": name, "in": "header", "description": about, "schema": schema});
    let text = json!({"type": "string"});
    let revision = json!({"type": "integer", "minimum": 0});
    json!({
        "id": {"name": "id", "in": "path", "required": true, "description": "The universe.", "schema": text},
        "state": query("state", "`none` leaves the state out of the answer.", json!({"enum": ["full", "none"]})),
        "limit": query("limit", "At most so many.", json!({"type": "integer", "minimum": 1})),
        "cursor": query("cursor", "Where to go on, from a `Link` header.", text.clone()),
        "pageLimit": query("limit", "At most so many.",
            json!({"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE, "default": 50})),
        "before": query("before", "Only changes before this revision.", revision.clone()),
        "revision": query("revision", "As it was at this revision.", revision.clone()),
        "after": query("after", "The last revision seen; what came since is sent first.", revision.clone()),
        "Prefer": header("Prefer", "`return=minimal` is `state=none`.", text.clone()),
        "Accept": header("Accept", "`text/event-stream` for progress.", text.clone()),
        "X-Via": header("X-Via", "The surface, for the log; default `rest`.",
            json!({"type": "string", "minLength": 1, "maxLength": LONGEST_VIA})),
        "Idempotency-Key": header("Idempotency-Key",
            "A name for this order. The last 1000 keyed changes of a universe are remembered.",
            json!({"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[!-~]+$"})),
        "If-Match": header("If-Match", "The revision that the universe must be at, as `ETag` gives it.", text),
        "Last-Event-ID": header("Last-Event-ID", "As `after`; browsers send it by themselves.", revision),
    })
}
