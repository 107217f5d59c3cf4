//! The table of statuses: what each situation is answered with.

use kit_mcp::{Limits, Mode};
use serde_json::{Value, json};

use crate::server::{LEGACY, MODERN, Server, call, initialize, notification, rpc};

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const HEADER_MISMATCH: i64 = -32020;
const UNSUPPORTED_VERSION: i64 = -32022;

const UNKNOWN: &str = "2f4d6e1c-59a1-4b8a-9d64-1f0f6c4ef0aa";

#[tokio::test]
async fn a_request_is_answered_with_json_at_once() {
    let server = Server::start(Mode::Sessions).await;
    for version in LEGACY {
        let session = server.session(version).await;
        let answer = session.call(1, "echo", json!({ "text": "hi" })).await;
        assert!(answer.is_json(), "{version}: {answer:?}");
        assert_eq!(answer.result()["content"][0]["text"], "hi", "{version}");
    }
}

#[tokio::test]
async fn a_notification_and_a_response_get_202_and_no_body() {
    let server = Server::start(Mode::Sessions).await;
    for version in LEGACY {
        let session = server.session(version).await;
        let response = json!({ "jsonrpc": "2.0", "id": "nothing-asked", "result": {} });
        for message in [notification("notifications/roots/list_changed"), response] {
            let answer = session.post(&message).send().await;
            assert_eq!((answer.status, answer.text()), (202, ""), "{version}");
        }
    }
}

#[tokio::test]
async fn initialize_opens_a_new_session_whatever_id_it_names() {
    let server = Server::start(Mode::Sessions).await;
    for version in LEGACY {
        let hello = server.post(&initialize(version));
        for ask in [hello.clone(), hello.header("mcp-session-id", UNKNOWN)] {
            let answer = ask.send().await;
            assert_eq!(answer.result()["protocolVersion"], version);
            let id = answer.header("mcp-session-id").unwrap();
            assert_ne!(id, UNKNOWN);
            assert!(id.bytes().all(|byte| byte.is_ascii_graphic()), "{id}");
        }
    }
}

#[tokio::test]
async fn an_unknown_revision_is_answered_with_the_newest_that_has_a_handshake() {
    let server = Server::start(Mode::Sessions).await;
    for asked in ["1999-01-01", "2999-01-01", MODERN] {
        let answer = server.post(&initialize(asked)).send().await;
        assert_eq!(answer.result()["protocolVersion"], "2025-11-25", "{asked}");
    }
}

#[tokio::test]
async fn a_request_without_a_session_is_refused_with_400() {
    let server = Server::start(Mode::Sessions).await;
    let why = server.post(&rpc(7, "tools/list", &json!({}))).send().await;
    assert!(why.refused(400, INVALID_REQUEST).contains("Mcp-Session-Id"));
    let stream = server.ask("GET").header("accept", "text/event-stream").send().await;
    stream.refused(400, INVALID_REQUEST);
    server.ask("DELETE").send().await.refused(400, INVALID_REQUEST);
}

#[tokio::test]
async fn with_cookies_a_request_without_a_session_begins_one_but_ends_none() {
    let server = Server::start(Mode::Cookie).await;
    let answer = server.post(&rpc(7, "tools/list", &json!({}))).send().await;
    assert!(answer.result()["tools"].is_array());
    server.ask("DELETE").send().await.refused(400, INVALID_REQUEST);
}

#[tokio::test]
async fn an_unknown_session_is_404_for_every_method() {
    for mode in [Mode::Sessions, Mode::Cookie] {
        let server = Server::start(mode).await;
        for id in [UNKNOWN, "not even an id"] {
            let post = server.post(&rpc(1, "ping", &json!({}))).header("mcp-session-id", id);
            let get = server.ask("GET").header("accept", "text/event-stream");
            let delete = server.ask("DELETE");
            for ask in [post, get.header("mcp-session-id", id), delete.header("mcp-session-id", id)]
            {
                ask.send().await.refused(404, INVALID_REQUEST);
            }
        }
    }
}

