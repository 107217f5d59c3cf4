//! Batches: their shapes, messages that cannot be read, the order of what is sent.

use ui_core::message::{Batch, parse_frame};
use ui_core::{Message, Value, WireId};

use crate::play::{Play, named};

#[test]
fn a_bare_message_and_a_bare_array_are_batches_too() {
    let watch = r#"{"type":"watch","data":{"varId":1}}"#;
    for (text, user_event, messages) in [
        (watch.to_owned(), false, 1),
        (format!("[{watch},{watch}]"), false, 2),
        (format!(r#"{{"messages":[{watch}]}}"#), false, 1),
        (format!(r#"{{"userEvent":true,"messages":[{watch}],"extra":1}}"#), true, 1),
        (r#"{"userEvent":null,"messages":[]}"#.to_owned(), false, 0),
    ] {
        let batch = Batch::parse(&text);
        assert_eq!((batch.user_event, batch.messages.len()), (user_event, messages), "{text}");
        assert!(batch.messages.iter().all(Result::is_ok), "{batch:?}");
    }
}

#[test]
fn each_message_of_a_batch_stands_alone() {
    let (mut play, root) = Play::new();
    play.world.graph.set(root, "n", 1);
    let conn = play.join();
    let heard = play.send(
        conn,
        r#"{"userEvent":true,"messages":[
            {"type":"dance","data":{"varId":7}},
            {"type":"create","data":{"id":"x"}},
            {"type":"update","data":{"varId":8,"value":1}},
            {"data":{}},
            17,
            {"type":"create","data":{"id":2,"parentId":1,"properties":{"path":"n"},"colour":"red"},"mood":1}]}"#,
    );
    let told: Vec<(i64, String)> = parse_frame(heard)
        .unwrap()
        .into_iter()
        .map(|message| match message {
            Message::Update(update) => (update.var_id.0, "update".to_owned()),
            Message::Error(error) => (error.var_id.0, error.code),
            other => panic!("{other:?}"),
        })
        .collect();
    let bad = |id: i64| (id, "bad-message".to_owned());
    assert_eq!(
        told,
        [(2, "update".to_owned()), bad(7), bad(0), (8, "not-found".to_owned()), bad(0), bad(0)]
    );
}

#[test]
fn null_and_absent_are_told_apart() {
    let value = |text: &str| match Message::parse(text) {
        Ok(Message::Update(update)) => update.value,
        other => panic!("{other:?}"),
    };
    assert_eq!(value(r#"{"type":"update","data":{"varId":2}}"#), None);
    assert_eq!(value(r#"{"type":"update","data":{"varId":2,"value":null}}"#), Some(Value::Null));
}

#[test]
fn every_message_is_read_as_it_was_written() {
    for text in [
        r#"{"type":"create","data":{"id":2,"parentId":1,"properties":{"path":"n"},"value":1,"nowatch":true,"unbound":true}}"#,
        r#"{"type":"update","data":{"varId":2,"value":[{"obj":3}],"properties":{"type":""}}}"#,
        r#"{"type":"watch","data":{"varId":1}}"#,
        r#"{"type":"unwatch","data":{"varId":1}}"#,
        r#"{"type":"destroy","data":{"varId":-1}}"#,
        r#"{"type":"error","data":{"varId":2,"code":"lua-error","description":"x"}}"#,
        r#"{"type":"get","data":{"varIds":[1,2]}}"#,
        r#"{"type":"get","data":{"variables":[{"id":1,"value":null,"properties":{}}]}}"#,
        r#"{"type":"getObjects","data":{"objIds":[2]}}"#,
        r#"{"type":"getObjects","data":{"objects":[{"obj":2,"value":{"name":"x"}}]}}"#,
    ] {
        let message = Message::parse(text).unwrap();
        assert_eq!(serde_json::to_string(&message).unwrap(), text);
    }
}

#[test]
fn parents_come_before_children_and_then_ids_in_order() {
    let (mut play, root) = Play::new();
    let ann = named(&mut play.world.graph, "Contact", "Ann");
    play.world.graph.set(root, "current", ann);
    play.world.graph.set(root, "n", 1);
    let conn = play.join();
    let heard = play.send(
        conn,
        r#"[{"type":"create","data":{"id":9,"parentId":1,"properties":{"path":"current"}}},
            {"type":"create","data":{"id":2,"parentId":9,"properties":{"path":"name"}}},
            {"type":"create","data":{"id":3,"parentId":9,"properties":{"path":"name","priority":"high"}}},
            {"type":"create","data":{"id":5,"parentId":1,"properties":{"path":"n"}}}]"#,
    );
    let order: Vec<WireId> = parse_frame(heard)
        .unwrap()
        .into_iter()
        .map(|message| match message {
            Message::Update(update) => update.var_id,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(order, [3, 5, 9, 2].map(WireId));
}

#[test]
fn what_a_browser_reports_is_handed_on() {
    let (mut play, _) = Play::new();
    let conn = play.join();
    let error =
        r#"{"type":"error","data":{"varId":2,"code":"render","description":"no template"}}"#;
    play.session.receive(&mut play.world, conn, Batch::parse(error));
    let settled = play.session.settle(&mut play.world, &mut play.views);
    assert_eq!(settled.reports.len(), 1);
    assert_eq!(settled.reports[0].1.description, "no template");
    assert!(settled.frames.is_empty());
}
