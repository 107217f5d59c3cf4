//! State, guides and documents under `ui://`.

use serde_json::{Value, json};

use crate::world::World;

// spec: ui 8.1
#[tokio::test]
async fn the_state_is_the_app_itself_with_its_type() {
    let (_world, agent, _) = World::counting().await;
    agent.run("app.items = {{label = 'a'}, {label = 'b'}}").await;
    let state = agent.read_json("ui://state").await;
    assert_eq!((&state["type"], &state["count"]), (&json!("App"), &json!(0)));
    assert_eq!(state["items"][1]["label"], "b");
    assert_eq!(agent.read_json("ui://state/1").await, state);
    assert_eq!(agent.unreadable("ui://state/7").await, "session 7 not found");
    agent.run("mcp.state = {only = 'this'}").await;
    assert_eq!(agent.read_json("ui://state").await, json!({"only": "this"}));
}

// spec: ui 8.2
#[tokio::test]
async fn an_empty_project_shows_the_mcp_object() {
    let world = World::new();
    let (agent, _) = world.started().await;
    let list = agent.read_json("ui://variables").await;
    assert_eq!(list.as_array().unwrap().len(), 1);
    let root = &list[0];
    assert_eq!(
        (&root["id"], &root["parentId"], &root["type"], &root["value"], &root["childIds"]),
        (&json!(1), &json!(0), &json!("MCP"), &json!({"obj": 2}), &json!([]))
    );
    assert_eq!(root["properties"]["type"], "MCP");
}

// spec: ui 8.3
#[tokio::test]
async fn the_projects_documents_are_read_by_name_and_cover_the_guides() {
    let world = World::new();
    world.put("resources/patterns/form.md", "# form");
    world.put("resources/data.json", "{}");
    world.put("resources/lua.md", "# mine");
    let (agent, _) = world.started().await;
    let markdown = |text: &str| (text.to_owned(), "text/markdown".to_owned());
    assert_eq!(agent.read("ui://patterns/form.md").await, markdown("# form"));
    assert_eq!(agent.read("ui://patterns/form").await, markdown("# form"));
    assert_eq!(agent.read("ui://lua").await, markdown("# mine"));
    assert_eq!(agent.read("ui://data.json").await.1, "application/json");
    for guide in ["reference", "viewdefs", "mcp"] {
        let (text, kind) = agent.read(&format!("ui://{guide}")).await;
        assert!(text.starts_with('#') && kind == "text/markdown", "{guide}");
    }
    assert_eq!(agent.unreadable("ui://none.md").await, "Resource not found: none.md");
}

#[tokio::test]
async fn no_name_of_a_resource_leads_out() {
    let world = World::new();
    world.put("secret.md", "s3cret");
    world.put("resources/ok.md", "ok");
    std::os::unix::fs::symlink(
        world.path().join("secret.md"),
        world.path().join("resources/link.md"),
    )
    .unwrap();
    let (agent, _) = world.started().await;
    for uri in [
        "ui://../secret.md",
        "ui://patterns/../../secret.md",
        "ui://%2e%2e/secret.md",
        "ui:///etc/passwd",
        "ui://link",
        "ui://link.md",
        "ui://a%00b",
        "ui://..",
    ] {
        assert_eq!(agent.unreadable(uri).await, "Invalid resource path", "{uri}");
    }
}

#[tokio::test]
async fn what_can_be_read_is_listed() {
    let world = World::new();
    world.put("resources/notes.md", "n");
    let (agent, _) = world.started().await;
    let list = agent.ask("resources/list", json!({})).await;
    let uris: Vec<_> = list["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["uri"].clone())
        .collect();
    assert_eq!(
        uris,
        [
            "ui://state",
            "ui://variables",
            "ui://reference",
            "ui://viewdefs",
            "ui://lua",
            "ui://mcp",
            "ui://notes.md"
        ]
    );
    let list = agent.ask("resources/templates/list", json!({})).await;
    let templates = list["result"]["resourceTemplates"].as_array().unwrap();
    let templates: Vec<&Value> = templates.iter().map(|one| &one["uriTemplate"]).collect();
    assert_eq!(templates, ["ui://state/{sessionId}", "ui://variables/{sessionId}", "ui://{path}"]);
}

#[tokio::test]
async fn the_tools_are_as_agreed() {
    let world = World::new();
    let agent = world.agent().await;
    let mut list = agent.ask("tools/list", json!({})).await;
    insta::assert_json_snapshot!("tools", list["result"]["tools"].take());
}
