//! What pages and programs ask.

use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::{
    project::{AUTH, Project},
    world::World,
};

#[tokio::test]
async fn the_project_tells_what_it_holds_and_never_where_it_lies() {
    let world = World::sample();
    let project = world.get("/project").await;
    assert_eq!(project["configured"], true);
    assert_eq!((&project["specs"], &project["changes"]), (&json!(2), &json!(1)));
    let folder = world.project.path().file_name().unwrap().to_str().unwrap();
    assert_eq!(project["name"], folder);
    let parent = world.project.path().parent().unwrap().to_str().unwrap().to_owned() + "/";
    let none = World::on(Project::none());
    for (world, path) in [(&world, "/project"), (&none, "/project"), (&none, "/specs")] {
        let (_, answer) = world.ask(Method::GET, path, None).await;
        assert!(!answer.to_string().contains(&parent), "{path}: {answer}");
    }
    let unmade = none.get("/project").await;
    assert_eq!(unmade["configured"], false);
    assert!(unmade["problem"]["hint"].as_str().unwrap().contains("spox init"));
}

#[tokio::test]
async fn a_spec_is_shown_with_its_text_and_what_is_wrong_at_its_lines() {
    let world = World::sample();
    world.project.write("specs/auth/spec.md", AUTH.replace("MUST", "will"));
    let list = world.get("/specs").await;
    assert_eq!(list["specs"][0]["scenario_count"], 3);
    assert_eq!(
        (&list["specs"][0]["errors"], &list["specs"][0]["warnings"]),
        (&json!(0), &json!(1))
    );
    let spec = world.get("/specs/auth").await;
    assert_eq!(spec["path"], "specs/auth/spec.md");
    assert_eq!(spec["text"], AUTH.replace("MUST", "will"));
    assert_eq!(spec["issues"][0]["code"], "S07");
    assert_eq!(spec["issues"][0]["line"], 25);
    let scenario = &spec["requirements"][0]["scenarios"][0];
    assert_eq!(scenario["conditions"].as_array().unwrap().len(), 2);
    assert_eq!(scenario["line"], 13);
}

#[tokio::test]
async fn a_spec_deep_in_the_tree_has_a_path_for_an_id() {
    let world = World::sample();
    world.project.write("specs/platform/auth/spec.md", AUTH);
    world.project.write("specs/platform/_drafts/other/spec.md", AUTH);
    world.project.write("specs/.hidden/spec.md", AUTH);
    let list = world.get("/specs").await;
    let ids: Vec<_> = list["specs"].as_array().unwrap().iter().map(|spec| &spec["id"]).collect();
    assert_eq!(ids, ["auth", "billing", "platform/auth"]);
    assert_eq!(world.get("/specs/platform%2Fauth").await["path"], "specs/platform/auth/spec.md");
    let (status, _) = world.ask(Method::GET, "/specs/..%2F.spox", None).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_change_is_shown_with_its_tasks_its_deltas_and_its_diff() {
    let world = World::sample();
    let list = world.get("/changes").await;
    let counts = json!({"added": 1, "modified": 1, "removed": 0, "renamed": 0});
    assert_eq!(list["changes"][0]["deltas"], json!({"auth": counts}));
    let change = world.get("/changes/remember-devices").await;
    assert_eq!(change["tasks"]["items"][2]["group"], "2. Pages");
    assert_eq!(change["breaking"], true);
    assert!(change.get("approved").is_none());
    let diff = world.get("/changes/remember-devices/diff").await;
    let requirements = &diff["capabilities"][0]["requirements"];
    let modified =
        requirements.as_array().unwrap().iter().find(|r| r["name"] == "Lock Out").unwrap();
    let kinds = |kind: &str| -> Vec<&Value> {
        let lines = modified["lines"].as_array().unwrap().iter();
        lines.filter(|line| line["kind"] == kind).map(|line| &line["text"]).collect()
    };
    assert_eq!(
        kinds("removed")[0],
        "The system MUST lock an account after five wrong passwords in a row."
    );
    assert_eq!(
        kinds("added")[0],
        "The system MUST lock an account after seven wrong passwords in a row."
    );
    assert!(!kinds("same").is_empty());
    // A task is open, so it could not be archived as it is.
    assert!(diff["refusal"]["error"].as_str().unwrap().contains("1 open of 3 tasks"), "{diff}");
}

#[tokio::test]
async fn a_search_that_is_no_question_is_refused_with_the_reason() {
    let world = World::sample();
    for (path, said) in [
        ("/search", "query"),
        ("/search?query=x&top_k=0", "top_k"),
        ("/search?query=x&top_k=1000000", "top_k"),
        ("/search?query=x&surprise=1", "surprise"),
    ] {
        let (status, error) = world.refused(Method::GET, path).await;
        assert_eq!(status, 400, "{path}");
        assert!(error.contains(said), "{path}: {error}");
    }
}
