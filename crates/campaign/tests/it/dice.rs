//! Dice over REST: the rules, and rolls in and out of sessions.

use http::Method;
use serde_json::{Value, json};

use crate::world::World;

#[tokio::test]
async fn the_rules_answer_as_the_tools_do() {
    let world = World::start();
    let rules = world.get("/duality/rules").await;
    assert_eq!(
        (&rules["system"], &rules["rules_version"]),
        (&json!("Daggerheart"), &json!("1.0.0"))
    );
    let known = json!({"hope": 8, "fear": 5, "modifier": 2, "difficulty": 15});
    let mut outcome = json!({
        "hope": 8, "fear": 5, "modifier": 2, "difficulty": 15, "total": 15, "is_crit": false,
        "meets_difficulty": true, "outcome": "SUCCESS_WITH_HOPE",
    });
    assert_eq!(world.post("/duality/outcome", known.clone()).await, outcome);
    let explained = world.post("/duality/explain", known).await;
    assert_eq!(explained["steps"][4]["data"], json!({"outcome": "SUCCESS"}));
    outcome["rules_version"] = explained["rules_version"].clone();
    outcome["intermediates"] = explained["intermediates"].clone();
    outcome["steps"] = explained["steps"].clone();
    assert_eq!(explained, outcome);
    let odds = world.post("/duality/probability", json!({"modifier": 2, "difficulty": 15})).await;
    assert_eq!((&odds["success_count"], &odds["failure_count"]), (&json!(72), &json!(60)));
    let odds = json!({"modifier": 2, "difficulty": 15, "advantage": "advantage"});
    assert_eq!(world.post("/duality/probability", odds).await["total_outcomes"], 864);
    let wrong = Some(json!({"hope": 13, "fear": 2}));
    let refused = world.refused(Method::POST, "/duality/outcome", wrong).await;
    let message = "duality dice must be between 1 and 12";
    assert_eq!(refused, (400, "InvalidArgument".into(), message.into()));
}

#[tokio::test]
async fn a_roll_without_a_campaign_has_the_keys_of_the_brief_and_no_more() {
    let world = World::start();
    let keys = |answer: &Value| answer.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let rolled = world.post("/duality/roll", json!({})).await;
    let expected = ["hope", "fear", "modifier", "total", "is_crit", "meets_difficulty", "outcome"];
    assert_eq!(keys(&rolled), expected);
    let dice = json!({"dice": [{"sides": 20, "count": 2}, {"sides": 1, "count": 1}]});
    let rolled = world.post("/dice", dice).await;
    assert_eq!(keys(&rolled), ["rolls", "total"]);
    assert_eq!(rolled["rolls"][1], json!({"sides": 1, "results": [1], "total": 1}));
    let refused = world.refused(Method::POST, "/dice", Some(json!({"dice": []}))).await;
    assert_eq!(refused.2, "at least one die must be provided");
}

#[tokio::test]
async fn a_seed_repeats_a_roll_in_a_replay_and_counts_for_nothing_in_a_live_one() {
    let world = World::start();
    let replay = json!({"rng": {"seed": 7, "roll_mode": "REPLAY"}});
    let first = world.post("/duality/roll", replay.clone()).await;
    assert_eq!(first, world.post("/duality/roll", replay).await);
    let rng = json!({"seed_used": 7, "rng_algo": "CHACHA20_V1", "seed_source": "CLIENT", "roll_mode": "REPLAY"});
    assert_eq!(first["rng"], rng);
    let live = world.post("/duality/roll", json!({"rng": {"seed": 7}})).await;
    assert_eq!(live["rng"]["seed_source"], "SERVER");
    assert_ne!(live["rng"]["seed_used"], 7);
}

