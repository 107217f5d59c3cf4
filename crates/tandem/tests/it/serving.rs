//! What a running server answers.

use insta::assert_snapshot;

use crate::support::{INITIALIZE, Running, mcp_head};

#[test]
fn it_is_up_and_ready() {
    let server = Running::start(&[]);
    assert_eq!(server.get("/health").json()["ok"], true);
    let ready = server.get("/ready");
    assert_eq!(ready.status, 200);
    assert_eq!(ready.json()["store"]["status"], "well");
}

#[test]
fn an_unknown_route_names_the_nearest() {
    let server = Running::start(&[]);
    let lost = server.get("/helth");
    assert_eq!(lost.status, 404);
    assert_snapshot!(lost.body, @r#"{"title":"Not Found","status":404,"detail":"no route `/helth`","error":"no route `/helth`","code":"not_found","hint":"did you mean `/health`?","suggestions":["/health"]}"#);
}

#[test]
fn a_wrong_method_is_a_problem_too() {
    let server = Running::start(&[]);
    let refused = server.send("POST /health HTTP/1.1\r\nhost: localhost\r\n", "");
    assert_eq!(refused.status, 405);
    assert_eq!(refused.header("allow"), Some("get,head"));
    assert_eq!(refused.header("content-type"), Some("application/problem+json"));
}

#[test]
fn all_applications_are_one_mcp_server() {
    let server = Running::start(&[]);
    let answer = server.send(&mcp_head("/mcp"), INITIALIZE);
    assert_eq!(answer.status, 200);
    assert!(answer.header("mcp-session-id").is_some());
    assert_eq!(answer.json()["result"]["serverInfo"]["name"], "tandem");
}

#[test]
fn the_status_says_how_to_connect() {
    let server = Running::start(&[]);
    let status = server.get("/api/status").json();
    assert_eq!(status["mcp"]["url"], "http://localhost/mcp");
    assert_eq!(status["mcp"]["command"], serde_json::json!(["tandem", "mcp"]));
    assert_eq!(status["auth"]["required"], false);
}

#[test]
fn requests_are_counted_and_logged_with_their_id() {
    let server = Running::start(&[]);
    let head = "GET /health HTTP/1.1\r\nhost: localhost\r\nx-request-id: mine-7\r\n";
    assert_eq!(server.send(head, "").header("x-request-id"), Some("mine-7"));
    let metrics = server.get("/metrics").body;
    assert!(metrics.contains("tandem_http_requests_total{status=\"2xx\"} 1"), "{metrics}");
    server.wait_for_log("mine-7");
    let line = server.log().lines().find(|line| line.contains("mine-7")).unwrap().to_owned();
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["path"], "/health");
    assert_eq!(line["status"], 200);
    assert_eq!(line["principal"], "local");
}

#[test]
fn http_2_without_tls_is_served_on_the_same_port() {
    let server = Running::start(&[]);
    let mut client = server.connect();
    // Preface, then an empty SETTINGS frame; the server's own SETTINGS come back.
    client.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00");
    assert_eq!(client.bytes(4)[3], 4);
}
