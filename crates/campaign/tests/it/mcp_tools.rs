//! The tools: what they give, and how they refuse.

use serde_json::{Value, json};

use crate::agents::{Agent, Hall};

const NOON: &str = "2030-01-01T12:00:00Z";

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[tokio::test]
async fn the_twelve_tools_and_those_that_came_later() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let list = agent.ask("tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    for tool in tools {
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{tool}");
        assert_eq!(tool["outputSchema"]["type"], "object", "{tool}");
        assert!(tool["description"].as_str().unwrap().len() > 40, "{tool}");
    }
    insta::assert_json_snapshot!(tools);
}

// spec: campaign campaign_create
#[tokio::test]
async fn a_campaign_is_created_without_timestamps() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let made = agent
        .call("campaign_create", json!({"name": " The Lost Expedition ", "gm_mode": "human", "theme_prompt": " A dark forest\n"}))
        .await;
    let expected = json!({
        "id": made["id"], "name": "The Lost Expedition", "gm_mode": "HUMAN",
        "participant_count": 0, "actor_count": 0, "theme_prompt": " A dark forest\n",
    });
    assert_eq!(made, expected);
    let refused = [
        (json!({}), "InvalidArgument: campaign name is required"),
        (json!({"name": "  ", "gm_mode": "x"}), "InvalidArgument: campaign name is required"),
        (json!({"name": "x"}), "InvalidArgument: gm mode is required"),
        (
            json!({"name": "x", "gm_mode": "ROBOT"}),
            "InvalidArgument: `gm_mode` must be one of HUMAN, AI, HYBRID, not `ROBOT`",
        ),
        (json!({"nam": "x", "gm_mode": "AI"}), "InvalidArgument: unknown argument `nam`"),
    ];
    for (arguments, said) in refused {
        assert_eq!(agent.fails("campaign_create", arguments).await, said);
    }
    let wrong = agent.result("campaign_create", json!({"nam": "x"})).await;
    assert_eq!(wrong["_meta"]["error"]["field"], "nam");
    assert!(wrong["content"][0]["text"].as_str().unwrap().contains("did you mean `name`?"));
    let typed = agent.fails("campaign_create", json!({"name": 5, "gm_mode": "AI"})).await;
    assert!(typed.starts_with("InvalidArgument: `name`: "), "{typed}");
}

// spec: campaign participant_create
#[tokio::test]
async fn a_participant_joins() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    let alice = agent
        .call("participant_create", json!({"campaign_id": id, "display_name": "Alice", "role": "PLAYER", "controller": "HUMAN"}))
        .await;
    let expected = json!({
        "id": alice["id"], "campaign_id": id, "display_name": "Alice", "role": "PLAYER",
        "controller": "HUMAN", "created_at": NOON, "updated_at": NOON,
    });
    assert_eq!(alice, expected);
    let bob = agent
        .call(
            "participant_create",
            json!({"campaign_id": id, "display_name": "Bob", "role": "gm", "controller": null}),
        )
        .await;
    assert_eq!((&bob["role"], &bob["controller"]), (&json!("GM"), &json!("HUMAN")));
    let cases = [
        (json!({"campaign_id": " ", "role": "x"}), "InvalidArgument: campaign id is required"),
        (
            json!({"campaign_id": "camp_9", "role": "GM"}),
            "InvalidArgument: display name is required",
        ),
        (
            json!({"campaign_id": "camp_9", "display_name": "x"}),
            "InvalidArgument: participant role is required",
        ),
        (
            json!({"campaign_id": "camp_9", "display_name": "x", "role": "GM"}),
            "NotFound: campaign not found",
        ),
        (json!({"display_name": "x", "role": "GM"}), "InvalidArgument: campaign id is required"),
    ];
    for (arguments, said) in cases {
        assert_eq!(agent.fails("participant_create", arguments).await, said);
    }
}

