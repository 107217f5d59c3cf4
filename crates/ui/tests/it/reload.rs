//! Edited files take effect at once.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{browser::Page, world::World};

const PATIENCE: Duration = Duration::from_secs(20);

/// Asks until the answer is the right one.
async fn until(agent: &crate::agent::Agent, code: &str, wanted: &Value) {
    let begun = Instant::now();
    loop {
        let found = agent.run(code).await;
        if found == *wanted {
            return;
        }
        assert!(begun.elapsed() < PATIENCE, "{code}: {found}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

const APP: &str = r#"
App = session:prototype("App", { count = 0 })
function App:label() return "one " .. self.count end
if not session.reloading then
  app = session:create(App)
  session:createAppVariable(app)
end
"#;

#[tokio::test]
async fn an_edited_program_changes_what_a_page_shows_and_keeps_its_data() {
    let world = World::new();
    world.put("lua/main.lua", APP);
    let (agent, url) = world.started().await;
    let mut page = Page::open(&url, "1").await;
    page.batch(json!([{"type": "watch", "data": {"varId": 1}}])).await;
    page.frame().await;
    page.batch(json!([crate::browser::create(2, "label()", "r")])).await;
    page.until(2, &json!("one 0")).await;
    agent.run("app.count = 7").await;
    page.until(2, &json!("one 7")).await;
    world.put("lua/main.lua", &APP.replace("one ", "two "));
    page.until(2, &json!("two 7")).await;
}

#[tokio::test]
async fn a_program_that_does_not_compile_leaves_the_old_one() {
    let world = World::new();
    world.put("lua/main.lua", "require('part')");
    world.put("lua/part.lua", "function part() return 1 end");
    let (agent, _) = world.started().await;
    world.put("lua/part.lua", "function part( return 2 end");
    let begun = Instant::now();
    while !world.read("log/lua-err.log").contains("part.lua") {
        assert!(begun.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(agent.run("return part()").await, 1);
    world.put("lua/part.lua", "function part() return 3 end");
    until(&agent, "return part()", &json!(3)).await;
}

#[tokio::test]
async fn a_file_that_was_never_loaded_is_ignored() {
    let world = World::new();
    world.put("lua/other.lua", "other = 1");
    world.put("lua/main.lua", "main = 1");
    let (agent, _) = world.started().await;
    world.put("lua/other.lua", "other = 2");
    world.put("lua/main.lua", "main = 2");
    until(&agent, "return main", &json!(2)).await;
    assert_eq!(agent.run("return other").await, Value::Null);
}

#[tokio::test]
async fn a_link_is_followed_inside_of_the_project_and_not_out_of_it() {
    let world = World::new();
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("far.lua"), "far = 1").unwrap();
    world.put("shared/near.lua", "near = 1");
    world.put("lua/main.lua", "require('near') ok = pcall(require, 'far')");
    let link = |to: &std::path::Path, name: &str| {
        std::os::unix::fs::symlink(to, world.path().join("lua").join(name)).unwrap();
    };
    link(std::path::Path::new("../shared/near.lua"), "near.lua");
    link(&elsewhere.path().join("far.lua"), "far.lua");
    let (agent, _) = world.started().await;
    assert_eq!(agent.run("return {near, far or 'none', ok}").await, json!([1, "none", false]));
    world.put("shared/near.lua", "near = 2");
    until(&agent, "return near", &json!(2)).await;
}

#[tokio::test]
async fn a_program_that_failed_at_first_is_mended() {
    let world = World::new();
    world.put("lua/main.lua", "broken(");
    let (agent, url) = world.started().await;
    let mut page = Page::open(&url, "1").await;
    page.batch(json!([{"type": "watch", "data": {"varId": 1}}])).await;
    page.frame().await;
    page.batch(json!([crate::browser::create(2, "error", "r")])).await;
    let shown = page
        .wait_for(|message| message["data"]["varId"] == 2 && message["data"]["value"].is_string())
        .await;
    assert!(shown["data"]["value"].as_str().unwrap().contains("main.lua"), "{shown}");
    assert!(agent.tool("ui_look", json!({})).await.contains("main.lua"));
    world.put("lua/main.lua", APP);
    until(&agent, "return session:getApp() ~= nil and session:getApp().count", &json!(0)).await;
}

#[tokio::test]
async fn an_edited_view_is_on_open_pages_and_a_folder_may_come_later() {
    let world = World::new();
    world.put("lua/main.lua", APP);
    let (_agent, url) = world.started().await;
    let mut page = Page::open(&url, "1").await;
    page.batch(json!([{"type": "watch", "data": {"varId": 1}}])).await;
    page.frame().await;
    for text in ["one", "two"] {
        world.put("viewdefs/App.DEFAULT.html", &format!("<template><p>{text}</p></template>"));
        page.wait_for(|message| {
            let viewdefs = message["data"]["properties"]["viewdefs"].as_str();
            viewdefs.is_some_and(|viewdefs| viewdefs.contains(text))
        })
        .await;
    }
}
