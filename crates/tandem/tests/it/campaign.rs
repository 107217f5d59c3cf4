//! `tandem campaign`, from outside: its flags, its transports, its two backends.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{INITIALIZE, Running, shown, tandem};

/// The transcript of the specification, but for the port and the place of the cookies.
const TRANSCRIPT: &str = r#"
# 1) First request: initialize session (cookie is set automatically)
curl -sS -c COOKIES -X POST http://localhost:PORT/mcp \
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
  }'
echo
# 2) Send initialized notification (cookie is sent automatically)
curl -sS -b COOKIES -X POST http://localhost:PORT/mcp \
  -H "Content-Type: application/json" \
  -d '{
    "jsonrpc": "2.0",
    "method": "initialized",
    "params": {}
  }'
echo
# 3) Subsequent request: cookie is sent automatically to reuse session
curl -sS -b COOKIES -X POST http://localhost:PORT/mcp \
  -H "Content-Type: application/json" \
  -d '{
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/list",
    "params": {}
  }'
echo
# 4) Check health
curl -sS http://localhost:PORT/mcp/health
"#;

const TWELVE: [&str; 12] = [
    "set_context",
    "campaign_create",
    "participant_create",
    "actor_create",
    "actor_control_set",
    "session_start",
    "duality_rules_version",
    "duality_action_roll",
    "duality_outcome",
    "duality_explain",
    "duality_probability",
    "roll_dice",
];

