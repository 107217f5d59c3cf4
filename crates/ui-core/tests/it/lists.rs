//! Wrappers, as far as the engine has to do with them.

use ui_core::Slot;

use crate::play::{Play, elements, named};
use crate::world::Val;

/// A session with three contacts, and variable 2 a list of them.
fn contacts() -> (Play, ui_core::ConnId, ui_core::ObjId) {
    let (mut play, root) = Play::new();
    let graph = &mut play.world.graph;
    let contacts = ["Ann", "Bob"].map(|name| named(graph, "Contact", name));
    let list = graph.array(elements(&contacts));
    graph.set(root, "contacts", list);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "contacts?wrapper=lua.ViewList&itemWrapper=Row")]);
    (play, conn, root)
}

#[test]
fn children_start_from_the_wrapper() {
    let (mut play, conn, _) = contacts();
    let heard = play.create(conn, 3, 2, &[("path", "items")]).to_owned();
    assert!(heard.contains(r#""value":[{"obj":"#), "{heard}");
    assert_eq!(
        play.create(conn, 4, 3, &[("path", "1.item.name")]),
        r#"{"type":"update","data":{"varId":4,"value":"Bob"}}"#
    );
}

#[test]
fn a_wrapper_reads_the_properties_of_its_variable_as_they_are_now() {
    let (mut play, conn, _) = contacts();
    let slot = Slot(1);
    assert_eq!(play.world.property(slot, "itemWrapper"), Some("Row"));
    assert_eq!(play.world.property(slot, "fallbackNamespace"), Some("list-item"));
    play.send(
        conn,
        r#"{"type":"update","data":{"varId":2,"properties":{"itemWrapper":"","shade:low":"1"}}}"#,
    );
    assert_eq!(play.world.property(slot, "itemWrapper"), Some(""));
    assert_eq!(play.world.property(slot, "shade"), Some("1"));
}

#[test]
fn the_wrapper_is_done_with_when_the_value_or_the_variable_goes() {
    let (mut play, conn, root) = contacts();
    play.run(|graph| graph.set(root, "contacts", Val::Nil));
    assert_eq!(
        play.heard(conn),
        r#"{"type":"update","data":{"varId":2,"value":null,"properties":{"type":""}}}"#
    );
    assert_eq!(play.world.wrappers_done.len(), 1);
    let (mut play, conn, _) = contacts();
    play.send(conn, r#"{"type":"destroy","data":{"varId":2}}"#);
    assert_eq!(play.world.wrappers_done.len(), 1);
    let (mut play, conn, _) = contacts();
    play.session.disconnect(conn);
    play.settle();
    assert_eq!(play.world.wrappers_done.len(), 1);
}
