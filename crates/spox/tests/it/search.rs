//! Search, as the specification has it.

use http::Method;
use serde_json::{Value, json};

use crate::{
    project::{AUTH, CONFIG, Project},
    world::World,
};

const NO_INDEX: &str =
    "Search index not available. Run 'spox index' first to build the search index.";

fn hits(answer: &Value) -> Vec<(&str, Option<&str>)> {
    let results = answer["results"].as_array().unwrap();
    results
        .iter()
        .map(|hit| (hit["spec_id"].as_str().unwrap(), hit["requirement"].as_str()))
        .collect()
}

// spec: spox Search Specs Tool / Search with query
#[tokio::test]
async fn a_question_finds_what_it_means_best_first() {
    let world = World::sample();
    let agent = world.agent().await;
    let built = agent.call("rebuild_index", json!({})).await;
    assert_eq!(built["specs_indexed"], 2);
    let question = json!({"query": "too many failed sign-in attempts"});
    let found = agent.call("search_specs", question).await;
    assert_eq!(hits(&found)[0], ("auth", Some("Lock Out")));
    let results = found["results"].as_array().unwrap();
    let scores: Vec<_> = results.iter().map(|hit| hit["score"].as_f64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
    assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)));
    assert!(!results[0]["snippet"].as_str().unwrap().is_empty());
    assert_eq!(results[0]["line"], 25);
    let one = agent.call("search_specs", json!({"query": "password", "top_k": 1})).await;
    assert_eq!(hits(&one).len(), 1);
}

// spec: spox Search Specs Tool / Search with no index
// spec: spox Graceful Degradation / Server without index
#[tokio::test]
async fn without_an_index_everything_but_search_works() {
    let world = World::sample();
    let agent = world.agent().await;
    assert_eq!(agent.fails("search_specs", json!({"query": "password"})).await, NO_INDEX);
    assert_eq!(world.refused(Method::GET, "/search?query=password").await, (409, NO_INDEX.into()));
    assert_eq!(world.get("/project").await["index"]["state"], "none");
    agent.call("list_specs", json!({})).await;
    agent.call("get_spec_requirements", json!({"spec_id": "auth"})).await;
    agent.call("get_scenario", json!({"spec_id": "auth", "requirement": "Lock Out"})).await;
}

// spec: spox Search Specs Tool / Search with empty results
#[tokio::test]
async fn what_is_not_in_the_specs_is_not_found() {
    let world = World::sample();
    let agent = world.agent().await;
    agent.call("rebuild_index", json!({})).await;
    for query in ["how long to boil an egg", "zzqx vvrp", "", "   ", "\u{0}\u{ffff}"] {
        let found = agent.call("search_specs", json!({"query": query})).await;
        assert_eq!(found["results"], json!([]), "{query}");
    }
}

#[tokio::test]
async fn a_question_as_long_as_a_book_is_refused() {
    let world = World::sample();
    let agent = world.agent().await;
    agent.call("rebuild_index", json!({})).await;
    let error = agent.fails("search_specs", json!({"query": "password ".repeat(10_000)})).await;
    assert_eq!(error, "the query is longer than 8192 bytes");
    agent.call("search_specs", json!({"query": "password ".repeat(900)})).await;
}

#[tokio::test]
async fn an_edit_is_found_at_once() {
    let world = World::sample();
    let agent = world.agent().await;
    agent.call("rebuild_index", json!({})).await;
    let spec = "# Kites Specification\n\n## Purpose\n\nFlies kites above the beach.\n\n## Requirements\n\n\
                ### Requirement: Steady Kite\n\nThe kite SHALL stay in the air while there is wind.\n";
    world.project.write("specs/kites/spec.md", spec);
    let found =
        agent.call("search_specs", json!({"query": "toy that flies when it is windy"})).await;
    assert_eq!(hits(&found)[0].0, "kites");
    assert!(found.get("stale").is_none());
    world.project.remove("specs/kites");
    let found = agent.call("search_specs", json!({"query": "kite"})).await;
    assert!(hits(&found).iter().all(|(spec, _)| *spec != "kites"), "{found}");
}

