//! Messages that mean harm get errors; nothing panics and nothing grows without bound.

use proptest::prelude::*;
use ui_core::{Batch, Limits, Message};

use crate::play::Play;

/// The codes of the errors in a frame.
fn codes(frame: &str) -> Vec<String> {
    ui_core::message::parse_frame(frame)
        .expect("what is sent can be read")
        .into_iter()
        .filter_map(|message| match message {
            Message::Error(error) => Some(error.code),
            _ => None,
        })
        .collect()
}

#[test]
fn deep_nesting_is_refused_as_unreadable() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    for text in [
        "[".repeat(100_000),
        "{\"messages\":".repeat(50_000),
        format!(
            r#"{{"type":"update","data":{{"varId":1,"value":{}1{}}}}}"#,
            "[".repeat(5000),
            "]".repeat(5000)
        ),
        format!(r#"{{"type":"x","data":{}"#, "{\"a\":".repeat(5000)),
    ] {
        assert_eq!(codes(play.send(conn, &text)), ["bad-message"]);
    }
}

#[test]
fn text_that_is_no_json_is_refused() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    for text in
        ["", " ", "null", "17", "\"x\"", "{", "[1,", "{}", r#"{"messages":1}"#, "\u{feff}{}"]
    {
        assert_eq!(codes(play.send(conn, text)), ["bad-message"], "{text:?}");
    }
}

#[test]
fn ids_out_of_range_are_refused() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    for id in ["0", "-1", "-9223372036854775808", "9223372036854775807", "9007199254740992"] {
        let create =
            format!(r#"{{"type":"create","data":{{"id":{id},"parentId":1,"properties":{{}}}}}}"#);
        assert_eq!(codes(play.send(conn, &create)), ["bad-message"], "{id}");
    }
    for id in ["9223372036854775808", "1.5", "\"2\"", "null"] {
        let create = format!(r#"{{"type":"create","data":{{"id":{id},"parentId":1}}}}"#);
        assert_eq!(codes(play.send(conn, &create)), ["bad-message"], "{id}");
    }
    let largest = r#"{"type":"create","data":{"id":9007199254740991,"parentId":1,"properties":{"path":"x"}}}"#;
    assert_eq!(codes(play.send(conn, largest)), [""; 0]);
    play.check();
}

#[test]
fn a_variable_cannot_be_its_own_parent_nor_that_of_its_parent() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    let heard = play.send(
        conn,
        r#"[{"type":"create","data":{"id":2,"parentId":2,"properties":{"path":"x"}}},
            {"type":"create","data":{"id":3,"parentId":4,"properties":{"path":"x"}}},
            {"type":"create","data":{"id":4,"parentId":3,"properties":{"path":"x"}}}]"#,
    );
    assert_eq!(codes(heard), ["not-found"; 3]);
    assert!(play.session.is_empty());
}

#[test]
fn a_chain_of_variables_ends_at_the_limit() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    let batch: Vec<String> = (2..2000)
        .map(|id| {
            let parent = id - 1;
            format!(r#"{{"type":"create","data":{{"id":{id},"parentId":{parent},"properties":{{"path":"x"}}}}}}"#)
        })
        .collect();
    let codes = codes(play.send(conn, &format!("[{}]", batch.join(","))));
    assert_eq!(codes[0], "limit");
    assert!(codes[1..].iter().all(|code| code == "not-found"));
    assert_eq!(play.session.len(), usize::from(Limits::default().depth));
    play.check();
}

#[test]
fn a_connection_has_only_so_many_variables_and_a_variable_so_many_properties() {
    let limits = Limits { variables: 10, properties: 3, ..Limits::default() };
    let (mut play, _) = Play::with_limits(limits);
    let conn = play.join();
    for id in 2..12 {
        play.create(conn, id, 1, &[("path", "x")]);
    }
    assert_eq!(codes(play.create(conn, 12, 1, &[("path", "x")])), ["limit"]);
    let other = play.join();
    assert_eq!(codes(play.create(other, 2, 1, &[("path", "x")])), [""; 0], "others have their own");
    let many = r#"{"type":"update","data":{"varId":2,"properties":{"a":"1","b":"2","c":"3"}}}"#;
    assert_eq!(codes(play.send(conn, many)), ["limit"]);
    play.send(conn, r#"{"type":"destroy","data":{"varId":5}}"#);
    assert_eq!(codes(play.create(conn, 12, 1, &[("path", "x")])), [""; 0]);
    play.check();
}

#[test]
fn a_huge_batch_is_worked_off() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "x", 1);
    let conn = play.join();
    let mut batch: Vec<String> = (2..20_002)
        .map(|id| format!(r#"{{"type":"create","data":{{"id":{id},"parentId":1,"properties":{{"path":"x"}}}}}}"#))
        .collect();
    batch.extend((2..20_002).map(|id| format!(r#"{{"type":"destroy","data":{{"varId":{id}}}}}"#)));
    let heard = play.send(conn, &format!("[{}]", batch.join(","))).to_owned();
    assert_eq!(heard.matches(r#""type":"destroy""#).count(), 20_000);
    assert_eq!(heard.matches("update").count(), 0);
    assert!(play.session.is_empty());
    play.check();
}

#[test]
fn answers_sent_by_a_browser_are_refused() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    let got = r#"{"type":"get","data":{"variables":[]}}"#;
    assert_eq!(codes(play.send(conn, got)), ["bad-message"]);
}

proptest! {
    #[test]
    fn no_text_makes_a_session_panic(text in "\\PC{0,80}") {
        let (mut play, _) = Play::new();
        let conn = play.join();
        play.send(conn, &text);
    }

    #[test]
    fn no_nearly_right_message_makes_a_session_panic(
        kind in prop::sample::select(vec!["create", "update", "watch", "unwatch", "destroy", "get", "getObjects", "error"]),
        data in "\\{(\"(id|varId|parentId|value|properties|varIds|objIds)\":(1|2|-1|null|\"x\"|\\[1,2\\]|\\{\"path\":\"x\\(\\)\"\\}),?){0,5}\\}",
    ) {
        let (mut play, _) = Play::new();
        let conn = play.join();
        play.send(conn, &format!(r#"{{"type":"{kind}","data":{data}}}"#));
        let batch = Batch::parse(&format!(r#"{{"messages":[{{"type":"{kind}","data":{data}}}]}}"#));
        prop_assert_eq!(batch.messages.len(), 1);
        play.check();
    }
}
