//! What agents read and hear of.

use http::Method;
use serde_json::{Value, json};

use crate::{
    agents::Hall,
    mcp_tools::{acting, joined},
};

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

// spec: campaign campaigns://list
#[tokio::test]
async fn all_campaigns_are_listed() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    assert_eq!(agent.read("campaigns://list").await, json!({"campaigns": []}));
    let mut made = Vec::new();
    for _ in 0..25 {
        made.push(agent.campaign().await);
    }
    // All of the same moment: then by id.
    made.sort_unstable();
    let list = agent.read("campaigns://list").await;
    let listed: Vec<_> =
        list["campaigns"].as_array().unwrap().iter().map(|c| c["id"].as_str().unwrap()).collect();
    assert_eq!(listed, made);
    let resources = agent.ask("resources/list", json!({})).await["result"]["resources"].take();
    let uris: Vec<_> =
        resources.as_array().unwrap().iter().map(|r| r["uri"].as_str().unwrap()).collect();
    assert_eq!(uris[..2], ["campaigns://list", "context://current"]);
    assert_eq!(uris[2], format!("campaign://{}", made[0]));
    let templates = agent.ask("resources/templates/list", json!({})).await;
    let templates = templates["result"]["resourceTemplates"].as_array().unwrap().clone();
    let templates: Vec<_> = templates.iter().map(|t| t["uriTemplate"].as_str().unwrap()).collect();
    for template in [
        "campaign://{campaign_id}",
        "campaign://{campaign_id}/participants",
        "campaign://{campaign_id}/actors",
        "campaign://{campaign_id}/sessions",
    ] {
        assert!(templates.contains(&template), "{template}");
    }
}

// spec: campaign campaign://{campaign_id}
// spec: campaign campaign://{campaign_id}/participants
// spec: campaign campaign://{campaign_id}/actors
// spec: campaign campaign://{campaign_id}/sessions
#[tokio::test]
async fn a_campaign_and_its_lists_are_read() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    for list in ["participants", "actors", "sessions"] {
        let read = agent.read(&format!("campaign://{id}/{list}")).await;
        assert_eq!(read, json!({list: []}));
    }
    let alice = joined(&agent, &id, "PLAYER").await;
    let actor = acting(&agent, &id).await;
    let session = agent.call("session_start", json!({"campaign_id": id, "name": "One"})).await;
    let campaign = agent.read(&format!("campaign://{id}")).await;
    let record = [
        "id",
        "name",
        "gm_mode",
        "participant_count",
        "actor_count",
        "theme_prompt",
        "created_at",
        "updated_at",
    ];
    assert_eq!(keys(&campaign["campaign"]), record);
    assert_eq!(
        (&campaign["campaign"]["participant_count"], &campaign["campaign"]["actor_count"]),
        (&json!(1), &json!(1))
    );
    let participants = agent.read(&format!("campaign://{id}/participants")).await;
    assert_eq!(participants["participants"][0]["id"], alice.as_str());
    let actors = agent.read(&format!("campaign://{id}/actors")).await;
    assert_eq!(
        keys(&actors["actors"][0]),
        ["id", "campaign_id", "name", "kind", "notes", "controller", "created_at", "updated_at"]
    );
    assert_eq!(actors["actors"][0]["controller"], json!(null));
    assert_eq!(
        agent.read(&format!("campaign://{id}/sessions")).await,
        json!({"sessions": [session]})
    );
    agent.call("session_end", json!({"campaign_id": id})).await;
    let sessions = agent.read(&format!("campaign://{id}/sessions")).await;
    assert_eq!(sessions["sessions"][0]["ended_at"], "2030-01-01T12:00:00Z");
    let whole = agent.read(&format!("actor://{actor}")).await;
    assert_eq!(whole["actor"]["sheet"]["evasion"], 10);
}

#[tokio::test]
async fn what_cannot_be_read_says_why() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    for (uri, code, said) in [
        ("campaign://does-not-exist".to_owned(), -32002, "NotFound: campaign not found"),
        ("campaign://does-not-exist/actors".to_owned(), -32002, "NotFound: campaign not found"),
        ("session://sess_9/events".to_owned(), -32002, "NotFound: session not found"),
        ("actor://actor_9".to_owned(), -32002, "NotFound: actor not found"),
        ("gopher://x".to_owned(), -32002, "NotFound: "),
        ("campaign://_".to_owned(), -32602, "InvalidArgument: "),
        (format!("campaign://{id}/x"), -32602, "InvalidArgument: "),
        (format!("campaign://{id}?x=1"), -32602, "InvalidArgument: "),
    ] {
        let answer = agent.ask("resources/read", json!({"uri": uri})).await;
        let error = &answer["error"];
        assert_eq!(error["code"], code, "{answer}");
        let message = error["message"].as_str().unwrap();
        assert!(message.starts_with(said), "{message}");
        assert_eq!(
            (&error["data"]["uri"], error["data"]["code"].as_str()),
            (&json!(uri), message.split(':').next())
        );
    }
}

#[tokio::test]
async fn whoever_subscribes_hears_what_others_do_on_any_surface() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    let uris = [
        format!("campaign://{id}"),
        format!("campaign://{id}/participants"),
        format!("campaign://{id}/actors"),
        format!("campaign://{id}/sessions"),
    ];
    for uri in &uris {
        agent.ask("resources/subscribe", json!({"uri": uri})).await;
    }
    let mut told = agent.listen().await;
    let path = |list: &str| format!("/campaigns/{id}/{list}");
    hall.rest(Method::POST, &path("participants"), json!({"display_name": "Bob", "role": "GM"}))
        .await;
    assert_eq!([told.uri().await, told.uri().await], [uris[0].clone(), uris[1].clone()]);
    let actor =
        hall.rest(Method::POST, &path("actors"), json!({"name": "Wolf", "kind": "NPC"})).await;
    assert_eq!([told.uri().await, told.uri().await], [uris[0].clone(), uris[2].clone()]);
    let control = format!("{}/{}/controller", path("actors"), actor["id"].as_str().unwrap());
    hall.rest(Method::PUT, &control, json!({"controller": "GM"})).await;
    assert_eq!(told.uri().await, uris[2]);
    hall.rest(Method::POST, &path("sessions"), json!({})).await;
    assert_eq!(told.uri().await, uris[3]);
}
