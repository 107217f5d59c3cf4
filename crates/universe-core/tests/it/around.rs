//! Fields, disks, nebulae, rings and the snapshot: rows 13 to 25 of the table of commands, and D2, D3, D6, D12.

use serde_json::{Value, json};
use universe_core::{State, json::encode, query::violations};

use crate::{add, after, ids, mistake, refused, send, shown};

/// One kind: its part of the state, and the commands that set, update and remove.
const KINDS: [(&str, &str, &str, &str, &str); 3] = [
    (
        "smallBodyFields",
        "fields",
        "setSmallBodyFields",
        "updateSmallBodyField",
        "removeSmallBodyField",
    ),
    (
        "protoplanetaryDisks",
        "disks",
        "setProtoplanetaryDisks",
        "updateProtoplanetaryDisk",
        "removeProtoplanetaryDisk",
    ),
    ("nebulae", "nebulae", "setNebulae", "updateNebula", "removeNebula"),
];

#[test]
fn a_map_is_set_as_a_whole_and_its_entries_are_changed_and_removed() {
    for (part, key, set, update, remove) in KINDS {
        let mut state = State::default();
        let all = json!({"b": {"seed": 1.0, "glow": [1]}, "a": {"id": "a"}});
        send(&mut state, &json!({"type": set, key: all})).unwrap();
        let expected = r#"{"b":{"seed":1,"glow":[1],"id":"b"},"a":{"id":"a"}}"#;
        assert_eq!(encode(&shown(&state)[part]), expected);

        let patch = json!({"id": "z", "seed": "s", "more": null});
        send(&mut state, &json!({"type": update, "id": "b", "patch": patch})).unwrap();
        let expected = r#"{"b":{"seed":"s","glow":[1],"id":"b","more":null},"a":{"id":"a"}}"#;
        assert_eq!(encode(&shown(&state)[part]), expected);

        send(&mut state, &json!({"type": remove, "id": "b"})).unwrap();
        assert_eq!(encode(&shown(&state)[part]), r#"{"a":{"id":"a"}}"#);
        send(&mut state, &json!({"type": set, key: {}})).unwrap();
        assert_eq!(encode(&shown(&state)[part]), "{}");
    }
}

#[test]
fn what_is_not_there_is_neither_changed_nor_removed() {
    for (_, _, _, update, remove) in KINDS {
        let update = refused(&State::default(), &json!({"type": update, "id": "x", "patch": {}}));
        assert!(update.starts_with("no ") && update.ends_with("`x`"), "{update}");
        // Told by the event of a removal, but neither kept nor broadcast: a refusal to the service.
        let remove = refused(&State::default(), &json!({"type": remove, "id": "x"}));
        assert!(remove.ends_with("`x`, so nothing was removed"), "{remove}");
    }
}

#[test]
fn a_missing_map_and_wrong_values_are_named_with_their_place() {
    // D3; and a missing map does not delete the one there is.
    for (_, key, set, ..) in KINDS {
        assert_eq!(
            mistake(&json!({"type": set})),
            format!("`{key}` must be an object with ids as keys, not null")
        );
        assert_eq!(
            mistake(&json!({"type": set, key: {"a": 1, "b": {"id": "c", "brightness": "x"}}})),
            format!(
                "`{key}.a` must be an object, not the number 1; `{key}.b.brightness` must be a number, \
                 not the text \"x\"; `{key}.b.id` must be the key `b`, not `c`"
            )
        );
    }
    assert_eq!(
        mistake(
            &json!({"type": "setNebulae", "nebulae": {"n": {"position": {"x": 1}, "associatedGroupIds": [1]}}})
        ),
        "`nebulae.n.position` must be an object with the numbers `x`, `y`, `z`, not an object; \
         `nebulae.n.associatedGroupIds` must be a list of ids, not a list"
    );
    assert_eq!(
        mistake(&json!({"type": "updateNebula", "id": "n", "patch": {"radius": null}})),
        "`patch.radius` must be a number, not null"
    );
}

#[test]
fn a_disk_is_added_or_put_in_the_place_of_the_one_with_its_id() {
    let add = |disk: Value| json!({"type": "addProtoplanetaryDisk", "disk": disk});
    let state = after(&[
        add(json!({"id": "d", "opacity": 1})),
        add(json!({"id": "e"})),
        add(json!({"id": "d", "style": "thin"})),
    ]);
    let expected = r#"{"d":{"id":"d","style":"thin"},"e":{"id":"e"}}"#;
    assert_eq!(encode(&shown(&state)["protoplanetaryDisks"]), expected);
    assert_eq!(mistake(&add(json!({}))), "`disk.id` must be the id of a disk, not null");
    assert_eq!(
        mistake(&add(json!(1))),
        "`disk` must be an object with the disk's fields, not the number 1"
    );
}

#[test]
fn what_lies_around_a_body_goes_with_it_however_it_came() {
    // D6: the index follows set, add, update and remove.
    let mut state = after(&[
        add("sol", None),
        add("far", None),
        json!({"type": "setSmallBodyFields", "fields": {"f": {"hostStarId": "sol"}, "g": {"systemId": "far"}}}),
        json!({"type": "addProtoplanetaryDisk", "disk": {"id": "d", "centralStarId": "far"}}),
        json!({"type": "updateProtoplanetaryDisk", "id": "d", "patch": {"centralStarId": "sol"}}),
    ]);
    send(&mut state, &json!({"type": "removeStar", "id": "sol"})).unwrap();
    assert_eq!(violations(&state), [""; 0]);
    assert!(state.small_body_fields().keys().eq([&"g".into()]));
    assert!(state.disks().is_empty());
}

#[test]
fn a_ring_starts_from_the_usual_one_and_merges() {
    let body =
        json!({"type": "addStar", "id": "saturn", "payload": {"radius": 5, "color": "#EEDDCC"}});
    let update = |patch: Value| json!({"type": "updateRing", "planetId": "saturn", "patch": patch});
    let mut state = after(&[body, update(json!({"opacity": 0.5, "gap": 1}))]);
    let ring = |state: &State| encode(&shown(state)["stars"]["saturn"]["ring"]);
    let expected = r##"{"innerRadiusMultiplier":1.5,"outerRadiusMultiplier":3,"thickness":0.5,"opacity":0.5,"albedo":0.8,"color":"#EEDDCC","density":0.6,"gap":1}"##;
    assert_eq!(ring(&state), expected);
    send(&mut state, &update(json!({"thickness": 2}))).unwrap();
    assert_eq!(ring(&state), expected.replace("\"thickness\":0.5", "\"thickness\":2"));
    send(&mut state, &json!({"type": "removeRing", "planetId": "saturn"})).unwrap();
    assert!(shown(&state)["stars"]["saturn"].get("ring").is_none());

    let remove = |planet: &str| json!({"type": "removeRing", "planetId": planet});
    assert_eq!(refused(&state, &remove("saturn")), "no body `saturn` with a ring");
    assert_eq!(refused(&state, &remove("x")), "no body `x` with a ring");
    let unknown = json!({"type": "updateRing", "planetId": "x", "patch": {}});
    assert_eq!(refused(&state, &unknown), "no body `x`");
    assert_eq!(
        mistake(&update(json!({"opacity": "1"}))),
        "`patch.opacity` must be a number, not the text \"1\""
    );
}

#[test]
fn a_snapshot_replaces_everything_but_the_time() {
    // D2, D12: missing parts are empty, the time stays.
    let mut state = after(&[
        add("old", None),
        json!({"type": "setNebulae", "nebulae": {"n": {}}}),
        json!({"type": "tick", "dt": 5}),
    ]);
    let snapshot = json!({"stars": {"a": {"children": ["ghost"]}, "b": {"parentId": "a"}}, "rootIds": ["b"], "time": 99});
    send(&mut state, &json!({"type": "replaceSnapshot", "snapshot": snapshot})).unwrap();
    let shown = shown(&state);
    assert_eq!(violations(&state), [""; 0]);
    assert_eq!(ids(&shown["rootIds"]), ["a"]);
    assert_eq!(ids(&shown["stars"]["a"]["children"]), ["b"]);
    assert_eq!((&shown["time"], &shown["nebulae"]), (&json!(5), &json!({})));
}

#[test]
fn a_snapshot_that_cannot_be_repaired_is_refused() {
    let replace = |snapshot: Value| json!({"type": "replaceSnapshot", "snapshot": snapshot});
    let rows = [
        (json!(1), "`snapshot` must be an object with `stars` and `rootIds`, not the number 1"),
        (json!({"rootIds": []}), "`snapshot.stars` must be an object with ids as keys, not null"),
        (json!({"stars": {}}), "`snapshot.rootIds` must be a list of ids, not null"),
        (
            json!({"stars": {"a": {"parentId": "b"}, "b": {"parentId": "a"}}, "rootIds": []}),
            "`snapshot.stars.a.parentId` must not lead back to itself",
        ),
        (
            json!({"stars": {}, "rootIds": [], "nebulae": {"n": {"radius": "far"}}}),
            "`snapshot.nebulae.n.radius` must be a number, not the text \"far\"",
        ),
    ];
    for (snapshot, message) in rows {
        assert_eq!(mistake(&replace(snapshot)), message);
    }
}