/// Runs the transcript and returns what it printed, line by line.
fn transcript(server: &Running) -> Vec<String> {
    let dir = TempDir::new().unwrap();
    let cookies = dir.path().join("cookies.txt");
    let script = TRANSCRIPT
        .replace("PORT", &server.address.port().to_string())
        .replace("COOKIES", cookies.to_str().unwrap());
    let output = Command::new("sh").args(["-ec", &script]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::read_to_string(cookies).unwrap().contains("mcp_session"));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn check_transcript(server: &Running) {
    let said = transcript(server);
    let [greeting, nothing, tools, health] = said.as_slice() else { panic!("{said:?}") };
    let greeting: Value = serde_json::from_str(greeting).unwrap();
    assert_eq!(greeting["result"]["protocolVersion"], "2024-11-05");
    assert_eq!(nothing, "");
    let tools: Value = serde_json::from_str(tools).unwrap();
    let names: Vec<_> = tools["result"]["tools"].as_array().unwrap().iter().collect();
    for name in TWELVE {
        assert!(names.iter().any(|tool| tool["name"] == name), "no `{name}`");
    }
    assert_eq!(health, "OK");
}

#[test]
fn the_transcript_of_the_specification_runs_on_an_embedded_backend() {
    check_transcript(&Running::start_as(&["campaign", "mcp", "-transport=http"], &[]));
}

#[test]
fn the_transcript_of_the_specification_runs_in_front_of_a_grpc_server() {
    let server = Running::start_as(&["campaign", "serve"], &[]);
    let addr = format!("-addr={}", server.address);
    check_transcript(&Running::start_as(&["campaign", "mcp", "-transport=http", &addr], &[]));
}

#[test]
fn the_transcript_of_the_specification_runs_on_the_application_alone() {
    check_transcript(&Running::start_as(&["campaign", "serve"], &[]));
}

#[test]
fn flags_have_one_dash_or_two_and_say_what_they_take() {
    let dir = TempDir::new().unwrap();
    for flags in [["-transport=http", "-http-addr=x"], ["--transport=http", "--http-addr=x"]] {
        let said = shown(tandem(dir.path()).args(["campaign", "mcp"]).args(flags));
        assert!(said.contains("`x` is not an address with a port"), "{said}");
    }
    let said = shown(tandem(dir.path()).args(["campaign", "mcp", "-transport=telegraph"]));
    assert!(said.contains("stdio") && said.contains("http"), "{said}");
    let said = shown(tandem(dir.path()).args(["universe", "mcp", "--addr", "localhost:1"]));
    assert!(said.contains("unexpected argument '--addr'"), "{said}");
}

/// An agent on standard input and output.
struct Agent {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Agent {
    fn start(dir: &Path, args: &[&str], vars: &[(&str, &str)]) -> Self {
        let mut child = tandem(dir)
            .args(["campaign", "mcp"])
            .args(args)
            .envs(vars.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut agent = Self { child, input, output, next: 2 };
        agent.write(INITIALIZE);
        agent.read();
        agent.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        agent
    }

    fn write(&mut self, line: &str) {
        writeln!(self.input, "{line}").unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"))
    }

    /// Asks, and keeps what is told in between.
    fn ask(&mut self, method: &str, params: &Value) -> (Value, Vec<Value>) {
        let id = self.next;
        self.next += 1;
        let message = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
        self.write(&message.to_string());
        let mut told = Vec::new();
        loop {
            let message = self.read();
            if message["id"] == id {
                return (message, told);
            }
            told.push(message);
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let (mut answer, _) =
            self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        answer["result"].take()
    }

    /// Waits until it is told that this resource changed.
    fn hears_of(&mut self, uri: &str) {
        loop {
            let message = self.read();
            if message["method"] == "notifications/resources/updated"
                && message["params"]["uri"] == uri
            {
                return;
            }
        }
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn post(server: &Running, path: &str, body: &Value) -> Value {
    let head =
        format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n");
    server.send(&head, &body.to_string()).json()
}

#[test]
fn what_is_no_message_is_answered_and_the_stream_goes_on() {
    let dir = TempDir::new().unwrap();
    let mut agent = Agent::start(dir.path(), &[], &[]);
    agent.write("{ this is no JSON");
    assert_eq!(agent.read()["error"]["code"], -32700);
    let rolled = agent.call("roll_dice", &json!({"dice": [{"sides": 6, "count": 2}]}));
    assert_eq!(rolled["structuredContent"]["rolls"][0]["sides"], 6);
}

#[test]
fn the_store_is_where_the_variable_says() {
    let dir = TempDir::new().unwrap();
    let made = {
        let mut agent =
            Agent::start(dir.path(), &[], &[("DUALITY_DB_PATH", "deep/data/duality.db")]);
        let new = json!({"name": "Kept", "gm_mode": "AI"});
        agent.call("campaign_create", &new)["structuredContent"]["id"].clone()
    };
    assert!(dir.path().join("deep/data/duality.db").is_file());
    assert!(!dir.path().join(".tandem").exists());
    let mut listing = tandem(dir.path());
    listing.env("DUALITY_DB_PATH", "deep/data/duality.db").args(["campaign", "list", "--json"]);
    assert!(shown(&mut listing).contains(made.as_str().unwrap()));
}

#[test]
fn an_agent_in_front_of_a_server_sees_and_is_told_what_others_do() {
    let server = Running::start_as(&["campaign", "serve"], &[]);
    let dir = TempDir::new().unwrap();
    // The variable goes before the flag.
    let address = server.address.to_string();
    let vars = [("DUALITY_GRPC_ADDR", address.as_str())];
    let mut agent = Agent::start(dir.path(), &["--addr", "localhost:1"], &vars);
    let made = post(&server, "/campaigns", &json!({"name": "Theirs", "gm_mode": "HUMAN"}));
    let id = made["id"].as_str().unwrap();

    let uri = format!("campaign://{id}/participants");
    agent.ask("resources/subscribe", &json!({"uri": uri}));
    let alice = json!({"display_name": "Alice", "role": "PLAYER"});
    let alice = post(&server, &format!("/campaigns/{id}/participants"), &alice);
    agent.hears_of(&uri);
    let (read, _) = agent.ask("resources/read", &json!({"uri": uri}));
    let text = read["result"]["contents"][0]["text"].as_str().unwrap();
    let listed: Value = serde_json::from_str(text).unwrap();
    assert_eq!(listed["participants"][0], alice);

    let set = agent.call("set_context", &json!({"campaign_id": id}));
    assert_eq!(set["structuredContent"], json!({"context": {"campaign_id": id}}));
    let bob = json!({"display_name": "Bob", "role": "GM", "controller": "AI"});
    let bob = agent.call("participant_create", &bob);
    assert_eq!(bob["structuredContent"]["campaign_id"], id);
    let table = server.get(&format!("/campaigns/{id}")).json();
    assert_eq!(table["participants"][1], bob["structuredContent"]);
    assert!(!dir.path().join(".tandem").exists(), "nothing is kept here");
}

#[test]
fn a_server_that_is_not_there_is_named_in_the_answer() {
    let dir = TempDir::new().unwrap();
    let mut agent = Agent::start(dir.path(), &["--addr", "127.0.0.1:9"], &[]);
    let failed = agent.call("campaign_create", &json!({"name": "x", "gm_mode": "AI"}));
    assert_eq!(failed["isError"], true);
    let text = failed["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with("Unavailable: ") && text.contains("127.0.0.1:9"), "{text}");
    // What needs no server is answered.
    let judged = agent.call("duality_outcome", &json!({"hope": 8, "fear": 5}));
    assert_eq!(judged["structuredContent"]["outcome"], "ROLL_WITH_HOPE");
}
