//! Several connections to one session.

use ui_core::{Batch, VarId, WireId};

use crate::play::{Play, named};

#[test]
fn two_tabs_may_use_the_same_ids() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "a", 1);
    play.world.graph.set(root, "b", 2);
    let (first, second) = (play.join(), play.join());
    assert_eq!(
        play.create(first, 2, 1, &[("path", "a")]),
        r#"{"type":"update","data":{"varId":2,"value":1}}"#
    );
    assert_eq!(
        play.create(second, 2, 1, &[("path", "b")]),
        r#"{"type":"update","data":{"varId":2,"value":2}}"#
    );
    assert_eq!(play.session.var_id(first, WireId(2)), Some(VarId(2)), "as the browser calls it");
    assert_eq!(play.session.var_id(second, WireId(2)), Some(VarId(3)), "that being taken");
    assert_eq!(
        play.create(first, 3, 1, &[("path", "a")]),
        r#"{"type":"update","data":{"varId":3,"value":1}}"#
    );
    play.run(|graph| graph.set(root, "b", 3));
    assert_eq!(play.heard(first), "");
    assert_eq!(play.heard(second), r#"{"type":"update","data":{"varId":2,"value":3}}"#);
    play.check();
}

#[test]
fn one_tab_that_uses_an_id_twice_is_told_so() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "a")]);
    for id in [2, 1] {
        let heard = play.create(conn, id, 1, &[("path", "b")]);
        assert!(heard.contains(&format!(r#""varId":{id},"code":"duplicate-id""#)), "{heard}");
    }
    assert_eq!(play.listed(2)["path"], "a");
}

#[test]
fn one_tab_does_not_reach_the_variables_of_another() {
    let (mut play, _) = Play::new();
    let (first, second) = (play.join(), play.join());
    play.create(first, 5, 1, &[("path", "a")]);
    for message in [
        r#"{"type":"watch","data":{"varId":5}}"#,
        r#"{"type":"destroy","data":{"varId":5}}"#,
        r#"{"type":"update","data":{"varId":5,"value":1}}"#,
        r#"{"type":"get","data":{"varIds":[5]}}"#,
        r#"{"type":"create","data":{"id":6,"parentId":5,"properties":{"path":"x"}}}"#,
    ] {
        let heard = play.send(second, message);
        assert!(heard.contains(r#""code":"not-found""#), "{message}: {heard}");
    }
}

#[test]
fn a_closing_connection_takes_only_its_own() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "a", 1);
    play.viewdef("App.DEFAULT", "<template></template>");
    let (first, second) = (play.join(), play.join());
    for conn in [first, second] {
        play.create(conn, 2, 1, &[("path", "a")]);
        play.create(conn, 3, 2, &[("path", "b")]);
    }
    play.session.disconnect(first);
    play.run(|graph| graph.set(root, "a", 2));
    assert_eq!(play.heard.len(), 1);
    assert_eq!(
        play.heard(second),
        r#"{"type":"update","data":{"varId":2,"value":2}}"#,
        "and no view definition is sent again"
    );
    assert_eq!(play.session.len(), 3);
    play.check();
    play.session.disconnect(second);
    play.session.disconnect(second);
    play.check();
    assert!(play.session.is_empty());
    assert_eq!(play.session.connections(), 0);
}

#[test]
fn a_page_that_is_loaded_anew_gets_its_numbers_again() {
    let (mut play, _) = Play::new();
    let first = play.join();
    play.create(first, 2, 1, &[("path", "a")]);
    play.session.disconnect(first);
    let second = play.join();
    play.create(second, 2, 1, &[("path", "a")]);
    assert_eq!(play.session.var_id(second, WireId(2)), Some(VarId(2)));
}

#[test]
fn a_connection_that_is_gone_is_not_heard() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "a", 1);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "a")]);
    play.session.disconnect(conn);
    assert_eq!(play.write(conn, 2, "5"), "");
    assert_eq!(play.world.graph.get(root, "a"), 1.into());
}

