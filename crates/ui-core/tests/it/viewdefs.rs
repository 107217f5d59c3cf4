//! View definitions: names, lookup, and who is sent what.

use ui_core::viewdef::{BadKey, lookup};
use ui_core::{Key, Viewdef};

use crate::play::{Play, elements, named};
use crate::world::Val;

#[test]
fn the_namespace_is_what_follows_the_last_dot() {
    let key = Key::parse("Contacts.Contact.list-item").unwrap();
    assert_eq!((key.type_name(), key.namespace()), ("Contacts.Contact", "list-item"));
    assert_eq!(key.file_name(), "Contacts.Contact.list-item.html");
    assert_eq!(Key::from_file_name("Contacts.Contact.list-item.html"), Ok(key));
}

/// spec: ui 5.4
#[test]
fn names_that_could_leave_the_directory_are_refused() {
    for (type_name, namespace) in [
        ("../x", "DEFAULT"),
        ("a/b", "DEFAULT"),
        ("a\\b", "DEFAULT"),
        ("", "DEFAULT"),
        (".", "DEFAULT"),
        ("a..b", "DEFAULT"),
        (".a", "DEFAULT"),
        ("a.", "DEFAULT"),
        ("1a", "DEFAULT"),
        ("a.1", "DEFAULT"),
        ("-a", "DEFAULT"),
        ("a b", "DEFAULT"),
        ("a\0", "DEFAULT"),
        ("é", "DEFAULT"),
        ("A", ""),
        ("A", ".."),
        ("A", "x.y"),
        ("A", "x/y"),
    ] {
        assert!(Key::new(type_name, namespace).is_err(), "{type_name:?} {namespace:?}");
    }
    assert!(matches!(Key::new(&"a".repeat(200), "DEFAULT"), Err(BadKey::Long(_))));
    assert!(matches!(Key::parse("App"), Err(BadKey::NoNamespace(_))));
    assert!(matches!(Key::from_file_name("App.DEFAULT.htm"), Err(BadKey::NoHtml(_))));
    for type_name in ["App", "_x", "lua.ViewList", "My-App.Sub_1"] {
        assert!(Key::new(type_name, "0-a_B").is_ok(), "{type_name}");
    }
}

#[test]
fn a_view_looks_in_its_namespace_then_the_fallback_then_the_default() {
    let keys = |namespace, fallback| lookup("T", namespace, fallback).collect::<Vec<_>>();
    assert_eq!(keys(Some("card"), Some("list-item")), ["T.card", "T.list-item", "T.DEFAULT"]);
    assert_eq!(keys(None, Some("list-item")), ["T.list-item", "T.DEFAULT"]);
    assert_eq!(keys(Some(""), None), ["T.DEFAULT"]);
    assert_eq!(keys(Some("DEFAULT"), Some("list-item")), ["T.DEFAULT", "T.list-item"]);
    assert_eq!(keys(Some("a"), Some("a")), ["T.a", "T.DEFAULT"]);
}

#[test]
fn only_types_in_use_are_sent_once_with_all_their_namespaces_and_before_what_needs_them() {
    let (mut play, root) = Play::new();
    let graph = &mut play.world.graph;
    let ann = named(graph, "Contact", "Ann");
    let list = graph.array(elements(&[ann, ann]));
    graph.set(root, "contacts", list);
    play.viewdef("Contact.list-item", "<template>\"b\"</template>");
    play.viewdef("Contact.DEFAULT", "<template>a</template>");
    play.viewdef("Other.DEFAULT", "<template>o</template>");
    let conn = play.join();
    assert!(!play.heard(conn).contains("viewdefs"), "App has none: {}", play.heard(conn));
    play.create(conn, 2, 1, &[("path", "contacts")]);
    assert!(!play.heard(conn).contains("viewdefs"), "an array has no type");
    assert_eq!(
        play.create(conn, 3, 2, &[("path", "0")]),
        concat!(
            r#"[{"type":"update","data":{"varId":1,"properties":{"viewdefs":"#,
            r#""{\"Contact.DEFAULT\":\"<template>a</template>\",\"Contact.list-item\":\"<template>\\\"b\\\"</template>\"}"}}},"#,
            r#"{"type":"update","data":{"varId":3,"value":{"obj":3},"properties":{"type":"Contact"}}}]"#
        )
    );
    assert_eq!(
        play.create(conn, 4, 2, &[("path", "1")]),
        r#"{"type":"update","data":{"varId":4,"value":{"obj":3},"properties":{"type":"Contact"}}}"#
    );
}

