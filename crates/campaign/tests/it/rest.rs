//! Each route, once, with what it answers.

use http::Method;
use serde_json::{Value, json};

use crate::world::{World, text};

const NOON: &str = "2030-01-01T12:00:00Z";

#[tokio::test]
async fn a_campaign_is_created_listed_and_read() {
    let world = World::start();
    let new =
        json!({"name": " The Lost Expedition ", "gm_mode": "hybrid", "theme_prompt": " dark "});
    let (status, made) = world.send(Method::POST, "/campaigns", Some(new)).await;
    let expected = json!({
        "id": "camp_1", "name": "The Lost Expedition", "gm_mode": "HYBRID", "participant_count": 0,
        "actor_count": 0, "theme_prompt": " dark ", "created_at": NOON, "updated_at": NOON,
    });
    assert_eq!((status.as_u16(), &made), (201, &expected));
    assert_eq!(world.get("/campaigns").await, json!({"campaigns": [expected]}));
    let table = world.get("/campaigns/camp_1").await;
    let hash = table["head_hash"].as_str().unwrap();
    assert_eq!(hash.len(), 64);
    let whole = json!({
        "campaign": expected, "participants": [], "actors": [], "sessions": [],
        "active_session": null, "gm_fear": 0, "guarded": false, "seq": 1, "head_hash": hash,
    });
    assert_eq!(table, whole);
}

#[tokio::test]
async fn people_and_actors_come_with_all_that_belongs_to_them() {
    let world = World::start();
    let path = world.campaign().await;
    world.clock.pass(2500);
    let later = "2030-01-01T12:00:02Z";
    let ann = world
        .post(&format!("{path}/participants"), json!({"display_name": "Ann", "role": "player"}))
        .await;
    let expected = json!({
        "id": "part_2", "campaign_id": "camp_1", "display_name": "Ann", "role": "PLAYER",
        "controller": "HUMAN", "created_at": later, "updated_at": later,
    });
    assert_eq!(ann, expected);
    let thorin = json!({"name": "Thorin", "kind": "pc", "notes": " old "});
    let thorin = world.post(&format!("{path}/actors"), thorin).await;
    let mut expected = json!({
        "id": "actor_3", "campaign_id": "camp_1", "name": "Thorin", "kind": "PC", "notes": "old",
        "controller": null,
        "sheet": {
            "traits": {"AGILITY": 0, "STRENGTH": 0, "FINESSE": 0, "INSTINCT": 0, "PRESENCE": 0, "KNOWLEDGE": 0},
            "hp_max": 6, "stress_max": 6, "evasion": 10, "major_threshold": 8, "severe_threshold": 12,
        },
        "state": {"hope": 0, "stress": 0, "hp": 6},
        "created_at": later, "updated_at": later,
    });
    assert_eq!(thorin, expected);

    let at = format!("{path}/actors/actor_3");
    let input = Some(json!({"controller": " part_2 "}));
    let (_, set) = world.send(Method::PUT, &format!("{at}/controller"), input).await;
    let controlled =
        json!({"campaign_id": "camp_1", "actor_id": "actor_3", "controller": "part_2"});
    assert_eq!(set, controlled);
    expected["controller"] = "part_2".into();
    let input = Some(json!({"traits": {"agility": 2}, "hp_max": 8.0}));
    let (_, set) = world.send(Method::PUT, &format!("{at}/sheet"), input).await;
    expected["sheet"]["traits"]["AGILITY"] = 2.into();
    expected["sheet"]["hp_max"] = 8.into();
    assert_eq!(set, expected);
    let input = Some(json!({"hope": 2, "hp": 7, "stress": null}));
    let (_, set) = world.send(Method::PATCH, &format!("{at}/state"), input).await;
    expected["state"] = json!({"hope": 2, "stress": 0, "hp": 7});
    assert_eq!(set, expected);

    let (_, fear) =
        world.send(Method::PUT, &format!("{path}/fear"), Some(json!({"fear": 3}))).await;
    assert_eq!(fear, json!({"gm_fear": 3}));
    let table = world.get(&path).await;
    assert_eq!(table["participants"], json!([ann]));
    assert_eq!(table["actors"], json!([expected]));
    assert_eq!((&table["gm_fear"], &table["campaign"]["actor_count"]), (&json!(3), &json!(1)));
    assert_eq!(table["campaign"]["updated_at"], later);
}

