//! States that come from outside are brought in order or refused: the invariants of the brief, and D2, D3, D5, D12.

use insta::assert_snapshot;
use serde_json::{Value, json};
use universe_core::{State, json::encode, query::violations};

use crate::{from_outside, ids, shown};

fn refused(state: Value) -> String {
    State::from_json(state, 0.0, "state").unwrap_err().to_string()
}

#[test]
fn an_empty_object_is_the_empty_state() {
    assert_eq!(from_outside(json!({})), State::default());
    assert_eq!(from_outside(json!({"stars": null, "time": null})), State::default());
}

#[test]
fn a_missing_time_is_the_one_there_was() {
    assert_eq!(shown(&State::from_json(json!({}), 7.0, "state").unwrap())["time"], 7);
}

#[test]
fn the_tree_follows_the_parents_and_the_lists_keep_their_order() {
    let state = from_outside(json!({
        "stars": {
            "a": {"children": ["c", "ghost", "b", "b"]},
            "b": {"parentId": "a"},
            "c": {"parentId": "a"},
            "d": {"parentId": "a"},
            "lost": {"parentId": "nowhere"},
            "wanderer": {"isRoguePlanet": true},
        },
        "rootIds": ["b", "ghost", "a", "a"],
    }));
    assert_eq!(violations(&state), [""; 0]);
    let shown = shown(&state);
    assert_eq!(ids(&shown["stars"]["a"]["children"]), ["c", "b", "d"]);
    assert_eq!(ids(&shown["rootIds"]), ["a", "lost"]);
    assert_eq!(shown["stars"]["lost"]["parentId"], Value::Null);
}

#[test]
fn a_member_is_in_one_group_and_exists() {
    let system = |id: &str| json!({"id": id, "type": "system", "since": 1.0});
    let state = from_outside(json!({
        "stars": {"sol": {}},
        "groups": {
            "g": {"name": "G", "children": [system("sol"), system("ghost"), {"id": "h", "type": "group"}]},
            "h": {"children": [system("sol")], "parentGroupId": "g"},
            "i": {"parentGroupId": "h"},
        },
        "rootGroupIds": ["h", "g"],
    }));
    assert_eq!(violations(&state), [""; 0]);
    assert_snapshot!(encode(&shown(&state)["groups"]), @r#"{"g":{"id":"g","name":"G","children":[{"id":"sol","type":"system","since":1},{"id":"h","type":"group"}],"parentGroupId":null},"h":{"id":"h","children":[{"id":"i","type":"group"}],"parentGroupId":"g"},"i":{"id":"i","children":[],"parentGroupId":"h"}}"#);
}

#[test]
fn what_we_do_not_know_is_kept() {
    let given = json!({"stars": {"a": {"id": "a", "mood": [1, {"x": null}], "parentId": null, "children": []}},
        "nebulae": {"n": {"id": "n", "glow": 2.5}}, "belts": {"b": {"id": "b"}}, "camera": {"zoom": 3}});
    let shown = shown(&from_outside(given.clone()));
    for part in ["stars", "nebulae", "belts", "camera"] {
        assert_eq!(shown[part], given[part]);
    }
}

#[test]
fn circles_and_wrong_types_are_refused_with_their_place() {
    assert_snapshot!(refused(json!([])), @"`state` must be an object, not a list");
    assert_snapshot!(refused(json!({"stars": {"a": {"parentId": "b"}, "b": {"parentId": "a"}}})), @"`state.stars.a.parentId` must not lead back to itself");
    assert_snapshot!(refused(json!({"groups": {"g": {"parentGroupId": "g"}}})), @"`state.groups.g.parentGroupId` must not lead back to itself");
    assert_snapshot!(refused(json!({"stars": {"a": {"mass": "1"}, "b": 3}, "rootIds": {}, "time": "now"})), @r#"`state.time` must be a number, not the text "now"; `state.stars.b` must be an object, not the number 3; `state.stars.a.mass` must be a number, not the text "1"; `state.rootIds` must be a list of ids, not an object"#);
}
