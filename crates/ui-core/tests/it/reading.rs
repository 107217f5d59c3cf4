//! Change detection: what is read, and what is told of it.

use ui_core::{Code, Failure, Limits, Value};

use crate::play::{Play, elements, named};
use crate::world::Val;

#[test]
fn assigning_another_object_is_a_change_and_changing_a_field_of_it_is_one_of_the_field() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    let bob = named(&mut play.world.graph, "Contact", "Bob");
    play.world.graph.set(root, "current", ann);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "current")]);
    play.create(conn, 3, 2, &[("path", "name")]);
    play.run(|graph| graph.set(ann, "name", "Anna"));
    assert_eq!(play.heard(conn), r#"{"type":"update","data":{"varId":3,"value":"Anna"}}"#);
    play.run(|graph| graph.set(root, "current", bob));
    assert_eq!(
        play.heard(conn),
        concat!(
            r#"[{"type":"update","data":{"varId":2,"value":{"obj":4}}},"#,
            r#"{"type":"update","data":{"varId":3,"value":"Bob"}}]"#
        )
    );
}

#[test]
fn appending_to_an_array_is_a_change_of_it() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    let list = play.world.graph.array(elements(&[ann]));
    play.world.graph.set(root, "contacts", list);
    let conn = play.join();
    assert_eq!(
        play.create(conn, 2, 1, &[("path", "contacts")]),
        r#"{"type":"update","data":{"varId":2,"value":[{"obj":3}]}}"#
    );
    play.run(|graph| graph.at(list).items.push(Val::Obj(ann)));
    assert_eq!(
        play.heard(conn),
        r#"{"type":"update","data":{"varId":2,"value":[{"obj":3},{"obj":3}]}}"#
    );
}

#[test]
fn the_type_comes_with_an_object_and_goes_with_it() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    play.world.graph.set(root, "current", ann);
    let conn = play.join();
    assert_eq!(
        play.create(conn, 2, 1, &[("path", "current")]),
        r#"{"type":"update","data":{"varId":2,"value":{"obj":3},"properties":{"type":"Contact"}}}"#
    );
    play.run(|graph| graph.set(root, "current", "nobody"));
    assert_eq!(
        play.heard(conn),
        r#"{"type":"update","data":{"varId":2,"value":"nobody","properties":{"type":""}}}"#
    );
}

#[test]
fn nil_on_the_way_gives_null_which_is_sent() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    play.world.graph.set(root, "current", ann);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "current.name")]);
    play.run(|graph| graph.set(root, "current", Val::Nil));
    assert_eq!(play.heard(conn), r#"{"type":"update","data":{"varId":2,"value":null}}"#);
    assert_eq!(
        play.create(conn, 3, 1, &[("path", "nothing.at.all")]),
        r#"{"type":"update","data":{"varId":3,"value":null}}"#,
        "a new variable is answered even if it shows nothing"
    );
}

#[test]
fn two_dots_and_app_reach_the_enclosing_object_and_the_root() {
    let (mut play, root) = Play::new();
    let graph = &mut play.world.graph;
    graph.set(root, "title", "Book");
    let ann = named(graph, "Contact", "Ann");
    let home = named(graph, "Address", "Home");
    graph.set(root, "current", ann);
    graph.set(ann, "address", home);
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "current")]);
    play.create(conn, 3, 2, &[("path", "address")]);
    for (id, path, value) in [
        (4, "../name", "Ann"),
        (5, "...name", "Ann"),
        (6, "../../title", "Book"),
        (7, "@app.title", "Book"),
    ] {
        assert_eq!(
            play.create(conn, id, 3, &[("path", path)]),
            format!(r#"{{"type":"update","data":{{"varId":{id},"value":"{value}"}}}}"#)
        );
    }
    assert!(play.create(conn, 8, 3, &[("path", "..")]).contains(r#""value":{"obj":3}"#));
    assert!(play.create(conn, 9, 1, &[("path", "../x")]).contains(r#""value":null"#));
}

#[test]
fn an_error_while_reading_is_sent_once_and_the_last_value_stays() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "broken", false);
    play.world.graph.method(root, "total", |graph, app, _| match graph.get(app, "broken") {
        Val::Plain(Value::Bool(true)) => {
            Err(Failure::new(Code::LuaError, "app.lua:3: attempt to index a nil value"))
        }
        _ => Ok(42.into()),
    });
    play.world.graph.set(root, "name", "x");
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "total()"), ("access", "r")]);
    play.create(conn, 3, 1, &[("path", "name")]);
    play.run(|graph| {
        graph.set(root, "broken", true);
        graph.set(root, "name", "y");
    });
    assert_eq!(
        play.heard(conn),
        concat!(
            r#"[{"type":"update","data":{"varId":3,"value":"y"}},"#,
            r#"{"type":"error","data":{"varId":2,"code":"lua-error","description":"app.lua:3: attempt to index a nil value"}}]"#
        ),
        "the walk goes on"
    );
    assert_eq!(play.listed(2)["value"], 42);
    assert_eq!(play.listed(2)["error"], "lua-error: app.lua:3: attempt to index a nil value");
    play.settle();
    assert_eq!(play.heard(conn), "", "once");
    play.run(|graph| graph.set(root, "broken", false));
    assert_eq!(
        play.heard(conn),
        r#"{"type":"update","data":{"varId":2,"value":42}}"#,
        "told again, though it is the old value, so that the error is taken off"
    );
    assert_eq!(play.listed(2).get("error"), None);
}

