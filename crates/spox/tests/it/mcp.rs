//! The tools, as the specification has them.

use http::Method;
use serde_json::{Value, json};

use crate::{
    project::{AUTH, DELTA, Project, TASKS},
    world::World,
};

fn ids(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|item| item["id"].as_str().unwrap()).collect()
}

// spec: spox MCP Server Protocol / Server responds to initialize
// spec: spox MCP Server Protocol / Server info
#[tokio::test]
async fn an_agent_is_welcomed_with_instructions() {
    let world = World::sample();
    let agent = world.agent().await;
    assert_eq!(agent.hello["serverInfo"]["name"], "spox");
    assert!(agent.hello["capabilities"]["tools"].is_object());
    let instructions = agent.hello["instructions"].as_str().unwrap();
    let tools = agent.ask("tools/list", json!({})).await;
    for tool in tools["result"]["tools"].as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        assert!(instructions.contains(&format!("`{name}`")), "{name} is not explained");
    }
}

#[tokio::test]
async fn the_nine_tools_are_listed_in_their_order_with_schemas() {
    let world = World::sample();
    let tools = world.agent().await.ask("tools/list", json!({})).await["result"]["tools"].take();
    insta::assert_json_snapshot!("tools", tools);
    let names: Vec<_> =
        tools.as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "list_specs",
            "get_spec_requirements",
            "get_scenario",
            "search_specs",
            "list_changes",
            "get_change",
            "validate_spec",
            "validate_change",
            "rebuild_index",
        ]
    );
    for tool in tools.as_array().unwrap() {
        let reads = tool["annotations"]["readOnlyHint"] == true;
        assert_eq!(reads, tool["name"] != "rebuild_index");
        assert_eq!(tool["outputSchema"]["type"], "object");
    }
}

// spec: spox List Specs Tool / List all specs
#[tokio::test]
async fn specs_are_listed_without_their_requirements() {
    let world = World::sample();
    let list = world.agent().await.call("list_specs", json!({})).await;
    assert_eq!(ids(&list["specs"]), ["auth", "billing"]);
    assert_eq!(list["specs"][0]["title"], "Auth Specification");
    let purpose = "Lets people into the system and keeps everybody else out, whatever they try.";
    assert_eq!(list["specs"][0]["purpose"], purpose);
    assert!(!list.to_string().contains("User Login"));
}

// spec: spox List Specs Tool / No specs found
#[tokio::test]
async fn a_project_without_specs_has_an_empty_list() {
    let missing = World::on(Project::empty());
    assert_eq!(missing.agent().await.call("list_specs", json!({})).await, json!({"specs": []}));
    let project = Project::empty();
    project.write("specs/notes.md", "# Not a spec\n");
    let empty = World::on(project);
    assert_eq!(empty.agent().await.call("list_specs", json!({})).await, json!({"specs": []}));
}

// spec: spox Get Spec Requirements Tool / Get requirements for existing spec
#[tokio::test]
async fn requirements_are_names_and_counts() {
    let world = World::sample();
    let agent = world.agent().await;
    let found = agent.call("get_spec_requirements", json!({"spec_id": "auth"})).await;
    assert_eq!(
        found,
        json!({"spec_id": "auth", "requirements": [
            {"name": "User Login", "scenario_count": 2, "line": 9},
            {"name": "Lock Out", "scenario_count": 1, "line": 25},
        ]})
    );
}

// spec: spox Get Spec Requirements Tool / Spec not found
// spec: spox MCP Interface Layer / MCP handles errors from Core
#[tokio::test]
async fn an_unknown_spec_is_an_error_that_names_it() {
    let world = World::sample();
    let agent = world.agent().await;
    let error = agent.fails("get_spec_requirements", json!({"spec_id": "no\"pe"})).await;
    assert_eq!(error, "Failed to get spec 'no\"pe': Spec not found: no\"pe");
    let problem = agent.problem("get_spec_requirements", json!({"spec_id": "biling"})).await;
    assert_eq!(problem["suggestions"], json!(["billing"]));
}

