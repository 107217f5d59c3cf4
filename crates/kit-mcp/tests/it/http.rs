//! The status table and the ways of a session.

use std::time::Duration;

use kit_mcp::{Change, Mode};
use serde_json::{Value, json};

use crate::fixture::{Client, GIVEN_UP, modern_body, modern_headers, running};

const LEGACY: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];

#[tokio::test]
async fn every_revision_with_sessions_is_agreed_on_and_served() {
    let server = running(Mode::Sessions).await;
    for version in LEGACY {
        let mut client = Client::new(&server);
        let hello = client.initialize(version).await;
        assert_eq!(hello.json()["result"]["protocolVersion"], version);
        let reply = client.call("echo", json!({"text": version})).await;
        assert_eq!(reply.status, 200);
        assert_eq!(reply.json()["result"]["structuredContent"]["text"], version);
        assert!(reply.json()["result"].get("resultType").is_none(), "legacy results have no type");
    }
}

#[tokio::test]
async fn a_modern_request_needs_no_session_in_any_mode() {
    for mode in [Mode::Sessions, Mode::Cookie, Mode::Stateless] {
        let server = running(mode).await;
        let reply = Client::new(&server).modern_call("echo", json!({"text": "hi"})).await;
        assert_eq!(reply.status, 200, "{}", reply.body);
        let result = &reply.json()["result"];
        assert_eq!(result["structuredContent"]["text"], "hi");
        assert_eq!(result["resultType"], "complete");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "fixture");
    }
}

#[tokio::test]
async fn a_modern_call_that_contradicts_its_headers_is_refused() {
    let server = running(Mode::Sessions).await;
    let client = Client::new(&server);
    let body = modern_body("echo", &json!({"text": "x"}));
    for (place, value) in [(0, "2025-11-25"), (1, "tools/list"), (1, ""), (2, "refuse"), (2, "")] {
        let mut headers = modern_headers("echo");
        headers[place].1 = value;
        let reply = client.request("POST", &headers, &body).await;
        let code = reply.json()["error"]["code"].clone();
        assert_eq!((reply.status, code), (400, json!(-32020)), "{headers:?}");
    }
    let mut headers = modern_headers("echo").to_vec();
    headers.push(("mcp-name", "refuse"));
    assert_eq!(client.request("POST", &headers, &body).await.status, 400, "doubled");
    headers[2].1 = "=?base64?ZWNobw==?=";
    headers.pop();
    assert_eq!(client.request("POST", &headers, &body).await.status, 200, "encoded");
}

#[tokio::test]
async fn a_modern_call_streams_its_progress_before_its_answer() {
    let server = running(Mode::Sessions).await;
    let mut events = Client::new(&server).modern_stream("stepwise").await;
    assert_eq!(events.next().await["params"]["progress"], 1.0);
    assert_eq!(events.next().await["params"]["progress"], 2.0);
    let answer = events.next().await;
    assert_eq!(answer["result"]["resultType"], "complete");
    assert_eq!(answer["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn hanging_up_cancels_a_modern_call() {
    let server = running(Mode::Sessions).await;
    let mut events = Client::new(&server).modern_stream("linger").await;
    assert_eq!(events.next().await["method"], "notifications/progress");
    drop(events);
    // A bound, not a wait: without the cancellation it would never come.
    tokio::time::timeout(Duration::from_secs(10), GIVEN_UP.notified()).await.unwrap();
}

#[tokio::test]
async fn a_short_answer_is_one_json_body() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let reply = client.call("echo", json!({"text": "x"})).await;
    assert_eq!(reply.header("content-type"), "application/json");
    assert_eq!(reply.header("mcp-session-id"), client.session.unwrap());
}

#[tokio::test]
async fn requests_that_are_wrong_are_told_why() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    for (body, status, code) in [
        ("{", 400, -32700),
        ("[1,2]", 400, -32600),
        ("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}]", 400, -32600),
        ("{}", 400, -32600),
        ("{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"ping\"}", 400, -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"ping\"}", 400, -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1}", 400, -32600),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nonsense\"}", 200, -32601),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"resources/read\",\"params\":{}}", 200, -32602),
        (
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{\"name\":7}}",
            200,
            -32602,
        ),
    ] {
        let reply = client.post(body).await;
        assert_eq!(reply.status, status, "{body}: {}", reply.body);
        assert_eq!(reply.json()["error"]["code"], code, "{body}: {}", reply.body);
        assert!(!reply.json()["error"]["message"].as_str().unwrap().is_empty());
    }
    let reply = client.call("echo", json!({"text": "still here"})).await;
    assert_eq!(reply.status, 200);
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_by_its_announcement() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let reply = client.call("echo", json!({"text": "x".repeat(70_000)})).await;
    assert_eq!(reply.status, 413);
    assert_eq!(reply.json()["error"]["code"], -32600);
}

