//! Groups: rows 7 to 12 of the table of commands, and D5, D7.

use serde_json::{Value, json};
use universe_core::{State, json::encode, query::violations};

use crate::{from_outside, ids, mistake, refused, send, shown};

/// Two free systems, one in a group that is in a group, and a free group.
fn start() -> State {
    from_outside(json!({
        "stars": {"sol": {}, "far": {}, "near": {}},
        "groups": {
            "g": {"name": "G", "children": [{"id": "h", "type": "group"}, {"id": "sol", "type": "system"}]},
            "h": {"name": "H", "parentGroupId": "g"},
            "i": {"name": "I"},
        },
    }))
}

fn system(id: &str) -> Value {
    json!({"id": id, "type": "system"})
}

fn group(id: &str) -> Value {
    json!({"id": id, "type": "group"})
}

/// The groups after one command: each with its parent and its members, then the roots.
fn after(command: &Value) -> String {
    let mut state = start();
    send(&mut state, command).unwrap_or_else(|error| panic!("{command}: {error}"));
    assert_eq!(violations(&state), [""; 0]);
    tree(&state)
}

fn tree(state: &State) -> String {
    let shown = shown(state);
    let mut lines = Vec::new();
    for (id, group) in shown["groups"].as_object().unwrap() {
        let children = group["children"].as_array().unwrap();
        let members: Vec<_> = children.iter().map(|child| child["id"].as_str().unwrap()).collect();
        let parent = group["parentGroupId"].as_str().unwrap_or("-");
        lines.push(format!("{id} in {parent}: {}", members.join(" ")));
    }
    format!("{}; roots {}", lines.join(", "), ids(&shown["rootGroupIds"]).join(" "))
}

#[test]
fn a_new_group_takes_its_place_and_its_members() {
    assert_eq!(tree(&start()), "g in -: h sol, h in g: , i in -: ; roots g i");
    let add = |payload: Value| json!({"type": "addGroup", "id": "n", "payload": payload});
    assert_eq!(after(&add(json!({}))), "g in -: h sol, h in g: , i in -: , n in -: ; roots g i n");
    assert_eq!(
        after(&add(json!({"parentGroupId": "h"}))),
        "g in -: h sol, h in g: n, i in -: , n in h: ; roots g i"
    );
    // D5: a member leaves the group it was in.
    assert_eq!(
        after(&add(json!({"children": [group("i"), system("sol"), group("i")]}))),
        "g in -: h, h in g: , i in n: , n in -: i sol; roots g n"
    );
}

#[test]
fn a_new_group_is_named_by_its_id_and_keeps_what_we_do_not_know() {
    let mut state = State::default();
    let payload = json!({"id": "x", "mood": 1.0, "icon": null});
    send(&mut state, &json!({"type": "addGroup", "id": "n", "payload": payload})).unwrap();
    assert_eq!(
        encode(&shown(&state)["groups"]),
        r#"{"n":{"id":"n","mood":1,"icon":null,"name":"n","children":[],"parentGroupId":null}}"#
    );
}

#[test]
fn groups_that_are_taken_missing_or_circular_are_refused() {
    let add = |id: &str, payload: Value| json!({"type": "addGroup", "id": id, "payload": payload});
    let rows = [
        (add("g", json!({})), "a group `g` is there already"),
        (add("n", json!({"parentGroupId": "x"})), "no group `x` for `n` to be in"),
        (
            add("n", json!({"children": [system("x")]})),
            "cannot put system `x` into group `n`: there is no such body",
        ),
        (
            add("n", json!({"parentGroupId": "h", "children": [group("g")]})),
            "cannot put group `g` into group `n`: that one is inside it",
        ),
        (json!({"type": "updateGroup", "id": "x", "payload": {}}), "no group `x`"),
        (
            json!({"type": "updateGroup", "id": "g", "payload": {"parentGroupId": "h"}}),
            "cannot move group `g` into group `h`: that one is inside it",
        ),
        (
            json!({"type": "updateGroup", "id": "h", "payload": {"children": [group("g")]}}),
            "cannot put group `g` into group `h`: that one is inside it",
        ),
        (json!({"type": "removeGroup", "id": "x"}), "no group `x`"),
        (json!({"type": "addToGroup", "groupId": "x", "child": system("sol")}), "no group `x`"),
        (
            json!({"type": "addToGroup", "groupId": "g", "child": system("sol")}),
            "system `sol` is in group `g` already",
        ),
        (
            json!({"type": "addToGroup", "groupId": "h", "child": group("g")}),
            "cannot put group `g` into group `h`: that one is inside it",
        ),
        (
            json!({"type": "addToGroup", "groupId": "i", "child": group("sol")}),
            "cannot put group `sol` into group `i`: there is no such group",
        ),
        (
            json!({"type": "removeFromGroup", "groupId": "g", "childId": "far"}),
            "nothing called `far` is in group `g`",
        ),
        (json!({"type": "removeFromGroup", "groupId": "x", "childId": "far"}), "no group `x`"),
        (
            json!({"type": "moveToGroup", "childId": "g", "childType": "group", "targetGroupId": "h"}),
            "cannot move group `g` into group `h`: that one is inside it",
        ),
        (
            json!({"type": "moveToGroup", "childId": "x", "childType": "system", "targetGroupId": "h"}),
            "cannot move system `x`: there is no such body",
        ),
        (
            json!({"type": "moveToGroup", "childId": "x", "childType": "system", "targetGroupId": "y"}),
            "no group `y`",
        ),
    ];
    for (command, message) in rows {
        assert_eq!(refused(&start(), &command), message, "{command}");
    }
}

