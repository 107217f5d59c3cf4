//! Chains, depths and numbers that would break a careless walk.

use proptest::{
    strategy::{Strategy, ValueTree},
    test_runner::TestRunner,
};
use serde_json::{Value, json};
use universe_core::{Request, Universe, json::encode, query::violations, redo, undo};

use crate::{
    add, after,
    arbitrary::{Step, any_state, any_step},
    from_outside, mistake, refused, send,
    world::{World, begun, text},
};

const DEPTH: usize = 100_000;

/// Moons of moons: body n circles body n - 1.
fn chain() -> Value {
    let parent = |n: usize| n.checked_sub(1).map(|parent| parent.to_string());
    let bodies = (0..DEPTH).map(|n| (n.to_string(), json!({"parentId": parent(n)})));
    json!({"stars": bodies.collect::<serde_json::Map<_, _>>()})
}

#[test]
fn a_chain_of_100_000_moons_overflows_no_stack() {
    let before = from_outside(chain());
    let last = (DEPTH - 1).to_string();
    let cycle = json!({"type": "attachStar", "childId": "0", "parentId": last});
    assert!(refused(&before, &cycle).contains("circles `0` itself"));
    let mut after = before.clone();
    send(&mut after, &json!({"type": "removeStar", "id": "1"})).unwrap();
    assert_eq!(after.bodies().len(), 1);

    let mut now = after.clone();
    now.apply_all(&undo(&now, &before, &after, 2).unwrap());
    assert_eq!(violations(&now), [""; 0]);
    assert_eq!(text(&now), text(&before));
    now.apply_all(&redo(&now, &before, &after, 2).unwrap());
    assert_eq!(now.bodies().len(), 1);
}

#[test]
fn a_chain_of_10_000_groups_overflows_no_stack() {
    let parent = |n: usize| n.checked_sub(1).map(|parent| parent.to_string());
    let groups = (0..10_000).map(|n: usize| (n.to_string(), json!({"parentGroupId": parent(n)})));
    let groups = groups.collect::<serde_json::Map<_, _>>();
    let mut world = World::begin(from_outside(json!({"groups": groups})));
    let beginning = text(world.now());
    let cycle = json!({"type": "moveToGroup", "childId": "0", "childType": "group", "targetGroupId": "9999"});
    assert!(refused(world.now(), &cycle).contains("inside it"));
    world.send(&json!({"type": "removeGroup", "id": "5"})).unwrap();
    assert_eq!(violations(world.now()), [""; 0]);
    assert!(world.step(&Step::Undo(None)));
    assert_eq!(text(world.now()), beginning);
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(json!(1), |inner, _| json!([inner]))
}

#[test]
fn whatever_is_accepted_can_be_read_back_from_the_log() {
    let deepest =
        |levels| json!({"type": "addStar", "id": "a", "payload": {"deep": nested(levels)}});
    let mut world = World::begin(from_outside(json!({"mood": nested(71)})));
    world.send(&deepest(62)).unwrap();
    world.send(&json!({"type": "updateStar", "id": "a", "payload": {"deep": 1}})).unwrap();
    assert!(world.step(&Step::Undo(None)));
    let text = serde_json::to_string(&world.universe).unwrap();
    assert_eq!(serde_json::from_str::<Universe>(&text).unwrap(), world.universe);
    assert_eq!(mistake(&deepest(63)), "`addStar` must not be nested deeper than 64 levels");
    // These have no values to nest, and are kept in the log as they came all the same.
    for name in ["undo", "redo", "setClock"] {
        let command = json!({"type": name, "deep": nested(64)});
        assert!(Request::parse(&command).unwrap_err().to_string().contains("64 levels"));
    }
    let state = universe_core::State::from_json(json!({"mood": nested(72)}), 0.0, "state");
    assert_eq!(state.unwrap_err().to_string(), "`state` must not be nested deeper than 72 levels");
}

#[test]
fn strange_ids_and_numbers_are_ids_and_numbers() {
    let long = "é".repeat(300);
    for id in ["__proto__", "constructor", "", "\u{0}\"\\", &long] {
        let mut state = after(&[add(id, None), add("moon", Some(id))]);
        assert_eq!(violations(&state), [""; 0]);
        let huge = json!({"type": "updateStar", "id": id, "payload": {"mass": 1e308, "n": u64::MAX, "__proto__": {"x": 1}}});
        send(&mut state, &huge).unwrap();
        assert!(encode(&state).contains(r#""mass":1e+308"#));
        assert!(encode(&state).contains(r#""n":18446744073709552000,"__proto__":{"x":1}"#));
    }
}

/// Without this, the laws could hold because nothing ever happens.
#[test]
fn the_arbitrary_steps_reach_every_command_and_every_kind_of_undo() {
    let mut runner = TestRunner::deterministic();
    let mut applied = std::collections::BTreeMap::<String, usize>::new();
    let steps = proptest::collection::vec(any_step(), 40);
    for _ in 0..300 {
        let state = any_state().new_tree(&mut runner).unwrap().current();
        let mut world = World::begin(begun(state));
        for step in steps.new_tree(&mut runner).unwrap().current() {
            let latest = match &step {
                Step::Undo(_) => world.can_undo(),
                _ => world.can_redo(),
            };
            let outcome = world.try_step(&step);
            let name = match (&step, outcome) {
                (Step::Command(command) | Step::Aimed(command, _), Ok(())) => {
                    command["type"].as_str().unwrap().to_owned()
                }
                (Step::Replace(_), _) => "replace".to_owned(),
                (revision, Err(error)) if error.to_string().contains("changed since") => {
                    format!("{} changed since", word(revision))
                }
                (_, Err(_)) => continue,
                (revision, Ok(())) => {
                    let latest = world.last_of() == latest;
                    let which = if latest { "the latest" } else { "an earlier one" };
                    format!("{} of {which}", word(revision))
                }
            };
            *applied.entry(name).or_default() += 1;
        }
    }
    let commands = universe_core::catalogue::commands().map(|command| command.name.to_owned());
    let revisions = ["undo", "redo"].iter().flat_map(|way| {
        ["of the latest", "of an earlier one", "changed since"].map(|how| format!("{way} {how}"))
    });
    for name in commands.chain(revisions) {
        assert!(applied.get(&name).is_some_and(|times| *times >= 5), "{name}: {applied:?}");
    }
}

fn word(step: &Step) -> &'static str {
    match step {
        Step::Command(_) | Step::Aimed(..) | Step::Replace(_) => "change",
        Step::Undo(_) => "undo",
        Step::Redo(_) => "redo",
    }
}
