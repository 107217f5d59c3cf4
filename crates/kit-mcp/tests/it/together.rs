//! Several applications on one endpoint.

use kit_mcp::{Identity, Options, Server, rmcp, stdio::serve_on};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio_util::sync::CancellationToken;

use crate::fixture;

struct Other;

#[rmcp::tool_router]
impl Other {
    /// Says it louder.
    #[rmcp::tool]
    async fn echo(&self) -> String {
        "ECHO".to_owned()
    }

    /// Only this application has it.
    #[rmcp::tool]
    async fn other_alone(&self) -> String {
        "alone".to_owned()
    }
}

#[tokio::test]
async fn tools_are_listed_with_their_application_and_called_by_either_name() {
    let other = kit_mcp::App::new("other", "1").tools(Other, Other::tool_router());
    let identity = Identity {
        name: "tandem".to_owned(),
        title: None,
        version: "1".to_owned(),
        instructions: None,
    };
    let server = Server::combined(&identity, vec![fixture::app(), other], Options::default());
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(theirs);
    tokio::spawn(serve_on(server, read, write, CancellationToken::new()));
    let (read, mut write) = tokio::io::split(ours);
    let mut lines = BufReader::new(read).lines();
    let meta = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}});
    let mut ask = async |method: &str, params: Value| {
        let mut params = params;
        params["_meta"] = meta.clone();
        let line = json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params});
        write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        serde_json::from_str::<Value>(&lines.next_line().await.unwrap().unwrap()).unwrap()
    };

    let listed = ask("tools/list", json!({})).await;
    let names: Vec<_> = listed["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"fixture_echo") && names.contains(&"other_echo"), "{names:?}");
    assert!(names.contains(&"other_alone"), "a name that has the prefix keeps it once: {names:?}");

    let loud = ask("tools/call", json!({"name": "other_echo"})).await;
    assert_eq!(loud["result"]["content"][0]["text"], "ECHO");
    let own = ask("tools/call", json!({"name": "chatter"})).await;
    assert_eq!(own["result"]["content"][0]["text"], "said");
    let either = ask("tools/call", json!({"name": "echo"})).await;
    assert_eq!(either["error"]["code"], -32602, "two applications have it: {either}");
}