#[tokio::test]
async fn a_roll_is_written_down_in_an_active_session_alone() {
    let world = World::start();
    let path = world.campaign().await;
    let rolls = format!("{path}/rolls");
    let quiet = world.post(&rolls, json!({"kind": "duality", "modifier": 1})).await;
    assert_eq!((quiet.get("roll_seq"), quiet.get("rng")), (None, None));
    let action = json!({"kind": "ACTION", "actor_id": "actor_2", "trait": "AGILITY"});
    let actor = world.post(&format!("{path}/actors"), json!({"name": "A", "kind": "PC"})).await;
    let action = {
        let mut action = action;
        action["actor_id"] = actor["id"].clone();
        action
    };
    let refused = world.refused(Method::POST, &rolls, Some(action.clone())).await;
    assert_eq!((refused.0, &*refused.1), (409, "FailedPrecondition"));
    world.post(&format!("{path}/sessions"), json!({})).await;

    let rolled = world.post(&rolls, json!({"kind": "DUALITY", "advantage": "DISADVANTAGE"})).await;
    assert_eq!(rolled["roll_seq"], 4);
    let event = &world.get(&format!("{path}/events?limit=1")).await["events"][0];
    assert_eq!(event["payload"]["rng"], rolled["rng"]);
    assert_eq!(
        (&event["payload"]["hope"], &event["payload"]["fear"]),
        (&rolled["hope"], &rolled["fear"])
    );
    assert_eq!(event["entity"], json!({"kind": "ROLL", "id": "4"}));
    let dice =
        world.post(&rolls, json!({"kind": "DICE", "dice": [{"sides": 6, "count": 3}]})).await;
    assert_eq!(dice["roll_seq"], 5);
    let rolled = world.post(&rolls, action).await;
    assert_eq!((&rolled["roll_seq"], &rolled["rng"]["seed_source"]), (&json!(6), &json!("SERVER")));
    for (body, message) in [
        (json!({"kind": "COIN"}), "`kind` must be one of DUALITY, DICE, ACTION, not `COIN`"),
        (json!({"kind": "DUALITY", "difficulty": -1}), "difficulty must be non-negative"),
    ] {
        assert_eq!(world.refused(Method::POST, &rolls, Some(body)).await.2, message);
    }
    let (_, wrong) =
        world.send(Method::POST, &rolls, Some(json!({"kind": "DICE", "modifer": 1}))).await;
    assert_eq!(wrong["field"], "modifer");
}

#[tokio::test]
async fn an_outcome_comes_true_once() {
    let world = World::start();
    let path = world.campaign().await;
    let actor = world.post(&format!("{path}/actors"), json!({"name": "A", "kind": "PC"})).await;
    let actor = actor["id"].as_str().unwrap();
    world.post(&format!("{path}/sessions"), json!({})).await;
    let (mut hope, mut fear) = (0, 0);
    for _ in 0..40 {
        let roll =
            json!({"kind": "ACTION", "actor_id": actor, "trait": "AGILITY", "difficulty": 12});
        let rolled = world.post(&format!("{path}/rolls"), roll).await;
        let seq = rolled["roll_seq"].as_u64().unwrap();
        let apply = format!("{path}/rolls/{seq}/apply");
        let applied = world.post(&apply, json!({})).await;
        let with_fear = rolled["flavor"] == "FEAR";
        if with_fear {
            fear = (fear + 1).min(12);
        } else {
            hope = (hope + 1).min(6);
        }
        assert_eq!(applied["gm_fear"], fear);
        assert_eq!(applied["requires_complication"], with_fear);
        for change in applied["changes"].as_array().unwrap() {
            assert_eq!((&change["actor_id"], &change["hope_after"]), (&json!(actor), &json!(hope)));
        }
        let again = world.refused(Method::POST, &apply, None).await;
        let message = format!("outcome of roll {seq} is already applied");
        assert_eq!(again, (409, "FailedPrecondition".into(), message));
        let table = world.get(&path).await;
        assert_eq!(
            (&table["gm_fear"], &table["actors"][0]["state"]["hope"]),
            (&json!(fear), &json!(hope))
        );
    }
}