// spec: campaign actor_create
#[tokio::test]
async fn an_actor_is_created() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    let thorin = agent
        .call("actor_create", json!({"campaign_id": id, "name": "Thorin Ironforge", "kind": "PC", "notes": " A dwarf "}))
        .await;
    let expected = json!({
        "id": thorin["id"], "campaign_id": id, "name": "Thorin Ironforge", "kind": "PC",
        "notes": "A dwarf", "created_at": NOON, "updated_at": NOON,
    });
    assert_eq!(thorin, expected);
    let wolf =
        agent.call("actor_create", json!({"campaign_id": id, "name": "Wolf", "kind": "npc"})).await;
    assert_eq!(wolf["notes"], "");
    let unnamed = json!({"campaign_id": id, "kind": "PC"});
    assert_eq!(
        agent.fails("actor_create", unnamed).await,
        "InvalidArgument: actor name is required"
    );
}

// spec: campaign actor_control_set
#[tokio::test]
async fn an_actor_is_played_by_the_gm_or_by_a_participant() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    let alice = joined(&agent, &id, "PLAYER").await;
    let actor = acting(&agent, &id).await;
    let set =
        |controller: &str| json!({"campaign_id": id, "actor_id": actor, "controller": controller});
    for (given, echoed) in [("gm", "GM"), (&*alice, &*alice), (&*format!(" {alice} "), &*alice)] {
        let said = agent.call("actor_control_set", set(given)).await;
        assert_eq!(said, json!({"campaign_id": id, "actor_id": actor, "controller": echoed}));
    }
    assert_eq!(
        agent.fails("actor_control_set", set("part_nobody")).await,
        "NotFound: participant not found"
    );
    let nobody = json!({"campaign_id": id, "actor_id": "actor_9", "controller": "GM"});
    assert_eq!(agent.fails("actor_control_set", nobody).await, "NotFound: actor not found");
    let elsewhere = agent.campaign().await;
    let foreign = json!({"campaign_id": elsewhere, "actor_id": actor, "controller": "GM"});
    assert_eq!(agent.fails("actor_control_set", foreign).await, "NotFound: actor not found");
    let listed = agent.read(&format!("campaign://{id}/actors")).await;
    assert_eq!(listed["actors"][0]["controller"], alice.as_str());
}

// spec: campaign session_start
#[tokio::test]
async fn one_session_is_active_and_a_second_waits_for_its_end() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    let new = json!({"campaign_id": id, "name": "Session 1: The Journey Begins"});
    let session = agent.call("session_start", new.clone()).await;
    let expected = json!({
        "id": session["id"], "campaign_id": id, "name": "Session 1: The Journey Begins",
        "status": "ACTIVE", "started_at": NOON, "updated_at": NOON,
    });
    assert_eq!(session, expected);
    assert_eq!(
        agent.fails("session_start", new.clone()).await,
        "FailedPrecondition: active session exists"
    );
    let ended = agent.call("session_end", json!({"campaign_id": id})).await;
    assert_eq!((&ended["status"], &ended["ended_at"]), (&json!("ENDED"), &json!(NOON)));
    let again = json!({"campaign_id": id, "session_id": session["id"]});
    assert_eq!(agent.call("session_end", again).await, ended);
    let second = agent.call("session_start", json!({"campaign_id": id})).await;
    assert_eq!(second["name"], "");
}

// spec: campaign duality_rules_version
#[tokio::test]
async fn the_rules_are_fixed() {
    let hall = Hall::open();
    let rules = hall.agent().await.call("duality_rules_version", json!({})).await;
    let expected = json!({
        "system": "Daggerheart", "module": "Duality", "rules_version": "1.0.0", "dice_model": "DUALITY_D12_V1",
        "total_formula": "hope + fear + modifier", "crit_rule": "HOPE_EQUALS_FEAR_IS_CRITICAL",
        "difficulty_rule": "TOTAL_MEETS_OR_EXCEEDS_DIFFICULTY",
        "outcomes": ["ROLL_WITH_HOPE", "ROLL_WITH_FEAR", "SUCCESS_WITH_HOPE", "SUCCESS_WITH_FEAR",
            "FAILURE_WITH_HOPE", "FAILURE_WITH_FEAR", "CRITICAL_SUCCESS"],
    });
    assert_eq!(rules, expected);
}

