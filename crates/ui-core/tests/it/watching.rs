//! Watches, inactive variables, destruction.

use crate::play::{Play, named};

fn watch(id: i64) -> String {
    format!(r#"{{"type":"watch","data":{{"varId":{id}}}}}"#)
}

fn unwatch(id: i64) -> String {
    format!(r#"{{"type":"unwatch","data":{{"varId":{id}}}}}"#)
}

#[test]
fn a_watch_is_answered_by_the_whole_variable() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    play.world.graph.set(root, "current", ann);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "current"), ("elementId", "ui-4")]);
    assert_eq!(
        play.send(conn, &watch(2)),
        concat!(
            r#"{"type":"update","data":{"varId":2,"value":{"obj":3},"#,
            r#""properties":{"type":"Contact","path":"current","elementId":"ui-4"}}}"#
        )
    );
}

#[test]
fn the_answer_to_a_watch_is_never_empty() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    let create = r#"{"type":"create","data":{"id":2,"parentId":1,"properties":{},"nowatch":true}}"#;
    assert_eq!(play.send(conn, create), "");
    assert_eq!(
        play.send(conn, &watch(2)),
        r#"{"type":"update","data":{"varId":2,"value":null}}"#,
        "an empty one would mean: ask again"
    );
}

#[test]
fn a_variable_nobody_watches_is_not_read_nor_is_what_is_below() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    play.world.graph.set(root, "current", ann);
    let conn = play.join();
    let create = r#"{"type":"create","data":{"id":2,"parentId":1,"properties":{"path":"current"},"nowatch":true}}"#;
    assert_eq!(play.send(conn, create), "");
    assert_eq!(play.create(conn, 3, 2, &[("path", "name")]), "");
    let before = play.world.reads;
    play.settle();
    assert_eq!(play.world.reads - before, 1, "the root alone");
    assert_eq!(
        play.send(conn, &watch(2)),
        concat!(
            r#"[{"type":"update","data":{"varId":2,"value":{"obj":3},"properties":{"type":"Contact","path":"current"}}},"#,
            r#"{"type":"update","data":{"varId":3,"value":"Ann"}}]"#
        )
    );
}

#[test]
fn watches_are_counted() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "n", 1);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "n")]);
    play.send(conn, &watch(2));
    play.send(conn, &unwatch(2));
    play.run(|graph| graph.set(root, "n", 2));
    assert_eq!(play.heard(conn), r#"{"type":"update","data":{"varId":2,"value":2}}"#);
    play.send(conn, &unwatch(2));
    play.run(|graph| graph.set(root, "n", 3));
    assert_eq!(play.heard(conn), "");
    assert_eq!(play.send(conn, &unwatch(2)), "", "one too many is nothing");
    assert!(play.send(conn, &watch(2)).contains(r#""value":3"#), "the value of now");
}

#[test]
fn an_inactive_variable_and_what_is_below_it_are_quiet_until_they_are_active_again() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    play.world.graph.set(root, "current", ann);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "current")]);
    play.create(conn, 3, 2, &[("path", "name")]);
    let set = |value: &str| {
        format!(r#"{{"type":"update","data":{{"varId":2,"properties":{{"inactive":"{value}"}}}}}}"#)
    };
    assert_eq!(play.send(conn, &set("yes")), "");
    play.run(|graph| graph.set(ann, "name", "Anna"));
    assert_eq!(play.heard(conn), "");
    assert_eq!(play.write(conn, 3, r#""Annie""#), "", "nor is a writer answered");
    play.run(|graph| graph.set(ann, "name", "Anne"));
    let heard = play.send(conn, &set("")).to_owned();
    assert!(heard.contains(r#"{"varId":3,"value":"Anne"}"#), "{heard}");
}

#[test]
fn a_subtree_is_destroyed_and_confirmed_children_first() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    for (id, parent) in [(2, 1), (3, 2), (4, 3), (5, 2), (6, 1)] {
        play.create(conn, id, parent, &[("path", "x")]);
    }
    assert_eq!(
        play.send(conn, r#"{"type":"destroy","data":{"varId":2}}"#),
        concat!(
            r#"[{"type":"destroy","data":{"varId":4}},{"type":"destroy","data":{"varId":3}},"#,
            r#"{"type":"destroy","data":{"varId":5}},{"type":"destroy","data":{"varId":2}}]"#
        )
    );
    assert_eq!(play.session.len(), 2);
    play.check();
    let heard = play.send(conn, &watch(3));
    assert!(heard.contains(r#""varId":3,"code":"not-found""#), "{heard}");
}

#[test]
fn an_id_may_be_used_again_once_its_variable_is_gone() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "a", 1);
    play.world.graph.set(root, "b", 2);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "a")]);
    assert_eq!(
        play.send(
            conn,
            r#"[{"type":"update","data":{"varId":2,"value":5}},
                {"type":"destroy","data":{"varId":2}},
                {"type":"create","data":{"id":2,"parentId":1,"properties":{"path":"b"}}}]"#
        ),
        concat!(
            r#"[{"type":"destroy","data":{"varId":2}},"#,
            r#"{"type":"update","data":{"varId":2,"value":2}}]"#
        )
    );
    play.check();
}

