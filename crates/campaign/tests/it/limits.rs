//! Too much, too odd: answered, never died of.

use http::Method;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::world::World;

async fn code(world: &World, path: &str, body: Value) -> (u16, String) {
    let (status, code, error) = world.refused(Method::POST, path, Some(body)).await;
    assert!(!error.is_empty());
    (status, code)
}

#[tokio::test]
async fn what_is_too_long_is_refused_by_name() {
    let world = World::start();
    let path = world.campaign().await;
    let exhausted = (400, "ResourceExhausted".to_owned());
    let long = "é".repeat(1025);
    let text = "x".repeat(64 * 1024 + 1);
    for (route, body) in [
        ("/campaigns".to_owned(), json!({"name": long, "gm_mode": "AI"})),
        ("/campaigns".into(), json!({"name": "x", "gm_mode": "AI", "theme_prompt": text})),
        (format!("{path}/participants"), json!({"display_name": long, "role": "GM"})),
        (format!("{path}/actors"), json!({"name": long, "kind": "PC"})),
        (format!("{path}/actors"), json!({"name": "x", "kind": "PC", "notes": text})),
        (format!("{path}/sessions"), json!({"name": long})),
        (format!("{path}/notes"), json!({"text": text})),
        ("/dice".into(), json!({"dice": vec![json!({"sides": 6, "count": 1}); 101]})),
        ("/dice".into(), json!({"dice": [{"sides": 6, "count": 10_001}]})),
        ("/dice".into(), json!({"dice": [{"sides": 1_000_001, "count": 1}]})),
        ("/dice".into(), json!({"dice": [{"sides": 1_000_000, "count": 5000}]})),
    ] {
        assert_eq!(code(&world, &route, body).await, exhausted, "{route}");
    }
    // Just short enough.
    world.post("/campaigns", json!({"name": "é".repeat(1024), "gm_mode": "AI"})).await;
    world.post("/dice", json!({"dice": [{"sides": 6, "count": 10_000}]})).await;
    assert_eq!(world.get(&path).await["seq"], 1, "nothing came of it");
}

#[tokio::test]
async fn numbers_beyond_32_bits_and_texts_with_nul_are_invalid() {
    let world = World::start();
    let invalid = (400, "InvalidArgument".to_owned());
    for (route, body) in [
        ("/dice", json!({"dice": [{"sides": 4_294_967_302_i64, "count": 1}]})),
        ("/dice", json!({"dice": [{"sides": 6, "count": 0}]})),
        ("/dice", json!({"dice": [{"sides": 6}]})),
        ("/duality/roll", json!({"modifier": 4_294_967_302_i64})),
        ("/duality/roll", json!({"modifier": 2.5})),
        ("/duality/roll", json!({"modifier": i32::MAX})),
        ("/duality/roll", json!({"rng": {"seed": u64::MAX}})),
        ("/duality/roll", json!({"advantage": "HUGE"})),
        ("/duality/probability", json!({"modifier": 0})),
        ("/duality/probability", json!({"modifier": 0, "difficulty": -1})),
        ("/campaigns", json!({"name": "a\0b", "gm_mode": "AI"})),
        ("/campaigns", json!([])),
    ] {
        assert_eq!(code(&world, route, body.clone()).await, invalid, "{route} {body}");
    }
    world.post("/duality/roll", json!({"modifier": 2.0, "difficulty": null})).await;
}

#[tokio::test]
async fn a_body_of_more_than_a_mebibyte_is_413() {
    let world = World::start();
    let body = json!({"name": "x".repeat(1024 * 1024), "gm_mode": "AI"});
    assert_eq!(code(&world, "/campaigns", body).await, (413, "ResourceExhausted".into()));
}

#[tokio::test]
async fn an_id_may_be_anything_and_is_then_not_found() {
    let world = World::start();
    world.campaign().await;
    for id in ["x", "%00", "a%0Ab", "..%2F..", &"y".repeat(5000), "camp_1%20x", "%F0%9F%8E%B2"] {
        for rest in ["", "/events", "/verify"] {
            let (status, ..) =
                world.refused(Method::GET, &format!("/campaigns/{id}{rest}"), None).await;
            assert_eq!(status, 404, "{id}{rest}");
        }
        let body = Some(json!({"name": "A", "kind": "PC"}));
        let (status, ..) =
            world.refused(Method::POST, &format!("/campaigns/{id}/actors"), body).await;
        assert_eq!(status, 404, "{id}");
    }
    // White space around an id is not part of it.
    world.get("/campaigns/%20camp_1%20").await;
    let (status, _, error) = world.refused(Method::GET, "/campaigns/%20", None).await;
    assert_eq!((status, &*error), (400, "campaign id is required"));
}

#[tokio::test]
async fn a_store_that_is_gone_is_answered_without_what_is_inside() {
    let dir = tempfile::tempdir().unwrap();
    let store = kit_store::Store::sqlite(dir.path()).unwrap();
    let world = World::with(&campaign::Config::default(), store.clone());
    let path = world.campaign().await;
    store.close().await;
    let gone = (503, "Unavailable".to_owned(), "the journal cannot be reached now".to_owned());
    assert_eq!(world.refused(Method::GET, "/campaigns", None).await, gone);
    let body = Some(json!({"text": "x"}));
    assert_eq!(world.refused(Method::POST, &format!("{path}/notes"), body).await, gone);
}

/// Any JSON, with the names that the routes know among its keys.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        prop_oneof!["PC", "GM", "HUMAN", "DICE", "ACTION", "AGILITY"].prop_map(Value::from),
    ];
    let key = prop_oneof![
        "name|kind|gm_mode|role|display_name|dice|sides|count|modifier|difficulty|rng|seed|text|traits|fear|seq|targets",
        "[a-z]{1,6}",
    ];
    leaf.prop_recursive(3, 24, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec((key.clone(), inner), 0..6)
                .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

#[test]
fn no_body_breaks_a_route() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _inside = runtime.enter();
    let world = World::start();
    let path = runtime.block_on(world.campaign());
    let routes = [
        (Method::POST, "/campaigns".to_owned()),
        (Method::POST, format!("{path}/participants")),
        (Method::POST, format!("{path}/actors")),
        (Method::PUT, format!("{path}/actors/x/sheet")),
        (Method::PATCH, format!("{path}/actors/x/state")),
        (Method::PUT, format!("{path}/fear")),
        (Method::POST, format!("{path}/sessions")),
        (Method::POST, format!("{path}/rolls")),
        (Method::POST, format!("{path}/rolls/1/apply")),
        (Method::POST, format!("{path}/notes")),
        (Method::POST, format!("{path}/undo")),
        (Method::POST, "/duality/roll".into()),
        (Method::POST, "/duality/outcome".into()),
        (Method::POST, "/duality/explain".into()),
        (Method::POST, "/duality/probability".into()),
        (Method::POST, "/dice".into()),
    ];
    let config =
        ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let input = (prop::sample::select(routes.to_vec()), any_json());
    runner
        .run(&input, |((method, route), body)| {
            let (status, answer) = runtime.block_on(world.send(method, &route, Some(body)));
            prop_assert!(status.as_u16() < 500, "{route}: {status} {answer}");
            if !status.is_success() {
                prop_assert!(answer["code"].is_string() && answer["error"].is_string(), "{answer}");
            }
            Ok(())
        })
        .unwrap();
    let verdict = runtime.block_on(world.get(&format!("{path}/verify")));
    assert_eq!(verdict["valid"], true);
}
