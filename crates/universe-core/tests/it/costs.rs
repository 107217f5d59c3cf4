//! What things cost, to be looked at: `cargo test -p universe-core --test it costs -- --ignored --nocapture`.
//!
//! Never a test that fails on a slow machine; only the ratios mean something.

use std::{fs, time::Instant};

use serde_json::{Value, json};
use universe_core::{Change, Command, Entry, State, Universe, decide, json::encode};

/// Systems of ten bodies.
fn universe_of(bodies: usize) -> Universe {
    let mut stars = serde_json::Map::new();
    for n in 0..bodies {
        let parent = (n % 10 != 0).then(|| format!("body-{}", n - n % 10));
        let body = json!({"name": format!("Body {n}"), "mass": 12.5, "radius": 1.25, "color": "#FFCC88",
            "orbitalDistance": n, "orbitalSpeed": 3.5, "orbitalPhase": 45, "bodyType": "planet", "parentId": parent});
        stars.insert(format!("body-{n}"), body);
    }
    let state =
        State::from_json(json!({"stars": stars, "groups": {"g": {}}}), 0.0, "state").unwrap();
    let mut universe = Universe::default();
    universe.apply(&Entry::new(0, Change::Created { name: "u".into(), state }));
    universe
}

/// Microseconds for one command: read, decided and folded in, while a reader holds the state of before.
fn cost(universe: &mut Universe, command: &Value) -> f64 {
    const TIMES: u32 = 2_000;
    let begun = Instant::now();
    for _ in 0..TIMES {
        let reader = universe.clone();
        let events = decide(&universe.state, Command::parse(command).unwrap()).unwrap();
        universe.apply(&Entry::new(0, Change::Command { command: command.clone(), events }));
        drop(reader);
    }
    begun.elapsed().as_secs_f64() * 1e6 / f64::from(TIMES)
}

/// Kilobytes that the process has in memory.
fn resident() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}

#[test]
#[ignore = "prints measurements"]
fn what_commands_cost_in_small_and_large_universes() {
    let commands = [
        json!({"type": "tick"}),
        json!({"type": "updateStar", "id": "body-5", "payload": {"mass": 3}}),
        json!({"type": "attachStar", "childId": "body-5", "parentId": "body-0"}),
        json!({"type": "moveToGroup", "childId": "body-0", "childType": "system", "targetGroupId": "g"}),
        json!({"type": "updateRing", "planetId": "body-5", "patch": {"opacity": 0.5}}),
    ];
    for bodies in [10, 1_000, 100_000] {
        let mut universe = universe_of(bodies);
        for command in &commands {
            let cost = cost(&mut universe, command);
            println!("{bodies:>7} bodies {:<12} {cost:8.1} µs", command["type"].as_str().unwrap());
        }
    }
}

#[test]
#[ignore = "prints measurements"]
fn what_printing_10_000_bodies_costs() {
    // The first one leaves behind what it took to make it; what each further one adds is its own.
    let universe = universe_of(10_000);
    let before = resident();
    let others: Vec<_> = (0..5).map(|_| universe_of(10_000)).collect();
    let held = resident();
    for other in &others {
        other.state.write_json(&mut Vec::new(), 0.0);
    }
    let printed = resident();
    println!(
        "10 000 bodies: {} kB, {} kB more with texts",
        (held - before) / 5,
        (printed - held) / 5
    );
    let timed = |what: &str, print: &dyn Fn() -> usize| {
        let begun = Instant::now();
        let bytes = print();
        println!("{what}: {bytes} bytes in {:?}", begun.elapsed());
    };
    let joined = || {
        let mut out = Vec::with_capacity(4 << 20);
        universe.state.write_json(&mut out, 0.0);
        out.len()
    };
    timed("serialized", &|| encode(&universe.state).len());
    timed("joined, first time", &joined);
    timed("joined, from then on", &joined);
    let bytes = encode(&universe.state).into_bytes();
    timed("a copy of the bytes", &|| bytes.clone().len());
}
