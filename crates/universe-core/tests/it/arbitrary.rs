//! Commands and states that nobody would send, and some that everybody does.

use proptest::{collection::vec, option, prelude::*, sample::select};
use serde_json::{Map, Value, json};

/// One step in the life of a universe.
#[derive(Debug, Clone)]
pub(crate) enum Step {
    Command(Value),
    /// Of the latest, or of one of the revisions that there are.
    Undo(Option<usize>),
    Redo(Option<usize>),
}

pub(crate) fn any_step() -> impl Strategy<Value = Step> {
    let which = || option::weighted(0.6, 0..64_usize);
    prop_oneof![
        8 => any_command().prop_map(Step::Command),
        2 => which().prop_map(Step::Undo),
        1 => which().prop_map(Step::Redo),
    ]
}

/// Few names, so that commands meet: duplicates, unknown ids, cycles and references all happen often.
fn any_id() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c", "d", "e", "f", ""]).prop_map(str::to_owned)
}

fn any_number() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!(0)),
        any::<i32>().prop_map(|number| json!(number)),
        any::<f64>()
            .prop_filter("JSON has finite numbers", |n| n.is_finite())
            .prop_map(|n| json!(n)),
    ]
}

/// Any JSON whatever, huge numbers, long ids and the favourites of attackers included.
pub(crate) fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any_number(),
        any::<u64>().prop_map(Value::from),
        any_id().prop_map(Value::from),
        Just(Value::from("x".repeat(300))),
        select(TYPES.to_vec()).prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 5, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec((any_key(), inner), 0..6)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

/// Arbitrary values under the keys of a real command.
pub(crate) fn any_mangled_command() -> impl Strategy<Value = Value> {
    (select(TYPES.to_vec()), vec((any_key(), any_json()), 0..6)).prop_map(|(name, entries)| {
        let mut command: Map<String, Value> = entries.into_iter().collect();
        command.insert("type".into(), name.into());
        Value::Object(command)
    })
}

const TYPES: &[&str] = &[
    "tick",
    "addStar",
    "updateStar",
    "removeStar",
    "attachStar",
    "detachStar",
    "addGroup",
    "updateGroup",
    "removeGroup",
    "addToGroup",
    "removeFromGroup",
    "moveToGroup",
    "setSmallBodyFields",
    "updateSmallBodyField",
    "removeSmallBodyField",
    "setProtoplanetaryDisks",
    "addProtoplanetaryDisk",
    "updateProtoplanetaryDisk",
    "removeProtoplanetaryDisk",
    "setNebulae",
    "updateNebula",
    "removeNebula",
    "updateRing",
    "removeRing",
    "replaceSnapshot",
    "undo",
    "redo",
    "setClock",
];

fn any_key() -> impl Strategy<Value = String> {
    let known = [
        "type",
        "id",
        "payload",
        "parentId",
        "children",
        "mass",
        "ring",
        "dt",
        "name",
        "constructor",
        "__proto__",
        "childId",
        "groupId",
        "targetGroupId",
        "child",
        "childType",
        "patch",
        "planetId",
        "fields",
        "disks",
        "disk",
        "nebulae",
        "snapshot",
        "stars",
        "rootIds",
        "groups",
        "parentGroupId",
        "time",
        "revision",
        "playing",
        "rate",
        "lagrangePoint",
        "isRoguePlanet",
    ];
    prop_oneof![4 => select(known.to_vec()).prop_map(str::to_owned), 1 => "[a-z]{0,3}", 1 => any_id()]
}

/// The fields that have to do with other bodies, and some that do not.
fn any_payload() -> impl Strategy<Value = Value> {
    let parent = option::of(option::of(any_id()));
    let pair = option::weighted(0.2, (any_id(), any_id()));
    let own = vec((select(vec!["mass", "x", "y", "z"]), any_number()), 0..3);
    (parent, pair, option::weighted(0.3, any_id()), option::weighted(0.3, any::<bool>()), own)
        .prop_map(|(parent, pair, host, rogue, own)| {
            let mut payload = json!({});
            for (key, value) in own {
                payload[key] = value;
            }
            if let Some(parent) = parent {
                payload["parentId"] = json!(parent);
            }
            if let Some((primary, secondary)) = pair {
                payload["bodyType"] = json!("lagrangePoint");
                payload["lagrangePoint"] = json!({"primaryId": primary, "secondaryId": secondary});
            }
            for (key, value) in [("lagrangeHostId", json!(host)), ("isRoguePlanet", json!(rogue))] {
                if !value.is_null() {
                    payload[key] = value;
                }
            }
            payload
        })
}

/// An entry of a group, sometimes with a key that nobody knows.
fn any_child() -> impl Strategy<Value = Value> {
    (any_id(), any_kind(), option::weighted(0.2, any_number())).prop_map(|(id, kind, since)| {
        let mut child = json!({"id": id, "type": kind});
        if let Some(since) = since {
            child["since"] = since;
        }
        child
    })
}

fn any_kind() -> impl Strategy<Value = &'static str> {
    select(vec!["system", "group"])
}

fn any_group() -> impl Strategy<Value = Value> {
    let parent = option::of(option::of(any_id()));
    let children = option::weighted(0.4, vec(any_child(), 0..4));
    (parent, children, vec((select(vec!["x", "y", "z"]), any_number()), 0..3)).prop_map(
        |(parent, children, own)| {
            let mut group = json!({});
            for (key, value) in own {
                group[key] = value;
            }
            if let Some(parent) = parent {
                group["parentGroupId"] = json!(parent);
            }
            if let Some(children) = children {
                group["children"] = json!(children);
            }
            group
        },
    )
}

