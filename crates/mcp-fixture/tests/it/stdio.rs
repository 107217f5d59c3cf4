//! The program itself, on pipes.

use std::process::{ExitStatus, Stdio};

use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines},
    process::{Child, ChildStdin, ChildStdout, Command},
};

use crate::{
    client::within,
    server::{MODERN, call, initialize, notification, rpc},
};

/// A child that reads and writes messages.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    output: Lines<BufReader<ChildStdout>>,
}

impl Program {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mcp-fixture"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().unwrap()).lines();
        Self { child, input, output }
    }

    async fn greeted(version: &str) -> Self {
        let mut program = Self::start();
        program.say(&initialize(version)).await;
        assert_eq!(program.hear().await["result"]["protocolVersion"], version);
        program.say(&notification("notifications/initialized")).await;
        program
    }

    async fn say(&mut self, message: &Value) {
        self.say_raw(message.to_string().as_bytes()).await;
    }

    async fn say_raw(&mut self, line: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line).await.unwrap();
        input.write_all(b"\n").await.unwrap();
    }

    /// The next line, which must be a message: nothing else may come out here.
    async fn hear(&mut self) -> Value {
        let line = within(self.output.next_line()).await.unwrap().expect("the program goes on");
        let message: Value =
            serde_json::from_str(&line).unwrap_or_else(|_| panic!("a stray line: {line}"));
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        message
    }

    async fn answer_to(&mut self, id: i64) -> Value {
        loop {
            let message = self.hear().await;
            if message["id"] == id {
                return message;
            }
        }
    }

    /// Ends the input and returns what the program still says, and how it ends.
    async fn end(mut self) -> (Vec<Value>, ExitStatus) {
        drop(self.input.take());
        let mut rest = Vec::new();
        while let Some(line) = within(self.output.next_line()).await.unwrap() {
            rest.push(serde_json::from_str(&line).unwrap());
        }
        (rest, within(self.child.wait()).await.unwrap())
    }
}

#[tokio::test]
async fn every_line_is_a_message_while_tools_panic_print_and_log() {
    let mut program = Program::greeted("2025-11-25").await;
    for (id, tool) in
        ["fault_panic", "fault_print", "fault_log", "about_fixture"].iter().enumerate()
    {
        let id = i64::try_from(id).unwrap() + 1;
        program.say(&call(id, tool, json!({}))).await;
        let answer = program.answer_to(id).await;
        assert_eq!(answer["result"]["isError"] == true, *tool == "fault_panic", "{answer}");
    }
    let mut stderr = program.child.stderr.take().unwrap();
    let (rest, status) = program.end().await;
    assert!(rest.is_empty(), "{rest:?}");
    assert!(status.success());
    let mut said = String::new();
    stderr.read_to_string(&mut said).await.unwrap();
    assert!(
        said.contains("a line that is not JSON-RPC"),
        "what was printed went to stderr: {said}"
    );
}

#[tokio::test]
async fn a_line_that_is_no_message_is_answered_and_the_stream_goes_on() {
    let mut program = Program::greeted("2025-11-25").await;
    let not_json: [&[u8]; 4] = [b"nonsense", b"{", b"\xff\xfe", b"{\"jsonrpc\":\"2.0\",\"id\":1,"];
    for line in not_json {
        program.say_raw(line).await;
        assert_eq!(program.hear().await["error"]["code"], -32700, "{line:?}");
    }
    for line in ["42", "null", "{}", r#"{"jsonrpc":"2.0","id":7}"#, "[]"] {
        program.say_raw(line.as_bytes()).await;
        assert_eq!(program.hear().await["error"]["code"], -32600, "{line}");
    }
    program.say_raw(b"").await;
    program.say(&rpc(9, "ping", &json!({}))).await;
    assert_eq!(program.hear().await["id"], 9);
    assert!(program.end().await.1.success());
}

