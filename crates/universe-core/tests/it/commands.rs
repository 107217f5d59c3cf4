//! What each command does and what it refuses.

use insta::assert_snapshot;
use serde_json::json;
use universe_core::{BodyId, Event, Refusal, Rejection, State, json::encode};

use crate::{add, after, from_outside, ids, send, shown};

fn refusal(state: &State, command: &serde_json::Value) -> Refusal {
    let mut copy = state.clone();
    match send(&mut copy, command) {
        Err(Rejection::Refused(refusal)) => {
            assert_eq!(&copy, state, "a refused command changed the state");
            refusal
        }
        other => panic!("not refused: {other:?}"),
    }
}

fn mistake(command: &serde_json::Value) -> String {
    match send(&mut State::default(), command) {
        Err(Rejection::Invalid(invalid)) => invalid.to_string(),
        other => panic!("not invalid: {other:?}"),
    }
}

#[test]
fn the_empty_state_has_every_part() {
    assert_snapshot!(encode(&State::default()), @r#"{"stars":{},"rootIds":[],"groups":{},"rootGroupIds":[],"belts":{},"smallBodyFields":{},"protoplanetaryDisks":{},"nebulae":{},"time":0}"#);
}

#[test]
fn time_passes_by_one_second_unless_told_otherwise() {
    let tick = |dt| json!({"type": "tick", "dt": dt});
    let state = after(&[json!({"type": "tick"}), tick(0.5), tick(-3.0)]);
    assert_eq!(shown(&state)["time"], json!(-1.5));
}

#[test]
fn a_tick_that_is_no_number_is_refused_by_name() {
    assert_snapshot!(mistake(&json!({"type": "tick", "dt": "2"})), @r#"`dt` must be a finite number, not the text "2""#);
    assert_snapshot!(mistake(&json!({"type": "tick", "dt": null})), @"`dt` must be a finite number, not null");
}

#[test]
fn time_never_leaves_the_numbers() {
    let mut state = after(&[json!({"type": "tick", "dt": f64::MAX})]);
    let error = send(&mut state, &json!({"type": "tick", "dt": f64::MAX})).unwrap_err();
    assert_snapshot!(error, @"`dt` must keep time finite; it is 1.7976931348623157e308 now");
}

#[test]
fn a_new_body_gets_the_defaults_and_keeps_what_we_do_not_know() {
    let payload =
        json!({"mood": {"calm": 1.0}, "mass": 3.0, "id": "x", "children": ["y"], "color": null});
    let state = after(&[json!({"type": "addStar", "id": "sol", "payload": payload})]);
    assert_snapshot!(encode(&shown(&state)["stars"]), @r##"{"sol":{"id":"sol","mood":{"calm":1},"mass":3,"color":"#FFFFFF","name":"sol","radius":1,"orbitalDistance":0,"orbitalSpeed":0,"orbitalPhase":0,"parentId":null,"children":[]}}"##);
}

#[test]
fn bodies_take_their_place_in_the_tree() {
    let state = after(&[add("sol", None), add("earth", Some("sol")), add("mars", Some("sol"))]);
    let shown = shown(&state);
    assert_eq!(ids(&shown["rootIds"]), ["sol"]);
    assert_eq!(ids(&shown["stars"]["sol"]["children"]), ["earth", "mars"]);
    assert_eq!(shown["stars"]["mars"]["parentId"], "sol");
}

#[test]
fn every_wrong_value_is_named_with_its_place() {
    let payload =
        json!({"mass": "heavy", "bodyType": "quasar", "parentId": 7, "ring": {"opacity": []}});
    assert_snapshot!(mistake(&json!({"type": "addStar", "id": "a", "payload": payload})), @r#"`payload.mass` must be a number, not the text "heavy"; `payload.bodyType` must be one of `star`, `planet`, `moon`, `asteroid`, `comet`, `lagrangePoint`, `blackHole`, not the text "quasar"; `payload.ring.opacity` must be a number, not a list; `payload.parentId` must be the id of a body or null, not the number 7"#);
    assert_snapshot!(mistake(&json!({"type": "addStar"})), @"`id` must be the id of a body, not null; `payload` must be an object with the body's fields, not null");
}

#[test]
fn a_taken_id_and_an_unknown_parent_are_refused() {
    let state = after(&[add("sol", None)]);
    let id = BodyId::from("sol");
    assert_eq!(refusal(&state, &add("sol", None)), Refusal::DuplicateStar { id });
    let (id, parent) = (BodyId::from("moon"), BodyId::from("earth"));
    assert_eq!(
        refusal(&state, &add("moon", Some("earth"))),
        Refusal::ParentNotFound { id, parent }
    );
}

#[test]
fn an_update_merges_and_leaves_id_and_children_alone() {
    let mut state = after(&[add("sol", None), add("earth", Some("sol"))]);
    let payload = json!({"name": "Sun", "id": "x", "children": [], "ring": {"opacity": 1}});
    send(&mut state, &json!({"type": "updateStar", "id": "sol", "payload": payload})).unwrap();
    let sol = &shown(&state)["stars"]["sol"];
    assert_eq!((&sol["id"], &sol["name"]), (&json!("sol"), &json!("Sun")));
    assert_eq!(ids(&sol["children"]), ["earth"]);
    assert_eq!(sol["ring"], json!({"opacity": 1}));
}

#[test]
fn an_update_of_an_unknown_body_is_refused() {
    let update = json!({"type": "updateStar", "id": "nibiru", "payload": {}});
    let id = BodyId::from("nibiru");
    assert_eq!(refusal(&State::default(), &update), Refusal::StarNotFound { id });
}

#[test]
fn a_changed_parent_attaches_and_null_detaches() {
    let update = |parent: Option<&str>| json!({"type": "updateStar", "id": "luna", "payload": {"parentId": parent}});
    let mut state = after(&[add("sol", None), add("earth", Some("sol")), add("luna", None)]);
    send(&mut state, &update(Some("earth"))).unwrap();
    assert_eq!(ids(&shown(&state)["rootIds"]), ["sol"]);
    assert_eq!(ids(&shown(&state)["stars"]["earth"]["children"]), ["luna"]);

    let same = send(&mut state, &update(Some("earth"))).unwrap();
    assert_eq!(same.len(), 1, "the same parent is no move");

    let far = json!({"type": "updateStar", "id": "luna", "payload": {"orbitalDistance": 9}});
    send(&mut state, &far).unwrap();
    send(&mut state, &update(None)).unwrap();
    assert_eq!(ids(&shown(&state)["rootIds"]), ["sol", "luna"]);
    assert_eq!(shown(&state)["stars"]["luna"]["orbitalDistance"], 0);
}

#[test]
fn a_detaching_update_may_name_its_own_distance() {
    let mut state = after(&[add("sol", None), add("earth", Some("sol"))]);
    let payload = json!({"parentId": null, "orbitalDistance": 4.5});
    send(&mut state, &json!({"type": "updateStar", "id": "earth", "payload": payload})).unwrap();
    assert_eq!(shown(&state)["stars"]["earth"]["orbitalDistance"], 4.5);
}

#[test]
fn nothing_comes_to_circle_itself() {
    let state = after(&[add("a", None), add("b", Some("a")), add("c", Some("b"))]);
    for parent in ["a", "c"] {
        let update = json!({"type": "updateStar", "id": "a", "payload": {"parentId": parent}});
        let (child, parent) = (BodyId::from("a"), BodyId::from(parent));
        assert_eq!(refusal(&state, &update), Refusal::AttachCycle { child, parent });
    }
    let update =
        json!({"type": "updateStar", "id": "a", "payload": {"parentId": "z", "name": "n"}});
    let (child, parent) = (BodyId::from("a"), BodyId::from("z"));
    assert_eq!(refusal(&state, &update), Refusal::AttachNotFound { child, parent });
}

#[test]
fn a_removal_takes_the_descendants_in_pre_order() {
    let mut state = after(&[
        add("sol", None),
        add("earth", Some("sol")),
        add("mars", Some("sol")),
        add("luna", Some("earth")),
        add("far", None),
    ]);
    let events = send(&mut state, &json!({"type": "removeStar", "id": "sol"})).unwrap();
    let [Event::StarRemoved(removal)] = &*events else { panic!("{events:?}") };
    assert_eq!(removal.bodies, ["sol", "earth", "luna", "mars"].map(BodyId::from));
    assert_eq!(ids(&shown(&state)["rootIds"]), ["far"]);
}

#[test]
fn a_removal_leaves_nothing_that_points_to_what_is_gone() {
    let marker = json!({"bodyType": "lagrangePoint", "parentId": "sol",
        "lagrangePoint": {"primaryId": "sol", "secondaryId": "earth"}});
    let mut state = from_outside(json!({
        "stars": {"sol": {}, "earth": {"parentId": "sol"}, "l4": marker,
            "dust": {"parentId": "l4"}, "achilles": {"lagrangeHostId": "l4", "parentId": "sol"}},
        "groups": {"g": {"children": [{"id": "sol", "type": "system"}, {"id": "earth", "type": "system"}]}},
        "smallBodyFields": {"belt": {"hostStarId": "earth", "systemId": "earth"}, "other": {"hostStarId": "sol"}},
        "protoplanetaryDisks": {"disk": {"centralStarId": "earth"}},
    }));
    let events = send(&mut state, &json!({"type": "removeStar", "id": "earth"})).unwrap();
    assert_snapshot!(encode(&events), @r#"[{"type":"starRemoved","id":"earth","bodies":["earth","l4","dust"],"smallBodyFields":["belt"],"disks":["disk"],"memberships":[{"groupId":"g","systemId":"earth"}],"unhosted":["achilles"]}]"#);
    assert_snapshot!(encode(&state), @r#"{"stars":{"sol":{"id":"sol","parentId":null,"children":["achilles"]},"achilles":{"id":"achilles","parentId":"sol","children":[]}},"rootIds":["sol"],"groups":{"g":{"id":"g","children":[{"id":"sol","type":"system"}],"parentGroupId":null}},"rootGroupIds":["g"],"belts":{},"smallBodyFields":{"other":{"hostStarId":"sol","id":"other"}},"protoplanetaryDisks":{},"nebulae":{},"time":0}"#);
}

#[test]
fn a_chain_of_many_moons_is_removed_without_recursion() {
    let mut commands = vec![add("0", None)];
    for depth in 1..20_000 {
        commands.push(add(&depth.to_string(), Some(&(depth - 1).to_string())));
    }
    let mut state = after(&commands);
    send(&mut state, &json!({"type": "removeStar", "id": "0"})).unwrap();
    assert!(state.bodies().is_empty());
}

#[test]
fn a_planet_that_is_rogue_no_longer_becomes_a_root() {
    let mut state = from_outside(json!({"stars": {"r": {"isRoguePlanet": true}}}));
    assert!(state.roots().is_empty());
    let update = json!({"type": "updateStar", "id": "r", "payload": {"isRoguePlanet": false}});
    send(&mut state, &update).unwrap();
    assert_eq!(ids(&shown(&state)["rootIds"]), ["r"]);
}

#[test]
fn a_mistyped_command_names_the_nearest() {
    let unknown = refusal(&State::default(), &json!({"type": "addStr"}));
    assert_snapshot!(format!("{unknown}; {}", unknown.hint()), @"no command `addStr`; did you mean `addStar`?");
}
