//! Writes through a path.

use ui_core::{Code, Failure, Value};

use crate::play::{Play, named};
use crate::world::Val;

/// A connection with variable 2 on `path`.
fn bound(play: &mut Play, path: &str, access: &str) -> ui_core::ConnId {
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", path), ("access", access)]);
    conn
}

#[test]
fn the_writer_is_not_told_what_it_wrote_and_all_others_are() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "name", "Ann");
    let conn = bound(&mut play, "name", "rw");
    play.create(conn, 3, 1, &[("path", "name")]);
    let other = play.join();
    play.create(other, 2, 1, &[("path", "name")]);
    assert_eq!(
        play.write(conn, 2, r#""Bob""#),
        r#"{"type":"update","data":{"varId":3,"value":"Bob"}}"#
    );
    assert_eq!(play.heard(other), r#"{"type":"update","data":{"varId":2,"value":"Bob"}}"#);
    assert_eq!(play.world.graph.get(root, "name"), "Bob".into());
    assert_eq!(play.listed(2)["value"], "Bob");
}

#[test]
fn a_setter_that_normalises_is_told_to_the_writer() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "name", "ann");
    play.world.graph.method(root, "title", |graph, app, value| {
        if let Val::Plain(Value::Text(text)) = &value {
            graph.set(app, "name", text.to_lowercase().as_str());
        }
        Ok(graph.get(app, "name"))
    });
    let conn = bound(&mut play, "title()", "rw");
    assert_eq!(play.write(conn, 2, r#""bob""#), "", "as it was written");
    assert_eq!(
        play.write(conn, 2, r#""BOB""#),
        r#"{"type":"update","data":{"varId":2,"value":"bob"}}"#,
        "even if it is the value from before"
    );
    assert_eq!(
        play.write(conn, 2, r#""CEM""#),
        r#"{"type":"update","data":{"varId":2,"value":"cem"}}"#
    );
}

#[test]
fn a_method_is_called_as_path_and_access_say() {
    let (mut play, root) = Play::new();
    let record = |graph: &mut crate::world::Graph, app, value: Val| {
        graph.set(app, "got", value);
        Ok(Val::Nil)
    };
    play.world.graph.method(root, "f", record);
    let conn = play.join();
    for (id, path, access, got) in [
        (2, "f()", "rw", Val::from(7)),
        (3, "f()", "action", Val::Nil),
        (4, "f(_)", "w", Val::from(7)),
        (5, "f(_)", "action", Val::from(7)),
        (6, "got", "rw", Val::from(7)),
        (7, "got", "action", Val::from(7)),
    ] {
        play.create(conn, id, 1, &[("path", path), ("access", access), ("inactive", "1")]);
        play.world.graph.set(root, "got", "nothing");
        play.write(conn, id, "7.0");
        assert_eq!(play.world.graph.get(root, "got"), got, "{path} {access}");
    }
}

#[test]
fn a_reference_that_is_written_becomes_that_object() {
    let (mut play, root) = Play::new();
    let bob = named(&mut play.world.graph, "Contact", "Bob");
    let conn = bound(&mut play, "current", "rw");
    assert_eq!(
        play.write(conn, 2, r#"{"obj":3}"#),
        r#"{"type":"update","data":{"varId":2,"properties":{"type":"Contact"}}}"#,
        "the value is known to the writer, the type is news"
    );
    assert_eq!(play.world.graph.get(root, "current"), Val::Obj(bob));
    let heard = play.write(conn, 2, r#"{"obj":99}"#);
    assert!(heard.contains(r#""varId":2,"code":"not-found""#), "{heard}");
}

#[test]
fn writing_through_nil_is_a_path_failure() {
    let (mut play, _) = Play::new();
    let conn = bound(&mut play, "current.name", "rw");
    let heard = play.write(conn, 2, "1");
    assert!(
        heard.starts_with(r#"{"type":"error","data":{"varId":2,"code":"path-failure""#),
        "{heard}"
    );
}

#[test]
fn what_is_read_only_is_not_written() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "name", "Ann");
    let conn = bound(&mut play, "name", "r");
    for (id, path) in [(3, ".."), (4, "@app")] {
        play.create(conn, id, 1, &[("path", path)]);
    }
    for id in [2, 3, 4, 1] {
        let heard = play.write(conn, id, "1");
        assert!(heard.contains(&format!(r#""varId":{id},"code":"bad-access""#)), "{heard}");
    }
    assert_eq!(play.world.graph.get(root, "name"), "Ann".into());
}

#[test]
fn an_error_of_a_write_lasts_until_one_succeeds_and_then_the_value_is_told() {
    let (mut play, root) = Play::new();
    play.world.graph.method(root, "age", |graph, app, value| match value {
        Val::Nil => Ok(graph.get(app, "years")),
        Val::Plain(Value::Int(_)) => {
            graph.set(app, "years", value);
            Ok(Val::Nil)
        }
        _ => Err(Failure::new(Code::LuaError, "app.lua:9: a number, please")),
    });
    let conn = bound(&mut play, "age()", "rw");
    assert_eq!(
        play.write(conn, 2, r#""old""#),
        r#"{"type":"error","data":{"varId":2,"code":"lua-error","description":"app.lua:9: a number, please"}}"#,
        "what the person typed stays for mending"
    );
    play.settle();
    assert_eq!(play.listed(2)["error"], "lua-error: app.lua:9: a number, please");
    assert_eq!(
        play.write(conn, 2, "40"),
        r#"{"type":"update","data":{"varId":2,"value":40}}"#,
        "told, so that the mark goes"
    );
    assert_eq!(play.listed(2).get("error"), None);
    play.write(conn, 2, r#""old""#);
    play.run(|graph| graph.set(root, "years", 41));
    assert_eq!(play.heard(conn), r#"{"type":"update","data":{"varId":2,"value":41}}"#);
    assert_eq!(play.listed(2).get("error"), None, "a new value ends it too");
}

#[test]
fn an_action_in_the_batch_that_makes_its_view_finds_its_object() {
    let (mut play, root) = Play::new();
    let form = named(&mut play.world.graph, "Form", "x");
    play.world.graph.set(root, "form", form);
    play.world.graph.method(form, "save", |graph, form, _| {
        graph.set(form, "saved", true);
        Ok(Val::Nil)
    });
    let conn = play.join();
    play.send(
        conn,
        r#"[{"type":"create","data":{"id":2,"parentId":1,"properties":{"path":"form"}}},
            {"type":"create","data":{"id":3,"parentId":2,"properties":{"path":"save()","access":"action"}}},
            {"type":"update","data":{"varId":3,"value":null}}]"#,
    );
    assert_eq!(play.world.graph.get(form, "saved"), true.into());
}

#[test]
fn a_value_given_at_creation_is_written() {
    let (mut play, root) = Play::new();
    let conn = play.join();
    let create = r#"{"type":"create","data":{"id":2,"parentId":1,"properties":{"path":"name"},"value":"Ann"}}"#;
    assert_eq!(play.send(conn, create), "", "and its writer knows it");
    assert_eq!(play.world.graph.get(root, "name"), "Ann".into());
    let create = r#"{"type":"create","data":{"id":3,"parentId":1,"properties":{"path":"name"},"value":null}}"#;
    play.send(conn, create);
    assert_eq!(play.world.graph.get(root, "name"), "Ann".into(), "null says nothing here");
}

#[test]
fn an_unbound_variable_keeps_what_is_written_to_it() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    let create = r#"{"type":"create","data":{"id":2,"parentId":1,"properties":{"path":"name"},"unbound":true}}"#;
    assert_eq!(play.send(conn, create), r#"{"type":"update","data":{"varId":2,"value":null}}"#);
    assert_eq!(play.write(conn, 2, "[1,2]"), "");
    assert_eq!(play.listed(2)["value"], serde_json::json!([1, 2]));
    assert_eq!(
        play.create(conn, 3, 2, &[("path", "1")]),
        r#"{"type":"update","data":{"varId":3,"value":2}}"#
    );
}

#[test]
fn an_action_may_destroy_the_variable_it_was_called_through() {
    let (mut play, root) = Play::new();
    play.world.graph.method(root, "close", |graph, _, _| {
        graph.requests.push(ui_core::world::Request::Destroy { id: ui_core::VarId(2) });
        Ok(Val::Nil)
    });
    let conn = bound(&mut play, "close()", "action");
    assert_eq!(play.write(conn, 2, "null"), r#"{"type":"destroy","data":{"varId":2}}"#);
    play.check();
}
