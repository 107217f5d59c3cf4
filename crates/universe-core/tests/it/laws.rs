//! What holds after any sequence of commands.

use proptest::{collection::vec, option, prelude::*};
use serde_json::{Value, json};
use universe_core::{
    Change, Command, Entry, State, Universe, decide, json::encode, query::violations,
};

use crate::send;

/// Few names, so that commands meet: duplicates, unknown ids, cycles and references all happen often.
fn any_id() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["a", "b", "c", "d", "e", "f", ""]).prop_map(str::to_owned)
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

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any_number(),
        any_id().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            vec((any_key(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

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
    ];
    prop_oneof![prop::sample::select(known.to_vec()).prop_map(str::to_owned), "[a-z]{0,3}"]
}

/// The fields that have to do with other bodies, and some that do not.
fn any_payload() -> impl Strategy<Value = Value> {
    let parent = option::of(option::of(any_id()));
    let pair = option::of((any_id(), any_id()));
    (parent, pair, option::of(any_id()), option::of(any::<bool>()), option::of(any_number()))
        .prop_map(|(parent, pair, host, rogue, mass)| {
            let mut payload = json!({});
            if let Some(parent) = parent {
                payload["parentId"] = json!(parent);
            }
            if let Some((primary, secondary)) = pair {
                payload["bodyType"] = json!("lagrangePoint");
                payload["lagrangePoint"] = json!({"primaryId": primary, "secondaryId": secondary});
            }
            for (key, value) in [
                ("lagrangeHostId", json!(host)),
                ("isRoguePlanet", json!(rogue)),
                ("mass", json!(mass)),
            ] {
                if !value.is_null() {
                    payload[key] = value;
                }
            }
            payload
        })
}

fn any_command() -> impl Strategy<Value = Value> {
    prop_oneof![
        1 => option::of(any_number()).prop_map(|dt| match dt {
            Some(dt) => json!({"type": "tick", "dt": dt}),
            None => json!({"type": "tick"}),
        }),
        4 => (any_id(), any_payload()).prop_map(|(id, payload)| json!({"type": "addStar", "id": id, "payload": payload})),
        4 => (any_id(), any_payload()).prop_map(|(id, payload)| json!({"type": "updateStar", "id": id, "payload": payload})),
        2 => any_id().prop_map(|id| json!({"type": "removeStar", "id": id})),
        1 => any_json(),
    ]
}

/// A state from outside, seldom in order.
fn any_state() -> impl Strategy<Value = Value> {
    let bodies = vec((any_id(), any_payload(), vec(any_id(), 0..3)), 0..6);
    let groups = vec((any_id(), option::of(any_id()), vec((any_id(), any::<bool>()), 0..4)), 0..4);
    (bodies, groups, vec(any_id(), 0..4), vec((any_id(), any_id()), 0..3)).prop_map(
        |(bodies, groups, roots, around)| {
            let mut state = json!({"stars": {}, "groups": {}, "rootIds": roots, "rootGroupIds": roots,
                "smallBodyFields": {}, "protoplanetaryDisks": {}});
            for (id, mut body, children) in bodies {
                body["children"] = json!(children);
                state["stars"][id] = body;
            }
            for (id, parent, members) in groups {
                let kind = |group| if group { "group" } else { "system" };
                let children: Vec<_> =
                    members.iter().map(|(id, group)| json!({"id": id, "type": kind(*group)})).collect();
                state["groups"][id] = json!({"parentGroupId": parent, "children": children});
            }
            for (id, star) in around {
                state["smallBodyFields"][&id] = json!({"hostStarId": star, "systemId": star});
                state["protoplanetaryDisks"][&id] = json!({"centralStarId": star});
            }
            state
        },
    )
}

/// The state that `outside` becomes; the empty one if it is refused.
fn begun(outside: Value) -> State {
    State::from_json(outside, 0.0, "state").unwrap_or_default()
}

proptest! {
    #[test]
    fn the_invariants_hold_after_any_commands(outside in any_state(), commands in vec(any_command(), 0..40)) {
        let mut state = begun(outside);
        prop_assert_eq!(violations(&state), Vec::<String>::new());
        for command in &commands {
            let before = state.clone();
            if send(&mut state, command).is_err() {
                prop_assert_eq!(&state, &before, "a refused command changed something");
            }
            prop_assert_eq!(violations(&state), Vec::<String>::new(), "after {}", command);
        }
    }

    #[test]
    fn replaying_the_log_rebuilds_the_state(outside in any_state(), commands in vec(any_command(), 0..40)) {
        let mut live = Universe::default();
        let mut log = Vec::new();
        let mut happen = |live: &mut Universe, change| {
            let entry = Entry::new(i64::try_from(log.len()).unwrap(), change);
            live.apply(&entry);
            log.push(encode(&entry));
        };
        happen(&mut live, Change::Created { name: "any".into(), state: begun(outside) });
        for command in commands {
            let decided = Command::parse(&command).map_err(Into::into)
                .and_then(|parsed| decide(&live.state, parsed));
            if let Ok(events) = decided {
                happen(&mut live, Change::Command { command, events });
            }
        }
        let mut replayed = Universe::default();
        for line in &log {
            replayed.apply(&serde_json::from_str(line).unwrap());
        }
        prop_assert_eq!(&replayed, &live);
    }

    #[test]
    fn a_snapshot_reads_back_as_the_same_universe(outside in any_state(), commands in vec(any_command(), 0..40)) {
        let mut state = begun(outside);
        for command in &commands {
            drop(send(&mut state, command));
        }
        let universe = Universe { state, name: "any".into(), ..Universe::default() };
        // Both printers: ours for clients, the plain one that the store uses.
        for text in [encode(&universe), serde_json::to_string(&universe).unwrap()] {
            prop_assert_eq!(&serde_json::from_str::<Universe>(&text).unwrap(), &universe);
        }
    }

    #[test]
    fn no_json_makes_deciding_panic(command in any_json(), state in any_json()) {
        let mut state = State::from_json(state, 0.0, "state").unwrap_or_default();
        drop(send(&mut state, &command));
        prop_assert_eq!(violations(&state), Vec::<String>::new());
    }
}
