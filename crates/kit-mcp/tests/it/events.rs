//! The endpoint without sessions whose answers are streams of events, and what an application may add to its answers.

use std::time::Duration;

use async_trait::async_trait;
use kit_mcp::{
    App, ArgumentErrors, Call, Hub, Members, Mode, Names, Options, ResourceError, Resources,
    Server,
    rmcp::{
        self,
        handler::server::wrapper::Parameters,
        model::{CallToolResult, ContentBlock, Resource, ResourceContents, ResourceTemplate},
        schemars::{self, JsonSchema},
    },
    stdio::serve_on,
};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, AsyncWriteExt, BufReader},
    sync::Notify,
};
use tokio_util::sync::CancellationToken;

use crate::fixture::{Client, Reply, Running, running_server};

/// Told when a call of `wait` has begun, and when it was given up.
static BEGUN: Notify = Notify::const_new();
static LEFT: Notify = Notify::const_new();

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(deny_unknown_fields)]
struct Ask {
    /// Which project.
    project_name: String,
}

struct Tools;

#[rmcp::tool_router]
impl Tools {
    /// Answers with a resource.
    #[rmcp::tool(name = "data/ask")]
    async fn ask(&self, Parameters(ask): Parameters<Ask>) -> CallToolResult {
        let contents =
            ResourceContents::text(format!("{{\"p\":\"{}\"}}", ask.project_name), "d://p");
        let contents = contents.with_mime_type("application/json");
        let contents = contents.with_member("type", "application/json");
        CallToolResult::success(vec![ContentBlock::resource(contents)])
    }

    /// Takes no other arguments than its own.
    #[rmcp::tool]
    async fn strict(&self, Parameters(ask): Parameters<Ask>) -> String {
        ask.project_name
    }

    /// Never ends by itself.
    #[rmcp::tool]
    async fn wait(&self, call: Call) -> String {
        struct Left;
        impl Drop for Left {
            fn drop(&mut self) {
                LEFT.notify_one();
            }
        }
        let _left = Left;
        BEGUN.notify_one();
        call.cancelled().await;
        String::new()
    }
}

struct Shelf;

#[async_trait]
impl Resources for Shelf {
    async fn list(&self, _: &Call) -> Result<Vec<Resource>, ResourceError> {
        Ok(vec![Resource::new("d://p", "p").with_member("type", "package")])
    }

    fn templates(&self) -> Vec<ResourceTemplate> {
        vec![ResourceTemplate::new("d://{name}", "d")]
    }

    async fn read(&self, _: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        let contents = |text: &str| {
            let contents = ResourceContents::text(text, uri).with_mime_type("application/json");
            vec![contents.with_member("type", "application/json")]
        };
        match uri {
            "d://p" => Ok(contents("{}")),
            "d://q" => Err(ResourceError::in_contents(contents("{\"error\":\"no q\"}"))),
            _ => Err(ResourceError::unknown_as(format!("Resource {uri} not found"))),
        }
    }

    async fn complete(&self, _: &str, _: &str, _: &str) -> Vec<String> {
        panic!("a mistake of ours")
    }
}

fn app() -> App {
    App::new("data", "1.2.3")
        .server_name("data-server")
        .description("Answers questions")
        .server_member("displayName", "Data")
        .argument_errors(ArgumentErrors::AsProtocolError)
        .tolerates_unknown_arguments(&["data/ask"])
        .argument_aliases(&[("environmentName", "projectName")])
        .unknown_tool(|name| format!("Tool {name} not found"))
        .tools(Tools, Tools::tool_router())
        .resources(Shelf)
        .time_limit(Duration::from_mins(1))
}

fn server() -> Server {
    Server::single(app(), Options::default())
}

async fn running() -> Running {
    running_server(server(), Hub::default(), Mode::StatelessEvents).await
}

fn request(id: i64, method: &str, params: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
}

fn hello(id: i64) -> String {
    request(
        id,
        "initialize",
        &json!({"protocolVersion": "2025-06-18", "capabilities": {},
            "clientInfo": {"name": "t", "version": "1"}}),
    )
}

