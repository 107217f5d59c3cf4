//! Generated universes: the same for the same seed, valid, and much like what was asked for.

mod numbers;
mod orbits;
mod places;
mod requests;
mod valid;

use std::ops::ControlFlow;

use serde_json::{Map, Value, json};
use universe_core::{
    generate::{Generated, Progress, Request, generate},
    json::encode,
};

/// What a request gives.
fn made(request: &Value) -> Generated {
    let request = Request::from_json(request, 0).unwrap();
    generate(&request, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn bodies(generated: &Generated) -> &Map<String, Value> {
    generated.snapshot["stars"].as_object().unwrap()
}

/// Bodies of one kind.
fn of_kind<'a>(generated: &'a Generated, kind: &str) -> impl Iterator<Item = &'a Value> {
    bodies(generated).values().filter(move |body| body["bodyType"] == kind)
}

fn number(body: &Value, key: &str) -> f64 {
    body[key].as_f64().unwrap_or(0.0)
}

/// FNV-1a with 64 bits.
fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

#[test]
fn the_bytes_of_a_seed_do_not_change() {
    // A change here is a change of every universe that people have noted the seed of: say so in the changelog.
    let golden = [
        (json!({"seed": 0}), "f65c1faf0a5c7816"),
        (json!({"seed": "", "preset": "sparse"}), "f07e2a85e3ce524c"),
        (json!({"seed": "tandem", "preset": "crowded"}), "0bc4cee2b8e479f7"),
        (json!({"seed": 42, "preset": "superDenseExperimental"}), "3d29aec726286bea"),
        (
            json!({"seed": 7, "topology": "deepHierarchy", "parameters": {"enableBlackHoles": true, "scaleMode": "realistic"}}),
            "ea4101ce10d01ac3",
        ),
    ];
    for (request, expected) in golden {
        let snapshot = encode(&made(&request).snapshot);
        assert_eq!(snapshot, encode(&made(&request).snapshot), "{request} is not even stable");
        assert_eq!(hash(&snapshot), expected, "{request}");
    }
}

#[test]
fn every_seed_gives_a_universe_of_its_own() {
    let seeds =
        [json!(0), json!(1), json!(u32::MAX), json!(""), json!("0"), json!("a"), json!("b")];
    let mut seen = std::collections::HashSet::new();
    for seed in seeds {
        let generated = made(&json!({"seed": seed}));
        assert_eq!(json!(generated.seed), seed);
        assert!(seen.insert(encode(&generated.snapshot)), "{seed} repeats another seed");
    }
}

#[test]
fn without_a_seed_the_fallback_is_used_and_told() {
    let request = Request::from_json(&json!({"seed": null}), 99).unwrap();
    let generated = generate(&request, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(json!(generated.seed), 99);
    assert_eq!(generated, made(&json!({"seed": 99})));
}

#[test]
fn leaving_comets_out_moves_nothing_else() {
    let with = made(&json!({"seed": 5}));
    let without = made(&json!({"seed": 5, "parameters": {"enableComets": false}}));
    assert!(with.totals.comets > 0);
    assert_eq!(without.totals.comets, 0);
    for kind in ["planet", "moon", "asteroid", "lagrangePoint"] {
        assert!(of_kind(&with, kind).eq(of_kind(&without, kind)), "{kind}");
    }
}

#[test]
fn progress_only_grows_and_ends_complete() {
    for request in [
        json!({"parameters": {"maxSystems": 1}}),
        json!({"preset": "superDenseExperimental", "parameters": {"enableBlackHoles": true}}),
        json!({"preset": "crowded", "parameters": {"maxSystems": 500, "maxBodies": 2000}}),
    ] {
        let request = Request::from_json(&request, 0).unwrap();
        let mut heard: Vec<Progress> = Vec::new();
        generate(&request, &mut |progress| {
            heard.push(progress);
            ControlFlow::Continue(())
        });
        assert!(heard.windows(2).all(|pair| pair[0].done <= pair[1].done), "{heard:?}");
        assert!(heard.iter().all(|progress| progress.of == heard[0].of));
        let last = heard.last().unwrap();
        assert_eq!((last.done, last.stage), (last.of, "writing"));
        for stage in ["systems", "groups", "nebulae", "roguePlanets"] {
            assert!(heard.iter().any(|progress| progress.stage == stage), "{stage}");
        }
    }
}

#[test]
fn it_stops_when_told_wherever_it_is() {
    let request = Request::from_json(&json!({}), 0).unwrap();
    let mut steps = 0;
    generate(&request, &mut |_| {
        steps += 1;
        ControlFlow::Continue(())
    });
    for stop_at in 1..=steps {
        let mut heard = 0;
        let generated = generate(&request, &mut |_| {
            heard += 1;
            if heard == stop_at { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!((generated, heard), (None, stop_at));
    }
}