#[tokio::test]
async fn sessions_are_required_known_and_ended() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    assert_eq!(client.call("echo", json!({"text": "x"})).await.status, 400);
    client.session = Some("7d0cf6b0-0000-4000-8000-000000000000".to_owned());
    assert_eq!(client.call("echo", json!({"text": "x"})).await.status, 404);
    assert_eq!(client.get(None).await.status, 404);
    assert_eq!(client.delete().await.status, 404);

    client.initialize("2025-06-18").await;
    assert_eq!(client.delete().await.status, 204);
    assert_eq!(client.delete().await.status, 404);
    assert_eq!(client.call("echo", json!({"text": "x"})).await.status, 404);
}

#[tokio::test]
async fn a_stale_session_id_does_not_hinder_a_new_beginning_but_a_live_one_does() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.session = Some("stale".to_owned());
    assert_eq!(client.initialize("2025-11-25").await.status, 200);
    let again = client.initialize("2025-11-25").await;
    assert_eq!((again.status, again.json()["error"]["code"].clone()), (400, json!(-32600)));
}

#[tokio::test]
async fn headers_are_checked() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let ping = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    let sent = async |name: &str, value: &str| {
        let reply = client.request("POST", &[(name, value)], ping).await;
        (reply.status, reply.json()["error"]["code"].clone())
    };
    assert_eq!(sent("content-type", "text/plain").await, (415, json!(-32600)));
    assert_eq!(sent("accept", "application/json").await, (406, json!(-32600)));
    assert_eq!(sent("mcp-protocol-version", "1999-01-01").await, (400, json!(-32022)));
    assert_eq!(client.request("GET", &[("accept", "text/html")], "").await.status, 406);
    assert_eq!(client.request("PUT", &[], "{}").await.status, 405);
}

#[tokio::test]
async fn a_stateless_endpoint_takes_posts_only() {
    let server = running(Mode::Stateless).await;
    let mut client = Client::new(&server);
    let hello = client.initialize("2025-11-25").await;
    assert_eq!(hello.status, 200);
    assert!(client.session.is_none());
    assert_eq!(client.call("echo", json!({"text": "x"})).await.status, 200);
    for reply in [client.get(None).await, client.delete().await] {
        assert_eq!((reply.status, reply.header("allow").as_str()), (405, "POST"));
    }
}