#[tokio::test]
async fn a_session_starts_once_and_ends_as_often_as_one_likes() {
    let world = World::start();
    let path = world.campaign().await;
    let started = world.post(&format!("{path}/sessions"), json!({"name": "One"})).await;
    let mut expected = json!({
        "id": "sess_2", "campaign_id": "camp_1", "name": "One", "status": "ACTIVE",
        "started_at": NOON, "updated_at": NOON,
    });
    assert_eq!(started, expected);
    let second = world.refused(Method::POST, &format!("{path}/sessions"), None).await;
    assert_eq!(second, (409, "FailedPrecondition".into(), "active session exists".into()));
    assert_eq!(world.get(&path).await["active_session"], "sess_2");
    world.clock.pass(60_000);
    for _ in 0..2 {
        let (status, ended) =
            world.send(Method::POST, &format!("{path}/sessions/sess_2/end"), None).await;
        let end = "2030-01-01T12:01:00Z";
        expected["status"] = "ENDED".into();
        expected["updated_at"] = end.into();
        expected["ended_at"] = end.into();
        assert_eq!((status.as_u16(), ended), (200, expected.clone()));
        world.clock.pass(60_000);
    }
    assert_eq!(world.get(&path).await["active_session"], Value::Null);
    world.post(&format!("{path}/sessions"), json!({})).await;
}

#[tokio::test]
async fn a_note_and_the_journal_it_stands_in() {
    let world = World::start();
    let path = world.campaign().await;
    let told = world.post(&format!("{path}/notes"), json!({"text": "The bridge is out."})).await;
    let (hash, before) = (told["event_hash"].clone(), told["prev_hash"].clone());
    let expected = json!({
        "campaign_id": "camp_1", "seq": 2, "ts": "2030-01-01T12:00:00.000Z", "type": "note.added",
        "request_id": "r1", "invocation_id": "", "actor": {"kind": "SYSTEM", "id": ""},
        "entity": {"kind": "NOTE", "id": "2"}, "payload": {"text": "The bridge is out."},
        "event_hash": hash, "prev_hash": before,
    });
    assert_eq!(told, expected);
    let journal = world.get(&format!("{path}/events?limit=1")).await;
    assert_eq!(journal, json!({"events": [expected], "next": 2}));
    let first = &world.get(&format!("{path}/events?before=2")).await;
    assert_eq!(first["events"][0]["type"], "campaign.created");
    assert_eq!(first["events"][0]["event_hash"], before);
    assert_eq!(first.get("next"), None);
    assert_eq!(world.get(&format!("{path}/events?after=2")).await, json!({"events": []}));
}

#[tokio::test]
async fn what_is_not_there_is_not_found_and_what_is_empty_is_named() {
    let world = World::start();
    let path = world.campaign().await;
    let missing = |what: &str| (404, "NotFound".to_owned(), format!("{what} not found"));
    let nowhere = "/campaigns/camp_nowhere";
    for (method, rest, body) in [
        (Method::GET, "", None),
        (Method::GET, "/events", None),
        (Method::GET, "/changes", None),
        (Method::GET, "/verify", None),
        (Method::POST, "/participants", Some(json!({"display_name": "Ann", "role": "GM"}))),
        (Method::POST, "/actors", Some(json!({"name": "A", "kind": "PC"}))),
        (Method::POST, "/sessions", None),
        (Method::POST, "/rolls", Some(json!({"kind": "DUALITY"}))),
        (Method::POST, "/notes", Some(json!({"text": "x"}))),
        (Method::POST, "/undo", None),
        (Method::POST, "/fork", None),
        (Method::PUT, "/fear", Some(json!({"fear": 1}))),
        (Method::POST, "/participants/part_1/token", None),
        (Method::POST, "/rolls/1/apply", None),
    ] {
        let refused = world.refused(method, &format!("{nowhere}{rest}"), body).await;
        assert_eq!(refused, missing("campaign"), "{rest}");
    }
    let fear = world.refused(Method::GET, &format!("{path}?seq=2"), None).await;
    assert_eq!(fear, missing("event 2"));
    let end = world.refused(Method::POST, &format!("{path}/sessions/sess_x/end"), None).await;
    assert_eq!(end, missing("session"));
    let set = Some(json!({"controller": "GM"}));
    let set = world.refused(Method::PUT, &format!("{path}/actors/actor_x/controller"), set).await;
    assert_eq!(set, missing("actor"));
    let export = world.refused(Method::GET, "/sessions/sess_x/export", None).await;
    assert_eq!(export, missing("session"));

    let invalid = |message: &str| (400, "InvalidArgument".to_owned(), message.to_owned());
    for (route, body, message) in [
        ("/campaigns", json!({}), "campaign name is required"),
        ("/campaigns", json!({"name": "x"}), "gm mode is required"),
        (
            &*format!("{nowhere}/participants"),
            json!({"display_name": " "}),
            "display name is required",
        ),
        (
            &format!("{nowhere}/participants"),
            json!({"display_name": "x"}),
            "participant role is required",
        ),
        (&format!("{nowhere}/actors"), json!({}), "actor name is required"),
        (&format!("{nowhere}/actors"), json!({"name": "x"}), "actor kind is required"),
    ] {
        let refused = world.refused(Method::POST, route, Some(body)).await;
        assert_eq!(refused, invalid(message));
    }
}

