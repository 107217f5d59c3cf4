//! The worked exchange of the protocol, word for word.

use ui_core::ConnId;

use crate::play::{Play, elements, named};
use crate::world::Val;

/// An app with a counter, a method that counts, and three contacts. Its objects take the ids 2 to 6.
fn counter_app() -> (Play, ConnId) {
    let (mut play, root) = Play::new();
    let graph = &mut play.world.graph;
    graph.set(root, "count", 0);
    graph.method(root, "inc", |graph, app, _| {
        let Val::Plain(ui_core::Value::Int(count)) = graph.get(app, "count") else { panic!() };
        graph.set(app, "count", count + 1);
        Ok(Val::Nil)
    });
    let contacts = ["Ann", "Bob", "Cem"].map(|name| named(graph, "Contact", name));
    let contacts = graph.array(elements(&contacts));
    graph.set(root, "contacts", contacts);
    play.viewdef("App.DEFAULT", "<template>...</template>");
    let conn = play.session.connect();
    (play, conn)
}

#[test]
fn the_worked_exchange_happens_word_for_word() {
    let (mut play, conn) = counter_app();
    assert_eq!(
        play.send(conn, r#"{"userEvent":false,"messages":[{"type":"watch","data":{"varId":1}}]}"#),
        concat!(
            r#"[{"type":"update","data":{"varId":1,"properties":{"viewdefs":"#,
            r#""{\"App.DEFAULT\":\"<template>...</template>\"}"}}},"#,
            r#"{"type":"update","data":{"varId":1,"value":{"obj":2},"properties":{"type":"App"}}}]"#
        )
    );
    assert_eq!(
        play.send(
            conn,
            r#"{"userEvent":true,"messages":[
              {"type":"create","data":{"id":2,"parentId":1,"properties":{"path":"count"}}},
              {"type":"create","data":{"id":3,"parentId":1,"properties":{"path":"inc()","access":"action"}}},
              {"type":"create","data":{"id":4,"parentId":1,"properties":{"path":"contacts","wrapper":"lua.ViewList","access":"r"}}}]}"#
        ),
        concat!(
            r#"[{"type":"update","data":{"varId":4,"properties":{"fallbackNamespace":"list-item"}}},"#,
            r#"{"type":"update","data":{"varId":2,"value":0}},"#,
            r#"{"type":"update","data":{"varId":4,"value":{"obj":7},"properties":{"type":"lua.ViewList"}}}]"#
        )
    );
    assert_eq!(
        play.send(
            conn,
            r#"{"userEvent":true,"messages":[{"type":"update","data":{"varId":3,"value":null}}]}"#
        ),
        r#"{"type":"update","data":{"varId":2,"value":1}}"#
    );
}

/// The same as it is written down for others who implement `World`.
#[test]
fn the_worked_exchange_can_be_played() {
    let (play, _) = counter_app();
    crate::exchanges::play(include_str!("../exchanges/worked.txt"), play.world, |_, _| {});
}

/// spec: ui 8.2
#[test]
fn the_variables_are_listed_parents_first_with_all_their_fields() {
    let (mut play, conn) = counter_app();
    play.send(conn, r#"{"type":"watch","data":{"varId":1}}"#);
    play.create(conn, 2, 1, &[("path", "contacts.0"), ("access", "r")]);
    play.create(conn, 3, 2, &[("path", "name"), ("elementId", "ui-7")]);
    play.write(conn, 3, r#""Eve""#);
    play.create(conn, 4, 1, &[("path", "count + 1")]);
    assert_eq!(
        play.listing(),
        serde_json::json!([
            {"id": 1, "parentId": 0, "type": "App", "value": {"obj": 2},
             "properties": {"type": "App"}, "childIds": [2, 4], "changeCount": 1},
            {"id": 2, "parentId": 1, "type": "Contact", "path": "contacts.0", "value": {"obj": 3},
             "properties": {"type": "Contact", "path": "contacts.0", "access": "r"}, "childIds": [3], "changeCount": 1},
            {"id": 3, "parentId": 2, "path": "name", "value": "Eve",
             "properties": {"path": "name", "elementId": "ui-7"}, "childIds": [], "changeCount": 2},
            {"id": 4, "parentId": 1, "path": "count + 1", "value": null,
             "properties": {"path": "count + 1"}, "childIds": [], "changeCount": 0,
             "error": "bad-path: `count + 1` is no path: ` ` has no place in a path: compute it in a method, `name()`, at character 6"},
        ])
    );
    assert_eq!(play.session.change_count(), 4);
}
