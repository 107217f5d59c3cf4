//! The application as its clients see it, over real sockets.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod changes;
mod clocks;
mod concurrency;
mod exploring;
mod feeds;
mod fuzz;
mod generating;
mod history;
mod mcp_resources;
mod mcp_tools;
mod mcp_transport;
mod openapi;
mod orders;
mod replicas;
mod rest;
mod same_answer;
mod world;

use serde_json::{Value, json};

fn add(id: &str, parent: Option<&str>) -> Value {
    json!({"type": "addStar", "id": id, "payload": {"parentId": parent}})
}

fn tick() -> Value {
    json!({"type": "tick"})
}

/// A state with something in every part.
fn rich_state() -> Value {
    json!({
        "stars": {
            "sol": {"name": "Sol", "mass": 100, "bodyType": "star"},
            "earth": {"parentId": "sol", "bodyType": "planet", "radius": 2, "ring": {"opacity": 0.5}},
            "moon": {"parentId": "earth", "bodyType": "moon"},
            "alpha": {"name": "Alpha"},
        },
        "groups": {
            "home": {"name": "Home", "children": [{"id": "sol", "type": "system"}]},
            "far": {"name": "Far", "parentGroupId": "home"},
        },
        "belts": {"old": {"name": "Old", "parentId": "sol"}},
        "smallBodyFields": {"field": {"hostStarId": "sol", "opacity": 0.3}},
        "protoplanetaryDisks": {"disk": {"centralStarId": "alpha", "opacity": 0.3}},
        "nebulae": {"cloud": {"name": "Cloud", "radius": 5}},
    })
}

/// Every command once or more, on [`rich_state`]: what is applied, then some that are refused or wrong.
fn all_commands() -> Vec<Value> {
    vec![
        json!({"type": "tick", "dt": 1.5}),
        json!({"type": "addStar", "id": "mars", "payload": {"parentId": "sol", "mass": 1e21, "own": [1]}}),
        json!({"type": "updateStar", "id": "mars", "payload": {"name": "Mars", "orbitalSpeed": 1.5e-7}}),
        json!({"type": "attachStar", "childId": "moon", "parentId": "mars"}),
        json!({"type": "detachStar", "childId": "moon"}),
        json!({"type": "addGroup", "id": "near", "payload": {"name": "Near"}}),
        json!({"type": "updateGroup", "id": "near", "payload": {"color": "#123456"}}),
        json!({"type": "addToGroup", "groupId": "near", "child": {"id": "alpha", "type": "system"}}),
        json!({"type": "moveToGroup", "childId": "far", "childType": "group", "targetGroupId": "near"}),
        json!({"type": "moveToGroup", "childId": "far", "childType": "group", "targetGroupId": null}),
        json!({"type": "removeFromGroup", "groupId": "near", "childId": "alpha"}),
        json!({"type": "setSmallBodyFields", "fields": {"f": {"hostStarId": "sol"}, "g": {"hostStarId": "alpha"}}}),
        json!({"type": "updateSmallBodyField", "id": "f", "patch": {"opacity": 0.7}}),
        json!({"type": "removeSmallBodyField", "id": "g"}),
        json!({"type": "setProtoplanetaryDisks", "disks": {"d": {"centralStarId": "sol"}}}),
        json!({"type": "addProtoplanetaryDisk", "disk": {"id": "e", "centralStarId": "alpha"}}),
        json!({"type": "updateProtoplanetaryDisk", "id": "e", "patch": {"style": "thick"}}),
        json!({"type": "removeProtoplanetaryDisk", "id": "d"}),
        json!({"type": "setNebulae", "nebulae": {"n": {"radius": 1}, "m": {"radius": 2}}}),
        json!({"type": "updateNebula", "id": "n", "patch": {"density": 0.25}}),
        json!({"type": "removeNebula", "id": "m"}),
        json!({"type": "updateRing", "planetId": "mars", "patch": {"opacity": 0.9}}),
        json!({"type": "removeRing", "planetId": "earth"}),
        json!({"type": "removeGroup", "id": "near"}),
        json!({"type": "removeStar", "id": "alpha"}),
        json!({"type": "setClock", "rate": 3}),
        json!({"type": "addStar", "id": "mars", "payload": {}}),
        json!({"type": "addStar", "id": "io", "payload": {"parentId": "jupiter"}}),
        json!({"type": "attachStar", "childId": "sol", "parentId": "mars"}),
        json!({"type": "detachStar", "childId": "sol"}),
        json!({"type": "addGroup", "id": "home", "payload": {}}),
        json!({"type": "removeGroup", "id": "ghost"}),
        json!({"type": "addToGroup", "groupId": "far", "child": {"id": "ghost", "type": "system"}}),
        json!({"type": "removeFromGroup", "groupId": "far", "childId": "ghost"}),
        json!({"type": "moveToGroup", "childId": "home", "childType": "group", "targetGroupId": "home"}),
        json!({"type": "updateSmallBodyField", "id": "ghost", "patch": {}}),
        json!({"type": "updateProtoplanetaryDisk", "id": "ghost", "patch": {}}),
        json!({"type": "updateNebula", "id": "ghost", "patch": {}}),
        json!({"type": "removeNebula", "id": "ghost"}),
        json!({"type": "updateRing", "planetId": "ghost", "patch": {}}),
        json!({"type": "removeRing", "planetId": "earth"}),
        json!({"type": "replaceSnapshot", "snapshot": {"stars": {"only": {}}, "rootIds": ["only"], "time": 9}}),
    ]
}
