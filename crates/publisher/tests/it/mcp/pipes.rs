//! The same on standard input and output.

use kit_mcp::{Names, Server, stdio::serve_on};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines, ReadHalf, WriteHalf},
    sync::Mutex,
};
use tokio_util::sync::CancellationToken;

use super::bed::{FILES, hello, server, text_of};
use crate::helper::Root;

/// A client on a pipe, which asks one thing after another.
pub(crate) struct Line(Mutex<(Answers, WriteHalf<DuplexStream>)>);

type Answers = Lines<BufReader<ReadHalf<DuplexStream>>>;

impl Line {
    pub(crate) fn open(server: Server) -> Self {
        let (ours, theirs) = tokio::io::duplex(1 << 20);
        let (read, write) = tokio::io::split(theirs);
        tokio::spawn(serve_on(server, read, write, CancellationToken::new()));
        let (read, write) = tokio::io::split(ours);
        Self(Mutex::new((BufReader::new(read).lines(), write)))
    }

    pub(crate) async fn ask(&self, method: &str, params: Value) -> Value {
        let mut params = params;
        // No introduction is needed in the newest revision.
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}});
        self.say(&json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})).await
    }

    async fn say(&self, message: &Value) -> Value {
        let (lines, write) = &mut *self.0.lock().await;
        write.write_all(format!("{message}\n").as_bytes()).await.unwrap();
        serde_json::from_str(&lines.next_line().await.unwrap().unwrap()).unwrap()
    }
}

#[tokio::test]
async fn resources_tools_and_failures_are_the_same_on_pipes() {
    let root = Root::with(&FILES);
    let service = root.service(|_| {});
    let stop = CancellationToken::new();
    let (server, _) = server(&service, Names::Own, &stop);
    let line = Line::open(server);
    let introduced = line.say(&hello()).await;
    assert_eq!(introduced["result"]["serverInfo"]["displayName"], "Malloy Publisher");
    assert_eq!(introduced["result"]["capabilities"]["resources"]["subscribe"], true);
    let ask = |id: i64, method: &str, params: Value| json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
    let read = line.say(&ask(1, "resources/read", json!({"uri": "malloy://project/home"}))).await;
    assert_eq!(text_of(&read)["definition"]["name"], "home");
    assert_eq!(read["result"]["contents"][0]["type"], "application/json");
    let failed = line.say(&ask(2, "resources/read", json!({"uri": "malloy://project/hme"}))).await;
    assert_eq!(failed["result"]["isError"], true);
    let unknown = line.say(&ask(3, "resources/read", json!({"uri": "malloy://x"}))).await;
    assert_eq!(unknown["error"]["message"], "Resource malloy://x not found");
    let arguments = json!({"projectName": "home", "packageName": "shop",
        "modelPath": "shop.malloy", "queryName": "biggest"});
    let call = json!({"name": "malloy_executeQuery", "arguments": arguments});
    let answer = line.say(&ask(4, "tools/call", call)).await;
    let blocks = answer["result"]["content"].as_array().map(Vec::len);
    assert_eq!(blocks, Some(3), "{answer}");
    stop.cancel();
}