// spec: campaign duality_action_roll
#[tokio::test]
async fn a_roll_says_what_the_outcome_of_its_dice_is() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    for arguments in [
        json!({"modifier": 2, "difficulty": 15}),
        json!({}),
        json!({"difficulty": null, "modifier": -3.0}),
    ] {
        let rolled = agent.call("duality_action_roll", arguments).await;
        let mut known =
            json!({"hope": rolled["hope"], "fear": rolled["fear"], "modifier": rolled["modifier"]});
        if let Some(difficulty) = rolled.get("difficulty") {
            known["difficulty"] = difficulty.clone();
        }
        assert_eq!(agent.call("duality_outcome", known).await, rolled);
    }
    let seeded = json!({"modifier": 2, "rng": {"seed": 7, "roll_mode": "REPLAY"}});
    let rolled = agent.call("duality_action_roll", seeded.clone()).await;
    assert_eq!(rolled, agent.call("duality_action_roll", seeded).await);
    let rng = json!({"seed_used": 7, "rng_algo": "CHACHA20_V1", "seed_source": "CLIENT", "roll_mode": "REPLAY"});
    assert_eq!(rolled["rng"], rng);
    let live = agent.call("duality_action_roll", json!({"rng": {"seed": 7}})).await;
    assert_eq!(live["rng"]["seed_source"], "SERVER");
    for (arguments, said) in [
        (json!({"difficulty": -1}), "InvalidArgument: difficulty must be non-negative"),
        (json!({"modifier": 2.5}), "InvalidArgument: `modifier`: "),
        (json!({"modifier": 4_294_967_302_i64}), "InvalidArgument: "),
    ] {
        let failed = agent.fails("duality_action_roll", arguments).await;
        assert!(failed.starts_with(said), "{failed}");
    }
}

// spec: campaign duality_outcome
#[tokio::test]
async fn known_dice_are_judged() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let judged = agent
        .call("duality_outcome", json!({"hope": 8, "fear": 5, "modifier": 2, "difficulty": 15}))
        .await;
    let expected = json!({
        "hope": 8, "fear": 5, "modifier": 2, "difficulty": 15, "total": 15,
        "is_crit": false, "meets_difficulty": true, "outcome": "SUCCESS_WITH_HOPE",
    });
    assert_eq!(judged, expected);
    let open = agent.call("duality_outcome", json!({"hope": 7, "fear": 7})).await;
    assert_eq!(
        keys(&open),
        ["hope", "fear", "modifier", "total", "is_crit", "meets_difficulty", "outcome"]
    );
    assert_eq!((&open["is_crit"], &open["meets_difficulty"]), (&json!(true), &json!(false)));
    let said =
        agent.fails("duality_outcome", json!({"hope": 13, "fear": 2, "difficulty": -1})).await;
    assert_eq!(said, "InvalidArgument: duality dice must be between 1 and 12");
}

// spec: campaign duality_explain
#[tokio::test]
async fn known_dice_are_explained() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let asked =
        json!({"hope": 8, "fear": 5, "modifier": 2, "difficulty": 15, "request_id": "req_123"});
    let result = agent.result("duality_explain", asked.clone()).await;
    assert_eq!(result["_meta"]["request_id"], "req_123");
    let expected = json!({
        "hope": 8, "fear": 5, "modifier": 2, "difficulty": 15, "total": 15, "is_crit": false,
        "meets_difficulty": true, "outcome": "SUCCESS_WITH_HOPE", "rules_version": "1.0.0",
        "intermediates": {"base_total": 13, "total": 15, "is_crit": false, "meets_difficulty": true,
            "hope_gt_fear": true, "fear_gt_hope": false},
        "steps": [
            {"code": "SUM_DICE", "message": "Sum hope and fear dice", "data": {"hope": 8, "fear": 5, "base_total": 13}},
            {"code": "APPLY_MODIFIER", "message": "Apply modifier to base total", "data": {"base_total": 13, "modifier": 2, "total": 15}},
            {"code": "CHECK_CRIT", "message": "Check for critical outcome", "data": {"hope": 8, "fear": 5, "is_crit": false}},
            {"code": "CHECK_DIFFICULTY", "message": "Compare total against difficulty", "data": {"total": 15, "difficulty": 15, "meets_difficulty": true}},
            {"code": "SELECT_OUTCOME", "message": "Select final outcome based on roll", "data": {"outcome": "SUCCESS"}},
        ],
    });
    assert_eq!(result["structuredContent"].to_string(), expected.to_string(), "in this order, too");
    assert_eq!(result["structuredContent"], agent.call("duality_explain", asked).await);
}