#[test]
fn the_root_and_what_lua_made_are_not_a_browsers_to_destroy() {
    let (mut play, _) = Play::new();
    let panel = named(&mut play.world.graph, "Panel", "side");
    play.run(|graph| graph.create_variable(ui_core::VarId::ROOT, panel, &[]));
    let conn = play.join();
    for id in [1, -1] {
        let heard = play.send(conn, &format!(r#"{{"type":"destroy","data":{{"varId":{id}}}}}"#));
        assert!(heard.contains(&format!(r#""varId":{id},"code":"bad-access""#)), "{heard}");
    }
    assert_eq!(play.session.len(), 2);
}

#[test]
fn what_lua_destroys_is_told_to_whom_it_concerns() {
    let (mut play, _) = Play::new();
    let panel = named(&mut play.world.graph, "Panel", "side");
    let id = play.run(|graph| graph.create_variable(ui_core::VarId::ROOT, panel, &[]));
    let (a, b, c) = (play.join(), play.join(), play.join());
    play.send(a, &watch(-1));
    play.send(b, &watch(-1));
    play.create(a, 2, -1, &[("path", "name")]);
    play.create(c, 2, -1, &[("path", "name")]);
    play.run(|graph| graph.requests.push(ui_core::world::Request::Destroy { id }));
    assert_eq!(
        play.heard(a),
        r#"[{"type":"destroy","data":{"varId":2}},{"type":"destroy","data":{"varId":-1}}]"#
    );
    assert_eq!(play.heard(b), r#"{"type":"destroy","data":{"varId":-1}}"#);
    assert_eq!(play.heard(c), r#"{"type":"destroy","data":{"varId":2}}"#);
    play.run(|graph| {
        graph.requests.push(ui_core::world::Request::Destroy { id: ui_core::VarId::ROOT });
    });
    assert_eq!(play.session.len(), 1, "the root stays");
    play.check();
}

#[test]
fn get_tells_values_and_properties_and_complains_of_what_is_not_there() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "n", 1);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "n")]);
    assert_eq!(
        play.send(conn, r#"{"type":"get","data":{"varIds":[2,9,1]}}"#),
        concat!(
            r#"[{"type":"get","data":{"variables":[{"id":2,"value":1,"properties":{"path":"n"}},"#,
            r#"{"id":1,"value":{"obj":2},"properties":{"type":"App"}}]}},"#,
            r#"{"type":"error","data":{"varId":9,"code":"not-found","description":"no variable 9"}}]"#
        )
    );
}

#[test]
fn get_objects_tells_fields_one_level_deep() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    play.world.graph.set(root, "current", ann);
    let list = play.world.graph.array([ann.into(), 4.into()]);
    let conn = play.join();
    assert_eq!(list.0, 4);
    assert_eq!(
        play.send(conn, r#"{"type":"getObjects","data":{"objIds":[2,4,77]}}"#),
        concat!(
            r#"[{"type":"getObjects","data":{"objects":[{"obj":2,"value":{"current":{"obj":3}}},"#,
            r#"{"obj":4,"value":[{"obj":3},4]}]}},"#,
            r#"{"type":"error","data":{"varId":0,"code":"not-found","description":"no object 77"}}]"#
        )
    );
}

/// A world may still have something to say of a variable that went since the last walk.
#[test]
fn a_slot_is_not_used_again_before_the_next_walk() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "a")]);
    let batch = r#"[{"type":"destroy","data":{"varId":2}},
        {"type":"create","data":{"id":3,"parentId":1,"properties":{"path":"a","wrapper":"lua.ViewList"}}}]"#;
    play.send(conn, batch);
    assert_eq!(play.world.property(ui_core::Slot(2), "path"), Some("a"), "1 was that of 2");
    play.create(conn, 4, 1, &[("path", "b"), ("wrapper", "lua.ViewList")]);
    assert_eq!(play.world.property(ui_core::Slot(1), "path"), Some("b"), "now it is free");
    play.check();
}
