//! Universes and commands over REST.

use http::{Method, StatusCode};
use insta::assert_snapshot;
use serde_json::{Value, json};
use universe::Config;

use crate::{
    add, tick,
    world::{World, text},
};

#[tokio::test]
async fn a_universe_is_made_with_a_trimmed_name_and_every_part() {
    let world = World::start().await;
    let body = json!({"name": "  Sol  ", "state": {}}).to_string();
    let headers = [("content-type", "application/json")];
    let made = world.raw(Method::POST, "/universes", &headers, body).await;
    assert_eq!(made.status(), StatusCode::CREATED);
    assert_eq!(made.headers()["etag"], "\"1\"");
    assert_snapshot!(text(made).await, @r#"{"id":"u-1","name":"Sol","state":{"stars":{},"rootIds":[],"groups":{},"rootGroupIds":[],"belts":{},"smallBodyFields":{},"protoplanetaryDisks":{},"nebulae":{},"time":0},"createdAt":"2030-01-01T12:00:00.000Z","updatedAt":"2030-01-01T12:00:00.000Z","revision":1,"clock":{"playing":false,"rate":1,"time":0,"at":"2030-01-01T12:00:00.000Z"}}"#);
}

#[tokio::test]
async fn a_universe_needs_a_name_first_and_then_a_state() {
    let world = World::start().await;
    for body in [json!({"name": " "}), json!({"name": 3, "state": {}}), json!([]), json!({})] {
        let (status, reply) = world.post("/universes", body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        assert_eq!(reply, json!({"error": "\"name\" is required and must be a non-empty string"}));
    }
    for state in [json!(null), json!([]), json!("x")] {
        let (_, reply) = world.post("/universes", json!({"name": "n", "state": state})).await;
        assert_eq!(reply, json!({"error": "\"state\" is required and must be a JSON object"}));
    }
    let (status, reply) = world
        .post("/universes", json!({"name": "n", "state": {"stars": {"a": {"mass": []}}}}))
        .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(reply["field"], "state.stars.a.mass");
}

#[tokio::test]
async fn the_list_is_newest_first_and_thin_on_request() {
    let world = World::start().await;
    world.universe(json!({})).await;
    world.clock.pass(1);
    world.universe(add_state()).await;
    let (_, list) = world.get("/universes").await;
    let ids: Vec<_> = list.as_array().unwrap().iter().map(|record| &record["id"]).collect();
    assert_eq!(ids, ["u-2", "u-1"]);
    assert_eq!(list[0]["state"]["rootIds"], json!(["sol"]));
    let (_, thin) = world.get("/universes?state=none").await;
    assert_eq!(thin[0]["state"], Value::Null);
    assert_eq!(thin[0]["name"], "Test");
}

#[tokio::test]
async fn a_list_is_read_page_by_page_also_while_universes_go() {
    let world = World::start().await;
    for _ in 0..5 {
        world.universe(json!({})).await;
        world.clock.pass(1);
    }
    let page = async |path: &str| {
        let response = world.raw(Method::GET, path, &[], "").await;
        let link = response.headers().get("link").map(|link| link.to_str().unwrap().to_owned());
        let next = link.map(|link| {
            let (query, rest) = link.strip_prefix('<').unwrap().split_once('>').unwrap();
            assert_eq!(rest, "; rel=\"next\"");
            format!("/universes{query}")
        });
        let list: Value = serde_json::from_str(&text(response).await).unwrap();
        let ids = list.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap().to_owned());
        (ids.collect::<Vec<_>>(), next)
    };
    let (ids, next) = page("/universes?state=none&limit=2").await;
    assert_eq!(ids, ["u-5", "u-4"]);
    world.send(Method::DELETE, "/universes/u-4", None).await;
    let (ids, next) = page(&next.unwrap()).await;
    assert_eq!(ids, ["u-3", "u-2"], "the one it was at is gone");
    let (ids, next) = page(&next.unwrap()).await;
    assert_eq!((ids, next), (vec!["u-1".to_owned()], None));
    for path in ["/universes?limit=0", "/universes?limit=x", "/universes?cursor=nonsense"] {
        assert_eq!(world.get(path).await.0, StatusCode::BAD_REQUEST, "{path}");
    }
}

#[tokio::test]
async fn a_thin_list_says_the_same_as_the_whole_one() {
    let world = World::start().await;
    let id = world.universe(json!({"time": 3})).await;
    world.universe(json!({})).await;
    let path = format!("/universes/{id}");
    world.send(Method::PUT, &path, Some(json!({"name": "Renamed"}))).await;
    world.send(Method::PUT, &format!("{path}/clock"), Some(json!({"playing": true}))).await;
    world.clock.pass(2000);
    world.command(&id, json!({"type": "tick", "dt": 5})).await;
    world.command(&id, add("a", None)).await;
    world.clock.pass(1000);
    let (_, mut whole) = world.get("/universes").await;
    let (_, thin) = world.get("/universes?state=none").await;
    for record in whole.as_array_mut().unwrap() {
        record.as_object_mut().unwrap().shift_remove("state").unwrap();
    }
    assert_eq!(thin, whole);
    assert_eq!(thin[1]["clock"]["time"], 11, "{thin}");
}

fn add_state() -> Value {
    json!({"stars": {"sol": {"name": "Sol"}}})
}

#[tokio::test]
async fn a_put_sets_what_it_names_and_keeps_the_time() {
    let world = World::start().await;
    let id = world.universe(json!({"time": 5})).await;
    let path = format!("/universes/{id}");
    world.clock.pass(1500);
    let (status, record) = world.send(Method::PUT, &path, Some(json!({"name": " New "}))).await;
    assert_eq!((status, &record["name"]), (StatusCode::OK, &json!("New")));
    assert_eq!(record["updatedAt"], "2030-01-01T12:00:01.500Z");
    assert_eq!(record["createdAt"], "2030-01-01T12:00:00.000Z");

    let (_, record) = world.send(Method::PUT, &path, Some(json!({"state": add_state()}))).await;
    assert_eq!(record["state"]["time"], 5);
    assert_eq!(record["state"]["rootIds"], json!(["sol"]));

    world.clock.pass(500);
    let (status, record) = world.send(Method::PUT, &path, None).await;
    assert_eq!(
        (status, &record["updatedAt"]),
        (StatusCode::OK, &json!("2030-01-01T12:00:02.000Z"))
    );

    let (_, reply) = world.send(Method::PUT, &path, Some(json!({"name": ""}))).await;
    assert_eq!(reply, json!({"error": "\"name\" must be a non-empty string when provided"}));
    let (_, reply) = world.send(Method::PUT, &path, Some(json!({"state": null}))).await;
    assert_eq!(reply, json!({"error": "\"state\" must be a JSON object when provided"}));
}

#[tokio::test]
async fn a_put_may_insist_on_a_revision() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    world.command(&id, tick()).await;
    let put = async |tag: &str| {
        let headers = [("content-type", "application/json"), ("if-match", tag)];
        world.raw(Method::PUT, &format!("/universes/{id}"), &headers, "{}").await.status()
    };
    assert_eq!(put("\"1\"").await, StatusCode::PRECONDITION_FAILED);
    assert_eq!(put("\"2\"").await, StatusCode::OK);
    assert_eq!(put("*").await, StatusCode::OK);
    assert_eq!(put("abc").await, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn a_deleted_universe_is_gone_everywhere() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let path = format!("/universes/{id}");
    let (status, body) = world.send(Method::DELETE, &path, None).await;
    assert_eq!((status, body), (StatusCode::NO_CONTENT, Value::Null));
    let gone = (StatusCode::NOT_FOUND, json!({"error": "Universe not found", "universeId": id}));
    assert_eq!(world.get(&path).await, gone);
    assert_eq!(world.send(Method::DELETE, &path, None).await, gone);
    assert_eq!(world.send(Method::PUT, &path, Some(json!({}))).await, gone);
    assert_eq!(world.post(&format!("{path}/commands"), tick()).await, gone);
    assert_eq!(world.get(&format!("{path}/events")).await, gone);
    assert_eq!(world.get("/universes").await.1, json!([]));
}

#[tokio::test]
async fn a_command_answers_with_the_next_state_and_its_events() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let body = json!({"type": "addStar", "id": "sol", "payload": {"mass": 2.0}}).to_string();
    let headers = [("content-type", "application/json")];
    let path = format!("/universes/{id}/commands");
    let reply = world.raw(Method::POST, &path, &headers, body).await;
    assert_snapshot!(text(reply).await, @r##"{"nextState":{"stars":{"sol":{"id":"sol","mass":2,"name":"sol","radius":1,"color":"#FFFFFF","orbitalDistance":0,"orbitalSpeed":0,"orbitalPhase":0,"parentId":null,"children":[]}},"rootIds":["sol"],"groups":{},"rootGroupIds":[],"belts":{},"smallBodyFields":{},"protoplanetaryDisks":{},"nebulae":{},"time":0},"events":[{"type":"starAdded","id":"sol"}],"applied":true,"revision":2}"##);
    let reply = world.command(&id, json!({"type": "tick", "dt": 0.25})).await;
    assert_eq!((&reply["events"], &reply["nextState"]["time"]), (&json!([]), &json!(0.25)));
}

#[tokio::test]
async fn a_thin_reply_leaves_the_state_out() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let (_, reply) =
        world.post(&format!("/universes/{id}/commands?state=none"), add("a", None)).await;
    let thin =
        json!({"events": [{"type": "starAdded", "id": "a"}], "applied": true, "revision": 2});
    assert_eq!(reply, thin);
    let headers =
        [("content-type", "application/json"), ("prefer", "respond-async, return=minimal")];
    let path = format!("/universes/{id}/commands");
    let reply = world.raw(Method::POST, &path, &headers, tick().to_string()).await;
    assert_snapshot!(text(reply).await, @r#"{"events":[],"applied":true,"revision":3}"#);
    let (status, reply) = world.post(&format!("{path}?state=some"), tick()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "{reply}");
}

#[tokio::test]
async fn refused_commands_answer_why_and_change_nothing() {
    let world = World::start().await;
    let id = world.universe(add_state()).await;
    let update =
        |parent: &str| json!({"type": "updateStar", "id": "sol", "payload": {"parentId": parent}});
    let refusals = [
        (add("sol", None), json!({"type": "addFailed", "reason": "duplicateId", "id": "sol"})),
        (add("x", Some("y")), json!({"type": "addFailed", "reason": "parentNotFound", "id": "x"})),
        (json!({"type": "removeStar", "id": "x"}), json!({"type": "starNotFound", "id": "x"})),
        (
            update("sol"),
            json!({"type": "attachFailed", "reason": "cycle", "childId": "sol", "parentId": "sol"}),
        ),
        (
            update("x"),
            json!({"type": "attachFailed", "reason": "notFound", "childId": "sol", "parentId": "x"}),
        ),
        (
            json!({"type": "explode", "how": 1}),
            json!({"type": "unknownCommand", "command": {"type": "explode", "how": 1}}),
        ),
        (
            json!({"type": "removeRing", "planetId": "sol"}),
            json!({"type": "ringNotFound", "planetId": "sol"}),
        ),
        // To remove what is not there is told as a removal, and is none: nothing is kept, nobody else hears of it.
        (json!({"type": "removeNebula", "id": "n"}), json!({"type": "nebulaRemoved", "id": "n"})),
    ];
    let before = world.get(&format!("/universes/{id}")).await;
    world.clock.pass(1000);
    for (command, event) in refusals {
        let reply = world.command(&id, command).await;
        assert_eq!((&reply["events"], &reply["applied"]), (&json!([event]), &json!(false)));
        assert_eq!(reply["revision"], 1);
        assert!(reply["hint"].is_string(), "{reply}");
        assert_eq!(reply["nextState"], before.1["state"]);
    }
    assert_eq!(world.get(&format!("/universes/{id}")).await, before);
}

#[tokio::test]
async fn a_removal_tells_what_went_with_the_body() {
    let world = World::start().await;
    let id = world
        .universe(json!({
            "stars": {"sol": {}, "earth": {"parentId": "sol"}},
            "groups": {"g": {"children": [{"id": "sol", "type": "system"}]}},
            "smallBodyFields": {"belt": {"hostStarId": "sol"}},
            "protoplanetaryDisks": {"disk": {"centralStarId": "sol"}},
        }))
        .await;
    let reply = world.command(&id, json!({"type": "removeStar", "id": "sol"})).await;
    assert_eq!(
        reply["events"],
        json!([{"type": "starRemoved", "id": "sol", "removedIds": ["sol", "earth"],
            "removedFieldIds": ["belt"], "removedDiskIds": ["disk"],
            "removedMemberships": [{"groupId": "g", "systemId": "sol"}]}])
    );
}

#[tokio::test]
async fn an_update_that_moves_tells_both() {
    let world = World::start().await;
    let id = world.universe(json!({"stars": {"sol": {}, "earth": {}}})).await;
    let update = |parent: Value| json!({"type": "updateStar", "id": "earth", "payload": {"parentId": parent}});
    let reply = world.command(&id, update(json!("sol"))).await;
    assert_eq!(
        reply["events"],
        json!([{"type": "starUpdated", "id": "earth"},
            {"type": "starAttached", "childId": "earth", "parentId": "sol"}])
    );
    let reply = world.command(&id, update(Value::Null)).await;
    assert_eq!(reply["events"][1], json!({"type": "starDetached", "childId": "earth"}));
}

#[tokio::test]
async fn what_is_no_command_is_refused_before_the_universe_is_looked_up() {
    let world = World::start().await;
    for body in
        [json!([]), json!("tick"), json!({}), json!({"type": " "}), json!({"type": 1}), Value::Null]
    {
        let (status, reply) = world.post("/universes/nowhere/commands", body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST);
        let text = "Request body must be a JSON object with a non-empty \"type\" string property";
        assert_eq!(reply, json!({"error": text}));
    }
}

#[tokio::test]
async fn a_wrong_value_is_told_with_its_place_after_the_universe_was_found() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let wrong = json!({"type": "tick", "dt": "1"});
    let (status, _) = world.post("/universes/nowhere/commands", wrong.clone()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, reply) = world.post(&format!("/universes/{id}/commands"), wrong).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(
        reply,
        json!({"error": "`dt` must be a finite number, not the text \"1\"", "field": "dt", "universeId": id})
    );
}

