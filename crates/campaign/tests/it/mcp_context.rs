//! What a session has said it is about.

use serde_json::json;

use crate::{
    agents::Hall,
    mcp_tools::{acting, joined},
};

// spec: campaign set_context
#[tokio::test]
async fn a_context_stands_for_what_a_call_leaves_out() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    let alice = joined(&agent, &id, "PLAYER").await;
    let session = agent.call("session_start", json!({"campaign_id": id})).await["id"].clone();
    let full = json!({"campaign_id": id, "session_id": session, "participant_id": alice});
    let set = agent.call("set_context", full.clone()).await;
    assert_eq!(set, json!({"context": full}));
    assert_eq!(agent.read("context://current").await, json!({"context": full}));
    agent.call("actor_create", json!({"name": "Wolf", "kind": "NPC"})).await;

    let other = agent.campaign().await;
    let there = json!({"campaign_id": other, "name": "Fox", "kind": "NPC"});
    assert_eq!(
        agent.call("actor_create", there).await["campaign_id"],
        other,
        "an argument goes first"
    );

    let set = agent.call("set_context", json!({"campaign_id": id, "session_id": null})).await;
    assert_eq!(set, json!({"context": {"campaign_id": id}}), "what is left out is cleared");
    let current = agent.read("context://current").await;
    assert_eq!(
        current,
        json!({"context": {"campaign_id": id, "session_id": null, "participant_id": null}})
    );
}

#[tokio::test]
async fn a_context_that_does_not_hold_together_changes_nothing() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let (id, other) = (agent.campaign().await, agent.campaign().await);
    let foreign = joined(&agent, &other, "GM").await;
    let session = agent.call("session_start", json!({"campaign_id": other})).await["id"].clone();
    let actor = acting(&agent, &id).await;
    agent.call("set_context", json!({"campaign_id": id})).await;
    let cases = [
        (json!({}), "InvalidArgument: campaign id is required"),
        (json!({"campaign_id": "  "}), "InvalidArgument: campaign id is required"),
        (json!({"campaign_id": "camp_9"}), "NotFound: campaign not found"),
        (
            json!({"campaign_id": id, "session_id": ""}),
            "InvalidArgument: session id must not be empty",
        ),
        (
            json!({"campaign_id": id, "participant_id": " "}),
            "InvalidArgument: participant id must not be empty",
        ),
        (json!({"campaign_id": id, "session_id": "sess_9"}), "NotFound: session not found"),
        (
            json!({"campaign_id": id, "session_id": session}),
            "InvalidArgument: session belongs to another campaign",
        ),
        (json!({"campaign_id": id, "participant_id": "part_9"}), "NotFound: participant not found"),
        (
            json!({"campaign_id": id, "participant_id": foreign}),
            "InvalidArgument: participant belongs to another campaign",
        ),
        (json!({"campaign_id": id, "participant_id": actor}), "NotFound: participant not found"),
    ];
    for (arguments, said) in cases {
        assert_eq!(agent.fails("set_context", arguments).await, said);
    }
    assert_eq!(agent.read("context://current").await["context"]["campaign_id"], id);
    agent.call("session_end", json!({"campaign_id": other})).await;
    agent.call("set_context", json!({"campaign_id": other, "session_id": session})).await;
}

#[tokio::test]
async fn one_sessions_context_is_nobody_elses() {
    let hall = Hall::open();
    let (one, two) = (hall.agent().await, hall.agent().await);
    let id = one.campaign().await;
    let uri = json!({"uri": "context://current"});
    one.ask("resources/subscribe", uri.clone()).await;
    two.ask("resources/subscribe", uri).await;
    two.ask("resources/subscribe", json!({"uri": "campaigns://list"})).await;
    let (mut first, mut second) = (one.listen().await, two.listen().await);
    one.call("set_context", json!({"campaign_id": id})).await;
    assert_eq!(first.uri().await, "context://current");
    assert_eq!(two.read("context://current").await["context"]["campaign_id"], json!(null));
    let said = two.fails("session_start", json!({})).await;
    assert_eq!(said, "InvalidArgument: campaign id is required");
    // What comes next to the other is not the context.
    one.campaign().await;
    assert_eq!(second.uri().await, "campaigns://list");
}

#[tokio::test]
async fn a_participant_with_a_token_is_spoken_for_with_it() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    let gm = joined(&agent, &id, "GM").await;
    let token = agent
        .call("participant_token_issue", json!({"campaign_id": id, "participant_id": gm}))
        .await;
    let without = json!({"campaign_id": id, "participant_id": gm});
    agent.call("set_context", without.clone()).await;
    let refused = agent.fails("session_start", json!({})).await;
    assert!(refused.starts_with("PermissionDenied: "), "{refused}");
    let nobody = hall.agent().await;
    let refused = nobody.fails("session_start", json!({"campaign_id": id})).await;
    assert_eq!(refused, "PermissionDenied: only the GM may start sessions");
    let mut with = without;
    with["participant_token"] = token["token"].clone();
    let set = agent.call("set_context", with).await;
    assert!(!set.to_string().contains("token"), "{set}");
    assert_eq!(agent.call("session_start", json!({})).await["status"], "ACTIVE");
}