#[tokio::test]
async fn a_wrong_body_is_refused_with_the_field_and_the_nearest_name() {
    let world = World::start();
    let ask = async |body: &str| {
        let headers = [("content-type", "application/json")];
        let response = world.raw(Method::POST, "/campaigns", &headers, body.to_owned()).await;
        assert_eq!(response.headers()["content-type"], "application/problem+json");
        let status = response.status().as_u16();
        let body: Value = serde_json::from_str(&text(response).await).unwrap();
        assert_eq!(body["code"], "InvalidArgument");
        (status, body)
    };
    let (status, body) = ask(r#"{"naem": "x", "gm_mode": "HUMAN"}"#).await;
    assert_eq!(
        (status, &body["field"], &body["hint"]),
        (400, &json!("naem"), &json!("did you mean `name`?"))
    );
    let (_, body) = ask(r#"{"name": 7, "gm_mode": "HUMAN"}"#).await;
    assert_eq!(body["field"], "name");
    let (_, body) = ask("{").await;
    assert!(body["error"].as_str().unwrap().starts_with("the body is not JSON"), "{body}");
    let other =
        world.raw(Method::POST, "/campaigns", &[("content-type", "text/plain")], "{}").await;
    assert_eq!(other.status(), 415);
    let (status, code, _) = world.refused(Method::GET, "/campaigns?limit=no", None).await;
    assert_eq!((status, &*code), (400, "InvalidArgument"));
    let (status, code, _) = world.refused(Method::GET, "/campaigns?limit=0", None).await;
    assert_eq!((status, &*code), (400, "InvalidArgument"));
}

#[tokio::test]
async fn pages_show_each_campaign_once_while_others_come() {
    let world = World::start();
    for _ in 0..25 {
        world.campaign().await;
        world.clock.pass(1);
    }
    let (mut ids, mut cursor, mut sizes) = (Vec::new(), String::new(), Vec::new());
    loop {
        let page = world.get(&format!("/campaigns?limit=10&cursor={cursor}")).await;
        let page_ids = page["campaigns"].as_array().unwrap().iter();
        let page_ids: Vec<_> = page_ids.map(|one| one["id"].as_str().unwrap().to_owned()).collect();
        sizes.push(page_ids.len());
        ids.extend(page_ids);
        let Some(next) = page["next"].as_str() else { break };
        next.clone_into(&mut cursor);
        if sizes.len() == 1 {
            world.campaign().await;
        }
    }
    assert_eq!(sizes, [10, 10, 6]);
    assert_eq!(ids, (1..=26).map(|number| format!("camp_{number}")).collect::<Vec<_>>());
    let (_, code, error) = world.refused(Method::GET, "/campaigns?cursor=AAAA", None).await;
    assert_eq!((&*code, &*error), ("InvalidArgument", "page token is not one of this list"));
}