#[tokio::test]
async fn bad_bodies_get_clear_answers() {
    let world =
        World::with(&Config { body_bytes: 1024, ..Config::default() }, kit_store::Store::memory())
            .await;
    let post = async |kind: &str, body: String| {
        let reply = world.raw(Method::POST, "/universes", &[("content-type", kind)], body).await;
        (reply.status(), text(reply).await)
    };
    let (status, reply) = post("application/json", "{\"name\": }".into()).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_snapshot!(reply, @r#"{"error":"the body is not JSON: expected value at line 1 column 10"}"#);
    let (status, reply) = post("application/json", "[".repeat(2000)).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_snapshot!(reply, @r#"{"error":"the body is larger than 1024 bytes"}"#);
    let (status, _) = post("application/json", "[".repeat(1000)).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "nesting that deep is refused, not followed");
    let (status, reply) = post("text/plain", "{}".into()).await;
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_snapshot!(reply, @r#"{"error":"content type `text/plain` is not JSON; send `application/json`"}"#);
}

#[tokio::test]
async fn no_id_is_strange_enough_for_another_answer_than_404() {
    let world = World::start().await;
    for id in ["x", "%00", "..%2f..", &"9".repeat(2000)] {
        let (status, reply) = world.get(&format!("/universes/{id}")).await;
        assert_eq!(
            (status, &reply["error"]),
            (StatusCode::NOT_FOUND, &json!("Universe not found"))
        );
        let (status, _) = world.post(&format!("/universes/{id}/commands"), tick()).await;
        assert_eq!(status, StatusCode::NOT_FOUND);
    }
}

#[tokio::test]
async fn health_tells_whole_seconds() {
    let world = World::start().await;
    world.clock.pass(2999);
    assert_eq!(world.get("/health").await, (StatusCode::OK, json!({"ok": true, "uptime": 2})));
}
