//! What arrives later: notifications, questions, resumed answers; and what ends a call.

use kit_mcp::Mode;
use kit_store::Store;
use serde_json::{Value, json};

use crate::server::{LEGACY, Server, call, rpc};

const WATCHED: &str = "test://watched-resource";

#[tokio::test]
async fn subscribers_hear_of_their_resource_and_others_do_not() {
    let server = Server::start(Mode::Sessions).await;
    for version in LEGACY {
        let (mine, other) = (server.session(version).await, server.session(version).await);
        let subscribe = rpc(1, "resources/subscribe", &json!({ "uri": WATCHED }));
        mine.post(&subscribe).send().await.result();
        let mut events = mine.stream().open().await;
        let mut others = other.stream().open().await;
        other.call(1, "touch_watched", json!({})).await.result();
        other.call(2, "test_trigger_tool_change", json!({})).await.result();
        let first = events.message().await;
        assert_eq!(first["method"], "notifications/resources/updated", "{version}");
        assert_eq!(first["params"]["uri"], WATCHED);
        assert_eq!(events.message().await["method"], "notifications/tools/list_changed");
        assert_eq!(others.message().await["method"], "notifications/tools/list_changed");
    }
}

#[tokio::test]
async fn an_unsubscribed_resource_is_heard_of_no_more() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    for method in ["resources/subscribe", "resources/unsubscribe"] {
        session.post(&rpc(1, method, &json!({ "uri": WATCHED }))).send().await.result();
    }
    let mut events = session.stream().open().await;
    session.call(2, "touch_watched", json!({})).await.result();
    session.call(3, "test_trigger_prompt_change", json!({})).await.result();
    assert_eq!(events.message().await["method"], "notifications/prompts/list_changed");
}

#[tokio::test]
async fn changes_missed_while_away_are_told_on_return() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let mut events = session.stream().open().await;
    session.call(1, "test_trigger_tool_change", json!({})).await.result();
    let seen = events.next().await.unwrap();
    events.hang_up();
    session.call(2, "test_trigger_prompt_change", json!({})).await.result();
    let back = session.stream().header("last-event-id", &seen.id.unwrap());
    let missed = back.open().await.message().await;
    assert_eq!(missed["method"], "notifications/prompts/list_changed");
}

#[tokio::test]
async fn a_broken_connection_is_resumed_with_the_rest_of_the_answer() {
    let server = Server::start(Mode::Sessions).await;
    let (session, other) = (server.session("2025-11-25").await, server.session("2025-11-25").await);
    let mut events =
        session.post(&call(1, "log_and_hold", json!({ "name": "broken" }))).open().await;
    let seen = events.next().await.unwrap();
    assert_eq!(seen.message()["method"], "notifications/message");
    events.hang_up();
    other.call(1, "release", json!({ "name": "broken" })).await.result();
    let mut rest = session.stream().header("last-event-id", &seen.id.unwrap()).open().await;
    assert_eq!(rest.message().await["id"], 1);
    assert!(rest.next().await.is_none(), "the answer is the end");
}

#[tokio::test]
async fn a_released_connection_ends_early_and_is_resumed_with_the_answer() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let first = session.call(1, "test_reconnection", json!({})).await;
    assert!(first.messages().is_empty(), "{first:?}");
    let id = first.text().lines().find_map(|line| line.strip_prefix("id: ")).unwrap().to_owned();
    let mut rest = session.stream().header("last-event-id", &id).open().await;
    assert_eq!(rest.message().await["id"], 1);
}

#[tokio::test]
async fn a_question_is_asked_on_the_stream_and_answered_by_post() {
    let server = Server::start(Mode::Sessions).await;
    for version in ["2025-06-18", "2025-11-25"] {
        let session = server.session(version).await;
        let arguments = json!({ "message": "Who are you?" });
        let mut events = session.post(&call(1, "test_elicitation", arguments)).open().await;
        let question = events.message().await;
        assert_eq!(question["method"], "elicitation/create", "{version}");
        assert_eq!(question["params"]["message"], "Who are you?");
        let result =
            json!({ "action": "accept", "content": { "username": "ann", "email": "a@b" } });
        let answer = json!({ "jsonrpc": "2.0", "id": question["id"], "result": result });
        assert_eq!(session.post(&answer).send().await.status, 202);
        let text = events.message().await["result"]["content"][0]["text"].to_string();
        assert!(text.contains("accept") && text.contains("ann"), "{text}");
    }
}

#[tokio::test]
async fn a_stateless_server_says_that_it_cannot_ask() {
    let server = Server::start(Mode::Stateless).await;
    let ask = server.post(&call(1, "test_elicitation", json!({ "message": "Who?" })));
    let result = ask.send().await.result();
    assert_eq!(result["isError"], true, "{result}");
    assert!(result["structuredContent"]["hint"].is_string(), "{result}");
}

