//! The same server, asked in each of the five revisions.

use kit_mcp::Mode;
use serde_json::{Value, json};

use crate::{
    client::Ask,
    server::{LEGACY, MODERN, Server, Session, rpc},
};

/// A client of one revision.
enum Client<'a> {
    Legacy(Session<'a>),
    Modern(&'a Server),
}

impl<'a> Client<'a> {
    async fn each(server: &'a Server) -> Vec<Client<'a>> {
        let mut clients = vec![Client::Modern(server)];
        for version in LEGACY {
            clients.push(Client::Legacy(server.session(version).await));
        }
        clients
    }

    fn version(&self) -> &'static str {
        match self {
            Client::Legacy(session) => session.version,
            Client::Modern(_) => MODERN,
        }
    }

    fn is_modern(&self) -> bool {
        matches!(self, Client::Modern(_))
    }

    fn ask(&self, method: &str, params: Value) -> Ask {
        match self {
            Client::Legacy(session) => session.post(&rpc(1, method, &params)),
            Client::Modern(server) => server.modern(1, method, params),
        }
    }

    async fn result(&self, method: &str, params: Value) -> Value {
        self.ask(method, params).send().await.result()
    }

    async fn error(&self, method: &str, params: Value) -> Value {
        self.ask(method, params).send().await.json()["error"].clone()
    }
}

#[tokio::test]
async fn every_revision_lists_the_same_tools_in_the_same_order() {
    let server = Server::start(Mode::Sessions).await;
    let mut seen: Option<Vec<Value>> = None;
    for client in Client::each(&server).await {
        let list = client.result("tools/list", json!({})).await;
        let names: Vec<_> =
            list["tools"].as_array().unwrap().iter().map(|tool| tool["name"].clone()).collect();
        assert_eq!(names[0], "about_fixture");
        assert!(names.is_sorted_by_key(|name| name.as_str()), "{names:?}");
        assert_eq!(*seen.get_or_insert_with(|| names.clone()), names, "{}", client.version());
    }
}

#[tokio::test]
async fn every_revision_calls_reads_prompts_and_completes() {
    let server = Server::start(Mode::Sessions).await;
    for client in Client::each(&server).await {
        let version = client.version();
        let sum = json!({ "name": "add", "arguments": { "a": 2, "b": 3 } });
        let sum = client.result("tools/call", sum).await;
        assert_eq!(sum["structuredContent"], json!({ "sum": 5 }), "{version}");
        assert_eq!(sum["content"][0]["text"], r#"{"sum":5}"#, "{version}");
        let read = client.result("resources/read", json!({ "uri": "test://static-text" })).await;
        assert_eq!(read["contents"][0]["mimeType"], "text/plain", "{version}");
        let prompt = client.result("prompts/get", json!({ "name": "test_simple_prompt" })).await;
        assert_eq!(prompt["messages"][0]["role"], "user", "{version}");
        let complete = json!({
            "ref": { "type": "ref/prompt", "name": "test_prompt_with_arguments" },
            "argument": { "name": "arg1", "value": "par" },
        });
        let complete = client.result("completion/complete", complete).await;
        let values = json!(["paris", "park", "party"]);
        assert_eq!(complete["completion"]["values"], values, "{version}");
    }
}

#[tokio::test]
async fn only_the_newest_revision_gets_result_types_and_caching_hints() {
    let server = Server::start(Mode::Sessions).await;
    let lists = ["tools/list", "prompts/list", "resources/list", "resources/templates/list"];
    for client in Client::each(&server).await {
        let version = client.version();
        for list in lists {
            let result = client.result(list, json!({})).await;
            assert_eq!(result.get("resultType").is_some(), client.is_modern(), "{version} {list}");
            assert_eq!(result["ttlMs"].is_u64(), client.is_modern(), "{version} {list}");
            assert_eq!(result["cacheScope"].is_string(), client.is_modern(), "{version} {list}");
        }
    }
}

#[tokio::test]
async fn every_modern_result_names_the_server() {
    let server = Server::start(Mode::Sessions).await;
    let client = Client::Modern(&server);
    let asked = [
        ("server/discover", json!({})),
        ("tools/list", json!({})),
        ("tools/call", json!({ "name": "echo", "arguments": { "text": "hi" } })),
        ("tools/call", json!({ "name": "test_error_handling", "arguments": {} })),
        ("tools/call", json!({ "name": "add", "arguments": {} })),
        ("prompts/list", json!({})),
        ("prompts/get", json!({ "name": "test_simple_prompt" })),
        ("resources/list", json!({})),
        ("resources/templates/list", json!({})),
        ("resources/read", json!({ "uri": "test://static-text" })),
    ];
    for (method, params) in asked {
        let result = client.result(method, params).await;
        let server = &result["_meta"]["io.modelcontextprotocol/serverInfo"];
        assert_eq!(server["name"], "fixture", "{method}: {result}");
    }
}

#[tokio::test]
async fn a_missing_resource_has_the_code_of_its_era_and_names_itself() {
    let server = Server::start(Mode::Sessions).await;
    for client in Client::each(&server).await {
        let uri = "test://no-such-thing";
        let error = client.error("resources/read", json!({ "uri": uri })).await;
        let code = if client.is_modern() { -32602 } else { -32002 };
        assert_eq!(error["code"], code, "{}: {error}", client.version());
        assert_eq!(error["data"]["uri"], uri, "{}: {error}", client.version());
    }
}

#[tokio::test]
async fn parameters_that_do_not_fit_are_told_apart_from_unknown_methods() {
    let server = Server::start(Mode::Sessions).await;
    for client in Client::each(&server).await {
        for method in ["resources/read", "prompts/get", "completion/complete"] {
            let error = client.error(method, json!({ "name": 7, "uri": 7 })).await;
            assert_eq!(error["code"], -32602, "{} {method}: {error}", client.version());
        }
    }
}

#[tokio::test]
async fn a_modern_request_is_served_in_every_mode_and_opens_no_session() {
    for mode in [Mode::Sessions, Mode::Cookie, Mode::Stateless] {
        let server = Server::start(mode).await;
        let answer = server.modern(1, "tools/list", json!({})).send().await;
        assert!(answer.header("mcp-session-id").is_none() && answer.header("set-cookie").is_none());
        assert_eq!(answer.result()["tools"][0]["name"], "about_fixture");
    }
}

#[tokio::test]
async fn a_stateless_server_serves_every_legacy_request_by_itself() {
    let server = Server::start(Mode::Stateless).await;
    for version in LEGACY {
        let hello = server.post(&crate::server::initialize(version)).send().await;
        assert!(hello.header("mcp-session-id").is_none(), "{version}");
        assert_eq!(hello.result()["protocolVersion"], version);
        let ask = server.post(&rpc(1, "tools/list", &json!({})));
        let list = ask.header("mcp-protocol-version", version).send().await.result();
        assert_eq!(list["tools"][0]["name"], "about_fixture", "{version}");
    }
}