// spec: campaign duality_probability
#[tokio::test]
async fn odds_are_counted() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let odds = agent.call("duality_probability", json!({"modifier": 2, "difficulty": 15})).await;
    let expected = json!({
        "total_outcomes": 144, "crit_count": 12, "success_count": 72, "failure_count": 60,
        "outcome_counts": [
            {"outcome": "CRITICAL_SUCCESS", "count": 12}, {"outcome": "SUCCESS_WITH_HOPE", "count": 36},
            {"outcome": "SUCCESS_WITH_FEAR", "count": 36}, {"outcome": "FAILURE_WITH_HOPE", "count": 30},
            {"outcome": "FAILURE_WITH_FEAR", "count": 30},
        ],
    });
    assert_eq!(odds, expected);
    let helped = json!({"modifier": 2, "difficulty": 15, "advantage": "advantage"});
    assert_eq!(agent.call("duality_probability", helped).await["total_outcomes"], 864);
    let without = agent.fails("duality_probability", json!({"modifier": 2})).await;
    assert!(
        without.starts_with("InvalidArgument: ") && without.contains("difficulty"),
        "{without}"
    );
    let negative =
        agent.fails("duality_probability", json!({"modifier": 0, "difficulty": -1})).await;
    assert_eq!(negative, "InvalidArgument: difficulty must be non-negative");
}

// spec: campaign roll_dice
#[tokio::test]
async fn dice_of_any_kind_are_rolled() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let dice = json!({"dice": [{"sides": 20, "count": 2}, {"sides": 6, "count": 1}]});
    let rolled = agent.call("roll_dice", dice).await;
    assert_eq!(keys(&rolled), ["rolls", "total"]);
    assert_eq!(keys(&rolled["rolls"][0]), ["sides", "results", "total"]);
    assert_eq!(rolled["rolls"][0]["results"].as_array().unwrap().len(), 2);
    let sum = |roll: &Value| roll["total"].as_i64().unwrap();
    assert_eq!(sum(&rolled), sum(&rolled["rolls"][0]) + sum(&rolled["rolls"][1]));
    let cases = [
        (json!({}), "InvalidArgument: at least one die must be provided"),
        (json!({"dice": []}), "InvalidArgument: at least one die must be provided"),
        (
            json!({"dice": [{"sides": 6, "count": 1}, {"sides": 0, "count": 1}]}),
            "InvalidArgument: dice must have positive sides and count",
        ),
        (json!({"dice": [{"sides": 4_294_967_302_i64, "count": 1}]}), "InvalidArgument: "),
        (json!({"dice": [{"sides": 6, "count": 10_001}]}), "ResourceExhausted: "),
    ];
    for (arguments, said) in cases {
        let failed = agent.fails("roll_dice", arguments).await;
        assert!(failed.starts_with(said), "{failed}");
    }
}

