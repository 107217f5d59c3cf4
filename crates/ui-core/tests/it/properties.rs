//! Properties that have a meaning.

use crate::play::{Play, named};

#[test]
fn a_suffix_sets_the_priority_of_a_property_and_is_not_sent() {
    let (mut play, root) = Play::new();
    let (a, b) = (play.join(), play.join());
    let object = named(&mut play.world.graph, "Panel", "x");
    play.world.graph.set(root, "panel", object);
    let id = play.run(|graph| graph.create_variable(ui_core::VarId::ROOT, object, &[]));
    for conn in [a, b] {
        play.send(conn, r#"{"type":"watch","data":{"varId":-1}}"#);
    }
    assert_eq!(id.0, -1);
    let heard = play
        .send(
            a,
            r#"{"type":"update","data":{"varId":-1,"properties":{"late:low":"1","soon:high":"2","then":"3"}}}"#,
        )
        .to_owned();
    assert_eq!(heard, "", "the writer knows");
    assert_eq!(
        play.heard(b),
        concat!(
            r#"[{"type":"update","data":{"varId":-1,"properties":{"soon":"2"}}},"#,
            r#"{"type":"update","data":{"varId":-1,"properties":{"then":"3"}}},"#,
            r#"{"type":"update","data":{"varId":-1,"properties":{"late":"1"}}}]"#
        )
    );
}

#[test]
fn an_empty_text_unsets_a_property() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "name"), ("label", "x")]);
    assert_eq!(play.listed(2)["properties"]["label"], "x");
    play.send(conn, r#"{"type":"update","data":{"varId":2,"properties":{"label":""}}}"#);
    assert_eq!(play.listed(2)["properties"].get("label"), None);
}

#[test]
fn parameters_of_a_path_are_properties_unless_said_otherwise() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    play.create(conn, 2, 1, &[("path", "name?access=r&hint=x&item=T"), ("hint", "y")]);
    let properties = play.listed(2)["properties"].clone();
    assert_eq!(properties["access"], "r");
    assert_eq!(properties["hint"], "y");
    assert_eq!(properties["item"], "T");
    let heard = play.write(conn, 2, "1");
    assert!(heard.contains("bad-access"), "{heard}");
}

#[test]
fn a_wrong_access_is_an_error_of_that_variable_alone() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "name", "Ann");
    let conn = play.join();
    for (path, access, fits) in [
        ("name", "rw", true),
        ("name", "action", true),
        ("f()", "r", true),
        ("f()", "rw", true),
        ("f()", "action", true),
        ("f()", "w", false),
        ("f(_)", "w", true),
        ("f(_)", "action", true),
        ("f(_)", "r", false),
        ("f(_)", "rw", false),
        ("f(_)", "", false),
        ("name", "read", false),
    ] {
        let heard = play.send(
            conn,
            &format!(
                r#"[{{"type":"create","data":{{"id":2,"parentId":1,"properties":{{"path":"{path}","access":"{access}"}}}}}},
                {{"type":"create","data":{{"id":3,"parentId":1,"properties":{{"path":"name"}}}}}}]"#
            ),
        );
        assert_eq!(
            heard.contains(r#""varId":2,"code":"bad-access""#),
            !fits,
            "{path} {access}: {heard}"
        );
        assert!(heard.contains(r#"{"varId":3,"value":"Ann"}"#), "the other is well: {heard}");
        play.send(
            conn,
            r#"[{"type":"destroy","data":{"varId":2}},{"type":"destroy","data":{"varId":3}}]"#,
        );
    }
}

#[test]
fn a_bad_path_is_mended_by_a_better_one() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "name", "Ann");
    let conn = play.join();
    let heard = play.create(conn, 2, 1, &[("path", "name ..")]);
    assert!(heard.starts_with(r#"{"type":"error","data":{"varId":2,"code":"bad-path""#), "{heard}");
    let heard = play.write(conn, 2, r#""Bob""#);
    assert!(heard.contains("bad-path"), "it cannot be written either: {heard}");
    assert_eq!(
        play.send(conn, r#"{"type":"update","data":{"varId":2,"properties":{"path":"name"}}}"#),
        r#"{"type":"update","data":{"varId":2,"value":"Ann"}}"#
    );
    assert_eq!(play.listed(2).get("error"), None);
}

#[test]
fn an_unknown_priority_is_an_error_and_a_known_one_orders_the_values() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "x", 1);
    let conn = play.join();
    let create = |id: i64, priority: &str| {
        format!(
            r#"{{"type":"create","data":{{"id":{id},"parentId":1,"properties":{{"path":"x","priority":"{priority}"}}}}}}"#
        )
    };
    let batch =
        [create(2, "low"), create(3, "medium"), create(4, "high"), create(5, "med"), create(6, "")];
    let heard = play.send(conn, &format!("[{}]", batch.join(",")));
    let order: Vec<i64> = ui_core::message::parse_frame(heard)
        .unwrap()
        .into_iter()
        .map(|message| match message {
            ui_core::Message::Update(update) => update.var_id.0,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(order, [4, 3, 5, 6, 2]);
    let heard = play.send(conn, &create(7, "urgent"));
    assert!(heard.contains(r#""varId":7,"code":"bad-message""#), "{heard}");
}

#[test]
fn what_only_the_server_sets_is_passed_over_when_a_browser_sends_it() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "x", 1);
    let conn = play.join();
    assert_eq!(
        play.create(conn, 2, 1, &[("path", "x"), ("type", "Evil"), ("viewdefs", "{}")]),
        r#"{"type":"update","data":{"varId":2,"value":1}}"#
    );
    assert_eq!(play.listed(2)["properties"], serde_json::json!({"path": "x"}));
}

#[test]
fn a_browser_cannot_silence_what_all_share() {
    let (mut play, root) = Play::new();
    let (a, b) = (play.join(), play.join());
    let heard = play
        .send(a, r#"{"type":"update","data":{"varId":1,"properties":{"inactive":"1","elementId":"ui-1"}}}"#)
        .to_owned();
    assert!(heard.contains(r#""varId":1,"code":"bad-access""#), "{heard}");
    assert_eq!(play.listed(1)["properties"]["elementId"], "ui-1", "the rest is set");
    play.run(|graph| graph.at(root).type_name = Some("Other".into()));
    assert!(play.heard(b).contains(r#""type":"Other""#), "{}", play.heard(b));
}
