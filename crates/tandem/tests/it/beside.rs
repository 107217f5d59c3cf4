//! Commands beside a running server that has the store.

use std::{
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use serde_json::{Value, json};

use crate::support::{INITIALIZE, Running, shown, tandem};

/// `tandem … mcp` in the directory of a running server.
struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Agent {
    fn start(server: &Running, args: &[&str]) -> Self {
        let mut child = tandem(server.dir())
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap());
        Self { child, input, output }
    }

    fn write(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.write(
            &json!({"jsonrpc": "2.0", "id": 2, "method": method, "params": params}).to_string(),
        );
        self.read()
    }

    fn greeted(server: &Running, args: &[&str]) -> Self {
        let mut agent = Self::start(server, args);
        agent.write(INITIALIZE);
        agent.read();
        agent.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        agent
    }

    fn exit_code(&mut self) -> Option<i32> {
        self.child.wait().unwrap().code()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn new_universe(server: &Running) -> String {
    let head = "POST /universe/universes HTTP/1.1\r\nhost: localhost\r\n";
    let made = server.send(head, r#"{"name":"Shared","state":{}}"#);
    made.json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn an_agent_on_stdio_joins_the_running_server() {
    let server = Running::start(&[]);
    let id = new_universe(&server);
    let mut agent = Agent::greeted(&server, &["mcp"]);
    let command = json!({"type": "addStar", "id": "sol", "payload": {}});
    let call = json!({"name": "universe_send_universe_command", "arguments": {"universeId": id, "command": command, "state": "none"}});
    let answer = agent.ask("tools/call", &call);
    assert!(answer["result"]["isError"] != true, "{answer}");
    let seen = server.get(&format!("/universe/universes/{id}")).json();
    assert_eq!(seen["state"]["rootIds"], json!(["sol"]));
    drop(agent.input.take());
    assert_eq!(agent.exit_code(), Some(0));
}

#[test]
fn an_agent_of_one_application_sees_its_own_tool_names() {
    let server = Running::start(&[]);
    let mut agent = Agent::greeted(&server, &["universe", "mcp"]);
    let tools = agent.ask("tools/list", &json!({}));
    assert_eq!(tools["result"]["tools"][0]["name"], "get_universe_state");
}

#[test]
fn an_agent_hears_that_the_server_is_gone() {
    let server = Running::start(&[]);
    let mut agent = Agent::greeted(&server, &["mcp"]);
    server.ask_to_stop();
    assert_eq!(server.exit_code(), Some(0));
    assert_eq!(agent.exit_code(), Some(2));
}

#[test]
fn the_next_server_takes_the_place_of_one_that_was_killed() {
    let mut server = Running::start(&[]);
    server.kill();
    let server = server.restart();
    let mut agent = Agent::greeted(&server, &["mcp"]);
    assert!(agent.ask("tools/list", &json!({}))["result"]["tools"].is_array());
}

#[test]
fn a_server_that_keeps_nothing_leaves_the_door_of_another_alone() {
    let server = Running::start(&[]);
    let id = new_universe(&server);
    let other = server.beside(&["--set", "store=memory"]);
    assert_eq!(other.get("/universe/universes").json(), json!([]));
    let shown = shown(tandem(server.dir()).args(["universe", "show", &id, "--json"]));
    assert!(shown.starts_with("exit: 0"), "{shown}");
}
