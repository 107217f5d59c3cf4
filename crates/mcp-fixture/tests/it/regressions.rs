//! What the library below leaves to us, one test for each.

use std::time::{Duration, Instant};

use kit_mcp::Mode;
use serde_json::{Value, json};

use crate::{
    client::{connect, within},
    server::{LEGACY, Server, call, initialize, notification, rpc},
};

/// An answer in two writes waits some 40 ms for the peer's acknowledgement unless the socket says otherwise.
/// The one timed check: 50 such waits are two seconds, every time; a busy machine is slow only now and then.
#[tokio::test]
async fn answers_do_not_wait_for_acknowledgements() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let mut best = Duration::MAX;
    for _ in 0..3 {
        let mut connection = connect(server.address).await;
        let began = Instant::now();
        for id in 0..50 {
            let ask = session.post(&call(id, "log_and_answer", json!({})));
            let answer = ask.send_over(&mut connection).await;
            assert_eq!(answer.messages().len(), 2, "a message and the answer: {answer:?}");
        }
        best = best.min(began.elapsed());
    }
    assert!(best < Duration::from_secs(1), "50 calls took {best:?}");
}

#[tokio::test]
async fn a_panic_is_an_answer_without_its_text_and_harms_nobody() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let legacy = session.call(1, "fault_panic", json!({})).await;
    let params = json!({ "name": "fault_panic", "arguments": {} });
    let modern = server.modern(1, "tools/call", params).send().await;
    for answer in [legacy, modern] {
        assert!(!answer.text().contains("4711"), "{answer:?}");
        let result = answer.result();
        assert_eq!(result["isError"], true, "{result}");
        assert_eq!(result["structuredContent"]["code"], "internal", "{result}");
    }
    session.call(2, "about_fixture", json!({})).await.result();
}

#[tokio::test]
async fn every_bad_argument_is_named_at_once_with_what_is_allowed() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let arguments = json!({ "a": 2000, "c": "surplus" });
    let legacy = session.call(1, "add", arguments.clone()).await.result();
    let params = json!({ "name": "add", "arguments": arguments });
    let modern = server.modern(1, "tools/call", params).send().await.result();
    for result in [legacy, modern] {
        assert_eq!(result["isError"], true, "{result}");
        let text = result["content"][0]["text"].as_str().unwrap();
        for word in ["`a`", "1000", "`b`", "`c`"] {
            assert!(text.contains(word), "{word} is not in {text}");
        }
    }
}

#[tokio::test]
async fn a_misspelled_argument_is_answered_with_the_right_spelling() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let result = session.call(1, "echo", json!({ "txet": "hi" })).await.result();
    let text = result["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("`txet`") && text.contains("`text`"), "{text}");
}

#[tokio::test]
async fn arguments_of_the_wrong_type_do_not_reach_the_tool() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    for a in [json!("two"), json!(1.5), json!(null), json!([1]), json!({ "a": 1 })] {
        let result = session.call(1, "add", json!({ "a": a, "b": 1 })).await.result();
        assert_eq!(result["isError"], true, "{a}: {result}");
        assert!(result["content"][0]["text"].as_str().unwrap().contains("`a`"), "{result}");
    }
}

#[tokio::test]
async fn a_call_out_of_time_is_stopped_and_says_how_to_ask_for_less() {
    for mode in [Mode::Sessions, Mode::Stateless] {
        let server = Server::hurried(mode, Duration::from_millis(200)).await;
        let params = json!({ "name": "fault_hang", "arguments": {} });
        let result = server.modern(1, "tools/call", params.clone()).send().await.result();
        assert_eq!(result["isError"], true, "{result}");
        assert!(result["structuredContent"]["hint"].is_string(), "{result}");
    }
    let server = Server::hurried(Mode::Sessions, Duration::from_millis(200)).await;
    let session = server.session("2025-11-25").await;
    let result = session.call(1, "fault_hang", json!({})).await.result();
    assert_eq!(result["structuredContent"]["code"], "unavailable", "{result}");
    session.call(2, "hold", json!({ "name": "late" })).await.result();
    session.call(3, "wait_dropped", json!({ "name": "late" })).await.result();
}

