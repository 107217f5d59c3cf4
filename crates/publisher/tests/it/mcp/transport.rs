//! Section 5.1: the port of the publisher's own.

use std::time::Duration;

use kit_mcp::{Mode, Names};
use serde_json::{Value, json};

use super::bed::{bed, endless, hello, own_port};

fn request(id: i64, method: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {}})
}

// spec: publisher, "creates a new StreamableHttpServerTransport instance with sessionIdGenerator: undefined" for every POST.
#[tokio::test]
async fn each_post_stands_alone_and_is_answered_by_a_stream_that_ends() {
    let mut bed = own_port().await;
    bed.client.session = Some("nobody-knows-this-one".to_owned());
    for method in
        ["tools/list", "resources/list", "resources/templates/list", "prompts/list", "ping"]
    {
        let reply = bed.client.post(&request(7, method)).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "text/event-stream"));
        assert!(reply.body.starts_with("event: message\ndata: {"), "{}", reply.body);
        assert_eq!(reply.header("mcp-session-id"), "");
        assert_eq!(reply.answer()["id"], 7, "{method}");
    }
}

// spec: publisher, [FIX] of 5.1: an error ends its stream, too.
#[tokio::test]
async fn errors_are_events_of_streams_that_end() {
    let bed = own_port().await;
    for (method, code) in [("nonsense", -32601), ("resources/read", -32602), ("tools/call", -32602)]
    {
        let reply = bed.client.post(&request(8, method)).await;
        assert_eq!(reply.header("content-type"), "text/event-stream");
        let answer = reply.answer();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(8), &json!(code)));
    }
}

// spec: publisher, "GET / DELETE: Returns 405 Method Not Allowed".
#[tokio::test]
async fn methods_other_than_post_are_not_allowed() {
    let bed = own_port().await;
    for (method, words) in [
        ("GET", "Method Not Allowed in Stateless Mode"),
        ("DELETE", "Method Not Allowed in Stateless Mode"),
        ("PUT", "Method Not Allowed"),
        ("PATCH", "Method Not Allowed"),
    ] {
        let reply = bed.client.request(method, &[], "").await;
        assert_eq!((reply.status, reply.header("allow")), (405, "POST"), "{method}");
        assert_eq!(
            reply.json(),
            json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32601, "message": words}})
        );
    }
    assert_eq!(bed.client.request("HEAD", &[], "").await.status, 405);
    let leave = bed.client.request("OPTIONS", &[("origin", "http://localhost:5173")], "").await;
    assert_eq!((leave.status, leave.header("access-control-allow-origin")), (204, "*"));
}

// spec: publisher, "Protocol Errors (Invalid JSON/RPC): … returning immediate HTTP 400".
#[tokio::test]
async fn what_is_no_message_is_refused_at_once() {
    let bed = own_port().await;
    for body in ["{", "not json", "{}", "[1]", r#"{"jsonrpc":"1.0","id":1,"method":"ping"}"#] {
        let reply = bed.client.request("POST", &[], body).await;
        assert_eq!(reply.status, 400, "{body}");
        let error = &reply.json()["error"];
        assert_eq!((&error["code"], &error["message"]), (&json!(-32700), &json!("Parse error")));
        assert_eq!(reply.header("access-control-allow-origin"), "*");
    }
    let ping = request(1, "ping").to_string();
    let reply = bed.client.request("POST", &[("accept", "application/json")], &ping).await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (406, &json!(-32000)));
    assert!(reply.json()["error"]["message"].as_str().unwrap().starts_with("Not Acceptable: "));
    let reply = bed.client.request("POST", &[("content-type", "text/plain")], &ping).await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (415, &json!(-32000)));
}

#[tokio::test]
async fn a_body_may_hold_several_messages() {
    let bed = own_port().await;
    let note = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let call = json!({"jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
        "name": "malloy/executeQuery", "arguments": {"projectName": "home", "packageName": "shop",
            "modelPath": "shop.malloy", "query": "run: orders -> { aggregate: order_count }"}}});
    let several = json!([request(1, "ping"), note, request(2, "tools/list"), call]);
    let reply = bed.client.post(&several).await;
    let mut ids: Vec<_> =
        reply.events().iter().map(|event| event["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
    for silent in
        [json!([]), json!([note]), note.clone(), json!({"jsonrpc": "2.0", "id": 1, "result": {}})]
    {
        let reply = bed.client.post(&silent).await;
        assert_eq!((reply.status, &*reply.body), (202, ""), "{silent}");
    }
    let reply = bed.client.post(&json!([hello(), request(1, "ping")])).await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(-32600)));
}