/// Tells the session of a definition with this content.
fn change(play: &mut Play, key: &str, html: &str, uploaded: bool) {
    play.viewdef(key, html);
    let viewdef = Viewdef { key: Key::parse(key).expect("a key"), html: html.into() };
    play.session.viewdef_changed(&viewdef, uploaded);
    play.settle();
}

#[test]
fn a_changed_definition_goes_at_once_to_whom_it_concerns_and_only_if_its_content_is_another() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    play.world.graph.set(root, "current", ann);
    play.viewdef("Contact.DEFAULT", "a");
    let (uses, other) = (play.join(), play.join());
    play.create(uses, 2, 1, &[("path", "current")]);
    change(&mut play, "Contact.DEFAULT", "b", false);
    assert_eq!(
        play.heard(uses),
        r#"{"type":"update","data":{"varId":1,"properties":{"viewdefs":"{\"Contact.DEFAULT\":\"b\"}"}}}"#
    );
    assert_eq!(play.heard(other), "");
    change(&mut play, "Contact.DEFAULT", "b", false);
    assert_eq!(play.heard(uses), "", "the same content");
    change(&mut play, "Contact.card", "c", false);
    assert!(play.heard(uses).contains("Contact.card"), "a key that a view may be waiting for");
    play.create(other, 2, 1, &[("path", "current")]);
    let heard = play.heard(other);
    assert!(heard.contains("Contact.card") && heard.contains(r#"\"b\""#), "as it is now: {heard}");
}

/// spec: ui 5.4
#[test]
fn an_upload_is_pushed_and_every_watched_variable_of_the_type_is_to_be_asked_for_again() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    play.world.graph.set(root, "current", ann);
    play.world.graph.set(root, "n", 1);
    let (first, second) = (play.join(), play.join());
    play.create(first, 2, 1, &[("path", "current")]);
    play.create(first, 3, 1, &[("path", "n")]);
    play.create(second, 7, 1, &[("path", "current")]);
    for html in ["one", "two", "two"] {
        change(&mut play, "Contact.DEFAULT", html, true);
        let both = [(first, 2), (second, 7)];
        for (conn, id) in both {
            let empty = format!(r#"{{"type":"update","data":{{"varId":{id}}}}}"#);
            assert!(play.heard(conn).contains(&empty), "{}", play.heard(conn));
        }
        for (conn, id) in both {
            let watch = format!(r#"{{"type":"watch","data":{{"varId":{id}}}}}"#);
            let heard = play.send(conn, &watch).to_owned();
            assert!(
                heard.contains(r#""value":{"obj":3},"properties":{"type":"Contact""#),
                "{heard}"
            );
        }
    }
    change(&mut play, "Contact.DEFAULT", "three", true);
    assert_eq!(
        play.heard(first),
        concat!(
            r#"[{"type":"update","data":{"varId":1,"properties":{"viewdefs":"{\"Contact.DEFAULT\":\"three\"}"}}},"#,
            r#"{"type":"update","data":{"varId":2}}]"#
        )
    );
    play.send(first, r#"{"type":"watch","data":{"varId":2}}"#);
    play.send(first, r#"{"type":"unwatch","data":{"varId":2}}"#);
    play.run(|graph| graph.set(root, "current", Val::Nil));
    assert_eq!(play.heard(first), "", "watches that answer the server are not counted");
}

#[test]
fn a_new_root_brings_its_type_and_its_views() {
    let (mut play, _) = Play::new();
    play.viewdef("Next.DEFAULT", "n");
    let conn = play.join();
    play.run(|graph| {
        let next = graph.object(Some("Next"));
        graph.held.insert(ui_core::VarId::ROOT, Val::Obj(next));
        let properties = vec![("mood".to_owned(), "new".to_owned())];
        graph.requests.push(ui_core::world::Request::Root { properties });
    });
    assert_eq!(
        play.heard(conn),
        concat!(
            r#"[{"type":"update","data":{"varId":1,"properties":{"viewdefs":"{\"Next.DEFAULT\":\"n\"}"}}},"#,
            r#"{"type":"update","data":{"varId":1,"value":{"obj":3},"properties":{"type":"Next","mood":"new"}}}]"#
        )
    );
}