// spec: spox Get Scenario Tool / Get specific scenario
#[tokio::test]
async fn a_scenario_is_read_whole_under_both_names() {
    let world = World::sample();
    let agent = world.agent().await;
    let asked =
        json!({"spec_id": "auth", "requirement": "User Login", "scenario": "Right password"});
    let found = agent.call("get_scenario", asked).await;
    let when = "a user gives the right password AND the account is not locked";
    let then = json!(["the user is let in", "the time is written down"]);
    assert_eq!(
        found["requirement_description"],
        "The system SHALL let a user in who gives the right password."
    );
    assert_eq!(found["name"], "Right password");
    assert_eq!(found["when"], when);
    assert_eq!(found["then"], then);
    assert_eq!(found["scenario_name"], found["name"]);
    assert_eq!(found["when_clause"], when);
    assert_eq!(found["then_clauses"], then);
}

// spec: spox Get Scenario Tool / Get first scenario by default
#[tokio::test]
async fn without_a_name_the_first_scenario_is_read() {
    let world = World::sample();
    let agent = world.agent().await;
    for scenario in [json!({}), json!({"scenario": null})] {
        let mut asked = json!({"spec_id": "auth", "requirement": "user  login"});
        asked.as_object_mut().unwrap().extend(scenario.as_object().unwrap().clone());
        let found = agent.call("get_scenario", asked).await;
        assert_eq!(found["name"], "Right password");
        assert_eq!(found["requirement"], "User Login");
    }
}

// spec: spox Get Scenario Tool / Scenario not found
#[tokio::test]
async fn what_is_not_there_is_named_with_where_it_was_looked_for() {
    let world = World::sample();
    world.project.write(
        "specs/bare/spec.md",
        "# Bare\n\n## Requirements\n\n### Requirement: Alone\n\nIt SHALL.\n",
    );
    let agent = world.agent().await;
    let ask = async |spec: &str, requirement: &str, scenario: Option<&str>| {
        let asked = json!({"spec_id": spec, "requirement": requirement, "scenario": scenario});
        agent.fails("get_scenario", asked).await
    };
    assert_eq!(
        ask("auth", "User Login", Some("Nope")).await,
        "Scenario 'Nope' not found in requirement 'User Login'"
    );
    assert_eq!(ask("auth", "Nope", None).await, "Requirement 'Nope' not found in spec 'auth'");
    assert_eq!(ask("bare", "Alone", None).await, "No scenarios found in requirement 'Alone'");
    assert_eq!(ask("nope", "Alone", None).await, "Failed to get spec 'nope': Spec not found: nope");
}

// spec: spox List Changes Tool / List all active changes
#[tokio::test]
async fn changes_are_listed_with_their_progress() {
    let world = World::sample();
    world.project.change("add-more");
    world.project.write("specs/_changes/archive/old/proposal.md", "# Change: Old\n");
    let list = world.agent().await.call("list_changes", json!({})).await;
    assert_eq!(ids(&list["changes"]), ["add-more", "remember-devices"]);
    assert_eq!(list["changes"][1]["title"], "Remember devices");
    assert_eq!(list["changes"][1]["task_progress"], json!({"completed": 2, "total": 3}));
    assert_eq!(list["changes"][1]["breaking"], true);
}

// spec: spox List Changes Tool / No active changes
#[tokio::test]
async fn without_changes_the_list_is_empty() {
    let world = World::on(Project::empty());
    assert_eq!(world.agent().await.call("list_changes", json!({})).await, json!({"changes": []}));
}

// spec: spox Get Change Tool / Get full change
#[tokio::test]
async fn a_change_is_read_whole() {
    let world = World::sample();
    let agent = world.agent().await;
    let asked = json!({"change_id": "remember-devices"});
    let found = agent.call("get_change", asked.clone()).await;
    assert!(found.get("design").is_none());
    assert_eq!(found["tasks"], json!({"content": TASKS, "completed": 2, "total": 3}));
    assert!(found["proposal"]["why"].as_str().unwrap().starts_with("People type"));
    assert!(found["proposal"]["what_changes"].as_str().unwrap().contains("\n- **BREAKING**"));
    let items = &found["deltas"]["auth"]["items"];
    assert_eq!(items[0]["operation"], "added");
    assert_eq!(items[0]["name"], "Remembered Device");
    assert_eq!(items[0]["scenarios"], json!(["Known device"]));
    assert_eq!(items[1]["operation"], "modified");
    world.project.write("specs/_changes/remember-devices/design.md", "# Design\n\nKeys.\n");
    assert_eq!(agent.call("get_change", asked).await["design"], "# Design\n\nKeys.\n");
}

