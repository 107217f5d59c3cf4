//! Calls that go on as tasks.

use kit_mcp::Mode;
use serde_json::{Value, json};

use crate::{client::Ask, server::Server};

fn tasks() -> Value {
    json!({ "extensions": { "io.modelcontextprotocol/tasks": {} }, "elicitation": {} })
}

fn call(server: &Server, tool: &str, arguments: Value) -> Ask {
    server.modern_of(tasks(), 1, "tools/call", json!({ "name": tool, "arguments": arguments }))
}

async fn task(server: &Server, method: &str, mut params: Value, id: &Value) -> Value {
    params["taskId"] = id.clone();
    server.modern_of(tasks(), 1, method, params).send().await.result()
}

/// Asks until the task is in `status`. A client polls too; the fixture's tasks get there without one.
async fn until(server: &Server, id: &Value, status: &str) -> Value {
    crate::client::within(async {
        loop {
            let seen = task(server, "tasks/get", json!({}), id).await;
            if seen["status"] == status {
                return seen;
            }
            tokio::task::yield_now().await;
        }
    })
    .await
}

#[tokio::test]
async fn a_client_that_knows_tasks_gets_one_and_later_its_result() {
    let server = Server::start(Mode::Sessions).await;
    let created = call(&server, "slow_compute", json!({ "seconds": 0 })).send().await.result();
    assert_eq!(created["resultType"], "task", "{created}");
    let done = until(&server, &created["taskId"], "completed").await;
    assert!(
        done["result"]["content"][0]["text"].as_str().unwrap().starts_with("Computed"),
        "{done}"
    );
}

#[tokio::test]
async fn a_client_that_does_not_know_tasks_gets_the_result_at_once_or_a_refusal() {
    let server = Server::start(Mode::Sessions).await;
    let plain = |tool: &str, arguments: Value| {
        server.modern(1, "tools/call", json!({ "name": tool, "arguments": arguments })).send()
    };
    let result = plain("slow_compute", json!({ "seconds": 0 })).await.result();
    assert_eq!(result["resultType"], "complete", "{result}");
    let refused = plain("failing_job", json!({})).await;
    refused.refused(400, -32021);
    let needed = &refused.json()["error"]["data"]["requiredCapabilities"]["extensions"];
    assert!(needed.get("io.modelcontextprotocol/tasks").is_some(), "{needed}");
}

#[tokio::test]
async fn a_legacy_session_runs_the_same_tool_within_the_call() {
    let server = Server::start(Mode::Sessions).await;
    let session = server.session("2025-11-25").await;
    let result = session.call(1, "slow_compute", json!({ "seconds": 0 })).await.result();
    assert!(result["content"][0]["text"].as_str().unwrap().starts_with("Computed"), "{result}");
}

#[tokio::test]
async fn a_task_asks_and_goes_on_with_the_answer() {
    let server = Server::start(Mode::Sessions).await;
    let created =
        call(&server, "confirm_delete", json!({ "filename": "a.txt" })).send().await.result();
    let id = &created["taskId"];
    let waiting = until(&server, id, "input_required").await;
    let (key, question) = waiting["inputRequests"].as_object().unwrap().iter().next().unwrap();
    assert_eq!(question["params"]["message"], "Delete a.txt?");
    let answer = json!({ "action": "accept", "content": { "confirm": true } });
    task(&server, "tasks/update", json!({ "inputResponses": { key: answer } }), id).await;
    let done = until(&server, id, "completed").await;
    assert!(done["result"]["content"][0]["text"].as_str().unwrap().contains("Accept"), "{done}");
}

#[tokio::test]
async fn a_cancelled_task_stops_whatever_it_was_doing() {
    let server = Server::start(Mode::Sessions).await;
    let created = call(&server, "slow_compute", json!({ "seconds": 600 })).send().await.result();
    task(&server, "tasks/cancel", json!({}), &created["taskId"]).await;
    until(&server, &created["taskId"], "cancelled").await;
}

#[tokio::test]
async fn a_task_that_panics_has_failed_and_keeps_its_secrets() {
    let server = Server::start(Mode::Sessions).await;
    let created = call(&server, "fault_panic_in_task", json!({})).send().await.result();
    let failed = until(&server, &created["taskId"], "failed").await;
    assert!(failed["error"]["message"].is_string(), "{failed}");
    assert!(!failed.to_string().contains("4711"), "{failed}");
}