#[tokio::test]
async fn many_edits_are_told_as_stale_and_caught_up_with() {
    let world = World::sample();
    let agent = world.agent().await;
    agent.call("rebuild_index", json!({})).await;
    for number in 0..30 {
        let text = AUTH.replace("Lock Out", &format!("Lock Out {number}"));
        world.project.write(&format!("specs/auth-{number}/spec.md"), text);
    }
    let question = json!({"query": "Lock Out 17"});
    let found = agent.call("search_specs", question.clone()).await;
    // Words are fresh although meanings are not.
    assert_eq!(found["stale"], true);
    assert!(hits(&found).contains(&("auth-17", Some("Lock Out 17"))), "{found}");
    let mut last = found;
    for _ in 0..600 {
        if last.get("stale").is_none() {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        last = agent.call("search_specs", question.clone()).await;
    }
    panic!("still stale after a minute");
}

#[tokio::test]
async fn a_damaged_index_is_told_and_never_deleted() {
    let world = World::sample();
    let agent = world.agent().await;
    agent.call("rebuild_index", json!({})).await;
    let file = ".spox/search_index.bin";
    let whole = std::fs::read(world.project.path().join(file)).unwrap();
    let mut flipped = whole.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for bad in [&b"bincode"[..], &[], &whole[..whole.len() / 2], &flipped] {
        // A new server, which has nothing in memory.
        let fresh = World::on(Project::sample());
        fresh.project.write(file, bad);
        let error = fresh.agent().await.problem("search_specs", json!({"query": "password"})).await;
        assert_eq!(error["error"], NO_INDEX);
        assert!(!error["hint"].as_str().unwrap_or_default().is_empty(), "{error}");
        assert!(fresh.project.has(file));
        fresh.agent().await.call("rebuild_index", json!({})).await;
        fresh.agent().await.call("search_specs", json!({"query": "password"})).await;
    }
}

#[tokio::test]
async fn what_changes_propose_is_found_when_asked_for() {
    let world = World::sample();
    let agent = world.agent().await;
    agent.call("rebuild_index", json!({})).await;
    let question = "no password on a device that is remembered";
    let plain = agent.call("search_specs", json!({"query": question})).await;
    assert!(plain["results"].as_array().unwrap().iter().all(|hit| hit["change_id"].is_null()));
    let asked = json!({"query": question, "include_changes": true});
    let found = agent.call("search_specs", asked).await;
    assert_eq!(found["results"][0]["change_id"], "remember-devices");
    assert_eq!(hits(&found)[0], ("auth", Some("Remembered Device")));
}

#[tokio::test]
async fn settings_choose_words_alone_or_an_index_that_builds_itself() {
    let project = Project::sample();
    project.write(".spox/config.toml", format!("{CONFIG}\n[search]\nmodel = \"none\"\n"));
    let world = World::on(project);
    let agent = world.agent().await;
    let found = agent.call("search_specs", json!({"query": "monthly invoice"})).await;
    assert_eq!(hits(&found)[0], ("billing", Some("Monthly Invoice")));

    let project = Project::sample();
    project.write(".spox/config.toml", format!("{CONFIG}\n[search]\nauto_build = true\n"));
    let world = World::on(project);
    let agent = world.agent().await;
    let question = json!({"query": "monthly invoice"});
    assert_eq!(agent.call("search_specs", question.clone()).await["index_built"], true);
    assert_eq!(agent.call("search_specs", question).await["index_built"], false);

    let project = Project::sample();
    project.write(".spox/config.toml", format!("{CONFIG}\n[search]\nmodel = \"hub:other\"\n"));
    let error = World::on(project).agent().await.fails("search_specs", json!({"query": "x"})).await;
    assert!(error.contains("`hub:other`"), "{error}");
}

#[tokio::test]
async fn agents_and_programs_find_the_same() {
    let world = World::sample();
    let agent = world.agent().await;
    agent.call("rebuild_index", json!({})).await;
    let told = agent.call("search_specs", json!({"query": "wrong password", "top_k": 3})).await;
    assert_eq!(world.get("/search?query=wrong+password&top_k=3").await, told);
}

/// S16 needs the score of search, so it is told from the moment there is an index.
#[tokio::test]
async fn requirements_that_say_the_same_in_two_specs_are_told_at_both() {
    let world = World::sample();
    world.project.write("specs/doors/spec.md", AUTH.replace("Auth", "Doors"));
    let agent = world.agent().await;
    let told = async || {
        let doors = world.get("/specs/doors").await;
        let auth = world.get("/specs/auth").await;
        let of = |spec: &Value| {
            let issues = spec["issues"].as_array().unwrap().iter();
            issues.filter(|issue| issue["code"] == "S16").cloned().collect::<Vec<_>>()
        };
        (of(&doors), of(&auth))
    };
    assert_eq!(told().await, (vec![], vec![]));
    agent.call("rebuild_index", json!({})).await;
    let (doors, auth) = told().await;
    assert_eq!((doors.len(), auth.len()), (2, 2));
    assert_eq!(doors[0]["severity"], "info");
    assert_eq!(doors[1]["line"], 25);
    let message = doors[1]["description"].as_str().unwrap();
    assert_eq!(
        message,
        "Requirement \"Lock Out\" says nearly the same as \"Lock Out\" of spec \"auth\" (1.00)"
    );
    // A note is no reason to fail.
    let valid = agent.call("validate_spec", json!({})).await;
    assert_eq!((&valid["valid"], &valid["warnings"]), (&json!(true), &json!([])));
}
