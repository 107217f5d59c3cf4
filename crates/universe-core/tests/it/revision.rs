//! Undo and redo, the clock, and keys.

use serde_json::{Value, json};
use universe_core::{
    Change, Clock, Entry, Key, Request, Seen, SetClock, Universe, Way, json::encode, set_clock,
};

use crate::{
    add, from_outside, ids, shown,
    world::{World, text},
};

fn world(commands: &[Value]) -> World {
    let mut world = World::begin(from_outside(json!({})));
    for command in commands {
        world.send(command).unwrap();
    }
    world
}

fn update(id: &str, payload: &Value) -> Value {
    json!({"type": "updateStar", "id": id, "payload": payload})
}

fn why(world: &mut World, way: Way, revision: Option<u64>) -> String {
    world.revise(way, revision).unwrap_err().to_string()
}

#[test]
fn an_undo_takes_back_one_change_and_leaves_what_came_since() {
    let mut world = world(&[
        add("sol", None),                               // 2
        update("sol", &json!({"name": "Sun", "x": 1})), // 3
        update("sol", &json!({"mass": 100})),           // 4
        json!({"type": "tick", "dt": 5}),               // 5
    ]);
    world.revise(Way::Undo, Some(3)).unwrap();
    let sol = &shown(world.now())["stars"]["sol"];
    assert_eq!((&sol["name"], &sol["mass"], sol.get("x")), (&json!("sol"), &json!(100), None));
    assert_eq!(shown(world.now())["time"], 5, "time is never undone");
    world.revise(Way::Redo, None).unwrap();
    assert_eq!(shown(world.now())["stars"]["sol"]["name"], "Sun");
}

#[test]
fn undos_go_back_step_by_step_and_redos_forward_again() {
    let mut world = world(&[add("a", None), add("b", None), add("c", None)]);
    let there = |world: &World| ids(&shown(world.now())["rootIds"]).join("");
    for expected in ["ab", "a", ""] {
        world.revise(Way::Undo, None).unwrap();
        assert_eq!(there(&world), expected);
    }
    assert_eq!(why(&mut world, Way::Undo, None), "nothing to undo");
    for expected in ["a", "ab", "abc"] {
        world.revise(Way::Redo, None).unwrap();
        assert_eq!(there(&world), expected);
    }
    assert_eq!(why(&mut world, Way::Redo, None), "nothing to redo");
}

#[test]
fn time_and_idle_changes_are_nothing_to_undo() {
    let mut world = world(&[
        add("a", None),
        json!({"type": "tick"}),
        update("a", &json!({"name": "a"})),
        json!({"type": "setNebulae", "nebulae": {}}),
    ]);
    assert_eq!(world.can_undo(), Some(2));
    for revision in [1, 3, 4, 5, 99] {
        let message = format!("cannot undo change {revision}");
        assert_eq!(why(&mut world, Way::Undo, Some(revision)), message);
    }
    world.revise(Way::Undo, None).unwrap();
    // An undo is no change to undo, but one to redo.
    assert_eq!(why(&mut world, Way::Undo, Some(6)), "cannot undo change 6");
}