#[tokio::test]
async fn an_id_in_use_is_refused_and_its_first_call_goes_on() {
    let server = Server::start(Mode::Sessions).await;
    let (session, other) = (server.session("2025-11-25").await, server.session("2025-11-25").await);
    let name = json!({ "name": "twice" });
    let first = tokio::spawn(session.post(&call(5, "hold", name.clone())).send());
    other.call(1, "wait_held", name.clone()).await.result();
    let second = session.call(5, "about_fixture", json!({})).await;
    assert!(second.refused(400, -32600).contains('5'));
    // Ids belong to their session, so another one may use the same.
    other.call(5, "release", name).await.result();
    first.await.unwrap().result();
    session.call(5, "about_fixture", json!({})).await.result();
}

#[tokio::test]
async fn the_answer_is_json_unless_something_comes_before_it() {
    let server = Server::start(Mode::Sessions).await;
    for version in LEGACY {
        let session = server.session(version).await;
        let quiet = session.call(1, "test_tool_with_progress", json!({})).await;
        assert!(quiet.is_json(), "{version}: nobody asked for progress: {quiet:?}");
        let params = json!({
            "name": "test_tool_with_progress", "arguments": {}, "_meta": { "progressToken": "t" },
        });
        let told = session.post(&rpc(2, "tools/call", &params)).send().await;
        let messages = told.messages();
        let progress: Vec<_> =
            messages.iter().filter_map(|message| message["params"]["progress"].as_f64()).collect();
        assert_eq!(progress, [0.0, 50.0, 100.0], "{version}: {messages:?}");
        assert_eq!(messages.last().unwrap()["id"], 2, "{version}");
    }
}

/// An event without data makes older clients report a parse error for each call.
#[tokio::test]
async fn only_clients_that_know_empty_events_get_one() {
    let server = Server::start(Mode::Sessions).await;
    for version in LEGACY {
        let session = server.session(version).await;
        let answer = session.call(1, "test_logging_tool", json!({})).await;
        let empty = answer.text().lines().any(|line| line.trim_end() == "data:");
        assert!(!empty || version == "2025-11-25", "{version}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_batch_is_answered_in_the_one_revision_that_has_them() {
    let server = Server::start(Mode::Sessions).await;
    let batch = json!([
        call(1, "echo", json!({ "text": "one" })),
        notification("notifications/roots/list_changed"),
        call(2, "echo", json!({ "text": "two" })),
    ]);
    for version in LEGACY {
        let answer = server.session(version).await.post(&batch).send().await;
        if version == "2025-03-26" {
            let texts: Vec<_> = answer.json().as_array().unwrap().iter().map(text_of).collect();
            assert_eq!(texts, ["one", "two"]);
        } else {
            assert!(answer.refused(400, -32600).contains("batch"), "{version}");
        }
    }
}

#[tokio::test]
async fn a_batch_of_nothing_or_of_nonsense_is_refused() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-03-26").await;
    for batch in [json!([]), json!([1, 2]), json!([{ "id": 1 }])] {
        session.post(&batch).send().await.refused(400, -32600);
    }
    for mode in [Mode::Stateless, Mode::Cookie] {
        let server = Server::start(mode).await;
        let batch = json!([rpc(1, "ping", &json!({}))]);
        server.post(&batch).send().await.refused(400, -32600);
    }
}

/// A server that answers with the revision it was asked for, without what people leave out by hand.
#[tokio::test]
async fn an_initialize_that_lacks_a_part_is_told_which() {
    let server = Server::start(Mode::Sessions).await;
    let mut hello = initialize("2025-11-25");
    hello["params"].as_object_mut().unwrap().remove("capabilities");
    let answer = server.post(&hello).send().await;
    let error = &answer.json()["error"];
    assert_eq!(error["code"], -32602, "{answer:?}");
    assert!(error["message"].as_str().unwrap().contains("capabilities"), "{error}");
}

#[tokio::test]
async fn a_thousand_calls_over_one_connection_leave_nothing_behind() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let mut connection = connect(server.address).await;
    within(async {
        for id in 0..1000 {
            let ask = session.post(&call(id % 7, "echo", json!({ "text": "again" })));
            assert_eq!(ask.send_over(&mut connection).await.status, 200);
        }
    })
    .await;
}

fn text_of(message: &Value) -> String {
    message["result"]["content"][0]["text"].as_str().unwrap().to_owned()
}