// spec: spox Get Change Tool / Get change section
#[tokio::test]
async fn a_section_comes_alone() {
    let world = World::sample();
    world.project.write("specs/_changes/remember-devices/design.md", "Keys.\n");
    let agent = world.agent().await;
    for section in ["proposal", "tasks", "design", "deltas"] {
        let asked = json!({"change_id": "remember-devices", "section": section});
        let found = agent.call("get_change", asked).await;
        let keys: Vec<_> = found.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(keys, ["change_id", section]);
    }
    let wrong = json!({"change_id": "remember-devices", "section": "taks"});
    assert_eq!(
        agent.fails("get_change", wrong).await,
        "Unknown section 'taks'. Valid sections: proposal, tasks, design, deltas"
    );
    // Only where the proposal is asked for does it have to be there.
    world.project.remove("specs/_changes/remember-devices/proposal.md");
    let tasks = json!({"change_id": "remember-devices", "section": "tasks"});
    assert_eq!(agent.call("get_change", tasks).await["tasks"]["total"], 3);
    let error = agent.fails("get_change", json!({"change_id": "remember-devices"})).await;
    assert_eq!(error, "Change 'remember-devices' has no proposal.md");
}

// spec: spox Get Change Tool / Change not found
#[tokio::test]
async fn an_unknown_change_is_an_error() {
    let world = World::sample();
    let error = world.agent().await.fails("get_change", json!({"change_id": "nope"})).await;
    assert_eq!(error, "Change 'nope' not found");
}

// spec: spox Validate Spec Tool / Validate all specs
// spec: spox Validate Spec Tool / Validation passes
#[tokio::test]
async fn good_specs_are_valid() {
    let world = World::sample();
    let agent = world.agent().await;
    let all = agent.call("validate_spec", json!({})).await;
    assert_eq!(
        all,
        json!({"valid": true, "errors": [], "warnings": [], "summary": "All specs valid (0 warnings)"})
    );
    let one = agent.call("validate_spec", json!({"spec_id": "auth"})).await;
    assert_eq!(one["summary"], "Valid (0 warnings)");
}

// spec: spox Validate Spec Tool / Validate specific spec
// spec: spox Validate Spec Tool / Validation fails
#[tokio::test]
async fn bad_specs_are_told_with_file_line_and_fix() {
    let world = World::sample();
    let bad = AUTH.replace("- **WHEN** a user gives a wrong password\n", "");
    world.project.write("specs/auth/spec.md", bad.replace("MUST", "will"));
    let agent = world.agent().await;
    let found = agent.call("validate_spec", json!({"spec_id": "auth"})).await;
    assert_eq!(found["valid"], false);
    assert_eq!(found["summary"], "Validation failed: 1 errors, 1 warnings");
    let error = &found["errors"][0];
    assert_eq!(error["file"], "specs/auth/spec.md");
    assert_eq!(error["line"], 20);
    assert_eq!(error["code"], "S09");
    assert_eq!(
        error["description"],
        "Scenario \"Wrong password\" in requirement \"User Login\" is missing WHEN clause"
    );
    assert!(error["fix"].is_string());
    // The other one has nothing to do with it.
    assert_eq!(agent.call("validate_spec", json!({"spec_id": "billing"})).await["valid"], true);
    assert_eq!(agent.call("validate_spec", json!({})).await["valid"], false);
}

// spec: spox Validate Spec Tool / Spec not found
#[tokio::test]
async fn validating_an_unknown_spec_is_an_error() {
    let world = World::sample();
    let error = world.agent().await.fails("validate_spec", json!({"spec_id": "nope"})).await;
    assert_eq!(error, "spec not found: 'nope'");
}

// spec: spox Validate Change Tool / Validate all changes
// spec: spox Validate Change Tool / Validation passes
#[tokio::test]
async fn good_changes_are_valid() {
    let world = World::sample();
    let agent = world.agent().await;
    let all = agent.call("validate_change", json!({})).await;
    assert_eq!(
        all,
        json!({"valid": true, "errors": [], "warnings": [], "summary": "All changes valid (0 warnings)"})
    );
    let empty = World::on(Project::empty());
    let none = empty.agent().await.call("validate_change", json!({})).await;
    assert_eq!(none["valid"], true);
}

