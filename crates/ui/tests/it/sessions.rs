//! Several people, several sessions, one queue each.

use std::time::Duration;

use serde_json::{Value, json};

use crate::{
    browser::{Page, create, get},
    world::World,
};

#[tokio::test]
async fn two_pages_of_one_session_are_independent_and_see_the_same() {
    let (_world, _, url) = World::counting().await;
    let (mut one, mut other) = (Page::open(&url, "1").await, Page::open(&url, "1").await);
    one.count().await;
    one.until(2, &json!(0)).await;
    // The same numbers for other things.
    other.batch(json!([{"type": "watch", "data": {"varId": 1}}])).await;
    other.frame().await;
    other.batch(json!([create(2, "inc()", "action"), create(3, "count", "r")])).await;
    other.until(3, &json!(0)).await;
    other.click(2).await;
    other.until(3, &json!(1)).await;
    one.until(2, &json!(1)).await;
    drop(other);
    one.click(3).await;
    one.until(2, &json!(2)).await;
}

#[tokio::test]
async fn what_an_agent_changes_is_on_its_way_to_both_pages_when_the_tool_returns() {
    let (_world, agent, url) = World::counting().await;
    let (mut one, mut other) = (Page::open(&url, "1").await, Page::open(&url, "1").await);
    for page in [&mut one, &mut other] {
        page.count().await;
        page.until(2, &json!(0)).await;
    }
    agent.run("app.count = 42").await;
    // Nothing else happens that would push it.
    one.until(2, &json!(42)).await;
    other.until(2, &json!(42)).await;
}

#[tokio::test]
async fn timers_change_the_page_and_do_not_keep_a_session_busy() {
    let (_world, agent, url) = World::counting().await;
    let mut page = Page::open(&url, "1").await;
    page.count().await;
    agent
        .run("n = 0 t = session:setInterval(function() n = n + 1 app.count = n if n == 3 then session:clearInterval(t) end end, 5)")
        .await;
    page.until(2, &json!(3)).await;
    agent.run("session:setTimeout(function() app.count = 77 end, 1)").await;
    page.until(2, &json!(77)).await;
    agent.run("session:setImmediate(function() app.count = 78 end)").await;
    page.until(2, &json!(78)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn timers_have_their_turn_in_a_session_that_is_always_busy() {
    let (_world, agent, url) = World::counting().await;
    let flooding = tokio::spawn({
        let url = url.clone();
        async move {
            let mut pages = Vec::new();
            for _ in 0..4 {
                let mut page = Page::open(&url, "1").await;
                page.count().await;
                pages.push(page);
            }
            loop {
                for page in &mut pages {
                    page.click(3).await;
                }
                for page in &mut pages {
                    page.wait_for(|message| message["data"]["varId"] == 2).await;
                }
            }
        }
    });
    agent.run("fired = 0 session:setInterval(function() fired = fired + 1 end, 5)").await;
    while agent.run("return fired > 20 and app.count > 20").await != true {}
    flooding.abort();
}

#[tokio::test]
async fn a_session_that_nobody_uses_ends_and_numbers_begin_anew() {
    let world = World::new();
    world.put("config/config.toml", "[session]\ntimeout = \"200ms\"\n");
    let (agent, url) = world.started().await;
    let page = Page::open(&url, "1").await;
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(agent.run("return 1").await, 1, "an open page keeps it");
    drop(page);
    while get(&url, "/1/").await.status == 200 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(agent.refusal("ui_run", json!({"code": "return 1"})).await, "session 1 not found");
    let reply = get(&url, "/").await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (307, "/1/"));
    assert_eq!(agent.run("return 2").await, 2);
}

#[tokio::test]
async fn a_page_that_does_not_read_holds_nobody_up_and_is_told_to_ask_again() {
    let (_world, agent, url) = World::counting().await;
    let (mut slow, mut quick) = (Page::open(&url, "1").await, Page::open(&url, "1").await);
    for page in [&mut slow, &mut quick] {
        page.count().await;
        page.until(2, &json!(0)).await;
        page.batch(json!([create(6, "blob", "r")])).await;
        page.until(6, &Value::Null).await;
    }
    // Far more than the system's buffers and ours hold.
    for round in 0..60 {
        agent.run(&format!("app.blob = string.rep('x', 400000) .. '{round}'")).await;
        quick.wait_for(|message| message["data"]["varId"] == 6).await;
    }
    agent.run("app.count = 9").await;
    quick.until(2, &json!(9)).await;
    let asked = slow
        .wait_for(|message| {
            message["type"] == "update"
                && message["data"].get("value").is_none()
                && message["data"].get("properties").is_none()
        })
        .await;
    let variable = asked["data"]["varId"].as_i64().unwrap();
    slow.batch(json!([{"type": "watch", "data": {"varId": variable}}])).await;
    slow.wait_for(|message| {
        message["data"]["varId"] == variable && message["data"].get("value").is_some()
    })
    .await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_at_rest_has_no_thread() {
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    let (_world, url) = World::visited("").await;
    let mut pages = Vec::new();
    for id in 1..=150 {
        get(&url, "/").await;
        pages.push(Page::open(&url, &id.to_string()).await);
    }
    // Other tests have theirs, too; a thread for each session would be far more.
    assert!(threads() < 120, "{} threads", threads());
    let list = get(&url, "/api/sessions").await.json();
    assert_eq!(list["sessions"].as_array().unwrap().len(), 150);
}
