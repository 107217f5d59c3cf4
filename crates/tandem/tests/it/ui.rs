//! `tandem ui`: on standard input and output for an agent, and from a folder for people.

use std::{
    io::{BufRead as _, BufReader, Lines, Write as _},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Running, shown, tandem};

/// The program with an agent at its standard input and output.
struct Agent {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
    dir: TempDir,
    next: u64,
}

impl Agent {
    fn start(args: &[&str], variables: &[(&str, &str)]) -> Self {
        let dir = TempDir::new().unwrap();
        let mut child = tandem(dir.path())
            .args(args)
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(std::fs::File::create(dir.path().join("stderr")).unwrap())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut agent = Self { input: child.stdin.take(), output, child, dir, next: 0 };
        agent.ask(
            "initialize",
            &json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}),
        );
        agent
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let message =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        self.input.as_mut().unwrap().write_all(format!("{message}\n").as_bytes()).unwrap();
        loop {
            let answer: Value = serde_json::from_str(&self.line()).unwrap();
            if answer["id"] == self.next {
                return answer;
            }
        }
    }

    fn line(&mut self) -> String {
        self.output.next().expect("the stream ended").unwrap()
    }

    /// Whether a tool failed, and what it said.
    fn call(&mut self, tool: &str, arguments: &Value) -> (bool, String) {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}));
        let result = &answer["result"];
        (result["isError"] == true, result["content"][0]["text"].as_str().unwrap().to_owned())
    }

    fn tool(&mut self, tool: &str, arguments: &Value) -> String {
        let (failed, text) = self.call(tool, arguments);
        assert!(!failed, "{tool}: {text}");
        text
    }

    fn resource(&mut self, uri: &str) -> Result<String, String> {
        let answer = self.ask("resources/read", &json!({"uri": uri}));
        match answer["error"]["message"].as_str() {
            Some(error) => Err(error.to_owned()),
            None => Ok(answer["result"]["contents"][0]["text"].as_str().unwrap().to_owned()),
        }
    }

    fn base(&self) -> Value {
        json!({"base_dir": self.dir.path().join("project")})
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// The tools that need a server at work.
fn runtime_tools() -> [(&'static str, Value); 3] {
    [
        ("ui_run", json!({"code": "return 1"})),
        ("ui_upload_viewdef", json!({"type": "A", "namespace": "DEFAULT", "content": "<p>a</p>"})),
        ("ui_open_browser", json!({})),
    ]
}

fn refused(text: &str) -> (bool, String) {
    (true, text.to_owned())
}

// spec: ui 3.1
// spec: ui 3.2
// spec: ui 3.3
#[test]
fn every_call_in_every_state_over_stdio() {
    let mut agent =
        Agent::start(&["ui", "--mcp"], &[("BROWSER", "true"), ("PATH", "/usr/bin:/bin")]);
    // Unconfigured.
    assert_eq!(agent.tool("ui_status", &json!({})), "{\n  \"state\": \"unconfigured\"\n}");
    assert_eq!(agent.call("ui_start", &json!({})), refused("Server not configured"));
    for (tool, arguments) in runtime_tools() {
        assert_eq!(agent.call(tool, &arguments), refused("Server not configured"), "{tool}");
    }
    for uri in ["ui://state", "ui://variables"] {
        assert_eq!(agent.resource(uri), Err("Server not configured".to_owned()));
    }
    for uri in ["ui://reference", "ui://viewdefs", "ui://lua", "ui://mcp"] {
        assert!(agent.resource(uri).is_ok(), "{uri}");
    }
    // Configured, twice.
    let base = agent.base();
    for _ in 0..2 {
        assert!(
            agent
                .tool("ui_configure", &base)
                .starts_with("Server configured. Log files created at ")
        );
        assert_eq!(agent.tool("ui_status", &json!({})), "{\n  \"state\": \"configured\"\n}");
    }
    for (tool, arguments) in runtime_tools() {
        assert_eq!(agent.call(tool, &arguments), refused("Server not started"), "{tool}");
    }
    for uri in ["ui://state", "ui://variables"] {
        assert_eq!(agent.resource(uri), Err("Server not started".to_owned()));
    }
    assert!(agent.resource("ui://reference").is_ok());
    // Running.
    let url = agent.tool("ui_start", &json!({}));
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    assert_eq!(agent.call("ui_start", &json!({})), refused("Server already running"));
    let status: Value = serde_json::from_str(&agent.tool("ui_status", &json!({}))).unwrap();
    assert_eq!(status, json!({"state": "running", "url": url, "sessions": 0}));
    assert_eq!(agent.tool("ui_run", &json!({"code": "return 1"})), "1");
    assert_eq!(
        agent.tool("ui_upload_viewdef", &runtime_tools()[1].1),
        "Viewdef A.DEFAULT uploaded"
    );
    assert_eq!(
        agent.tool("ui_open_browser", &json!({"path": "x"})),
        format!("Opened {url}/1/x?conserve=true")
    );
    assert!(agent.resource("ui://state").is_ok() && agent.resource("ui://variables").is_ok());
    assert!(agent.resource("ui://reference").is_ok());
    // And back.
    agent.tool("ui_configure", &base);
    assert_eq!(agent.call("ui_run", &json!({"code": "return 1"})), refused("Server not started"));
    assert!(std::net::TcpStream::connect(url.strip_prefix("http://").unwrap()).is_err());
    agent.tool("ui_start", &json!({}));
    assert_eq!(agent.tool("ui_run", &json!({"code": "return 2"})), "2");
}

// spec: ui 5.5
#[test]
fn a_browser_that_fails_is_told() {
    for (program, said) in [("false", "ended with"), ("/no/such/program", "No such file")] {
        let variables = [("BROWSER", program), ("PATH", "/usr/bin:/bin")];
        let mut agent = Agent::start(&["ui", "--mcp"], &variables);
        let base = agent.base();
        agent.tool("ui_configure", &base);
        agent.tool("ui_start", &json!({}));
        let (failed, text) = agent.call("ui_open_browser", &json!({}));
        assert!(
            failed && text.starts_with("failed to open browser: ") && text.contains(said),
            "{text}"
        );
    }
}

// spec: ui 7.1
#[test]
fn a_notification_is_on_standard_output_to_the_letter() {
    let mut agent = Agent::start(&["ui", "mcp"], &[]);
    let base = agent.base();
    agent.tool("ui_configure", &base);
    agent.tool("ui_start", &json!({}));
    let code = "session:setTimeout(function() mcp.notify('feedback', {rating = 4, comment = 'Great!'}) end, 50)";
    agent.tool("ui_run", &json!({"code": code}));
    let line = agent.line();
    let ordered = [
        r#"{"jsonrpc":"2.0","method":"feedback","params":{"rating":4,"comment":"Great!"}}"#,
        r#"{"jsonrpc":"2.0","method":"feedback","params":{"comment":"Great!","rating":4}}"#,
    ];
    assert!(ordered.contains(&&*line), "{line}");
}

// spec: ui 2.1
#[test]
fn the_end_of_input_and_the_order_to_stop_end_it_cleanly() {
    for by_signal in [false, true] {
        let mut agent = Agent::start(&["ui", "--mcp"], &[]);
        let base = agent.base();
        agent.tool("ui_configure", &base);
        let url = agent.tool("ui_start", &json!({}));
        if by_signal {
            let pid = agent.child.id().to_string();
            assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        } else {
            drop(agent.input.take());
        }
        assert_eq!(agent.child.wait().unwrap().code(), Some(0), "by signal: {by_signal}");
        assert!(std::net::TcpStream::connect(url.strip_prefix("http://").unwrap()).is_err());
        let mut rest = String::new();
        for line in agent.output.by_ref() {
            rest += &line.unwrap();
        }
        assert_eq!(rest, "");
    }
}

#[test]
fn settings_come_from_variables_and_flags_over_the_file() {
    let variables = [("UI_SESSION_TIMEOUT", "1w")];
    let mut agent = Agent::start(&["ui", "--mcp"], &variables);
    let base = agent.base();
    let (failed, text) = agent.call("ui_configure", &base);
    assert!(failed && text.contains("`session.timeout`") && text.contains("1w"), "{text}");

    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut agent =
        Agent::start(&["ui", "mcp", "--ui-port", &free.to_string()], &[("UI_PORT", "1")]);
    let base = agent.base();
    agent.tool("ui_configure", &base);
    assert_eq!(agent.tool("ui_start", &json!({})), format!("http://127.0.0.1:{free}"));
}

fn project(dir: &Path) {
    std::fs::create_dir_all(dir.join("lua")).unwrap();
    let main = "App = session:prototype('App', {count = 0})\nsession:createAppVariable(session:create(App))";
    std::fs::write(dir.join("lua/main.lua"), main).unwrap();
}

#[test]
fn a_folder_is_served_to_people_and_agents_together() {
    let dir = TempDir::new().unwrap();
    project(dir.path());
    let server = Running::start_as(&["ui", "serve", dir.path().to_str().unwrap()], &[]);
    let head = format!("GET / HTTP/1.1\r\nhost: {}\r\n", server.address);
    for id in 1..=2 {
        let answer = server.send(&head, "");
        assert_eq!((answer.status, answer.header("location")), (307, Some(&*format!("/{id}/"))));
    }
    let foreign = format!("{head}origin: http://localhost:1\r\n");
    assert_eq!(server.send(&foreign, "").status, 403);
    // The same sessions from the terminal, found by the folder.
    let run = |args: &[&str]| {
        shown(
            tandem(dir.path())
                .args(["ui"])
                .args(args)
                .args(["--url", &format!("http://{}", server.address)]),
        )
    };
    let by_folder =
        shown(tandem(dir.path()).args(["ui", "run", "session:getApp().count = 5 return 1"]));
    assert_eq!(by_folder, "exit: 0\n--- stdout\n1\n--- stderr\n");
    assert!(run(&["state"]).contains("\"count\": 5"));
    assert!(run(&["state", "2"]).contains("\"count\": 0"));
    assert!(run(&["variables", "--json"]).contains("\"parentId\": 0"));
    assert!(run(&["status"]).contains("\"state\": \"running\""));
    assert!(
        run(&["run", "error('no')"])
            .starts_with("exit: 2\n--- stdout\n--- stderr\nerror: execution failed: ")
    );
    server.ask_to_stop();
    assert_eq!(server.exit_code(), Some(0));
}

#[test]
fn the_overview_is_among_all_applications() {
    let server = Running::start(&[]);
    assert_eq!(server.get("/ui/api/sessions").json(), json!({"sessions": []}));
    let head =
        "POST /ui/api/ui_status HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n";
    assert_eq!(server.send(head, "{}").json(), json!({"result": {"state": "unconfigured"}}));
    let neighbour = format!("{head}origin: http://localhost:1\r\n");
    assert_eq!(server.send(&neighbour, "{}").status, 403, "not even a page of this machine");
    let own = format!("{head}origin: http://localhost\r\n");
    assert_eq!(server.send(&own, "{}").status, 200);
}

#[test]
fn no_server_for_a_folder_is_told() {
    let dir = TempDir::new().unwrap();
    let said = shown(tandem(dir.path()).args(["ui", "status"]));
    assert!(
        said.starts_with("exit: 2\n--- stdout\n--- stderr\nerror: no server serves `.`"),
        "{said}"
    );
    assert!(said.contains("hint: start one with"), "{said}");
}

#[test]
fn a_flag_that_is_no_command_is_told() {
    let dir = TempDir::new().unwrap();
    let said = shown(tandem(dir.path()).args(["ui", "--hotload", "true"]));
    assert!(said.starts_with("exit: 2\n"), "{said}");
}

#[test]
fn two_servers_share_a_folder_since_neither_keeps_anything_there() {
    let dir = TempDir::new().unwrap();
    project(dir.path());
    let data = dir.path().join("data");
    let args = ["--data-dir", data.to_str().unwrap()];
    let folder = ["ui", "serve", dir.path().to_str().unwrap()];
    let (first, second) = (Running::start_as(&folder, &args), Running::start_as(&folder, &args));
    for server in [&first, &second] {
        let head = format!("GET / HTTP/1.1\r\nhost: {}\r\n", server.address);
        assert_eq!(server.send(&head, "").status, 307);
    }
    assert!(!data.exists(), "nothing is written where nothing is kept");
}
