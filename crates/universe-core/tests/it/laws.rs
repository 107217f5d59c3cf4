//! What holds after any sequence of commands, undos and redos.

use proptest::{collection::vec, prelude::*};
use serde_json::Value;
use universe_core::{Delta, State, Universe, json::encode, query::violations, touched_by};

use crate::{
    arbitrary::{Step, any_command, any_json, any_mangled_command, any_state, any_step},
    send, shown,
    world::{World, begun, text},
};

/// The maps of a state as a live viewer keeps them: bodies without their children, in no order.
fn kept(state: &State) -> Value {
    let mut kept = shown(state);
    for body in kept["stars"].as_object_mut().unwrap().values_mut() {
        body.as_object_mut().unwrap().remove("children");
    }
    for part in ["rootIds", "rootGroupIds", "time"] {
        kept.as_object_mut().unwrap().remove(part);
    }
    kept
}

fn merge(kept: &mut Value, delta: &Value) {
    for (part, entities) in delta.as_object().unwrap() {
        for (id, entity) in entities.as_object().unwrap() {
            let map = kept[part].as_object_mut().unwrap();
            if entity.is_null() {
                map.remove(id);
            } else {
                map.insert(id.clone(), entity.clone());
            }
        }
    }
}

proptest! {
    #[test]
    fn the_invariants_hold_after_any_steps(outside in any_state(), steps in vec(any_step(), 0..40)) {
        let mut world = World::begin(begun(outside));
        prop_assert_eq!(violations(world.now()), Vec::<String>::new());
        for step in &steps {
            let before = text(world.now());
            let applied = world.step(step);
            prop_assert!(applied || text(world.now()) == before, "a refused step changed something");
            prop_assert_eq!(violations(world.now()), Vec::<String>::new(), "after {:?}", step);
        }
    }

    #[test]
    fn an_undo_right_after_restores_every_byte_and_a_redo_too(outside in any_state(), steps in vec(any_step(), 0..30)) {
        let mut world = World::begin(begun(outside));
        for step in &steps {
            let before = world.clone();
            if !world.step(step) || !matches!(step, Step::Command(_)) {
                continue;
            }
            let mut back = world.clone();
            if world.can_undo() == Some(world.universe.revision) {
                prop_assert!(back.step(&Step::Undo(None)), "undo of {:?}", step);
                prop_assert_eq!(text(back.now()), text(before.now()), "undo of {:?}", step);
                prop_assert!(back.step(&Step::Redo(None)), "redo of {:?}", step);
                prop_assert_eq!(text(back.now()), text(world.now()), "redo of {:?}", step);
            } else {
                prop_assert_eq!(text(world.now()), text(before.now()), "not undoable: {:?}", step);
            }
        }
    }

    #[test]
    fn undoing_everything_leads_back_to_the_beginning(outside in any_state(), commands in vec(any_command(), 0..30)) {
        let mut world = World::begin(begun(outside));
        let beginning = text(world.now());
        for command in commands {
            world.step(&Step::Command(command));
        }
        let end = text(world.now());
        while world.can_undo().is_some() {
            prop_assert!(world.step(&Step::Undo(None)));
        }
        prop_assert_eq!(text(world.now()), beginning);
        while world.can_redo().is_some() {
            prop_assert!(world.step(&Step::Redo(None)));
        }
        prop_assert_eq!(text(world.now()), end);
    }

    #[test]
    fn replaying_the_log_rebuilds_the_universe(outside in any_state(), steps in vec(any_step(), 0..40)) {
        let mut world = World::begin(begun(outside));
        for step in &steps {
            world.step(step);
        }
        let mut replayed = Universe::default();
        for line in &world.log {
            replayed.apply(&serde_json::from_str(line).unwrap());
        }
        prop_assert_eq!(encode(&replayed), encode(&world.universe));
        prop_assert_eq!(&replayed, &world.universe);
    }

    #[test]
    fn a_snapshot_reads_back_as_the_same_universe(outside in any_state(), steps in vec(any_step(), 0..40)) {
        let mut world = World::begin(begun(outside));
        for step in &steps {
            world.step(step);
        }
        let universe = world.universe;
        // Both printers: ours for clients, the plain one that the store uses.
        for text in [encode(&universe), serde_json::to_string(&universe).unwrap()] {
            prop_assert_eq!(&serde_json::from_str::<Universe>(&text).unwrap(), &universe);
        }
    }

    #[test]
    fn a_viewer_that_follows_the_deltas_has_the_state(outside in any_state(), steps in vec(any_step(), 0..30)) {
        let mut world = World::begin(begun(outside));
        let mut viewer = kept(world.now());
        for step in &steps {
            if !world.step(step) {
                continue;
            }
            let touched = touched_by(&world.last().change);
            if touched.everything {
                viewer = kept(world.now());
            } else {
                let delta = Delta { state: world.now(), touched: &touched };
                merge(&mut viewer, &serde_json::from_str(&encode(&delta)).unwrap());
            }
            prop_assert_eq!(&viewer, &kept(world.now()), "after {:?}", step);
        }
    }

    #[test]
    fn joined_texts_are_what_the_serializer_prints(outside in any_state(), steps in vec(any_step(), 0..30), time in -1e9..1e9) {
        let mut world = World::begin(begun(outside));
        for step in &steps {
            world.step(step);
            // Printed after every step, so that a text that outlived a change would be seen.
            let mut joined = Vec::new();
            world.now().write_json(&mut joined, world.now().time());
            prop_assert_eq!(String::from_utf8(joined).unwrap(), encode(world.now()));
        }
        let mut joined = Vec::new();
        world.now().write_json(&mut joined, time);
        let read: Value = serde_json::from_slice(&joined).unwrap();
        prop_assert_eq!(read["time"].as_f64(), Some(time));
    }

    #[test]
    fn no_json_makes_deciding_panic(command in any_json(), mangled in vec(any_mangled_command(), 0..10), state in any_json()) {
        let mut state = State::from_json(state, 0.0, "state").unwrap_or_default();
        drop(send(&mut state, &command));
        for command in &mangled {
            drop(universe_core::Request::parse(command));
            drop(send(&mut state, command));
            prop_assert_eq!(violations(&state), Vec::<String>::new(), "after {}", command);
        }
    }
}