#[tokio::test]
async fn the_program_is_well_even_if_nothing_good_comes_first() {
    let mut program = Program::start();
    program.say_raw(b"nonsense").await;
    assert_eq!(program.hear().await["error"]["code"], -32700);
    program.say(&notification("notifications/initialized")).await;
    program.say(&initialize("2025-06-18")).await;
    assert_eq!(program.hear().await["result"]["protocolVersion"], "2025-06-18");
    assert!(program.end().await.1.success());
    let (said, status) = Program::start().end().await;
    assert!(said.is_empty() && status.success(), "input that ends at once is no error");
}

#[tokio::test]
async fn the_end_of_input_waits_for_running_calls() {
    let mut program = Program::greeted("2025-11-25").await;
    for id in 1..=3 {
        program.say(&call(id, "test_tool_with_progress", json!({}))).await;
    }
    let (rest, status) = program.end().await;
    let mut answered: Vec<_> = rest.iter().filter_map(|message| message["id"].as_i64()).collect();
    answered.sort_unstable();
    assert_eq!(answered, [1, 2, 3]);
    assert!(status.success());
}

#[tokio::test]
async fn an_id_in_use_is_refused_and_its_first_call_goes_on() {
    let mut program = Program::greeted("2025-11-25").await;
    program.say(&call(5, "hold", json!({ "name": "pipe" }))).await;
    program.say(&call(5, "about_fixture", json!({}))).await;
    assert_eq!(program.hear().await["error"]["code"], -32600);
    program.say(&call(6, "release", json!({ "name": "pipe" }))).await;
    let mut answers = vec![program.hear().await, program.hear().await];
    answers.sort_by_key(|answer| answer["id"].as_i64());
    assert!(answers.iter().all(|answer| answer.get("result").is_some()), "{answers:?}");
}

#[tokio::test]
async fn a_cancelled_call_is_given_up_and_not_answered() {
    let mut program = Program::greeted("2025-11-25").await;
    program.say(&call(1, "hold", json!({ "name": "pipe" }))).await;
    program.say(&call(2, "wait_held", json!({ "name": "pipe" }))).await;
    program.answer_to(2).await;
    let cancelled = json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    program.say(&cancelled).await;
    program.say(&call(3, "wait_dropped", json!({ "name": "pipe" }))).await;
    assert_eq!(program.hear().await["id"], 3);
    assert!(program.end().await.0.is_empty());
}

#[tokio::test]
async fn subscribers_hear_of_changes() {
    let mut program = Program::greeted("2025-11-25").await;
    let uri = "test://watched-resource";
    program.say(&rpc(1, "resources/subscribe", &json!({ "uri": uri }))).await;
    program.answer_to(1).await;
    program.say(&call(2, "touch_watched", json!({}))).await;
    let both = [program.hear().await, program.hear().await];
    let updated =
        both.iter().find(|message| message["method"] == "notifications/resources/updated");
    assert_eq!(updated.unwrap()["params"]["uri"], uri);
}

#[tokio::test]
async fn a_line_over_the_limit_is_refused_and_the_stream_goes_on() {
    let mut program = Program::greeted("2025-11-25").await;
    let long = call(1, "echo", json!({ "text": "a".repeat(5 << 20) })).to_string();
    program.say_raw(long.as_bytes()).await;
    assert_eq!(program.hear().await["error"]["code"], -32600);
    program.say(&rpc(2, "ping", &json!({}))).await;
    assert_eq!(program.hear().await["id"], 2);
}

#[tokio::test]
async fn a_modern_client_needs_no_greeting() {
    let mut program = Program::start();
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": MODERN,
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    program.say(&rpc(1, "server/discover", &json!({ "_meta": meta }))).await;
    let found = program.hear().await;
    assert!(
        found["result"]["supportedVersions"].as_array().unwrap().contains(&json!(MODERN)),
        "{found}"
    );
    let params = json!({ "name": "echo", "arguments": { "text": "hi" }, "_meta": meta });
    program.say(&rpc(2, "tools/call", &params)).await;
    let answer = program.hear().await;
    assert_eq!(answer["result"]["content"][0]["text"], "hi", "{answer}");
    assert!(program.end().await.1.success());
}
