//! Who may ask, and from where.

use crate::support::{INITIALIZE, Running, mcp_head};

const TOKEN: &str = "s3cret-token-of-16";

#[test]
fn every_surface_demands_the_token() {
    let server = Running::start(&["--token", TOKEN]);
    let paths =
        ["/", "/health", "/ready", "/metrics", "/api/status", "/mcp", "/mcp/health", "/nowhere"];
    for path in paths {
        let refused = server.get(path);
        assert_eq!(refused.status, 401, "{path}");
        assert!(refused.header("www-authenticate").is_some(), "{path}");
        let head =
            format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {TOKEN}\r\n");
        assert_ne!(server.send(&head, "").status, 401, "{path}");
    }
}

#[test]
fn the_token_stays_out_of_the_log() {
    let server = Running::start(&["--token", TOKEN]);
    assert_eq!(server.get(&format!("/health?token={TOKEN}")).status, 303);
    assert_eq!(server.get("/health?token=wrong-guess").status, 401);
    let last = "GET /ready HTTP/1.1\r\nhost: localhost\r\nx-request-id: last-7\r\n";
    assert_eq!(server.send(last, "").status, 401);
    server.wait_for_log("last-7");
    let log = server.log();
    assert_eq!(log.matches("/health").count(), 2, "{log}");
    assert!(!log.contains(TOKEN) && !log.contains("wrong-guess"), "{log}");
}

#[test]
fn a_foreign_host_is_refused_everywhere() {
    let server = Running::start(&[]);
    for path in ["/", "/health", "/mcp", "/api/status"] {
        let head = format!("GET {path} HTTP/1.1\r\nhost: evil.example\r\n");
        let refused = server.send(&head, "");
        assert_eq!(refused.status, 403, "{path}");
        assert!(refused.body.contains("`evil.example`"), "{}", refused.body);
    }
}

#[test]
fn a_foreign_page_is_refused_in_the_words_of_the_surface() {
    let server = Running::start(&[]);
    let foreign = "origin: https://evil.example\r\n";
    let refused = server.send(&format!("{}{foreign}", mcp_head("/mcp")), INITIALIZE);
    assert_eq!(refused.status, 403);
    assert_eq!(refused.json()["error"]["code"], -32600);
    let head = format!("GET /health HTTP/1.1\r\nhost: localhost\r\n{foreign}");
    let refused = server.send(&head, "");
    assert_eq!(refused.status, 403);
    assert_eq!(refused.header("content-type"), Some("application/problem+json"));
}

#[test]
fn names_and_pages_can_be_allowed() {
    let server = Running::start(&[
        "--allow-host",
        "tandem.example",
        "--allow-origin",
        "https://app.example",
    ]);
    let head = "GET /health HTTP/1.1\r\nhost: tandem.example\r\norigin: https://app.example\r\n"
        .to_owned();
    let answer = server.send(&head, "");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("access-control-allow-origin"), Some("https://app.example"));
}