// spec: publisher, 5.1: `initialize` answers with who the server is, and agrees on the version that was offered.
#[tokio::test]
async fn whoever_introduces_himself_hears_who_the_server_is() {
    let bed = own_port().await;
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let mut hello = hello();
        hello["params"]["protocolVersion"] = json!(version);
        let result = bed.client.post(&hello).await.answer()["result"].clone();
        assert_eq!(result["protocolVersion"], version);
        let server = &result["serverInfo"];
        assert_eq!(server["name"], "malloy-publisher-mcp-server");
        for member in ["version", "displayName", "description"] {
            assert!(!server[member].as_str().unwrap().is_empty(), "{member}");
        }
        for able in ["resources", "tools", "prompts"] {
            assert!(result["capabilities"][able].is_object(), "{able}");
        }
        let instructions = result["instructions"].as_str().unwrap();
        assert!(instructions.contains("malloy_getContext") && instructions.len() <= 1200);
    }
}

// spec: publisher, 5.1: "A client disconnect ends the request and must cancel the running query."
#[tokio::test]
async fn hanging_up_stops_the_query() {
    let bed = bed(Mode::StatelessEvents, Names::Own, |config| config.concurrent_queries = 1).await;
    let client = bed.client.clone();
    let mut call = endless(&bed);
    // Without progress there is no stream yet: the connection is all that tells.
    call["params"]["_meta"] = json!({});
    bed.service.package("home", "shop").await.unwrap();
    let asked = tokio::spawn(async move { client.post(&call).await.body });
    let throttled = || bed.service.status().operational_state == publisher::Operational::Throttled;
    let reached = async |wanted: bool| {
        while throttled() != wanted {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), reached(true)).await.unwrap();
    // Long enough that nobody can say it ended by itself.
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!asked.is_finished() && throttled(), "the query runs");
    asked.abort();
    // The one turn that there is comes free.
    tokio::time::timeout(Duration::from_secs(20), reached(false)).await.unwrap();
    let count = json!({"projectName": "home", "packageName": "shop", "modelPath": "shop.malloy",
        "query": "run: orders -> { aggregate: order_count }"});
    let answer = bed.client.call("malloy/executeQuery", count).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
}

// spec: publisher, 5.1: "two initialize requests in a batch, or initialize with others".
#[tokio::test]
async fn two_introductions_in_one_body_are_refused() {
    let bed = own_port().await;
    let reply = bed.client.post(&json!([hello(), hello()])).await;
    assert_eq!((reply.status, &reply.json()["error"]["code"]), (400, &json!(-32600)));
    let alone = bed.client.post(&json!([hello()])).await;
    assert_eq!(alone.events()[0]["result"]["protocolVersion"], "2025-06-18");
}

// spec: publisher, 5.1: "Body limit historically 100 KB; make it configurable and at least 4 MB."
#[tokio::test]
async fn a_body_of_four_megabytes_is_read() {
    let bed = own_port().await;
    let arguments = json!({"projectName": "home", "packageName": "shop",
        "modelPath": "shop.malloy", "query": "run: orders -> by_customer", "answer": "rows",
        "anything": "x".repeat(4_000_000)});
    let answer = bed.client.call("malloy/executeQuery", arguments).await;
    assert_eq!(answer["result"]["isError"], false);
}

// spec: publisher, 5.1: "CORS `*` on all answers".
#[tokio::test]
async fn every_answer_may_be_read_by_any_page() {
    let bed = own_port().await;
    let origin = [("origin", "http://localhost:5173")];
    for (method, body, status) in [
        ("POST", request(1, "ping").to_string(), 200),
        ("POST", json!([]).to_string(), 202),
        ("POST", "{".to_owned(), 400),
        ("GET", String::new(), 405),
        ("DELETE", String::new(), 405),
    ] {
        let reply = bed.client.request(method, &origin, &body).await;
        assert_eq!(reply.status, status, "{method} {body}");
        assert_eq!(reply.header("access-control-allow-origin"), "*", "{method} {body}");
    }
}
