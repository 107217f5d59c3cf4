//! Sessions by cookie, as somebody with `curl` at hand uses them.

use std::process::Stdio;

use kit_mcp::Mode;
use serde_json::{Value, json};
use tokio::process::Command;

use crate::server::{Server, call, initialize, rpc};

/// The transcript of the campaign server's specification, word for word but for the port and the place of the
/// cookies, which are a test's own.
const TRANSCRIPT: [&str; 3] = [
    r#"curl -sS -c /tmp/mcp-cookies.txt -X POST http://localhost:8081/mcp \
  -H "Content-Type: application/json" \
  -d '{
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
      "protocolVersion": "2024-11-05",
      "clientInfo": {
        "name": "test-client",
        "version": "0.1.0"
      }
    }
  }'"#,
    r#"curl -sS -b /tmp/mcp-cookies.txt -X POST http://localhost:8081/mcp \
  -H "Content-Type: application/json" \
  -d '{
    "jsonrpc": "2.0",
    "method": "initialized",
    "params": {}
  }'"#,
    r#"curl -sS -b /tmp/mcp-cookies.txt -X POST http://localhost:8081/mcp \
  -H "Content-Type: application/json" \
  -d '{
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/list",
    "params": {}
  }'"#,
];

#[tokio::test]
async fn the_documented_curl_commands_work_as_they_stand() {
    let server = Server::start(Mode::Cookie).await;
    let home = tempfile::tempdir().unwrap();
    let mut said = Vec::new();
    for command in TRANSCRIPT {
        let command = command
            .replace("localhost:8081", &format!("localhost:{}", server.address.port()))
            .replace("/tmp/", &format!("{}/", home.path().display()));
        said.push(shell(&command).await);
    }
    let hello: Value = serde_json::from_str(&said[0]).unwrap();
    assert_eq!(hello["result"]["protocolVersion"], "2024-11-05", "{hello}");
    assert_eq!(said[1], "");
    let tools: Value = serde_json::from_str(&said[2]).unwrap();
    assert_eq!(tools["result"]["tools"][0]["name"], "about_fixture", "{tools}");
}

async fn shell(command: &str) -> String {
    let output =
        Command::new("sh").args(["-c", command]).stdin(Stdio::null()).output().await.unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}\n{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn the_cookie_is_kept_from_scripts_and_other_sites() {
    let server = Server::start(Mode::Cookie).await;
    let answer = server.post(&initialize("2025-11-25")).send().await;
    let cookie = answer.header("set-cookie").unwrap();
    let id = answer.header("mcp-session-id").unwrap();
    assert!(cookie.starts_with(&format!("mcp_session={id};")), "{cookie}");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
}

#[tokio::test]
async fn header_and_cookie_name_the_same_session_and_the_header_wins() {
    let server = Server::start(Mode::Cookie).await;
    let (mine, other) = (server.session("2025-11-25").await, server.session("2025-11-25").await);
    let ask = server.post(&call(1, "state_key", json!({})));
    let by_cookie = ask.clone().header("cookie", &format!("a=b; mcp_session={}", mine.id));
    let key = by_cookie.clone().send().await.result()["content"][0]["text"].clone();
    assert!(key.as_str().unwrap().contains(&mine.id), "{key}");
    let both = by_cookie.header("mcp-session-id", &other.id).send().await.result();
    assert!(both["content"][0]["text"].as_str().unwrap().contains(&other.id), "{both}");
}

#[tokio::test]
async fn only_an_endpoint_with_cookies_heeds_them() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let ask = server.post(&rpc(1, "tools/list", &json!({})));
    let answer = ask.header("cookie", &format!("mcp_session={}", session.id)).send().await;
    answer.refused(400, -32600);
    let hello = server.post(&initialize("2025-11-25")).send().await;
    assert!(hello.header("set-cookie").is_none());
}

/// A page of another site can make a browser send the cookie along, so it must not get that far.
#[tokio::test]
async fn a_foreign_page_cannot_use_the_cookie() {
    let server = Server::start(Mode::Cookie).await;
    let session = server.session("2025-11-25").await;
    let ask = server.post(&rpc(1, "tools/list", &json!({})));
    let ask = ask.header("cookie", &format!("mcp_session={}", session.id));
    assert_eq!(ask.header("origin", "https://evil.example").send().await.status, 403);
}

#[tokio::test]
async fn the_end_of_the_session_takes_the_cookie_back() {
    let server = Server::start(Mode::Cookie).await;
    let session = server.session("2025-11-25").await;
    let ended = server.ask("DELETE").header("cookie", &format!("mcp_session={}", session.id));
    let ended = ended.send().await;
    assert_eq!(ended.status, 204);
    assert!(ended.header("set-cookie").unwrap().contains("Max-Age=0"));
}