#[tokio::test]
async fn a_cookie_carries_the_session_and_hand_written_requests_are_understood() {
    let server = running(Mode::Cookie).await;
    let mut client = Client::new(&server);
    let hello = r#"{"jsonrpc":"2.0","id":1,"method":"initialize",
        "params":{"protocolVersion":"2024-11-05","clientInfo":{"name":"curl","version":"0.1.0"}}}"#;
    let plain = [("accept", "")];
    let reply = client.request("POST", &plain, hello).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    let cookie = reply.header("set-cookie");
    assert!(cookie.starts_with("mcp_session=") && cookie.contains("HttpOnly"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    client.session = None;

    let initialized = r#"{"jsonrpc":"2.0","method":"initialized","params":{}}"#;
    let reply = client.request("POST", &[("accept", ""), ("cookie", cookie)], initialized).await;
    assert_eq!(reply.status, 202, "{}", reply.body);
    let list = r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#;
    let reply = client.request("POST", &[("accept", ""), ("cookie", cookie)], list).await;
    assert_eq!(reply.json()["result"]["tools"][0]["name"], "chatter");
}

#[tokio::test]
async fn with_cookies_the_first_request_begins_a_session_whatever_it_is() {
    let server = running(Mode::Cookie).await;
    let client = Client::new(&server);
    let list = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}"#;
    let reply = client.request("POST", &[("accept", "")], list).await;
    assert_eq!(reply.json()["result"]["tools"][0]["name"], "chatter");
    let (cookie, id) = (reply.header("set-cookie"), reply.header("mcp-session-id"));
    assert!(cookie.starts_with(&format!("mcp_session={id};")) && !id.is_empty(), "{cookie}");

    // Who brings it back goes on, and is not given another.
    let cookie = cookie.split(';').next().unwrap().to_owned();
    let again = client.request("POST", &[("accept", ""), ("cookie", &cookie)], list).await;
    assert_eq!((again.status, again.header("set-cookie").as_str()), (200, ""));
    assert_eq!(again.header("mcp-session-id"), id);

    // A cookie of a session that is gone is replaced; a header that names one is told.
    let gone = "00000000-0000-4000-8000-000000000000";
    let stale = format!("mcp_session={gone}");
    let reply = client.request("POST", &[("accept", ""), ("cookie", &stale)], list).await;
    assert_eq!(reply.status, 200, "{}", reply.body);
    assert!(reply.header("set-cookie").starts_with("mcp_session="));
    let reply = client.request("POST", &[("accept", ""), ("mcp-session-id", gone)], list).await;
    assert_eq!(reply.status, 404, "{}", reply.body);

    // A notification and a stream begin one, too.
    let word = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let reply = client.request("POST", &[("accept", "")], word).await;
    assert_eq!(reply.status, 202, "{}", reply.body);
    assert!(reply.header("set-cookie").starts_with("mcp_session="));
    let stream = client.send("GET", &[("accept", "*/*")], "").await;
    assert_eq!(stream.status(), 200);
    assert!(stream.headers()["set-cookie"].to_str().unwrap().starts_with("mcp_session="));
}

#[tokio::test]
async fn a_tool_that_refuses_says_what_and_how_to_go_on() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let reply = client.call("refuse", json!({})).await.json();
    assert_eq!(reply["result"]["isError"], true);
    let report =
        json!({"error": "no body `mars`", "code": "not_found", "hint": "`list_bodies` names them"});
    // The tool promises a shape for its results, and a report has another.
    assert!(reply["result"].get("structuredContent").is_none(), "{reply}");
    let text: Value =
        serde_json::from_str(reply["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(text, report);
}

#[tokio::test]
async fn a_panic_and_a_tool_without_end_are_answered_and_the_session_goes_on() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let reply = client.call("panic", json!({})).await;
    assert_eq!(reply.json()["result"]["isError"], true);
    assert!(!reply.body.contains("secret"));
    let reply = client.call("hang", json!({})).await;
    assert_eq!(reply.json()["result"]["structuredContent"]["code"], "unavailable");
    assert_eq!(client.call("echo", json!({"text": "x"})).await.status, 200);
}

#[tokio::test]
async fn wrong_arguments_and_unknown_tools_name_the_near_miss() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let reply = client.call("echo", json!({"texd": "x"})).await.json();
    assert_eq!(reply["result"]["isError"], true);
    let text = reply["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.contains("did you mean `text`?") && text.contains("`text` is required"), "{text}");
    let reply = client.call("ecko", json!({})).await.json();
    assert_eq!(reply["error"]["code"], -32602);
    assert_eq!(reply["error"]["message"], "unknown tool `ecko`: did you mean `echo`?");
}