#[test]
fn what_comes_back_stands_where_it_stood() {
    let mut world = world(&[
        add("a", None),
        add("b", None),
        add("c", None),
        add("b1", Some("b")),
        json!({"type": "addGroup", "id": "g", "payload": {"children": [
            {"id": "a", "type": "system"}, {"id": "b", "type": "system", "since": 1}, {"id": "c", "type": "system"}]}}),
        json!({"type": "setSmallBodyFields", "fields": {"f": {"hostStarId": "b"}, "g": {}}}),
    ]);
    let before = text(world.now());
    world.send(&json!({"type": "removeStar", "id": "b"})).unwrap();
    world.revise(Way::Undo, None).unwrap();
    assert_eq!(text(world.now()), before);

    // And also on top of other changes: behind the nearest one before it that is still there.
    world.send(&json!({"type": "removeStar", "id": "b"})).unwrap();
    let removal = world.universe.revision;
    world.send(&add("d", None)).unwrap();
    world.send(&json!({"type": "removeStar", "id": "a"})).unwrap();
    world.revise(Way::Undo, Some(removal)).unwrap();
    let shown = shown(world.now());
    assert_eq!(ids(&shown["rootIds"]), ["b", "c", "d"]);
    assert_eq!(
        shown["stars"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["b", "c", "b1", "d"]
    );
    let members = encode(&shown["groups"]["g"]["children"]);
    assert_eq!(members, r#"[{"id":"b","type":"system","since":1},{"id":"c","type":"system"}]"#);
    assert_eq!(
        shown["smallBodyFields"].as_object().unwrap().keys().collect::<Vec<_>>(),
        ["f", "g"]
    );
}

#[test]
fn what_was_changed_since_is_not_overwritten() {
    let system = |id: &str| json!({"id": id, "type": "system"});
    // Commands, the revision to undo (the beginning is 1), and what was changed since.
    let rows = [
        (vec![add("a", None), update("a", &json!({"mass": 5}))], 2, "a"),
        (vec![add("a", None), add("moon", Some("a"))], 2, "moon"),
        (
            vec![
                add("a", None),
                json!({"type": "addProtoplanetaryDisk", "disk": {"id": "d", "centralStarId": "a"}}),
            ],
            2,
            "d",
        ),
        (
            vec![
                add("a", None),
                json!({"type": "addGroup", "id": "g", "payload": {"children": [system("a")]}}),
            ],
            2,
            "a",
        ),
        (
            vec![add("a", None), update("a", &json!({"x": 1})), update("a", &json!({"x": 2}))],
            3,
            "a",
        ),
        (
            vec![
                add("a", None),
                add("b", Some("a")),
                json!({"type": "removeStar", "id": "b"}),
                json!({"type": "removeStar", "id": "a"}),
            ],
            4,
            "a",
        ),
        (vec![add("a", None), json!({"type": "removeStar", "id": "a"}), add("a", None)], 3, "a"),
        (
            vec![
                add("a", None),
                add("b", Some("a")),
                json!({"type": "detachStar", "childId": "b"}),
                json!({"type": "attachStar", "childId": "a", "parentId": "b"}),
            ],
            4,
            "b",
        ),
        (
            vec![
                json!({"type": "addGroup", "id": "g", "payload": {}}),
                json!({"type": "addGroup", "id": "h", "payload": {"parentGroupId": "g"}}),
            ],
            2,
            "h",
        ),
        (
            vec![
                add("a", None),
                json!({"type": "setSmallBodyFields", "fields": {"f": {"hostStarId": "a"}}}),
                json!({"type": "removeSmallBodyField", "id": "f"}),
                json!({"type": "removeStar", "id": "a"}),
            ],
            4,
            "a",
        ),
    ];
    for (commands, revision, id) in rows {
        let mut world = world(&commands);
        let before = text(world.now());
        let message = format!("cannot undo change {revision}: `{id}` was changed since");
        assert_eq!(why(&mut world, Way::Undo, Some(revision)), message, "{commands:?}");
        assert_eq!(text(world.now()), before);
    }
}

#[test]
fn requests_beside_the_commands_are_read() {
    let parse = |command: Value| Request::parse(&command);
    assert_eq!(parse(json!({"type": "undo"})), Ok(Request::Undo { revision: None }));
    assert_eq!(
        parse(json!({"type": "redo", "revision": 3})),
        Ok(Request::Redo { revision: Some(3) })
    );
    let error = parse(json!({"type": "undo", "revision": "3"})).unwrap_err();
    assert_eq!(error.to_string(), "`revision` must be the number of a change, not the text \"3\"");
    let asked = SetClock { playing: Some(true), rate: Some(-2.5), time: None };
    let command = json!({"type": "setClock", "playing": true, "rate": -2.5});
    assert_eq!(parse(command), Ok(Request::SetClock(asked)));
    let command = json!({"type": "setClock", "playing": 1, "rate": 1001, "time": "now"});
    assert_eq!(
        parse(command).unwrap_err().to_string(),
        "`playing` must be true or false, not the number 1; `time` must be a finite number, not the text \"now\"; \
         `rate` must be a number from -1000 to 1000, not 1001"
    );
}

#[test]
#[expect(clippy::float_cmp, reason = "these sums are exact")]
fn a_playing_clock_moves_the_sky_without_a_line_of_log() {
    let mut universe = Universe::default();
    let state = from_outside(json!({"time": 10}));
    universe.apply(&Entry::new(1_000, Change::Created { name: "u".into(), state }));
    assert_eq!((universe.clock.playing, universe.time_at(9_000)), (false, 10.0));

    let set = |universe: &mut Universe, asked, now| {
        let (clock, time) = set_clock(universe, asked, now);
        universe.apply(&Entry::new(now, Change::Clock { command: None, clock, time }));
    };
    let play = SetClock { playing: Some(true), rate: Some(2.0), time: None };
    set(&mut universe, play, 5_000);
    assert_eq!(universe.clock, Clock { playing: true, rate: 2.0, since_ms: 5_000 });
    assert_eq!((universe.time_at(5_000), universe.time_at(6_500)), (10.0, 13.0));

    // A tick adds to it, whether it plays or not.
    let tick = universe_core::Command::parse(&json!({"type": "tick", "dt": 100})).unwrap();
    let events = universe_core::decide(&universe.state, tick).unwrap();
    universe.apply(&Entry::new(6_000, Change::Command { command: json!({}), events }));
    assert_eq!(universe.time_at(6_500), 113.0);

    set(&mut universe, SetClock { playing: Some(false), ..SetClock::default() }, 7_000);
    assert_eq!(universe.time_at(99_000), 114.0);
    set(&mut universe, SetClock { time: Some(-1.0), ..SetClock::default() }, 8_000);
    assert_eq!((universe.time_at(99_000), universe.clock.rate), (-1.0, 2.0));

    // A state from outside brings the time of its moment.
    set(&mut universe, SetClock { playing: Some(true), ..SetClock::default() }, 9_000);
    let state = Some(from_outside(json!({"time": 50})));
    universe.apply(&Entry::new(10_000, Change::Replaced { name: None, state }));
    assert_eq!(universe.time_at(11_000), 52.0);
    assert!(universe.time_at(i64::MAX).is_finite());
}

#[test]
fn the_last_thousand_keys_are_known_with_what_they_stood_for() {
    let key = |n: usize| Key::new(&n.to_string(), &json!({"n": n}));
    let mut universe = Universe::default();
    for n in 0..1_500 {
        assert_eq!(universe.keys.seen(&key(n)), None);
        let change = Change::Replaced { name: None, state: None };
        universe.apply(&Entry { at: 0, via: Some("cli".into()), key: Some(key(n)), change });
    }
    assert_eq!(universe.keys.seen(&key(499)), None);
    assert_eq!(universe.keys.seen(&key(500)), Some(Seen::Same(501)));
    let other = Key::new("1499", &json!({"type": "tick"}));
    assert_eq!(universe.keys.seen(&other), Some(Seen::Other(1500)));
    let read: Universe = serde_json::from_str(&encode(&universe)).unwrap();
    assert_eq!(read, universe);
}

#[test]
fn origin_and_key_stay_out_of_the_lines_that_have_none() {
    let plain = Entry::new(7, Change::Deleted);
    assert_eq!(encode(&plain), r#"{"at":7,"change":{"is":"deleted"}}"#);
    let entry = Entry {
        via: Some("page".into()),
        key: Some(Key::new("k", &json!({"type": "tick"}))),
        ..plain.clone()
    };
    assert_eq!(
        encode(&entry),
        r#"{"at":7,"via":"page","key":{"key":"k","digest":"ef017f55349435950166a4638311c3c6"},"change":{"is":"deleted"}}"#
    );
    assert_eq!(serde_json::from_str::<Entry>(&encode(&entry)).unwrap(), entry);
    assert_eq!(serde_json::from_str::<Entry>(&encode(&plain)).unwrap(), plain);
}