#[tokio::test]
async fn a_cancelled_call_is_given_up() {
    let server = Server::start(Mode::Sessions).await;
    for version in LEGACY {
        let (session, other) = (server.session(version).await, server.session(version).await);
        let name = json!({ "name": format!("cancelled {version}") });
        let held = tokio::spawn(session.post(&call(1, "hold", name.clone())).send());
        other.call(1, "wait_held", name.clone()).await.result();
        let cancelled = json!({
            "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 },
        });
        assert_eq!(session.post(&cancelled).send().await.status, 202);
        other.call(2, "wait_dropped", name).await.result();
        assert!(held.await.unwrap().messages().is_empty(), "a cancelled request has no answer");
    }
}

#[tokio::test]
async fn a_legacy_call_survives_its_connection() {
    let server = Server::start(Mode::Sessions).await;
    let (session, other) = (server.session("2025-06-18").await, server.session("2025-06-18").await);
    let name = json!({ "name": "survivor" });
    let events = session.post(&call(1, "log_and_hold", name.clone())).open().await;
    other.call(1, "wait_held", name.clone()).await.result();
    events.hang_up();
    // Still running, so its id is still taken.
    other.call(2, "about_fixture", json!({})).await.result();
    session.call(1, "about_fixture", json!({})).await.refused(400, -32600);
    other.call(3, "release", name).await.result();
}

#[tokio::test]
async fn a_modern_call_ends_with_its_connection() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let params = json!({
        "name": "log_and_hold",
        "arguments": { "name": "modern" },
        "_meta": { "io.modelcontextprotocol/logLevel": "debug" },
    });
    let events = server.modern(1, "tools/call", params).open().await;
    session.call(1, "wait_held", json!({ "name": "modern" })).await.result();
    events.hang_up();
    session.call(2, "wait_dropped", json!({ "name": "modern" })).await.result();
}

#[tokio::test]
async fn a_modern_listener_hears_what_it_asked_for_and_nothing_else() {
    let server = Server::start(Mode::Stateless).await;
    let filter = json!({ "promptsListChanged": true, "resourceSubscriptions": [WATCHED] });
    let listen = server.modern(7, "subscriptions/listen", json!({ "notifications": filter }));
    let mut events = listen.open().await;
    let acknowledged = events.message().await;
    assert_eq!(acknowledged["method"], "notifications/subscriptions/acknowledged");
    for tool in ["test_trigger_tool_change", "touch_watched", "test_trigger_prompt_change"] {
        let params = json!({ "name": tool, "arguments": {} });
        server.modern(1, "tools/call", params).send().await.result();
    }
    let updated = events.message().await;
    assert_eq!(updated["method"], "notifications/resources/updated", "{updated}");
    let id = &updated["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"];
    assert_eq!(id.to_string().trim_matches('"'), "7", "{updated}");
    assert_eq!(events.message().await["method"], "notifications/prompts/list_changed");
}

#[tokio::test]
async fn log_messages_obey_the_level_that_the_session_set() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let set = |level: &str| rpc(1, "logging/setLevel", &json!({ "level": level }));
    session.post(&set("error")).send().await.result();
    let quiet = session.call(2, "test_logging_tool", json!({})).await;
    assert!(quiet.is_json(), "{quiet:?}");
    session.post(&set("debug")).send().await.result();
    let heard = session.call(3, "test_logging_tool", json!({})).await;
    assert_eq!(heard.messages()[0]["method"], "notifications/message");
}

#[tokio::test]
async fn a_modern_request_hears_log_messages_only_if_it_names_a_level() {
    let server = Server::start(Mode::Sessions).await;
    let params =
        |meta: Value| json!({ "name": "test_logging_tool", "arguments": {}, "_meta": meta });
    let quiet = server.modern(1, "tools/call", params(json!({}))).send().await;
    assert!(quiet.is_json(), "{quiet:?}");
    let level = json!({ "io.modelcontextprotocol/logLevel": "info" });
    let heard = server.modern(1, "tools/call", params(level)).send().await;
    assert_eq!(heard.messages()[0]["method"], "notifications/message");
}

#[tokio::test]
async fn a_session_goes_on_after_a_restart_and_on_another_replica() {
    let store = Store::memory();
    let first = Server::on(Mode::Sessions, store.clone()).await;
    let session = first.session("2025-11-25").await;
    session.post(&rpc(1, "resources/subscribe", &json!({ "uri": WATCHED }))).send().await.result();
    let second = Server::on(Mode::Sessions, store).await;
    let there = |ask: crate::client::Ask| ask.header("mcp-session-id", &session.id);
    let answer = there(second.post(&call(2, "about_fixture", json!({})))).send().await;
    answer.result();
    let stream = second.ask("GET").header("accept", "text/event-stream");
    let mut events = there(stream).open().await;
    there(second.post(&call(3, "touch_watched", json!({})))).send().await.result();
    assert_eq!(events.message().await["params"]["uri"], WATCHED, "the subscription came along");
    assert_eq!(there(second.ask("DELETE")).send().await.status, 204);
    session.call(4, "about_fixture", json!({})).await.refused(404, -32600);
}

#[tokio::test]
async fn a_second_stream_does_not_take_the_messages_of_the_first() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let mut first = session.stream().open().await;
    session.stream().send().await.refused(409, -32600);
    session.call(1, "test_trigger_tool_change", json!({})).await.result();
    assert_eq!(first.message().await["method"], "notifications/tools/list_changed");
}
