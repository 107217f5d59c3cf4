//! An agent: one client on the transport that stdio has.

use std::{
    collections::VecDeque,
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use kit_mcp::Server;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, DuplexStream, ReadHalf, WriteHalf},
    sync::Mutex,
};
use tokio_util::sync::CancellationToken;

/// No answer takes longer in a test that passes.
const PATIENCE: Duration = Duration::from_secs(40);

pub(crate) struct Agent {
    input: Mutex<WriteHalf<DuplexStream>>,
    output: Mutex<Output>,
    next: AtomicU64,
}

struct Output {
    lines: tokio::io::Lines<BufReader<ReadHalf<DuplexStream>>>,
    /// Notifications that came before an answer that was waited for, as they were written.
    heard: VecDeque<String>,
}

/// What a tool answered.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Answer {
    pub(crate) text: String,
    pub(crate) notes: Vec<String>,
    pub(crate) failed: bool,
}

impl Agent {
    pub(crate) async fn new(server: Server, stop: CancellationToken) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (input, output) = tokio::io::split(theirs);
        tokio::spawn(kit_mcp::stdio::serve_on(server, input, output, stop));
        let (output, input) = tokio::io::split(ours);
        let lines = BufReader::new(output).lines();
        let agent = Self {
            input: Mutex::new(input),
            output: Mutex::new(Output { lines, heard: VecDeque::new() }),
            next: AtomicU64::new(1),
        };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"}});
        agent.ask("initialize", hello).await;
        agent.say(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"})).await;
        agent
    }

    async fn say(&self, message: &Value) {
        let line = format!("{message}\n");
        self.input.lock().await.write_all(line.as_bytes()).await.unwrap();
    }

    /// Asks and gives the whole answer.
    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        self.say(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params})).await;
        let mut output = self.output.lock().await;
        loop {
            let line = output.line().await;
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return message;
            }
            output.heard.push_back(line);
        }
    }

    /// The next notification, as it was written.
    pub(crate) async fn hear(&self) -> String {
        let mut output = self.output.lock().await;
        match output.heard.pop_front() {
            Some(line) => line,
            None => output.line().await,
        }
    }

    /// The next notification of a method.
    pub(crate) async fn hear_of(&self, method: &str) -> Value {
        loop {
            let message: Value = serde_json::from_str(&self.hear().await).unwrap();
            if message["method"] == method {
                return message;
            }
        }
    }

    pub(crate) async fn call(&self, tool: &str, arguments: Value) -> Answer {
        let answer = self.ask("tools/call", json!({"name": tool, "arguments": arguments})).await;
        let result = &answer["result"];
        let blocks = result["content"].as_array().unwrap_or_else(|| panic!("{tool}: {answer}"));
        let mut texts = blocks.iter().map(|block| block["text"].as_str().unwrap().to_owned());
        let text = texts.next().unwrap();
        Answer { text, notes: texts.collect(), failed: result["isError"] == true }
    }

    /// The text that a tool gives.
    pub(crate) async fn tool(&self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments).await;
        assert!(!answer.failed, "{tool}: {}", answer.text);
        answer.text
    }

    /// The words in which a tool refuses.
    pub(crate) async fn refusal(&self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments).await;
        assert!(answer.failed, "{tool}: {}", answer.text);
        answer.text
    }

    /// What Lua returns, in session 1.
    pub(crate) async fn run(&self, code: &str) -> Value {
        let text = self.tool("ui_run", json!({"code": code})).await;
        serde_json::from_str(&text).unwrap()
    }

    /// Text and type of a resource.
    pub(crate) async fn read(&self, uri: &str) -> (String, String) {
        let answer = self.ask("resources/read", json!({"uri": uri})).await;
        let content = &answer["result"]["contents"][0];
        let text =
            |key: &str| content[key].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned();
        (text("text"), text("mimeType"))
    }

    pub(crate) async fn read_json(&self, uri: &str) -> Value {
        let (text, kind) = self.read(uri).await;
        assert_eq!(kind, "application/json");
        serde_json::from_str(&text).unwrap()
    }

    /// Why a resource cannot be read.
    pub(crate) async fn unreadable(&self, uri: &str) -> String {
        let answer = self.ask("resources/read", json!({"uri": uri})).await;
        answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{answer}")).to_owned()
    }
}

impl Output {
    async fn line(&mut self) -> String {
        let line = tokio::time::timeout(PATIENCE, self.lines.next_line()).await;
        line.expect("nothing was said").unwrap().expect("the stream ended")
    }
}