/// The one answer of a stream that has ended.
fn only(reply: &Reply) -> Value {
    assert_eq!((reply.status, &*reply.header("content-type")), (200, "text/event-stream"));
    assert!(reply.body.starts_with("event: message\ndata: "), "{}", reply.body);
    assert_eq!(reply.header("mcp-session-id"), "");
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    let mut events = reply.events();
    assert_eq!(events.len(), 1, "{}", reply.body);
    events.remove(0)
}

#[tokio::test]
async fn each_answer_is_one_event_of_a_stream_that_ends_without_any_introduction() {
    let server = running().await;
    let mut client = Client::new(&server);
    client.session = Some("7d0cf6b0-0000-4000-8000-000000000000".to_owned());
    let list = only(&client.post(&request(7, "tools/list", &json!({}))).await);
    assert_eq!(list["id"], 7);
    assert_eq!(list["result"]["tools"][0]["name"], "data/ask");
    for (method, code) in [("nonsense", -32601), ("resources/read", -32602)] {
        let refused = only(&client.post(&request(8, method, &json!({}))).await);
        assert_eq!((&refused["id"], &refused["error"]["code"]), (&json!(8), &json!(code)));
    }
    let unread = only(&client.post(&request(9, "tools/call", &json!({"name": 1}))).await);
    assert_eq!(unread["error"]["code"], -32602);
}

#[tokio::test]
async fn who_introduces_himself_hears_who_the_server_is_and_gets_no_session() {
    let server = running().await;
    let client = Client::new(&server);
    for body in [hello(1), format!("[{}]", hello(1))] {
        let hello = only(&client.post(&body).await);
        let result = &hello["result"];
        assert_eq!(result["protocolVersion"], "2025-06-18");
        assert_eq!(
            result["serverInfo"],
            json!({"name": "data-server", "version": "1.2.3", "displayName": "Data",
                "description": "Answers questions"})
        );
        assert_eq!(result["capabilities"]["resources"], json!({}), "nothing that needs a stream");
        assert_eq!(result["capabilities"]["tools"], json!({}));
    }
}

#[tokio::test]
async fn what_wants_no_answer_is_accepted() {
    let server = running().await;
    let client = Client::new(&server);
    let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let answer = r#"{"jsonrpc":"2.0","id":1,"result":{}}"#;
    for body in [note, answer, "[]", &format!("[{note},{answer}]")] {
        let reply = client.post(body).await;
        assert_eq!((reply.status, &*reply.body), (202, ""), "{body}");
        assert_eq!(reply.header("access-control-allow-origin"), "*");
    }
}

#[tokio::test]
async fn a_batch_has_an_event_for_each_request_with_an_id() {
    let server = running().await;
    let client = Client::new(&server);
    let note = r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#;
    let mut messages: Vec<_> = (1..300).map(|id| request(id, "ping", &json!({}))).collect();
    messages.push(note.to_owned());
    messages.push(request(300, "tools/call", &json!({"name": "nobody"})));
    let reply = client.post(&format!("[{}]", messages.join(","))).await;
    assert_eq!((reply.status, &*reply.header("content-type")), (200, "text/event-stream"));
    let mut ids: Vec<_> =
        reply.events().iter().map(|event| event["id"].as_i64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (1..=300).collect::<Vec<_>>());
}