// spec: spox Validate Change Tool / Validate specific change
// spec: spox Validate Change Tool / Validation fails
#[tokio::test]
async fn bad_changes_are_told_with_file_section_and_description() {
    let world = World::sample();
    world.project.remove("specs/_changes/remember-devices/tasks.md");
    let delta = DELTA.replace("### Requirement: Lock Out", "### Requirement: Lockout");
    world.project.write("specs/_changes/remember-devices/specs/auth/spec.md", &delta);
    let agent = world.agent().await;
    let one = agent.call("validate_change", json!({"change_id": "remember-devices"})).await;
    assert_eq!(one["valid"], false);
    let errors = one["errors"].as_array().unwrap();
    let missing = errors.iter().find(|error| error["code"] == "C05").unwrap();
    assert_eq!(missing["file"], "tasks.md");
    assert_eq!(missing["section"], "tasks");
    assert_eq!(missing["description"], "Missing tasks.md");
    let unknown = errors.iter().find(|error| error["code"] == "C16").unwrap();
    assert_eq!(unknown["file"], "specs/auth/spec.md");
    assert_eq!(unknown["section"], "deltas");
    assert_eq!(unknown["line"], 14);
    let all = agent.call("validate_change", json!({})).await;
    assert_eq!(all["errors"][0]["file"], "remember-devices/tasks.md");
}

// spec: spox Validate Change Tool / Change not found
#[tokio::test]
async fn validating_an_unknown_change_is_an_error() {
    let world = World::sample();
    let error = world.agent().await.fails("validate_change", json!({"change_id": "nope"})).await;
    assert_eq!(error, "change not found: 'nope'");
}

// spec: spox MCP Interface Layer / MCP delegates to Core
#[tokio::test]
async fn agents_and_programs_get_the_same_answers() {
    let world = World::sample();
    let agent = world.agent().await;
    let valid = agent.call("validate_spec", json!({})).await;
    assert_eq!(world.get("/validate/specs").await, valid);
    let valid = agent.call("validate_change", json!({"change_id": "remember-devices"})).await;
    assert_eq!(world.get("/validate/changes/remember-devices").await, valid);
    let told = agent.fails("get_change", json!({"change_id": "nope"})).await;
    let (status, shown) = world.refused(Method::GET, "/changes/nope").await;
    assert_eq!((status, shown), (404, told));
}

#[tokio::test]
async fn wrong_arguments_and_unknown_tools_are_protocol_errors() {
    let world = World::sample();
    let agent = world.agent().await;
    for (tool, arguments) in [
        ("get_spec_requirements", json!({})),
        ("get_spec_requirements", json!({"spec_id": 7})),
        ("search_specs", json!({"query": "x", "top_k": 0})),
        ("list_specs", json!({"surprise": true})),
        ("no_such_tool", json!({})),
    ] {
        let answer = agent.answer(tool, arguments).await;
        assert_eq!(answer["error"]["code"], -32602, "{tool}: {answer}");
    }
}

#[tokio::test]
async fn a_folder_that_is_no_project_says_how_to_make_one() {
    let world = World::on(Project::none());
    let agent = world.agent().await;
    for tool in ["list_specs", "list_changes", "validate_spec", "validate_change", "rebuild_index"]
    {
        let error = agent.problem(tool, json!({})).await;
        assert_eq!(error["error"], "config not found: .spox/config.toml");
        assert!(error["hint"].as_str().unwrap().contains("spox init"));
    }
    // As soon as there is one, it is used.
    world.project.write(".spox/config.toml", crate::project::CONFIG);
    assert_eq!(agent.call("list_specs", json!({})).await, json!({"specs": []}));
}

#[tokio::test]
async fn specs_and_changes_are_resources() {
    let world = World::sample();
    let agent = world.agent().await;
    let list = agent.ask("resources/list", json!({})).await;
    let uris: Vec<_> = list["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| resource["uri"].as_str().unwrap())
        .collect();
    assert_eq!(
        uris,
        [
            "spox://specs",
            "spox://changes",
            "spox://mission",
            "spox://specs/auth",
            "spox://specs/billing",
            "spox://changes/remember-devices",
        ]
    );
    for uri in uris {
        let read = agent.ask("resources/read", json!({"uri": uri})).await;
        assert_eq!(read["result"]["contents"][0]["uri"], uri, "{read}");
    }
    let read = agent.ask("resources/read", json!({"uri": "spox://specs/auth"})).await;
    assert_eq!(read["result"]["contents"][0]["text"], AUTH);
    for uri in
        ["spox://specs/..%2Fmission", "spox://specs/nope", "spox://nope", "file:///etc/passwd"]
    {
        let read = agent.ask("resources/read", json!({"uri": uri})).await;
        assert!(read["error"].is_object(), "{uri}: {read}");
    }
}
