//! A line, a message.

use std::time::Duration;

use kit_mcp::{Change, Hub, stdio::serve_on};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

use crate::fixture::server;

struct Pipe {
    input: Option<WriteHalf<DuplexStream>>,
    output: Lines<BufReader<ReadHalf<DuplexStream>>>,
    served: JoinHandle<std::io::Result<()>>,
    hub: Hub,
}

impl Pipe {
    fn new() -> Self {
        let hub = Hub::default().of("fixture");
        let (ours, theirs) = tokio::io::duplex(64 * 1024);
        let (read, write) = tokio::io::split(theirs);
        let served = tokio::spawn(serve_on(server(&hub), read, write, CancellationToken::new()));
        let (read, write) = tokio::io::split(ours);
        Self { input: Some(write), output: BufReader::new(read).lines(), served, hub }
    }

    async fn say(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).await.unwrap();
        input.write_all(b"\n").await.unwrap();
    }

    async fn hear(&mut self) -> Value {
        let line = self.output.next_line().await.unwrap().expect("a line");
        serde_json::from_str(&line).expect("JSON")
    }

    async fn initialize(&mut self) {
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}});
        self.say(&hello.to_string()).await;
        assert_eq!(self.hear().await["result"]["protocolVersion"], "2025-06-18");
        self.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    }

    async fn call(&mut self, id: u64, tool: &str, arguments: Value) {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": tool, "arguments": arguments}});
        self.say(&call.to_string()).await;
    }
}

#[tokio::test]
async fn a_malformed_line_is_answered_and_the_stream_goes_on() {
    let mut pipe = Pipe::new();
    pipe.say(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).await;
    pipe.initialize().await;
    for (line, code) in
        [("{oops", -32700), ("42", -32600), (r#"{"jsonrpc":"2.0","id":{}}"#, -32600)]
    {
        pipe.say(line).await;
        assert_eq!(pipe.hear().await["error"]["code"], code, "{line}");
    }
    pipe.say(&format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"ping","x":"{}"}}"#,
        "y".repeat(70_000)
    ))
    .await;
    assert!(pipe.hear().await["error"]["message"].as_str().unwrap().contains("65536 bytes"));
    pipe.call(2, "echo", json!({"text": "still here"})).await;
    assert_eq!(pipe.hear().await["result"]["structuredContent"]["text"], "still here");
}

#[tokio::test]
async fn the_end_of_input_waits_for_running_calls() {
    let mut pipe = Pipe::new();
    pipe.initialize().await;
    pipe.call(1, "hang", json!({})).await;
    pipe.input.take().unwrap().shutdown().await.unwrap();
    assert_eq!(pipe.hear().await["result"]["structuredContent"]["code"], "unavailable");
    pipe.served.await.unwrap().unwrap();
}

#[tokio::test]
async fn the_end_of_input_before_anything_was_said_is_no_error() {
    let mut pipe = Pipe::new();
    pipe.input.take().unwrap().shutdown().await.unwrap();
    pipe.served.await.unwrap().unwrap();
}

#[tokio::test]
async fn an_id_in_use_is_refused() {
    let mut pipe = Pipe::new();
    pipe.initialize().await;
    pipe.call(1, "hang", json!({})).await;
    pipe.call(1, "echo", json!({"text": "x"})).await;
    assert_eq!(pipe.hear().await["error"]["code"], -32600);
}

#[tokio::test]
async fn a_panic_is_answered() {
    let mut pipe = Pipe::new();
    pipe.initialize().await;
    pipe.call(1, "panic", json!({})).await;
    assert_eq!(pipe.hear().await["result"]["isError"], true);
}

#[tokio::test]
async fn a_subscriber_hears_of_its_resource() {
    let mut pipe = Pipe::new();
    pipe.initialize().await;
    pipe.say(
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"test://a"}}"#,
    )
    .await;
    pipe.hear().await;
    pipe.hub.resource_updated("test://b");
    pipe.hub.resource_updated("test://a");
    assert_eq!(pipe.hear().await["params"]["uri"], "test://a");
}

#[tokio::test]
async fn a_modern_client_needs_no_handshake() {
    let mut pipe = Pipe::new();
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "echo", "arguments": {"text": "hi"},
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientCapabilities": {}}}});
    pipe.say(&call.to_string()).await;
    assert_eq!(pipe.hear().await["result"]["resultType"], "complete");
}

#[tokio::test]
async fn a_listener_hears_what_changes_right_after_it_was_accepted() {
    let mut pipe = Pipe::new();
    let listen = json!({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
    "notifications": {"toolsListChanged": true},
    "_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }}});
    pipe.say(&listen.to_string()).await;
    assert_eq!(pipe.hear().await["method"], "notifications/subscriptions/acknowledged");
    pipe.hub.tell(Change::Tools);
    let told = tokio::time::timeout(Duration::from_secs(10), pipe.hear()).await;
    assert_eq!(told.expect("a notification")["method"], "notifications/tools/list_changed");
}

#[tokio::test]
async fn an_applications_own_notification_reaches_clients_of_every_revision() {
    let modern = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "echo", "arguments": {"text": "hi"},
        "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientCapabilities": {}}}});
    for is_modern in [false, true] {
        let mut pipe = Pipe::new();
        if is_modern {
            pipe.say(&modern.to_string()).await;
            pipe.hear().await;
        } else {
            pipe.initialize().await;
        }
        // What a modern client did not subscribe to is not said.
        pipe.hub.tell(Change::Tools);
        pipe.hub.tell(Change::Custom { method: "saved".into(), params: json!({"id": 1}) });
        let mut heard = pipe.hear().await;
        if !is_modern {
            assert_eq!(heard["method"], "notifications/tools/list_changed");
            heard = pipe.hear().await;
        }
        assert_eq!(heard, json!({"jsonrpc": "2.0", "method": "saved", "params": {"id": 1}}));
    }
}

#[tokio::test]
async fn whether_anybody_subscribed_is_known() {
    let mut pipe = Pipe::new();
    pipe.initialize().await;
    assert!(!pipe.hub.has_subscribers());
    pipe.say(
        r#"{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"test://a"}}"#,
    )
    .await;
    pipe.hear().await;
    assert!(pipe.hub.has_subscribers());
}
