//! Changes, approved and archived; by one, by many at once, and by somebody who died in between.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    project::{AUTH, DELTA, Project, TASKS},
    world::World,
};

const CHANGE: &str = "specs/_changes/remember-devices";
const ARCHIVED: &str = "specs/_archive/2026-11-17-remember-devices";

fn finished() -> World {
    let project = Project::sample();
    project.write(&format!("{CHANGE}/tasks.md"), TASKS.replace("[ ]", "[x]"));
    World::on(project)
}

async fn archive(world: &World, id: &str, body: Option<Value>) -> (StatusCode, Value) {
    world.ask(Method::POST, &format!("/changes/{id}/archive"), body).await
}

#[tokio::test]
async fn archiving_merges_the_deltas_and_moves_the_change() {
    let world = finished();
    let (status, answer) = archive(&world, "remember-devices", None).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(answer["archived_to"], ARCHIVED);
    assert!(!world.project.has(CHANGE) && world.project.has(&format!("{ARCHIVED}/proposal.md")));
    let spec = world.project.read("specs/auth/spec.md");
    assert!(spec.contains("seven wrong passwords") && !spec.contains("five wrong passwords"));
    assert!(spec.contains("### Requirement: Remembered Device"));
    assert_eq!(world.get("/validate/specs").await["valid"], true);
    assert_eq!(world.get("/changes").await, json!({"changes": []}));
    for leftover in [".spox/pending.json", "specs/auth/.spec.md.new"] {
        assert!(!world.project.has(leftover), "{leftover}");
    }
}

#[tokio::test]
async fn a_change_that_is_not_done_stays_unless_forced() {
    let world = World::sample();
    let before = world.project.read("specs/auth/spec.md");
    let (status, answer) = archive(&world, "remember-devices", None).await;
    assert_eq!(status, StatusCode::CONFLICT, "{answer}");
    assert!(answer["error"].as_str().unwrap().contains("1 open of 3 tasks"), "{answer}");
    assert!(answer["hint"].is_string(), "{answer}");
    assert_eq!(world.project.read("specs/auth/spec.md"), before);
    assert!(world.project.has(CHANGE));
    let (status, answer) = archive(&world, "remember-devices", Some(json!({"force": true}))).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
}

#[tokio::test]
async fn a_refused_archive_leaves_every_file_as_it_was() {
    let world = finished();
    // One capability could be written, the other cannot.
    let delta = "## MODIFIED Requirements\n\n### Requirement: No Such\n\nIt SHALL be.\n";
    world.project.write(&format!("{CHANGE}/specs/billing/spec.md"), delta);
    let before =
        (world.project.read("specs/auth/spec.md"), world.project.read("specs/billing/spec.md"));
    let (status, answer) = archive(&world, "remember-devices", None).await;
    assert!(status.is_client_error(), "{answer}");
    assert!(answer["error"].as_str().unwrap().contains("No Such"), "{answer}");
    let after =
        (world.project.read("specs/auth/spec.md"), world.project.read("specs/billing/spec.md"));
    assert_eq!(before, after);
    assert!(world.project.has(CHANGE) && !world.project.has(ARCHIVED));
}

#[tokio::test]
async fn a_place_in_the_archive_that_is_taken_is_told() {
    let world = finished();
    world.project.write(&format!("{ARCHIVED}/proposal.md"), "# Change: Another\n");
    let (status, answer) = archive(&world, "remember-devices", None).await;
    assert_eq!(status, StatusCode::CONFLICT, "{answer}");
    assert_eq!(world.project.read("specs/auth/spec.md"), AUTH);
}

#[tokio::test]
async fn changes_archived_at_once_lose_nothing() {
    let project = Project::sample();
    project.remove(CHANGE);
    for number in 0..12 {
        let id = format!("add-{number}");
        project.change(&id);
        project.write(&format!("specs/_changes/{id}/tasks.md"), "- [x] 1.1 Done\n");
        let delta = format!(
            "## ADDED Requirements\n\n### Requirement: Number {number}\n\nIt SHALL count.\n\n\
             #### Scenario: Counted\n\n- **WHEN** counted\n- **THEN** it is {number}\n"
        );
        project.write(&format!("specs/_changes/{id}/specs/auth/spec.md"), delta);
    }
    let world = World::on(project);
    let archives = (0..12).map(|number| {
        let (world, id) = (&world, format!("add-{number}"));
        async move { archive(world, &id, None).await }
    });
    for (status, answer) in futures::future::join_all(archives).await {
        assert_eq!(status, StatusCode::OK, "{answer}");
    }
    let spec = world.project.read("specs/auth/spec.md");
    for number in 0..12 {
        assert!(spec.contains(&format!("### Requirement: Number {number}\n")), "{number}");
    }
    assert!(spec.contains("### Requirement: User Login"));
}

#[tokio::test]
async fn what_a_process_that_died_had_begun_is_finished_by_the_next() {
    let world = finished();
    world.project.change("add-later");
    world.project.write("specs/_changes/add-later/tasks.md", "- [x] 1.1 Done\n");
    let add = DELTA.split("## MODIFIED").next().unwrap().replace("Remembered", "Later");
    world.project.write("specs/_changes/add-later/specs/auth/spec.md", add);
    // Died after the intent was written, before anything was put in place.
    world.project.write("specs/billing/.spec.md.new", "# Billing Specification\n\nNew.\n");
    let intent = json!({
        "files": [{"path": "specs/billing/spec.md", "prepared": "specs/billing/.spec.md.new"}],
        "remove": [],
        "rename": [CHANGE, ARCHIVED],
    });
    world.project.write(".spox/pending.json", intent.to_string());
    let (status, answer) = archive(&world, "add-later", None).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(world.project.read("specs/billing/spec.md"), "# Billing Specification\n\nNew.\n");
    assert!(world.project.has(ARCHIVED) && !world.project.has(CHANGE));
    assert!(world.project.read("specs/auth/spec.md").contains("Later Device"));
    assert!(!world.project.has(".spox/pending.json"));
}

#[tokio::test]
async fn an_intent_that_leads_out_of_the_project_is_refused() {
    let world = finished();
    for bad in [
        json!({"files": [{"path": "../evil", "prepared": "x"}], "remove": [], "rename": null})
            .to_string(),
        json!({"files": [], "remove": ["/etc/evil"], "rename": null}).to_string(),
        "not json".to_owned(),
    ] {
        world.project.write(".spox/pending.json", &bad);
        let (status, answer) = archive(&world, "remember-devices", None).await;
        assert_eq!(status, StatusCode::CONFLICT, "{answer}");
        assert_eq!(answer["error"], "`.spox/pending.json` is damaged");
        assert_eq!(world.project.read("specs/auth/spec.md"), AUTH);
    }
}

#[tokio::test]
async fn an_approval_is_written_down() {
    let world = World::sample();
    let (status, answer) = world.ask(Method::POST, "/changes/remember-devices/approve", None).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(answer["approved"], json!({"by": "local", "at": "2026-11-17T10:00:00Z"}));
    let change = world.get("/changes/remember-devices").await;
    assert_eq!(change["approved"], answer["approved"]);
    assert_eq!(world.get("/changes").await["changes"][0]["approved"], true);
}
