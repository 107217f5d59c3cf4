//! Edits by anyone, noticed.

use std::{fs, os::unix::fs::symlink, time::Duration};

use axum::{body::Body, response::Response};
use http::Request;
use http_body_util::BodyExt as _;
use serde_json::{Value, json};

use crate::{project::AUTH, world::World};

/// No event takes longer in a test that passes; signs of life do not count.
const PATIENCE: Duration = Duration::from_mins(1);

/// A stream of server-sent events.
struct Events {
    response: Response,
    text: String,
}

impl World {
    async fn events(&self, path: &str, session: Option<&str>) -> Events {
        let mut request = Request::get(path).header("accept", "text/event-stream");
        if let Some(session) = session {
            request = request.header("mcp-session-id", session);
        }
        let response = self.send(request.body(Body::empty()).unwrap()).await;
        assert!(response.status().is_success(), "{}", response.status());
        Events { response, text: String::new() }
    }
}

impl Events {
    /// The data of the next event that has any.
    async fn next(&mut self) -> Value {
        loop {
            if let Some((block, rest)) = self.text.split_once("\n\n") {
                let data: String =
                    block.lines().filter_map(|line| line.strip_prefix("data: ")).collect();
                let rest = rest.to_owned();
                self.text = rest;
                if !data.is_empty() {
                    return serde_json::from_str(&data).unwrap();
                }
                continue;
            }
            let frame = self.response.body_mut().frame().await;
            let data = frame.unwrap().unwrap().into_data().unwrap();
            self.text.push_str(std::str::from_utf8(&data).unwrap());
        }
    }

    /// The next event for which `wanted` holds.
    async fn until(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let search = async {
            loop {
                let event = self.next().await;
                if wanted(&event) {
                    return event;
                }
            }
        };
        tokio::time::timeout(PATIENCE, search).await.expect("the event comes")
    }
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

#[tokio::test]
async fn a_page_hears_which_files_were_edited() {
    let world = World::sample();
    // Read before, so that there is something to compare with.
    world.get("/specs").await;
    let mut events = world.events("/events", None).await;
    let hello = events.until(|event| event.get("specs").is_none()).await;
    assert!(hello["revision"].is_u64());
    world.project.write("specs/auth/spec.md", AUTH.replace("an hour", "a day"));
    let edit = events.until(|event| names(&event["specs"]).contains(&"auth")).await;
    assert!(edit["revision"].as_u64() > hello["revision"].as_u64());
    world.project.write("specs/_changes/remember-devices/tasks.md", "- [x] 1.1 All\n");
    let edit = events.until(|event| !names(&event["changes"]).is_empty()).await;
    assert_eq!(edit["changes"], json!(["remember-devices"]));
    world.project.write("specs/new/spec.md", AUTH);
    events.until(|event| names(&event["specs"]).contains(&"new")).await;
    world.project.remove("specs/new");
    events.until(|event| names(&event["specs"]).contains(&"new")).await;
    assert_eq!(world.get("/specs").await["specs"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn an_agent_that_subscribed_hears_of_an_edit() {
    let world = World::sample();
    let agent = world.agent().await;
    agent.call("list_specs", json!({})).await;
    let answer = agent.ask("resources/subscribe", json!({"uri": "spox://specs/auth"})).await;
    assert!(answer["error"].is_null(), "{answer}");
    let mut news = world.events("/mcp", Some(&agent.session)).await;
    world.project.write("specs/billing/spec.md", AUTH);
    world.project.write("specs/auth/spec.md", AUTH.replace("an hour", "a day"));
    let told = news.until(|event| event["method"] == "notifications/resources/updated").await;
    assert_eq!(told["params"]["uri"], "spox://specs/auth");
}

#[tokio::test]
async fn an_edit_is_seen_by_the_very_next_question() {
    let world = World::sample();
    let agent = world.agent().await;
    for round in 0..20 {
        let name = format!("Round {round}");
        world.project.write("specs/auth/spec.md", AUTH.replace("Lock Out", &name));
        let found = agent.call("get_spec_requirements", json!({"spec_id": "auth"})).await;
        assert_eq!(found["requirements"][1]["name"], *name);
    }
}

/// Folders that did not change are not listed again, so every way in which one can change has to be noticed; each time
/// long enough after the last that times of the file system tell them apart.
#[tokio::test]
async fn what_comes_goes_or_moves_is_seen_by_the_very_next_question() {
    let world = World::sample();
    let agent = world.agent().await;
    let at = |path: &str| world.project.path().join(path);
    let ids = async || {
        let listed = agent.call("list_specs", json!({})).await;
        let specs = listed["specs"].as_array().unwrap().iter();
        specs.map(|spec| spec["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let steps: [(&dyn Fn(), &[&str]); 7] = [
        (&|| (), &["auth", "billing"]),
        (
            &|| world.project.write("specs/auth/deep/down/spec.md", AUTH),
            &["auth", "auth/deep/down", "billing"],
        ),
        (
            &|| fs::rename(at("specs/auth/deep"), at("specs/deeper")).unwrap(),
            &["auth", "billing", "deeper/down"],
        ),
        (
            &|| symlink(at("specs/deeper"), at("specs/linked")).unwrap(),
            &["auth", "billing", "deeper/down", "linked/down"],
        ),
        (
            &|| world.project.write("specs/deeper/up/spec.md", AUTH),
            &["auth", "billing", "deeper/down", "deeper/up", "linked/down", "linked/up"],
        ),
        (&|| world.project.remove("specs/deeper"), &["auth", "billing"]),
        (&|| world.project.remove("specs/auth/spec.md"), &["billing"]),
    ];
    for (step, expected) in steps {
        step();
        assert_eq!(ids().await, expected);
        tokio::time::sleep(Duration::from_millis(80)).await;
        assert_eq!(ids().await, expected, "asked again");
    }
}
