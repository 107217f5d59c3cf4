//! Programs that want too much: each ends, its session goes on, and nobody else waits.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::{
    browser::{Page, get, post, send},
    world::World,
};

/// Limits that a test can wait for.
const SHORT: &str =
    "[lua]\ntime_limit = \"1s\"\naction_time_limit = \"500ms\"\nmemory_limit = \"32MB\"\n";

async fn two_sessions() -> (World, crate::agent::Agent, String) {
    let world = World::new();
    world.put("config/config.toml", SHORT);
    world.put("lua/main.lua", crate::world::COUNTER);
    let (agent, url) = world.started().await;
    (world, agent, url)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hostile_programs_end_and_the_session_lives_on() {
    let (_world, agent, _) = two_sessions().await;
    let hostile = [
        ("a loop", "while true do end"),
        ("a loop in pcall", "while true do pcall(function() while true do end end) end"),
        ("a loop in a coroutine", "coroutine.wrap(function() while true do end end)()"),
        ("coroutines without end", "local function f() return coroutine.wrap(f)() end f()"),
        ("a string of 1 GB", "return #string.rep('x', 1024 * 1024 * 1024)"),
        ("memory without end", "local t = {} for i = 1, 1e9 do t[i] = {i} end"),
        ("a pattern", "return string.find(string.rep('a', 30000), string.rep('a?', 30000) .. 'b')"),
        ("a pattern of its own", "return string.match(string.rep('a', 200), '.-.-.-.-.-.-.-.-b')"),
        ("recursion", "local function f() return 1 + f() end return f()"),
        ("a sort", "table.sort({3, 2, 1}, function() while true do end end)"),
    ];
    for (what, code) in hostile {
        let begun = Instant::now();
        let refusal = agent.refusal("ui_run", json!({"code": code})).await;
        assert!(refusal.starts_with("execution failed: "), "{what}: {refusal}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{what}: {:?}", begun.elapsed());
        assert_eq!(agent.run("return app.count").await, 0, "{what}");
    }
    let cycle = agent.run("local t = {} t[1] = t return t").await;
    assert!(cycle[0]["non-json"].is_string(), "{cycle}");
    agent.run("app.me = app").await;
    assert!(agent.read_json("ui://state").await["me"]["obj"].is_u64());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sessions_that_are_stuck_delay_no_other() {
    let (world, url) = World::visited("[lua]\ntime_limit = \"4s\"\n").await;
    for id in 1..=9 {
        assert_eq!(get(&url, "/").await.header("location"), format!("/{id}/"));
    }
    let mut page = Page::open(&url, "9").await;
    page.count().await;
    page.until(2, &json!(0)).await;
    let agent = world.agent().await;
    // More of them than there are workers.
    let stuck: Vec<_> = (1..=8)
        .map(|id| {
            let url = url.clone();
            let body = json!({"code": "while true do end", "sessionId": id.to_string()});
            tokio::spawn(async move { post(&url, "/api/ui_run", &body).await })
        })
        .collect();
    while agent.tool("ui_status", json!({})).await.is_empty() {}
    let begun = Instant::now();
    for count in 1..=5 {
        page.click(3).await;
        page.until(2, &json!(count)).await;
    }
    agent.tool("ui_run", json!({"code": "return 1", "sessionId": "9"})).await;
    assert!(begun.elapsed() < Duration::from_millis(3500), "{:?}", begun.elapsed());
    for stuck in stuck {
        let error = stuck.await.unwrap().json()["error"].as_str().unwrap().to_owned();
        assert!(error.contains("time limit"), "{error}");
    }
    assert_eq!(agent.run("return app.count").await, 0, "the session lives on");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clicks_that_never_end_delay_no_other_page() {
    let (world, url) = World::visited("[lua]\naction_time_limit = \"8s\"\n").await;
    let agent = world.agent().await;
    let mut stuck = Vec::new();
    for id in 1..=4 {
        assert_eq!(get(&url, "/").await.header("location"), format!("/{id}/"));
        let code = json!({"code": "function App:hang() while true do end end", "sessionId": id.to_string()});
        agent.tool("ui_run", code).await;
        let mut page = Page::open(&url, &id.to_string()).await;
        page.count().await;
        page.until(2, &json!(0)).await;
        page.batch(json!([crate::browser::create(9, "hang()", "action")])).await;
        stuck.push(page);
    }
    let mut well = stuck.pop().unwrap();
    let begun = Instant::now();
    // More of them than this runtime has threads.
    for page in &mut stuck {
        page.click(9).await;
    }
    for count in 1..=5 {
        well.click(3).await;
        well.until(2, &json!(count)).await;
    }
    assert!(begun.elapsed() < Duration::from_secs(7), "{:?}", begun.elapsed());
    for page in &mut stuck {
        page.wait_for(|message| message["type"] == "error").await;
    }
}

#[tokio::test]
async fn an_action_that_never_ends_is_an_error_of_its_variable() {
    let (_world, agent, url) = two_sessions().await;
    agent.run("function App:hang() while true do end end").await;
    let mut page = Page::open(&url, "1").await;
    page.count().await;
    page.batch(json!([crate::browser::create(9, "hang()", "action")])).await;
    page.click(9).await;
    let error = page.wait_for(|message| message["type"] == "error").await;
    assert_eq!((&error["data"]["varId"], &error["data"]["code"]), (&json!(9), &json!("limit")));
    page.click(3).await;
    page.until(2, &json!(1)).await;
}

#[tokio::test]
async fn messages_that_are_none_are_answered_and_the_socket_stays() {
    let (_world, _, url) = two_sessions().await;
    let mut page = Page::open(&url, "1").await;
    page.count().await;
    for text in ["", "{", "[]", "null", "{\"type\":\"nothing\"}", "[1,2]", "{\"messages\":7}"] {
        page.say(text.to_owned()).await;
    }
    page.wait_for(|message| message["type"] == "error").await;
    page.click(3).await;
    page.until(2, &json!(1)).await;
}

#[tokio::test]
async fn a_message_that_is_too_large_ends_its_connection_alone() {
    let (_world, agent, url) = two_sessions().await;
    let (mut large, mut other) = (Page::open(&url, "1").await, Page::open(&url, "1").await);
    other.count().await;
    other.until(2, &json!(0)).await;
    large.try_say("x".repeat(5 << 20)).await;
    assert!(large.is_ended().await);
    other.click(3).await;
    other.until(2, &json!(1)).await;
    assert_eq!(agent.run("return app.count").await, 1);
}

#[tokio::test]
async fn a_view_of_10_mb_is_refused_and_one_that_fits_is_not() {
    let (_world, agent, url) = two_sessions().await;
    let large = "x".repeat(10 << 20);
    let body = json!({"type": "Big", "namespace": "DEFAULT", "content": large});
    let reply = post(&url, "/api/ui_upload_viewdef", &body).await;
    assert!([400, 413].contains(&reply.status.as_u16()), "{}", reply.status);
    let fits = "y".repeat(100 << 10);
    let body = json!({"type": "Big", "namespace": "DEFAULT", "content": format!("<p>{fits}</p>")});
    agent.tool("ui_upload_viewdef", body).await;
    assert_eq!(agent.run("return 1").await, 1);
}

#[tokio::test]
async fn a_body_that_is_no_json_is_told() {
    let (_world, _, url) = two_sessions().await;
    let json_type = [("content-type", "application/json")];
    for body in ["{", "[]", "\"x\"", "{\"code\": }"] {
        let reply = send(&url, "POST", "/api/ui_run", &json_type, body).await;
        assert_eq!(reply.status, 400, "{body}");
        assert!(reply.json()["error"].is_string());
    }
}
