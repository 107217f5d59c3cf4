//! View definitions that an agent brings.

use serde_json::{Value, json};

use crate::{browser::Page, world::World};

fn upload(kind: &str, namespace: &str, content: &str) -> Value {
    json!({"type": kind, "namespace": namespace, "content": content})
}

// spec: ui 5.4
#[tokio::test]
async fn an_upload_is_on_open_pages_at_once_and_asks_for_its_variables_again() {
    let (world, agent, url) = World::counting().await;
    let mut page = Page::open(&url, "1").await;
    page.count().await;
    page.until(2, &json!(0)).await;
    for text in ["one", "two"] {
        let html = format!("<template><p>{text}</p></template>");
        let said = agent.tool("ui_upload_viewdef", upload("App", "DEFAULT", &html)).await;
        assert_eq!(said, "Viewdef App.DEFAULT uploaded");
        let mut pushed = false;
        let mut again = false;
        while !(pushed && again) {
            for message in page.frame().await {
                let data = &message["data"];
                let viewdefs = data["properties"]["viewdefs"].as_str();
                pushed |= viewdefs.is_some_and(|viewdefs| viewdefs.contains(text));
                again |= message["type"] == "update"
                    && data["varId"] == 1
                    && data.get("value").is_none()
                    && data.get("properties").is_none();
            }
        }
        assert!(world.read("viewdefs/App.DEFAULT.html").contains(text), "it survives a restart");
    }
}

#[tokio::test]
async fn no_name_of_a_view_leads_out() {
    let (world, agent, _) = World::counting().await;
    for (kind, namespace) in [
        ("../x", "DEFAULT"),
        ("A/B", "DEFAULT"),
        ("A", "../x"),
        ("A", "a.b"),
        ("A..B", "DEFAULT"),
        (".A", "DEFAULT"),
        ("A\0", "DEFAULT"),
        ("1A", "DEFAULT"),
        ("A", "a b"),
        ("A", "a\\b"),
    ] {
        let answer = agent.call("ui_upload_viewdef", upload(kind, namespace, "<p>x</p>")).await;
        assert!(answer.failed, "{kind}.{namespace}: {}", answer.text);
    }
    let kept: Vec<_> = std::fs::read_dir(world.path().join("viewdefs")).unwrap().collect();
    assert_eq!(kept.len(), 1, "{kept:?}");
}

#[tokio::test]
async fn content_without_a_template_is_put_into_one() {
    let (world, agent, _) = World::counting().await;
    agent.tool("ui_upload_viewdef", upload("Note", "DEFAULT", "<p ui-value=\"text\"></p>")).await;
    let kept = world.read("viewdefs/Note.DEFAULT.html");
    assert!(kept.contains("<template>") && kept.contains("ui-value=\"text\""), "{kept}");
}

#[tokio::test]
async fn what_looks_like_a_mistake_is_told_beside_the_answer() {
    let (_world, agent, _) = World::counting().await;
    let html = "<template><p ui-vlaue=\"name\"></p></template>";
    let answer = agent.call("ui_upload_viewdef", upload("App", "other", html)).await;
    assert_eq!((&*answer.text, answer.failed), ("Viewdef App.other uploaded", false));
    assert!(answer.notes.iter().any(|note| note.contains("ui-value")), "{:?}", answer.notes);
}

#[tokio::test]
async fn a_path_that_its_type_does_not_have_is_told_with_the_nearest() {
    let (_world, agent, _) = World::counting().await;
    let html =
        "<template><p ui-value=\"cuont\"></p><button ui-action=\"savve()\">x</button></template>";
    let answer = agent.call("ui_upload_viewdef", upload("App", "other", html)).await;
    for near in ["count", "save"] {
        assert!(answer.notes.iter().any(|note| note.contains(near)), "{near}: {:?}", answer.notes);
    }
    let right = "<template><p ui-value=\"count\"></p></template>";
    let answer = agent.call("ui_upload_viewdef", upload("App", "other", right)).await;
    assert_eq!(answer.notes, [] as [&str; 0]);
}

#[tokio::test]
async fn an_agent_can_look_at_what_a_person_sees() {
    let (_world, agent, _) = World::counting().await;
    agent.run("app.count = 41").await;
    let seen = agent.tool("ui_look", json!({})).await;
    assert!(seen.contains("41") && seen.contains('+'), "{seen}");
    // Looking leaves nothing behind.
    assert_eq!(agent.read_json("ui://variables").await.as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn mistakes_in_programs_are_told_with_the_start_and_with_code_that_is_run() {
    let world = World::new();
    world.put(
        "lua/main.lua",
        "App = session:prototype('App', {})\nsession.createAppVariable(App:new())",
    );
    world.put("lua/deep/part.lua", "mcp:notify('a')");
    world.put("viewdefs/Apq.DEFAULT.html", "<template><p></p></template>");
    let agent = world.agent().await;
    agent.tool("ui_configure", json!({"base_dir": world.base()})).await;
    let notes = agent.call("ui_start", json!({})).await.notes;
    assert!(notes[0].starts_with("main.lua failed: "), "{notes:?}");
    let audits = [
        "lua/deep/part.lua:1:1 error colon-call: `mcp:notify(…)` gets `mcp` as its first argument; write `mcp.notify(…)`",
        "lua/main.lua:2:1 warning missing-viewdef: the application has type `App`, and there is no view `App.DEFAULT`: the page stays empty; there is one of `Apq`; give both the same name",
        "lua/main.lua:2:1 error dot-call: `session.createAppVariable(…)` is called without `session` itself; write `session:createAppVariable(…)`",
    ];
    for audit in audits {
        assert!(notes.iter().any(|note| note == audit), "{audit}\nis not in\n{notes:#?}");
    }

    let ran = agent.call("ui_run", json!({"code": "local x = 1\nui:log('x')\nreturn x"})).await;
    assert_eq!(ran.text, "1", "the answer comes first, as without remarks");
    assert_eq!(
        ran.notes,
        [
            "ui_run:2:1 error colon-call: `ui:log(…)` gets `ui` as its first argument; write `ui.log(…)`"
        ]
    );
    let ran = agent.call("ui_run", json!({"code": "session:createAppVariable({})"})).await;
    assert_eq!(ran.notes, [] as [&str; 0], "code that is run once needs no guard");
}