/// Something that lies around bodies, with the keys of every kind.
fn any_around() -> impl Strategy<Value = Value> {
    let own = vec((select(vec!["radius", "x", "y", "z"]), any_number()), 0..3);
    (option::of(any_id()), option::of(any_id()), own).prop_map(|(star, system, own)| {
        let mut around = json!({});
        for (key, value) in own {
            around[key] = value;
        }
        if let Some(star) = star {
            around["hostStarId"] = json!(star);
            around["centralStarId"] = json!(star);
        }
        if let Some(system) = system {
            around["systemId"] = json!(system);
        }
        around
    })
}

fn any_map(values: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    vec((any_id(), values), 0..4).prop_map(|entries| Value::Object(entries.into_iter().collect()))
}

pub(crate) fn any_command() -> impl Strategy<Value = Value> {
    prop_oneof![
        2 => option::of(any_number()).prop_map(|dt| match dt {
            Some(dt) => json!({"type": "tick", "dt": dt}),
            None => json!({"type": "tick"}),
        }),
        16 => any_star_command(),
        14 => any_group_command(),
        12 => any_around_command(),
        1 => any_state().prop_map(|state| json!({"type": "replaceSnapshot", "snapshot": state})),
        1 => any_mangled_command(),
    ]
}

fn any_star_command() -> impl Strategy<Value = Value> {
    let ring = || {
        vec((select(vec!["opacity", "glow"]), any_number()), 0..2).prop_map(|own| {
            own.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<Map<_, _>>()
        })
    };
    prop_oneof![
        5 => (any_id(), any_payload()).prop_map(|(id, payload)| json!({"type": "addStar", "id": id, "payload": payload})),
        4 => (any_id(), any_payload()).prop_map(|(id, payload)| json!({"type": "updateStar", "id": id, "payload": payload})),
        2 => any_id().prop_map(|id| json!({"type": "removeStar", "id": id})),
        3 => (any_id(), any_id()).prop_map(|(child, parent)| json!({"type": "attachStar", "childId": child, "parentId": parent})),
        1 => any_id().prop_map(|child| json!({"type": "detachStar", "childId": child})),
        2 => (any_id(), ring()).prop_map(|(planet, patch)| json!({"type": "updateRing", "planetId": planet, "patch": patch})),
        1 => any_id().prop_map(|planet| json!({"type": "removeRing", "planetId": planet})),
    ]
}

fn any_group_command() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => (any_id(), any_group()).prop_map(|(id, payload)| json!({"type": "addGroup", "id": id, "payload": payload})),
        2 => (any_id(), any_group()).prop_map(|(id, payload)| json!({"type": "updateGroup", "id": id, "payload": payload})),
        1 => any_id().prop_map(|id| json!({"type": "removeGroup", "id": id})),
        3 => (any_id(), any_child()).prop_map(|(group, child)| json!({"type": "addToGroup", "groupId": group, "child": child})),
        1 => (any_id(), any_id()).prop_map(|(group, child)| json!({"type": "removeFromGroup", "groupId": group, "childId": child})),
        3 => (any_id(), any_kind(), option::of(any_id())).prop_map(|(child, kind, target)|
            json!({"type": "moveToGroup", "childId": child, "childType": kind, "targetGroupId": target})),
    ]
}

fn any_around_command() -> impl Strategy<Value = Value> {
    let update = |name: &'static str| {
        (any_id(), any_around())
            .prop_map(move |(id, patch)| json!({"type": name, "id": id, "patch": patch}))
    };
    let remove = |name: &'static str| any_id().prop_map(move |id| json!({"type": name, "id": id}));
    prop_oneof![
        2 => any_map(any_around()).prop_map(|all| json!({"type": "setSmallBodyFields", "fields": all})),
        2 => any_map(any_around()).prop_map(|all| json!({"type": "setProtoplanetaryDisks", "disks": all})),
        2 => any_map(any_around()).prop_map(|all| json!({"type": "setNebulae", "nebulae": all})),
        2 => (any_id(), any_around()).prop_map(|(id, mut disk)| {
            disk["id"] = json!(id);
            json!({"type": "addProtoplanetaryDisk", "disk": disk})
        }),
        1 => update("updateSmallBodyField"),
        1 => update("updateProtoplanetaryDisk"),
        1 => update("updateNebula"),
        1 => remove("removeSmallBodyField"),
        1 => remove("removeProtoplanetaryDisk"),
        1 => remove("removeNebula"),
    ]
}

/// A state from outside, seldom in order.
pub(crate) fn any_state() -> impl Strategy<Value = Value> {
    let bodies = vec((any_id(), any_payload(), vec(any_id(), 0..3)), 0..6);
    let around = || any_map(any_around());
    (bodies, any_map(any_group()), vec(any_id(), 0..4), around(), around(), around()).prop_map(
        |(bodies, groups, roots, fields, disks, nebulae)| {
            let mut state = json!({"stars": {}, "groups": groups, "rootIds": roots, "rootGroupIds": roots,
                "smallBodyFields": fields, "protoplanetaryDisks": disks, "nebulae": nebulae,
                "belts": {"b": {"innerRadius": roots.len()}}, "mood": roots});
            for (id, mut body, children) in bodies {
                body["children"] = json!(children);
                state["stars"][id] = body;
            }
            state
        },
    )
}