#[tokio::test]
async fn refusals_have_the_codes_and_words_that_clients_know() {
    let server = running().await;
    let client = Client::new(&server);
    let ping = request(1, "ping", &json!({}));
    let two = format!("[{},{}]", hello(1), hello(2));
    let mixed = format!("[{},{ping}]", hello(1));
    let not_acceptable =
        "Not Acceptable: Client must accept both application/json and text/event-stream";
    let not_json = "Unsupported Media Type: Content-Type must be application/json";
    let once = "Invalid Request: Only one initialization request is allowed";
    let none: &[(&str, &str)] = &[];
    for (method, headers, body, status, code, words) in [
        ("POST", none, "{", 400, -32700, "Parse error"),
        ("POST", none, "[{", 400, -32700, "Parse error"),
        ("POST", none, "{}", 400, -32700, "Parse error"),
        ("POST", none, "7", 400, -32700, "Parse error"),
        ("POST", none, "[1]", 400, -32700, "Parse error"),
        ("POST", none, r#"{"jsonrpc":"2.0","id":1}"#, 400, -32700, "Parse error"),
        ("POST", &[("accept", "application/json")], &ping, 406, -32000, not_acceptable),
        ("POST", &[("accept", "text/event-stream")], &ping, 406, -32000, not_acceptable),
        ("POST", &[("accept", "")], &ping, 406, -32000, not_acceptable),
        ("POST", &[("content-type", "text/plain")], &ping, 415, -32000, not_json),
        ("POST", &[("content-type", "")], &ping, 415, -32000, not_json),
        ("POST", none, &two, 400, -32600, once),
        ("POST", none, &mixed, 400, -32600, once),
        ("GET", none, "", 405, -32601, "Method Not Allowed in Stateless Mode"),
        ("DELETE", none, "", 405, -32601, "Method Not Allowed in Stateless Mode"),
        ("PUT", none, "", 405, -32601, "Method Not Allowed"),
        ("PATCH", none, "", 405, -32601, "Method Not Allowed"),
    ] {
        let reply = client.request(method, headers, body).await;
        assert_eq!(reply.status, status, "{method} {headers:?} {body}: {}", reply.body);
        let said = reply.json();
        assert_eq!((&said["jsonrpc"], &said["id"]), (&json!("2.0"), &Value::Null), "{body}");
        assert_eq!(said["error"]["code"], code, "{method} {body}: {said}");
        assert_eq!(said["error"]["message"], words, "{method} {body}");
        assert_eq!(reply.header("allow"), if status == 405 { "POST" } else { "" });
        assert_eq!(reply.header("access-control-allow-origin"), "*");
    }
    let head = client.request("HEAD", &[], "").await;
    assert_eq!((head.status, &*head.header("allow")), (405, "POST"));
}

#[tokio::test]
async fn a_page_asks_for_leave_and_gets_it() {
    let server = running().await;
    let asked = [("origin", "http://localhost:5173"), ("access-control-request-method", "POST")];
    let reply = Client::new(&server).request("OPTIONS", &asked, "").await;
    assert_eq!(reply.status, 204);
    assert_eq!(reply.header("access-control-allow-origin"), "*");
    assert!(reply.header("access-control-allow-methods").contains("POST"));
    assert!(reply.header("access-control-allow-headers").contains("mcp-protocol-version"));
}

#[tokio::test]
async fn a_failure_of_ours_is_told_with_the_id_of_the_request() {
    let server = running().await;
    let ask = json!({"ref": {"type": "ref/resource", "uri": "d://{name}"},
        "argument": {"name": "name", "value": ""}});
    let reply = Client::new(&server).post(&request(5, "completion/complete", &ask)).await;
    assert_eq!(reply.status, 500);
    assert_eq!(
        reply.json(),
        json!({"jsonrpc": "2.0", "id": 5,
            "error": {"code": -32603, "message": "Internal server error"}})
    );
}

#[tokio::test]
async fn hanging_up_cancels_the_call_that_was_asked_for() {
    let server = running().await;
    let client = Client::new(&server);
    let waiting = tokio::spawn(async move { client.call("wait", json!({})).await.status });
    BEGUN.notified().await;
    waiting.abort();
    tokio::time::timeout(Duration::from_secs(10), LEFT.notified()).await.unwrap();
}

#[tokio::test]
async fn arguments_that_lack_or_differ_are_named_and_others_passed_over_where_that_is_agreed() {
    let server = running().await;
    let client = Client::new(&server);
    for (arguments, named) in
        [(json!({}), "`projectName` is required"), (json!({"projectName": 1}), "`projectName`: 1")]
    {
        let refused = only(&client.call("data/ask", arguments).await);
        assert_eq!(refused["error"]["code"], -32602);
        assert!(refused["error"]["message"].as_str().unwrap().contains(named), "{refused}");
    }
    let other = json!({"environmentName": "home"});
    assert_eq!(only(&client.call("strict", other).await)["result"]["content"][0]["text"], "home");
    let more = json!({"projectName": "home", "more": true});
    assert_eq!(only(&client.call("data/ask", more.clone()).await)["result"]["isError"], false);
    assert_eq!(only(&client.call("strict", more).await)["error"]["code"], -32602);
    let unknown = only(&client.call("data/asks", json!({})).await);
    assert_eq!(
        unknown["error"],
        json!({"code": -32602, "message": "Tool data/asks not found",
            "data": {"suggestions": ["data/ask"]}})
    );
}

#[tokio::test]
async fn a_tool_is_called_by_either_spelling_and_listed_by_the_chosen_one() {
    for (names, listed) in [(Names::Own, "data/ask"), (Names::WithoutSlash, "data_ask")] {
        let server = Server::single(app().names(names), Options::default());
        let server = running_server(server, Hub::default(), Mode::StatelessEvents).await;
        let client = Client::new(&server);
        let list = only(&client.post(&request(1, "tools/list", &json!({}))).await);
        assert_eq!(list["result"]["tools"][0]["name"], listed);
        for name in ["data/ask", "data_ask"] {
            let called = only(&client.call(name, json!({"projectName": "x"})).await);
            assert_eq!(called["result"]["isError"], false, "{name}");
        }
    }
}

/// What each way of asking must find.
fn has_members(list: &Value, read: &Value, failed: &Value, unknown: &Value, call: &Value) {
    assert_eq!(list["result"]["resources"][0]["type"], "package");
    let kind = json!("application/json");
    for contents in [&read["result"]["contents"][0], &call["result"]["content"][0]["resource"]] {
        assert_eq!((&contents["type"], &contents["mimeType"]), (&kind, &kind), "{contents}");
        assert_eq!(contents.get("_meta"), None);
    }
    assert_eq!(read["result"].get("isError"), None);
    assert_eq!(failed["result"]["isError"], true);
    assert_eq!(failed["result"]["contents"][0]["text"], "{\"error\":\"no q\"}");
    assert_eq!(unknown["error"]["code"], -32602);
    assert_eq!(unknown["error"]["message"], "Resource d://z not found");
}

#[tokio::test]
async fn members_that_the_protocol_does_not_know_reach_clients_of_every_revision() {
    let server = running().await;
    let client = Client::new(&server);
    let read = |uri: &str| request(1, "resources/read", &json!({"uri": uri}));
    has_members(
        &only(&client.post(&request(1, "resources/list", &json!({}))).await),
        &only(&client.post(&read("d://p")).await),
        &only(&client.post(&read("d://q")).await),
        &only(&client.post(&read("d://z")).await),
        &only(&client.call("data_ask", json!({"projectName": "x"})).await),
    );
    let modern = async |method: &str, name: &str, params: Value| {
        let mut params = params;
        params["_meta"] = json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientCapabilities": {}});
        let headers =
            [("mcp-protocol-version", "2026-07-28"), ("mcp-method", method), ("mcp-name", name)];
        let reply = client.request("POST", &headers, &request(1, method, &params)).await;
        assert_eq!(reply.status, 200, "{method}: {}", reply.body);
        reply.json()
    };
    has_members(
        &modern("resources/list", "", json!({})).await,
        &modern("resources/read", "d://p", json!({"uri": "d://p"})).await,
        &modern("resources/read", "d://q", json!({"uri": "d://q"})).await,
        &modern("resources/read", "d://z", json!({"uri": "d://z"})).await,
        &modern(
            "tools/call",
            "data/ask",
            json!({"name": "data/ask", "arguments": {"projectName": "x"}}),
        )
        .await,
    );
}

#[tokio::test]
async fn members_reach_clients_on_pipes() {
    let (ours, theirs) = tokio::io::duplex(64 * 1024);
    let (read, write) = tokio::io::split(theirs);
    tokio::spawn(serve_on(server(), read, write, CancellationToken::new()));
    let (read, mut write) = tokio::io::split(ours);
    let mut lines = BufReader::new(read).lines();
    let mut ask = async |line: String| {
        write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
        serde_json::from_str::<Value>(&lines.next_line().await.unwrap().unwrap()).unwrap()
    };
    let hello = ask(hello(0)).await;
    assert_eq!(hello["result"]["serverInfo"]["displayName"], "Data");
    let uri = |uri: &str| request(1, "resources/read", &json!({"uri": uri}));
    let call = json!({"name": "data/ask", "arguments": {"projectName": "x"}});
    has_members(
        &ask(request(1, "resources/list", &json!({}))).await,
        &ask(uri("d://p")).await,
        &ask(uri("d://q")).await,
        &ask(uri("d://z")).await,
        &ask(request(1, "tools/call", &call)).await,
    );
}
