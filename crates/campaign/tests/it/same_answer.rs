//! The service and REST, asked the same, say the same.

use std::sync::Arc;

use campaign::{Backend as _, Error, EventQuery, PageRequest, Place, Service};
use campaign_core::ControllerInput;
use http::Method;
use kit_core::Fault as _;
use kit_store::Store;
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    bed::{Counted, FakeClock, nobody},
    world::World,
};

/// What the service says, in the words of the wire.
fn said<T: Serialize>(answer: Result<T, Error>) -> Value {
    match answer {
        Ok(answer) => serde_json::to_value(answer).unwrap(),
        Err(error) => serde_json::to_value(error.report()).unwrap(),
    }
}

/// What REST says, without the members that problem documents have besides.
async fn heard(world: &World, method: Method, path: &str, body: &Value) -> Value {
    let body = (!body.is_null()).then(|| body.clone());
    let (_, mut answer) = world.send(method, path, body).await;
    if let Some(problem) = answer.as_object_mut().filter(|answer| answer.contains_key("detail")) {
        for member in ["title", "status", "detail"] {
            problem.shift_remove(member);
        }
    }
    answer
}

fn read<T: serde::de::DeserializeOwned>(body: &Value) -> T {
    serde_json::from_value(body.clone()).unwrap()
}

/// Asks the service what a route asks it.
async fn asked(service: &Service, route: &str, body: &Value) -> Value {
    let mut caller = nobody();
    caller.request_id = "r1".into();
    let who = &caller;
    let words: Vec<_> = route.split('/').skip(1).collect();
    let id = words.get(1).copied().unwrap_or_default();
    let place = Some(Place { campaign_id: id.into(), session_id: None });
    match &words[..] {
        ["campaigns"] => said(service.create_campaign(who, read(body)).await),
        [_, _] => said(service.table(who, id, None).await),
        [_, _, "participants"] => said(service.create_participant(who, id, read(body)).await),
        [_, _, "actors"] => said(service.create_actor(who, id, read(body)).await),
        [_, _, "sessions"] => {
            let name = body["name"].as_str().unwrap_or_default();
            said(service.start_session(who, id, name).await)
        }
        [_, _, "notes"] => said(service.add_note(who, id, read(body)).await),
        [_, _, "undo"] => said(service.undo(who, id, body["seq"].as_u64()).await),
        [_, _, "verify"] => said(service.verify(who, id).await),
        [_, _, "events"] => said(service.events(who, id, EventQuery::default()).await),
        [_, _, "fork"] => said(service.fork(who, id, None, None).await),
        [_, _, "rolls"] if body["kind"] == "ACTION" => {
            said(service.roll_action(who, id, read(body)).await)
        }
        [_, _, "rolls"] if body["kind"] == "DICE" => {
            said(service.roll_dice(who, place, read(body)).await)
        }
        [_, _, "rolls"] => said(service.roll_duality(who, place, read(body)).await),
        [_, _, "rolls", seq, "apply"] => {
            said(service.apply_outcome(who, id, seq.parse().unwrap(), Vec::new()).await)
        }
        [_, _, "sessions", session, "end"] => {
            said(service.end_session(who, id, Some((*session).into())).await)
        }
        [_, _, "actors", actor, "sheet"] => {
            said(service.set_sheet(who, id, actor, read(body)).await)
        }
        [_, _, "actors", actor, "state"] => {
            said(service.set_state(who, id, actor, read(body)).await)
        }
        [_, _, "participants", one, "token"] => said(service.issue_token(who, id, one).await),
        [_, _, "actors", actor, "controller"] => {
            let controller = ControllerInput::Text(body["controller"].as_str().unwrap().into());
            let set = service.set_control(who, id, actor, controller).await;
            said(set.map(|actor| {
                json!({"campaign_id": actor.campaign_id, "actor_id": actor.id, "controller": actor.controller})
            }))
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn the_same_questions_have_the_same_answers() {
    let service = Service::new(
        &Store::memory(),
        Arc::new(FakeClock::default()),
        Arc::new(Counted::default()),
    );
    let world = World::start();
    let camp = "/campaigns/camp_1";
    let of = |rest: &str| format!("{camp}{rest}");
    let (post, get, put, patch) = (Method::POST, Method::GET, Method::PUT, Method::PATCH);
    let questions = [
        (&post, "/campaigns".to_owned(), json!({"name": "A", "gm_mode": "HUMAN"})),
        (&post, of("/participants"), json!({"display_name": "Ann", "role": "PLAYER"})),
        (&post, of("/participants"), json!({"display_name": "Ann", "role": "KING"})),
        (&post, of("/actors"), json!({"name": "Thorin", "kind": "PC"})),
        (&post, of("/actors"), json!({"name": "", "kind": "PC"})),
        (&put, of("/actors/actor_3/controller"), json!({"controller": "gm"})),
        (&put, of("/actors/actor_3/controller"), json!({"controller": "part_99"})),
        (&put, of("/actors/actor_3/sheet"), json!({"traits": {"AGILITY": 5}})),
        (&put, of("/actors/actor_3/sheet"), json!({"traits": {"AGILITY": 3}})),
        (&patch, of("/actors/actor_3/state"), json!({"hope": 7})),
        (&patch, of("/actors/actor_3/state"), json!({"hope": 5})),
        (&post, of("/rolls"), json!({"kind": "DUALITY", "modifier": 1})),
        (&post, of("/sessions"), json!({"name": "One"})),
        (&post, of("/sessions"), json!({"name": "Two"})),
        (&post, of("/rolls"), json!({"kind": "DUALITY", "modifier": 1, "difficulty": 12})),
        (&post, of("/rolls"), json!({"kind": "DICE", "dice": [{"sides": 20, "count": 3}]})),
        (&post, of("/rolls"), json!({"kind": "ACTION", "actor_id": "actor_3", "trait": "agility"})),
        (&post, of("/rolls/11/apply"), Value::Null),
        (&post, of("/rolls/11/apply"), Value::Null),
        (&post, of("/notes"), json!({"text": "so it was"})),
        (&post, of("/notes"), json!({"text": " "})),
        (&post, of("/undo"), json!({})),
        (&post, of("/undo"), json!({"seq": 1})),
        (&post, of("/participants/part_2/token"), Value::Null),
        (&get, of("/verify"), Value::Null),
        (&get, of("/events"), Value::Null),
        (&get, camp.to_owned(), Value::Null),
        (&get, "/campaigns/camp_none".into(), Value::Null),
        (&post, of("/fork"), Value::Null),
    ];
    for (method, route, body) in questions {
        let answer = asked(&service, &route, &body).await;
        assert_eq!(
            heard(&world, method.clone(), &route, &body).await,
            answer,
            "{method} {route} {body}"
        );
    }
    let listed = service.list_campaigns(&nobody(), PageRequest::default()).await.unwrap();
    assert_eq!(world.get("/campaigns").await["campaigns"], said(Ok(listed.items)));
}