#[test]
fn an_update_merges_and_follows_the_rules_of_the_hierarchy() {
    let update = |payload: Value| json!({"type": "updateGroup", "id": "g", "payload": payload});
    let mut state = start();
    send(
        &mut state,
        &update(json!({"id": "x", "color": "#FF0000", "position": {"x": 1, "y": 2, "z": 3}})),
    )
    .unwrap();
    let g = &shown(&state)["groups"]["g"];
    assert_eq!((&g["id"], &g["name"], &g["color"]), (&json!("g"), &json!("G"), &json!("#FF0000")));
    assert_eq!(
        after(&update(json!({"parentGroupId": "i"}))),
        "g in i: h sol, h in g: , i in -: g; roots i"
    );
    assert_eq!(
        after(&update(json!({"children": [system("near"), system("sol"), group("i")]}))),
        "g in -: near sol i, h in -: , i in g: ; roots g h"
    );
    assert_eq!(
        after(&update(json!({"children": [system("sol"), group("h")]}))),
        "g in -: sol h, h in g: , i in -: ; roots g i"
    );
}

#[test]
fn the_members_of_a_removed_group_move_up() {
    // D7: both kinds, to the parent or to the root.
    let mut state = start();
    for child in [system("far"), group("i")] {
        send(&mut state, &json!({"type": "addToGroup", "groupId": "h", "child": child})).unwrap();
    }
    send(&mut state, &json!({"type": "removeGroup", "id": "h"})).unwrap();
    assert_eq!(tree(&state), "g in -: sol far i, i in g: ; roots g");
    send(&mut state, &json!({"type": "removeGroup", "id": "g"})).unwrap();
    assert_eq!(tree(&state), "i in -: ; roots i");
    assert_eq!(violations(&state), [""; 0]);
}

#[test]
fn members_come_go_and_move() {
    let add = |id: &str, child: Value| json!({"type": "addToGroup", "groupId": id, "child": child});
    assert_eq!(after(&add("i", system("sol"))), "g in -: h, h in g: , i in -: sol; roots g i");
    assert_eq!(after(&add("i", group("h"))), "g in -: sol, h in i: , i in -: h; roots g i");
    let remove = |child: &str| json!({"type": "removeFromGroup", "groupId": "g", "childId": child});
    assert_eq!(after(&remove("sol")), "g in -: h, h in g: , i in -: ; roots g i");
    assert_eq!(after(&remove("h")), "g in -: sol, h in -: , i in -: ; roots g i h");
    let go = |child: &str, kind: &str, target: Option<&str>| json!({"type": "moveToGroup", "childId": child, "childType": kind, "targetGroupId": target});
    assert_eq!(after(&go("h", "group", Some("i"))), "g in -: sol, h in i: , i in -: h; roots g i");
    assert_eq!(after(&go("h", "group", None)), "g in -: sol, h in -: , i in -: ; roots g i h");
    assert_eq!(after(&go("h", "group", Some("g"))), "g in -: sol h, h in g: , i in -: ; roots g i");
    assert_eq!(after(&go("g", "group", None)), "g in -: h sol, h in g: , i in -: ; roots i g");
    assert_eq!(after(&go("sol", "system", None)), "g in -: h, h in g: , i in -: ; roots g i");
    assert_eq!(after(&go("far", "system", None)), "g in -: h sol, h in g: , i in -: ; roots g i");
}

#[test]
fn a_system_and_a_group_of_one_id_are_two_members() {
    let mut state = from_outside(json!({"stars": {"a": {}}, "groups": {"a": {}, "g": {}}}));
    for child in [system("a"), group("a")] {
        send(&mut state, &json!({"type": "addToGroup", "groupId": "g", "child": child})).unwrap();
    }
    assert_eq!(tree(&state), "a in g: , g in -: a a; roots g");
    send(&mut state, &json!({"type": "removeFromGroup", "groupId": "g", "childId": "a"})).unwrap();
    assert_eq!(tree(&state), "a in -: , g in -: ; roots g a");
}

#[test]
fn wrong_values_are_named_with_their_place() {
    let rows = [
        (
            json!({"type": "addGroup", "id": 1, "payload": {"name": 2, "parentGroupId": [], "children": [{"id": "a"}]}}),
            "`id` must be the id of a group, not the number 1; `payload.name` must be text, not the number 2; \
             `payload.parentGroupId` must be the id of a group or null, not a list; `payload.children[0]` must be an \
             object with an `id` and a `type`, `system` or `group`, not an object",
        ),
        (
            json!({"type": "moveToGroup", "childId": "a", "childType": "star"}),
            "`childType` must be `system` or `group`, not the text \"star\"; `targetGroupId` is missing; it is the id \
             of a group, or null for none",
        ),
        (
            json!({"type": "addToGroup", "groupId": "g"}),
            "`child` must be an object with an `id` and a `type`, `system` or `group`, not null",
        ),
    ];
    for (command, message) in rows {
        assert_eq!(mistake(&command), message);
    }
}