#[tokio::test]
async fn an_action_is_rolled_and_its_outcome_applied_once() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    let actor = acting(&agent, &id).await;
    let session = agent.call("session_start", json!({"campaign_id": id})).await["id"].clone();
    agent.call("set_context", json!({"campaign_id": id, "session_id": session})).await;
    agent.call("actor_sheet_set", json!({"actor_id": actor, "traits": {"AGILITY": 2}})).await;
    let roll = json!({
        "actor_id": actor, "trait": "agility", "difficulty": 3,
        "modifiers": [{"source": "bless", "value": 1}], "rng": {"seed": 12, "roll_mode": "REPLAY"},
    });
    let rolled = agent.call("session_action_roll", roll).await;
    assert_eq!((&rolled["modifier"], &rolled["success"]), (&json!(3), &json!(true)));
    let apply = json!({"roll_seq": rolled["roll_seq"]});
    let applied = agent.call("session_roll_outcome_apply", apply.clone()).await;
    let state = agent.call("campaign_state", json!({})).await;
    if rolled["flavor"] == "HOPE" {
        assert_eq!(applied["changes"][0]["hope_after"], 1);
        assert_eq!(state["actors"][0]["state"]["hope"], 1);
    } else {
        assert_eq!((&applied["gm_fear"], &state["gm_fear"]), (&json!(1), &json!(1)));
        assert_eq!(applied["requires_complication"], true);
    }
    let twice = agent.fails("session_roll_outcome_apply", apply).await;
    assert_eq!(
        twice,
        format!("FailedPrecondition: outcome of roll {} is already applied", rolled["roll_seq"])
    );
    agent.call("gm_fear_set", json!({"fear": 5})).await;
    agent.call("actor_state_set", json!({"actor_id": actor, "stress": 2})).await;
    agent.call("note_add", json!({"text": "The wolf flees"})).await;
    let undone = agent.call("campaign_undo", json!({})).await;
    assert_eq!(undone["undone"]["type"], "note.added");
    let fork = agent.call("campaign_fork", json!({"name": "Another way"})).await;
    assert_eq!((&fork["name"], &fork["actor_count"]), (&json!("Another way"), &json!(1)));
    for campaign in [json!({}), json!({"campaign_id": fork["id"]})] {
        assert_eq!(agent.call("campaign_verify", campaign).await["valid"], true);
    }
}

#[tokio::test]
async fn a_roll_with_a_session_in_the_context_is_written_down() {
    let hall = Hall::open();
    let agent = hall.agent().await;
    let id = agent.campaign().await;
    let session = agent.call("session_start", json!({"campaign_id": id})).await["id"].clone();
    let before = agent.call("duality_action_roll", json!({})).await;
    assert!(before.get("roll_seq").is_none());
    agent.call("set_context", json!({"campaign_id": id, "session_id": session})).await;
    let rolled = agent.call("duality_action_roll", json!({"difficulty": 10})).await;
    let dice = agent.call("roll_dice", json!({"dice": [{"sides": 6, "count": 2}]})).await;
    let journal = agent.read(&format!("session://{}/events", session.as_str().unwrap())).await;
    let events = journal["events"].as_array().unwrap();
    assert_eq!(
        keys(&events[0]),
        ["session_id", "seq", "ts", "type", "request_id", "invocation_id", "payload_json"]
    );
    let kinds: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["roll.resolved", "roll.resolved", "session.started"], "the newest first");
    assert!(events[0]["invocation_id"].as_str().unwrap().starts_with("inv_"), "an agent did it");
    assert_eq!((&events[0]["seq"], &events[1]["seq"]), (&dice["roll_seq"], &rolled["roll_seq"]));
    let payload: Value = serde_json::from_str(events[1]["payload_json"].as_str().unwrap()).unwrap();
    assert_eq!(payload["rng"], rolled["rng"]);
    assert_eq!((&payload["hope"], &payload["fear"]), (&rolled["hope"], &rolled["fear"]));
    agent.call("session_end", json!({})).await;
    let after = agent.call("duality_action_roll", json!({})).await;
    assert!(after.get("roll_seq").is_none(), "an ended session takes no more");
}

pub(crate) async fn joined(agent: &Agent<'_>, campaign: &str, role: &str) -> String {
    let new = json!({"campaign_id": campaign, "display_name": "Alice", "role": role});
    agent.call("participant_create", new).await["id"].as_str().unwrap().to_owned()
}

pub(crate) async fn acting(agent: &Agent<'_>, campaign: &str) -> String {
    let new = json!({"campaign_id": campaign, "name": "Thorin", "kind": "PC"});
    agent.call("actor_create", new).await["id"].as_str().unwrap().to_owned()
}