#[tokio::test]
async fn progress_turns_the_answer_into_a_stream() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-06-18").await;
    let body = json!({"jsonrpc": "2.0", "id": 9, "method": "tools/call",
        "params": {"name": "stepwise", "arguments": {}, "_meta": {"progressToken": "t"}}});
    let reply = client.post(&body.to_string()).await;
    assert_eq!(reply.header("content-type"), "text/event-stream");
    let events = reply.events();
    assert_eq!(events.len(), 3);
    assert_eq!(
        events[0]["params"],
        json!({"progressToken": "t", "progress": 1.0, "total": 2.0, "message": "half"})
    );
    assert_eq!(events[2]["result"]["content"][0]["text"], "done");
}

#[tokio::test]
async fn a_client_sent_away_comes_back_for_the_answer() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let reply = client.call("later", json!({})).await;
    assert!(reply.body.contains("retry: "), "{}", reply.body);
    let id = reply.body.lines().find_map(|line| line.strip_prefix("id: ")).unwrap().to_owned();
    let rest = client.get(Some(&id)).await;
    assert_eq!(rest.events()[0]["result"]["content"][0]["text"], "worth the wait");
}

#[tokio::test]
async fn a_cancelled_call_gets_no_answer() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let hang =
        json!({"jsonrpc": "2.0", "id": "h", "method": "tools/call", "params": {"name": "hang"}});
    let waiting = client.clone();
    let call = tokio::spawn(async move { waiting.post(&hang.to_string()).await });
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "h"}});
    // The call may not have begun yet: until it has, there is nothing to cancel.
    while !call.is_finished() {
        assert_eq!(client.post(&cancel.to_string()).await.status, 202);
        tokio::task::yield_now().await;
    }
    let reply = call.await.unwrap();
    assert!(reply.body.is_empty(), "{}", reply.body);
}

#[tokio::test]
async fn an_id_in_use_is_refused() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let hang =
        json!({"jsonrpc": "2.0", "id": 5, "method": "tools/call", "params": {"name": "hang"}})
            .to_string();
    let (first, second) = tokio::join!(client.post(&hang), client.post(&hang));
    let refused = [&first, &second].into_iter().filter(|reply| reply.status == 400).count();
    assert_eq!(refused, 1, "{} / {}", first.body, second.body);
}

#[tokio::test]
async fn a_subscriber_hears_of_its_resource_and_of_no_other() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let subscribe = json!({"jsonrpc": "2.0", "id": 3, "method": "resources/subscribe", "params": {"uri": "test://a"}});
    assert_eq!(client.post(&subscribe.to_string()).await.status, 200);
    let mut stream = client.listen(None).await;
    server.hub.resource_updated("test://b");
    server.hub.resource_updated("test://a");
    server.hub.tell(Change::Tools);
    assert_eq!(stream.next().await["params"]["uri"], "test://a");
    assert_eq!(stream.next().await["method"], "notifications/tools/list_changed");

    assert_eq!(client.get(None).await.status, 409, "one stream of changes at a time");
    let seen = stream.last_id.clone();
    drop(stream);
    server.hub.resource_updated("test://a");
    let mut stream = client.listen(Some(&seen)).await;
    assert_eq!(stream.next().await["params"]["uri"], "test://a", "missed while away");
}

#[tokio::test]
async fn a_batch_is_answered_in_the_revision_that_has_them() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-03-26").await;
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},
        {"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"text":"b"}}}]"#;
    let reply = client.post(batch).await.json();
    assert_eq!(reply.as_array().unwrap().len(), 2);
    assert_eq!(reply[1]["result"]["structuredContent"]["text"], "b");
}

#[tokio::test]
async fn resources_are_listed_read_and_missed_with_the_code_of_the_revision() {
    let server = running(Mode::Sessions).await;
    let mut client = Client::new(&server);
    client.initialize("2025-11-25").await;
    let read = |uri: &str| json!({"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": uri}});
    let found = client.post(&read("test://a").to_string()).await.json();
    assert_eq!(found["result"]["contents"][0]["text"], "content");
    let missed = client.post(&read("test://zzz").to_string()).await.json();
    assert_eq!(missed["error"]["code"], -32002);
    assert_eq!(missed["error"]["data"]["hint"], "`resources/list` names them");
}