#[tokio::test]
async fn a_session_ends_once_with_204_and_is_unknown_from_then_on() {
    let server = Server::start(Mode::Sessions).await;
    for version in LEGACY {
        let session = server.session(version).await;
        let ended = session.ask("DELETE").send().await;
        assert_eq!((ended.status, ended.text()), (204, ""), "{version}");
        session.ask("DELETE").send().await.refused(404, INVALID_REQUEST);
        session.call(1, "about_fixture", json!({})).await.refused(404, INVALID_REQUEST);
    }
}

#[tokio::test]
async fn get_and_delete_are_405_where_there_are_no_sessions() {
    let stateless = Server::start(Mode::Stateless).await;
    for method in ["GET", "DELETE"] {
        let answer = stateless.ask(method).header("accept", "text/event-stream").send().await;
        answer.refused(405, INVALID_REQUEST);
        assert_eq!(answer.header("allow"), Some("POST"));
    }
    for mode in [Mode::Sessions, Mode::Cookie] {
        let server = Server::start(mode).await;
        for method in ["GET", "DELETE"] {
            let ask = server.ask(method).header("accept", "text/event-stream");
            let answer = ask.header("mcp-protocol-version", MODERN).send().await;
            answer.refused(405, INVALID_REQUEST);
            assert_eq!(answer.header("allow"), Some("POST"));
        }
    }
}

#[tokio::test]
async fn any_other_method_is_405() {
    for mode in [Mode::Sessions, Mode::Stateless] {
        let server = Server::start(mode).await;
        let answer = server.ask("PUT").send().await;
        answer.refused(405, INVALID_REQUEST);
        assert!(answer.header("allow").unwrap().contains("POST"));
    }
}

#[tokio::test]
async fn a_stream_must_be_asked_for_as_one() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    for accept in ["application/json", "text/html"] {
        session.ask("GET").header("accept", accept).send().await.refused(406, INVALID_REQUEST);
    }
    session.ask("GET").send().await.refused(406, INVALID_REQUEST);
}

#[tokio::test]
async fn a_client_that_takes_only_half_of_what_may_come_is_refused_unless_it_has_a_cookie() {
    let sessions = Server::start(Mode::Sessions).await;
    for accept in ["application/json", "text/event-stream"] {
        let ask = sessions.post(&initialize("2025-06-18")).header("accept", accept);
        ask.send().await.refused(406, INVALID_REQUEST);
    }
    sessions
        .post(&initialize("2025-06-18"))
        .without("accept")
        .send()
        .await
        .refused(406, INVALID_REQUEST);
    let cookie = Server::start(Mode::Cookie).await;
    let answer = cookie.post(&initialize("2025-06-18")).without("accept").send().await;
    assert!(answer.is_json());
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn what_is_not_said_to_be_json_is_415() {
    for mode in [Mode::Sessions, Mode::Cookie, Mode::Stateless] {
        let server = Server::start(mode).await;
        let ask = server.post(&initialize("2025-11-25"));
        for kind in ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"] {
            ask.clone().header("content-type", kind).send().await.refused(415, INVALID_REQUEST);
        }
        ask.without("content-type").send().await.refused(415, INVALID_REQUEST);
    }
}

#[tokio::test]
async fn a_body_that_is_not_json_is_400_with_the_parse_error() {
    for mode in [Mode::Sessions, Mode::Cookie, Mode::Stateless] {
        let server = Server::start(mode).await;
        for body in ["", "{", "nonsense", "{\"jsonrpc\":\"2.0\",", "{\"a\":1}}"] {
            server.raw_post(body).send().await.refused(400, PARSE_ERROR);
            let modern = server.raw_post(body).header("mcp-protocol-version", MODERN);
            modern.send().await.refused(400, PARSE_ERROR);
        }
    }
}

#[tokio::test]
async fn json_that_is_no_message_is_400_with_invalid_request() {
    let messages = [
        json!(null),
        json!(42),
        json!("initialize"),
        json!({}),
        json!({ "id": 1, "method": "ping" }),
        json!({ "jsonrpc": "1.0", "id": 1, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 1 }),
        json!({ "jsonrpc": "2.0", "id": 1, "method": 7 }),
        json!({ "jsonrpc": "2.0", "id": { "a": 1 }, "method": "ping" }),
        json!({ "jsonrpc": "2.0", "id": 1.5, "method": "ping" }),
    ];
    for mode in [Mode::Sessions, Mode::Cookie, Mode::Stateless] {
        let server = Server::start(mode).await;
        for message in &messages {
            server.post(message).send().await.refused(400, INVALID_REQUEST);
        }
    }
}