#[test]
fn what_lua_made_below_a_closing_connection_goes_with_it() {
    let (mut play, _) = Play::new();
    let panel = named(&mut play.world.graph, "Panel", "x");
    let (first, second) = (play.join(), play.join());
    play.create(first, 2, 1, &[("path", "a")]);
    play.run(|graph| graph.create_variable(VarId(2), panel, &[]));
    play.send(second, r#"{"type":"watch","data":{"varId":-1}}"#);
    play.session.disconnect(first);
    play.settle();
    assert_eq!(play.heard(second), r#"{"type":"destroy","data":{"varId":-1}}"#);
    assert!(play.session.is_empty());
    play.check();
}

/// What was in a frame that never arrived is asked for again, and the watch that answers is not counted.
#[test]
fn a_slow_reader_is_told_to_ask_again_for_what_was_dropped() {
    let (mut play, root) = Play::new();
    play.viewdef("App.DEFAULT", "<template>a</template>");
    play.world.graph.set(root, "a", 1);
    play.world.graph.set(root, "b", 1);
    let conn = play.join();
    let first = play.heard[&conn].clone();
    play.create(conn, 2, 1, &[("path", "a")]);
    play.create(conn, 3, 1, &[("path", "b")]);
    play.run(|graph| graph.set(root, "a", 2));
    let second = play.heard[&conn].clone();
    play.session.dropped(conn, &first);
    play.session.dropped(conn, &second);
    play.settle();
    assert_eq!(
        play.heard(conn),
        concat!(
            r#"[{"type":"update","data":{"varId":1,"properties":{"viewdefs":"{\"App.DEFAULT\":\"<template>a</template>\"}"}}},"#,
            r#"{"type":"update","data":{"varId":1}},{"type":"update","data":{"varId":2}}]"#
        ),
        "variable 3 was not in them"
    );
    let heard = play.send(conn, r#"{"type":"watch","data":{"varId":2}}"#);
    assert_eq!(
        heard,
        r#"{"type":"update","data":{"varId":2,"value":2,"properties":{"path":"a"}}}"#
    );
    play.send(conn, r#"{"type":"unwatch","data":{"varId":2}}"#);
    play.run(|graph| graph.set(root, "a", 3));
    assert_eq!(play.heard(conn), "", "the first watch was the only one that counted");
}

#[test]
fn what_is_gone_and_what_is_wrong_is_said_again_to_a_slow_reader() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "a")]);
    play.create(conn, 3, 1, &[("path", "not a path")]);
    let first = play.heard[&conn].clone();
    play.send(conn, r#"{"type":"destroy","data":{"varId":2}}"#);
    let second = play.heard[&conn].clone();
    let told = [first.text.clone(), second.text.clone()];
    play.session.dropped(conn, &first);
    play.session.dropped(conn, &second);
    play.settle();
    assert_eq!(play.heard(conn), format!("[{},{}]", told[1], told[0]));
}

#[test]
fn actions_of_two_connections_run_in_the_order_they_arrive() {
    let (mut play, root) = Play::new();
    let (first, second) = (play.join(), play.join());
    for conn in [first, second] {
        play.create(conn, 2, 1, &[("path", "last")]);
    }
    for (conn, value) in [(first, 1), (second, 2), (first, 3)] {
        let batch = format!(r#"{{"type":"update","data":{{"varId":2,"value":{value}}}}}"#);
        play.session.receive(&mut play.world, conn, Batch::parse(&batch));
    }
    play.settle();
    assert_eq!(play.world.graph.get(root, "last"), 3.into());
    assert_eq!(play.heard(first), "", "its last word stands");
    assert_eq!(play.heard(second), r#"{"type":"update","data":{"varId":2,"value":3}}"#);
}

#[test]
fn a_slow_reader_is_not_told_that_a_number_is_gone_which_it_uses_again() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "a")]);
    play.send(conn, r#"{"type":"destroy","data":{"varId":2}}"#);
    let frame = play.heard[&conn].clone();
    play.create(conn, 2, 1, &[("path", "a")]);
    play.session.dropped(conn, &frame);
    play.settle();
    assert_eq!(play.heard(conn), "");
}