#[test]
fn variables_that_are_only_written_or_called_are_never_read() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "name", "x");
    play.world.graph.method(root, "go", |_, _, _| panic!("called by a walk"));
    let conn = play.join();
    assert_eq!(play.create(conn, 2, 1, &[("path", "name"), ("access", "w")]), "");
    assert_eq!(play.create(conn, 3, 1, &[("path", "go()"), ("access", "action")]), "");
    play.run(|graph| graph.set(root, "name", "y"));
    assert_eq!(play.heard(conn), "");
    assert_eq!(
        play.create(conn, 5, 2, &[("path", "../name")]),
        r#"{"type":"update","data":{"varId":5,"value":"y"}}"#,
        "their children are visited"
    );
}

#[test]
fn a_getter_that_changes_what_was_visited_is_walked_again_if_a_wrapper_did_it() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    let list = play.world.graph.array(elements(&[ann]));
    play.world.graph.set(root, "contacts", list);
    let conn = play.join();
    let before = play.world.walks;
    play.create(conn, 2, 1, &[("path", "contacts"), ("wrapper", "lua.ViewList")]);
    assert_eq!(play.world.walks - before, 2);
    assert!(!play.restless);
    let before = play.world.walks;
    play.settle();
    assert_eq!(play.world.walks - before, 1, "at rest one walk is enough");
}

#[test]
fn walks_that_never_come_to_rest_are_given_up_after_four() {
    let (mut play, root) = Play::new();
    play.world.graph.method(root, "grow", |graph, app, _| {
        let next = graph.object(None);
        graph.set(app, "last", next);
        let array = graph.array([Val::Obj(next)]);
        Ok(Val::Obj(array))
    });
    let conn = play.join();
    let before = play.world.walks;
    let heard = play
        .create(conn, 2, 1, &[("path", "grow()"), ("wrapper", "lua.ViewList"), ("access", "r")])
        .to_owned();
    assert_eq!(play.world.walks - before, usize::from(Limits::default().passes));
    assert!(play.restless);
    assert!(heard.contains(r#""type":"lua.ViewList""#), "what is known is sent: {heard}");
}

#[test]
fn a_variable_of_lua_is_read_in_the_walk_that_made_it() {
    let (mut play, root) = Play::new();
    let panel = named(&mut play.world.graph, "Panel", "side");
    play.world.graph.method(root, "open", move |graph, _, _| {
        graph.create_variable(ui_core::VarId::ROOT, panel, &[("kind", "side")]);
        Ok(Val::Nil)
    });
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "open()"), ("access", "action")]);
    let heard = play
        .send(
            conn,
            r#"[{"type":"update","data":{"varId":2,"value":null}},{"type":"watch","data":{"varId":-1}}]"#,
        )
        .to_owned();
    assert_eq!(
        heard,
        r#"{"type":"update","data":{"varId":-1,"value":{"obj":3},"properties":{"type":"Panel","kind":"side"}}}"#
    );
    play.check();
}

#[test]
fn a_variable_of_lua_below_nothing_is_refused() {
    let (mut play, _) = Play::new();
    let panel = named(&mut play.world.graph, "Panel", "side");
    play.run(|graph| graph.create_variable(ui_core::VarId(77), panel, &[]));
    assert_eq!(play.world.refused.len(), 1);
    assert_eq!(play.world.refused[0].1.code, Code::NotFound);
    assert!(play.world.graph.held.len() == 1, "nothing is kept for it");
}

#[test]
fn lua_too_has_only_so_many_variables() {
    let (mut play, _) = Play::with_limits(Limits { variables: 2, ..Limits::default() });
    let panel = named(&mut play.world.graph, "Panel", "side");
    let ids =
        play.run(|graph| [(); 3].map(|()| graph.create_variable(ui_core::VarId::ROOT, panel, &[])));
    assert_eq!(play.world.refused.len(), 1);
    assert_eq!((play.world.refused[0].0, play.world.refused[0].1.code), (ids[2], Code::Limit));
    play.run(|graph| graph.requests.push(ui_core::world::Request::Destroy { id: ids[0] }));
    play.run(|graph| graph.create_variable(ui_core::VarId::ROOT, panel, &[]));
    assert_eq!(play.world.refused.len(), 1, "one that is gone makes room");
    play.check();
}

#[test]
fn the_last_notes_on_a_variable_are_listed() {
    let (mut play, _) = Play::new();
    play.run(|graph| {
        graph.requests.extend((0..20).map(|at| ui_core::world::Request::Note {
            id: ui_core::VarId::ROOT,
            text: format!("note {at}"),
        }));
    });
    let notes = play.listed(1)["notes"].clone();
    assert_eq!(notes.as_array().map(Vec::len), Some(8));
    assert_eq!(notes[7], "note 19");
}

#[test]
fn whoever_asks_for_a_variable_hears_what_is_wrong_with_it_too() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "broken", true);
    play.world.graph.method(root, "total", |graph, app, _| match graph.get(app, "broken") {
        Val::Plain(Value::Bool(true)) => Err(Failure::new(Code::LuaError, "no total")),
        _ => Ok(42.into()),
    });
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "total()"), ("access", "r")]);
    let watch = r#"{"type":"watch","data":{"varId":2}}"#;
    let properties = r#""properties":{"path":"total()","access":"r"}"#;
    assert_eq!(
        play.send(conn, watch),
        format!(
            r#"[{{"type":"update","data":{{"varId":2,"value":null,{properties}}}}},{{"type":"error","data":{{"varId":2,"code":"lua-error","description":"no total"}}}}]"#
        )
    );
    play.world.graph.set(root, "broken", false);
    assert_eq!(
        play.send(conn, watch),
        format!(r#"{{"type":"update","data":{{"varId":2,"value":42,{properties}}}}}"#)
    );
}