#[tokio::test]
async fn a_refusal_names_the_request_if_it_could_be_read() {
    let server = Server::start(Mode::Sessions).await;
    let refusals = [
        json!({ "jsonrpc": "2.0", "id": 9 }),
        json!({ "jsonrpc": "1.0", "id": 9, "method": "ping" }),
        rpc(9, "tools/list", &json!({})),
    ];
    for message in refusals {
        let answer = server.post(&message).send().await;
        assert_eq!(answer.json()["id"], 9, "{message}");
    }
}

#[tokio::test]
async fn an_unknown_version_in_the_header_is_400_and_names_the_known_ones() {
    for mode in [Mode::Sessions, Mode::Stateless] {
        let server = Server::start(mode).await;
        let ask = server.post(&rpc(1, "tools/list", &json!({})));
        let answer = ask.header("mcp-protocol-version", "1999-01-01").send().await;
        answer.refused(400, UNSUPPORTED_VERSION);
        let supported = answer.json()["error"]["data"]["supported"].clone();
        assert!(supported.as_array().unwrap().contains(&json!("2025-11-25")), "{supported}");
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_413() {
    let limits = Limits { message_bytes: 10_000, ..Limits::default() };
    for mode in [Mode::Sessions, Mode::Cookie, Mode::Stateless] {
        let server = Server::limited(mode, limits.clone()).await;
        let text = "a".repeat(20_000);
        let large = call(1, "echo", json!({ "text": text }));
        assert!(server.post(&large).send().await.refused(413, INVALID_REQUEST).contains("10000"));
        let modern = json!({ "name": "echo", "arguments": { "text": text } });
        server.modern(1, "tools/call", modern).send().await.refused(413, INVALID_REQUEST);
        assert_eq!(server.post(&initialize("2025-11-25")).send().await.status, 200);
    }
}

#[tokio::test]
async fn a_foreign_host_or_page_is_403() {
    for mode in [Mode::Sessions, Mode::Cookie, Mode::Stateless] {
        let server = Server::start(mode).await;
        let ask = server.post(&initialize("2025-11-25"));
        let foreign = ask.clone().header("host", "evil.example.com").send().await;
        assert_eq!(foreign.status, 403, "{foreign:?}");
        let page = ask.clone().header("origin", "http://evil.example.com").send().await;
        assert_eq!(page.status, 403, "{page:?}");
        assert_eq!(page.json()["jsonrpc"], "2.0", "{page:?}");
        let own = ask.header("origin", "http://localhost:5173").send().await;
        assert_eq!(own.status, 200, "{own:?}");
    }
}

#[tokio::test]
async fn one_session_too_many_is_503_with_the_time_to_come_back() {
    let server = Server::limited(Mode::Sessions, Limits { sessions: 2, ..Limits::default() }).await;
    for _ in 0..2 {
        server.session("2025-11-25").await;
    }
    let answer = server.post(&initialize("2025-11-25")).send().await;
    assert_eq!(answer.status, 503, "{answer:?}");
    assert!(answer.header("retry-after").is_some());
}

#[tokio::test]
async fn one_call_too_many_in_a_session_is_429_with_the_time_to_come_back() {
    let limits = Limits { calls_per_session: 1, ..Limits::default() };
    let server = Server::limited(Mode::Sessions, limits).await;
    let (busy, other) = (server.session("2025-11-25").await, server.session("2025-11-25").await);
    let name = json!({ "name": "busy" });
    let held = tokio::spawn(busy.post(&call(1, "hold", name.clone())).send());
    other.call(1, "wait_held", name.clone()).await.result();
    let answer = busy.call(2, "about_fixture", json!({})).await;
    assert_eq!(answer.status, 429, "{answer:?}");
    assert!(answer.header("retry-after").is_some());
    other.call(2, "release", name).await.result();
    held.await.unwrap().result();
}

#[tokio::test]
async fn an_unknown_tool_is_a_protocol_error_that_names_the_nearest() {
    let server = Server::start(Mode::Sessions).await;
    for version in LEGACY {
        let session = server.session(version).await;
        let answer = session.call(3, "ecko", json!({})).await;
        let message = answer.refused(200, INVALID_PARAMS);
        assert!(message.contains("`ecko`") && message.contains("`echo`"), "{message}");
    }
    let modern =
        server.modern(3, "tools/call", json!({ "name": "ecko", "arguments": {} })).send().await;
    assert_eq!(modern.json()["error"]["code"], INVALID_PARAMS, "{modern:?}");
}

#[tokio::test]
async fn a_failed_tool_and_a_bad_argument_are_results() {
    let server = Server::start(Mode::Sessions).await;
    let tries = [("test_error_handling", json!({})), ("add", json!({ "a": 1 }))];
    for version in LEGACY {
        let session = server.session(version).await;
        for (tool, arguments) in &tries {
            let result = session.call(1, tool, arguments.clone()).await.result();
            assert_eq!(result["isError"], true, "{version} {tool}");
        }
    }
    for (tool, arguments) in tries {
        let params = json!({ "name": tool, "arguments": arguments });
        let result = server.modern(1, "tools/call", params).send().await.result();
        assert_eq!(result["isError"], true, "{tool}");
    }
}

#[tokio::test]
async fn an_unknown_method_is_method_not_found() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let answer = session.post(&rpc(1, "no/such", &json!({}))).send().await;
    answer.refused(200, METHOD_NOT_FOUND);
    server.modern(1, "no/such", json!({})).send().await.refused(404, METHOD_NOT_FOUND);
    for gone in ["ping", "logging/setLevel", "resources/subscribe"] {
        let params: Value = json!({ "level": "info", "uri": "test://static-text" });
        let ask = server.modern(1, gone, params).without("mcp-name");
        ask.send().await.refused(404, METHOD_NOT_FOUND);
    }
}

#[tokio::test]
async fn a_modern_request_must_carry_what_its_headers_say() {
    for mode in [Mode::Sessions, Mode::Cookie, Mode::Stateless] {
        let server = Server::start(mode).await;
        let ask =
            server.modern(1, "tools/call", json!({ "name": "about_fixture", "arguments": {} }));
        ask.clone().send().await.result();
        let wrong = [
            ask.clone().without("mcp-method"),
            ask.clone().without("mcp-name"),
            ask.clone().header("mcp-method", "tools/list"),
            ask.clone().header("mcp-name", "echo"),
            ask.clone().header("mcp-protocol-version", "2025-11-25"),
        ];
        for ask in wrong {
            ask.send().await.refused(400, HEADER_MISMATCH);
        }
    }
}

#[tokio::test]
async fn a_modern_request_must_say_who_asks() {
    let server = Server::start(Mode::Sessions).await;
    let version = json!({ "io.modelcontextprotocol/protocolVersion": MODERN });
    for meta in [json!({}), version] {
        let ask = server.post(&rpc(1, "server/discover", &json!({ "_meta": meta })));
        let ask =
            ask.header("mcp-protocol-version", MODERN).header("mcp-method", "server/discover");
        ask.send().await.refused(400, INVALID_PARAMS);
    }
}

#[tokio::test]
async fn a_stream_is_not_cached_or_buffered() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let params = json!({
        "name": "test_tool_with_progress", "arguments": {}, "_meta": { "progressToken": 1 },
    });
    let modern = server.modern(1, "tools/call", params.clone()).open().await;
    let legacy = session.post(&rpc(1, "tools/call", &params)).open().await;
    let stream = session.stream().open().await;
    for events in [legacy, stream, modern] {
        assert_eq!(events.status(), 200);
        assert!(events.header("content-type").unwrap().starts_with("text/event-stream"));
        assert!(events.header("cache-control").unwrap().contains("no-cache"));
        assert_eq!(events.header("x-accel-buffering"), Some("no"));
    }
}
