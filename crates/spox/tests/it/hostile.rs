//! Files and names that nobody would wish for.

use std::{fs, os::unix::fs::symlink};

use http::Method;
use serde_json::json;

use crate::{
    project::{AUTH, Project},
    world::World,
};

async fn ids(world: &World) -> Vec<String> {
    let list = world.get("/specs").await;
    let specs = list["specs"].as_array().unwrap();
    specs.iter().map(|spec| spec["id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_file_that_is_no_text_is_told_and_the_others_work() {
    let world = World::sample();
    world.project.write("specs/binary/spec.md", [0xff, 0xfe, 0, 1, 2]);
    fs::create_dir_all(world.project.path().join("specs/folder/spec.md")).unwrap();
    let agent = world.agent().await;
    let found = agent.call("validate_spec", json!({})).await;
    let errors: Vec<_> =
        found["errors"].as_array().unwrap().iter().map(|e| (&e["code"], &e["file"])).collect();
    assert!(errors.contains(&(&json!("S01"), &json!("specs/binary/spec.md"))), "{found}");
    assert!(ids(&world).await.contains(&"auth".to_owned()));
    agent.call("rebuild_index", json!({})).await;
}

#[tokio::test]
async fn a_pipe_in_the_place_of_a_spec_holds_nobody_up() {
    let world = World::sample();
    fs::create_dir_all(world.project.path().join("specs/pipe")).unwrap();
    let made = std::process::Command::new("mkfifo")
        .arg(world.project.path().join("specs/pipe/spec.md"))
        .status()
        .unwrap();
    assert!(made.success());
    let found = world.get("/validate/specs").await;
    assert_eq!(found["errors"][0]["code"], "S01", "{found}");
}

#[tokio::test]
async fn links_that_lead_out_or_in_circles_are_not_followed() {
    let outside = Project::sample();
    let world = World::sample();
    let specs = world.project.path().join("specs");
    symlink(outside.path().join("specs/auth"), specs.join("stolen")).unwrap();
    symlink("..", specs.join("auth/up")).unwrap();
    symlink(".", specs.join("billing/here")).unwrap();
    for (from, to) in [("p", "q"), ("q", "r"), ("r", "p"), ("p", "r"), ("q", "p"), ("r", "q")] {
        fs::create_dir_all(specs.join(from)).unwrap();
        symlink(format!("../{to}"), specs.join(from).join(format!("to-{to}"))).unwrap();
    }
    // One that stays inside is as good as a folder.
    symlink("auth", specs.join("login")).unwrap();
    assert_eq!(ids(&world).await, ["auth", "billing", "login"]);
    fs::create_dir_all(specs.join("single")).unwrap();
    symlink("/etc/passwd", specs.join("single/spec.md")).unwrap();
    assert_eq!(ids(&world).await, ["auth", "billing", "login"]);
}

#[tokio::test]
async fn ids_that_lead_elsewhere_find_nothing() {
    let world = World::sample();
    world.project.write("secret/spec.md", AUTH);
    let agent = world.agent().await;
    for id in ["../secret", "/etc", "..", ".", "", "auth/../billing", "auth\0", "auth/", "_changes"]
    {
        let error = agent.fails("get_spec_requirements", json!({"spec_id": id})).await;
        assert!(error.ends_with(&format!("Spec not found: {id}")), "{error}");
        let error = agent.fails("get_change", json!({"change_id": id})).await;
        assert_eq!(error, format!("Change '{id}' not found"));
    }
    for path in ["/specs/..%2Fsecret", "/changes/..%2F..%2Fsecret", "/specs/%00"] {
        assert_eq!(world.refused(Method::GET, path).await.0, 404, "{path}");
    }
}

#[tokio::test]
async fn a_huge_spec_is_read_and_answered() {
    let world = World::sample();
    let scenario = "#### Scenario: S\n\n- **WHEN** a\n- **THEN** b\n\n";
    let mut text = AUTH.to_owned();
    text.push_str("\n### Requirement: Many\n\nIt SHALL.\n\n");
    text.push_str(&scenario.repeat(20_000));
    world.project.write("specs/huge/spec.md", text);
    let found = world.agent().await.call("get_spec_requirements", json!({"spec_id": "huge"})).await;
    assert_eq!(found["requirements"][2]["scenario_count"], 20_000);
}

#[tokio::test]
async fn settings_that_cannot_be_read_are_told_with_the_place() {
    let world = World::sample();
    let agent = world.agent().await;
    world.project.write(".spox/config.toml", "[paths\n");
    let error = agent.fails("list_specs", json!({})).await;
    assert!(error.starts_with("config parse error: ") && error.contains('1'), "{error}");
    world.project.write(".spox/config.toml", "[paths]\nspec_folder = \"specs\"\n");
    let error = agent.fails("list_specs", json!({})).await;
    assert!(error.starts_with("config missing field: "), "{error}");
    world.project.write(".spox/config.toml", crate::project::CONFIG);
    agent.call("list_specs", json!({})).await;
}
