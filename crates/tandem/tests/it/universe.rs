//! One application, below the host and alone.

use std::os::unix::fs::symlink;

use insta::assert_snapshot;
use serde_json::json;
use tempfile::TempDir;

use crate::support::{INITIALIZE, Running, mcp_head, shown, tandem};

#[test]
fn below_the_host_it_has_its_name_in_front() {
    let server = Running::start(&[]);
    assert_eq!(server.get("/universe/universes").status, 200);
    assert_eq!(server.get("/universe/health").json()["ok"], true);
    let answer = server.send(&mcp_head("/universe/mcp"), INITIALIZE);
    assert_eq!(answer.json()["result"]["serverInfo"]["name"], "universe");
}

#[test]
fn alone_its_routes_are_at_the_root() {
    let server = Running::start_as(&["universe", "serve"], &[]);
    assert_eq!(server.get("/universes").status, 200);
    let health = server.get("/health").json();
    // Its specification's answer, not the host's.
    assert_eq!((&health["ok"], health["uptime"].is_u64()), (&json!(true), true), "{health}");
    assert_eq!(server.get("/ready").status, 200);
    let answer = server.send(&mcp_head("/mcp"), INITIALIZE);
    assert_eq!(answer.json()["result"]["serverInfo"]["name"], "universe");
    assert_eq!(server.get("/universe/universes").status, 404);
    let status = server.get("/api/status").json();
    assert_eq!(status["applications"][0]["mcp"]["url"], "http://localhost/mcp");
    assert_eq!(status["mcp"]["command"], json!(["tandem", "universe", "mcp"]));
}

#[test]
fn alone_it_takes_the_variables_of_its_specification() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let dir = TempDir::new().unwrap();
    std::fs::write(dir.path().join("tandem.toml"), "listen = \"127.0.0.1:1\"").unwrap();
    let mut command = tandem(dir.path());
    let text = shown(command.args(["universe", "serve"]).env("PORT", address.port().to_string()));
    assert!(text.contains(&format!("cannot listen on `{address}`")), "{text}");
}

#[test]
fn alone_it_may_keep_nothing_and_log_to_a_file() {
    let variables =
        [("DB_PROVIDER", "noop"), ("LOG_LEVEL", "debug"), ("LOG_FILE", "logs/here.log")];
    let server = Running::start_with(&["universe", "serve"], &[], &variables);
    assert_eq!(server.get("/universes").status, 200);
    assert!(!server.dir().join(".tandem").exists(), "nothing is kept");
    server.wait_for_log("/universes");
    let kept = std::fs::read_to_string(server.dir().join("logs/here.log")).unwrap();
    assert!(kept.contains("/universes"), "{kept}");
}

#[test]
fn alone_a_variable_that_makes_no_sense_stops_the_start() {
    let start = |variables: &[(&str, &str)]| {
        let dir = TempDir::new().unwrap();
        let mut command = tandem(dir.path());
        shown(command.args(["universe", "serve"]).envs(variables.iter().copied()))
    };
    assert_snapshot!(start(&[("DB_PROVIDER", "mysql")]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: DB_PROVIDER: no provider `mysql`
      hint: `noop` keeps everything in memory, `postgres` in a database; leave it out for a file
    ");
    assert_snapshot!(start(&[("DB_PROVIDER", "postgres")]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: `DB_PROVIDER` is `postgres`, and there is no `DATABASE_URL`
      hint: set `DATABASE_URL` to `postgres://user@host/database`
    ");
    let text = start(&[("DB_PROVIDER", "postgres"), ("DATABASE_URL", "mysql://x")]);
    assert!(text.contains("begins with `mysql://`") || text.contains("`mysql`"), "{text}");
    assert_snapshot!(start(&[("LOG_LEVEL", "loud")]), @r"
    exit: 2
    --- stdout
    --- stderr
    error: LOG_LEVEL: no level `loud`
      hint: there are `fatal`, `error`, `warn`, `info`, `debug`, `trace`
    ");
}

#[test]
fn a_link_with_its_name_is_the_application() {
    let dir = TempDir::new().unwrap();
    let link = dir.path().join("universe");
    symlink(env!("CARGO_BIN_EXE_tandem"), &link).unwrap();
    let mut command = std::process::Command::new(&link);
    assert_snapshot!(shown(command.env_clear().current_dir(dir.path()).arg("--help")));
}

#[test]
fn its_token_guards_what_it_serves() {
    let server = Running::start(&["--token", "s3cret-token-of-16"]);
    for path in ["/universe", "/universe/", "/universe/universes", "/universe/mcp"] {
        assert_eq!(server.get(path).status, 401, "{path}");
    }
}

#[test]
fn a_change_over_http_is_there_over_mcp_and_after_a_restart() {
    let kept = TempDir::new().unwrap();
    let data = ["--data-dir", kept.path().to_str().unwrap()];
    let server = Running::start(&data);
    let head = "POST /universe/universes HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    let made = server.send(head, r#"{"name":"Home","state":{}}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let id = made.json()["id"].as_str().unwrap().to_owned();
    assert!(read_over_mcp(&server, &id).contains("rootIds"));
    server.ask_to_stop();
    assert_eq!(server.exit_code(), Some(0));

    let again = Running::start(&data);
    assert!(again.get("/universe/universes").body.contains(&id));
}

fn read_over_mcp(server: &Running, id: &str) -> String {
    let opened = server.send(&mcp_head("/mcp"), INITIALIZE);
    let session = opened.header("mcp-session-id").unwrap();
    let head = format!("{}mcp-session-id: {session}\r\n", mcp_head("/mcp"));
    let call = json!({
        "jsonrpc": "2.0", "id": 2, "method": "tools/call",
        "params": {"name": "universe_get_universe_state", "arguments": {"universeId": id}},
    });
    server.send(&head, &call.to_string()).body
}

#[test]
fn the_home_page_knows_it() {
    let server = Running::start(&[]);
    let page = server.get("/");
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    let status = server.get("/api/status").json();
    assert_eq!(status["applications"][0]["name"], "universe");
    assert_eq!(status["applications"][0]["health"]["status"], "well");
    assert_eq!(status["applications"][0]["mcp"]["url"], "http://localhost/universe/mcp");
}

#[test]
fn on_standard_input_it_answers_and_ends_with_it() {
    use std::io::Write;
    let dir = TempDir::new().unwrap();
    let mut child = tandem(dir.path())
        .args(["universe", "mcp"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    writeln!(input, "{INITIALIZE}").unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let lines: Vec<_> = std::str::from_utf8(&output.stdout).unwrap().lines().collect();
    let answer: serde_json::Value = serde_json::from_str(lines[0]).unwrap();
    assert_eq!(answer["result"]["serverInfo"]["name"], "universe");
    assert_eq!(lines.len(), 1);
}
