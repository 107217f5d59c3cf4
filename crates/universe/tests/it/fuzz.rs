//! Whatever is sent, there is an answer, it is no failure of ours, and nothing is corrupted.

use std::time::Duration;

use axum::body::Body;
use http::{HeaderName, HeaderValue, Method, Request};
use proptest::{
    collection::{btree_map, vec},
    prelude::*,
    sample::select,
    test_runner::{Config as Cases, TestRunner},
};
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::world::{World, json_of, text};

const CASES: u32 = 192;

/// Any JSON, odd numbers and keys included.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(vec![json!(1e308), json!(-1e308), json!(u64::MAX), json!(0), json!(-0.0)]),
        select(vec!["sol", "earth", "__proto__", "constructor", "", "\u{0}", "\u{202e}"])
            .prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 48, 6, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            btree_map(any_key(), inner, 0..6).prop_map(|map| Value::from_iter(map)),
        ]
    })
}

fn any_key() -> impl Strategy<Value = String> {
    let known = [
        "id",
        "type",
        "payload",
        "parentId",
        "children",
        "childId",
        "groupId",
        "child",
        "patch",
        "fields",
        "disk",
        "disks",
        "nebulae",
        "planetId",
        "snapshot",
        "stars",
        "rootIds",
        "groups",
        "rootGroupIds",
        "time",
        "dt",
        "mass",
        "ring",
        "revision",
        "rate",
        "playing",
        "name",
        "state",
        "commands",
        "__proto__",
        "targetGroupId",
        "childType",
        "belts",
        "seed",
        "preset",
        "parameters",
        "topology",
    ];
    prop_oneof![4 => select(known.map(str::to_owned).to_vec()), 1 => ".{0,12}"]
}

/// Something that looks like a command, with any of its values replaced.
fn any_command() -> impl Strategy<Value = Value> {
    let known = crate::all_commands();
    let mutated = (select(known), any_key(), any_json()).prop_map(|(mut command, key, value)| {
        command.as_object_mut().unwrap().insert(key, value);
        command
    });
    let made = (select(names()), btree_map(any_key(), any_json(), 0..5)).prop_map(|(name, map)| {
        let mut command = Value::from_iter(map);
        command["type"] = json!(name);
        command
    });
    prop_oneof![2 => mutated, 2 => made, 1 => any_json()]
}

fn names() -> Vec<String> {
    let all = crate::all_commands();
    let mut names: Vec<_> =
        all.iter().map(|one| one["type"].as_str().unwrap().to_owned()).collect();
    names.extend(["undo", "redo", "setClock"].map(str::to_owned));
    names
}

/// A route, its `{id}` filled in, with any query.
fn any_path() -> impl Strategy<Value = String> {
    let id = prop_oneof![4 => Just("u-1".to_owned()), 1 => "[a-zA-Z0-9%._~!$&'()*+,;=:@-]{0,40}"];
    let parameter = (
        select(vec!["state", "limit", "cursor", "revision", "before", "after", "x"]),
        "[a-zA-Z0-9%._~!$'()*+,;:@/?-]{0,24}",
    );
    let query = vec(parameter, 0..3).prop_map(|all| {
        all.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join("&")
    });
    (select(universe::paths()), id, query)
        .prop_map(|(path, id, query)| format!("{}?{query}", path.replace("{id}", &id)))
}

fn any_header() -> impl Strategy<Value = (HeaderName, HeaderValue)> {
    let names = [
        "idempotency-key",
        "x-via",
        "prefer",
        "if-match",
        "last-event-id",
        "accept",
        "content-type",
    ];
    let value = vec(prop_oneof![32..=126_u8, 128..=255_u8], 0..64);
    (select(names.to_vec()), value).prop_map(|(name, value)| {
        (HeaderName::from_static(name), HeaderValue::from_bytes(&value).unwrap())
    })
}

/// Runs `case` against one world, in which everything that was sent before has left its traces.
fn hold<S: Strategy>(
    strategy: &S,
    case: impl Fn(&World, S::Value) -> std::pin::Pin<Box<dyn Future<Output = ()> + '_>>,
) {
    let runtime = Runtime::new().unwrap();
    let world = runtime.block_on(async {
        let world = World::start().await;
        world.universe(crate::rich_state()).await;
        world
    });
    let mut runner =
        TestRunner::new(Cases { cases: CASES, failure_persistence: None, ..Cases::default() });
    let ran = runner.run(strategy, |input| {
        runtime.block_on(async {
            let answered = tokio::time::timeout(Duration::from_secs(30), case(&world, input)).await;
            assert!(answered.is_ok(), "it hangs");
        });
        Ok(())
    });
    ran.unwrap();
    runtime.block_on(async {
        assert_eq!(world.get("/health").await.1["ok"], true);
        // Whatever is left can be read back as it is.
        let (_, list) = world.get("/universes").await;
        for record in list.as_array().unwrap() {
            let body = json!({"name": "copy", "state": record["state"]});
            let (status, copy) = world.post("/universes", body).await;
            assert_eq!((status.as_u16(), &copy["state"]), (201, &record["state"]));
        }
    });
}

#[test]
fn no_command_makes_it_fail_on_either_surface() {
    hold(&vec(any_command(), 1..4), |world, commands| {
        Box::pin(async move {
            for command in &commands {
                let (status, reply) = world.post("/universes/u-1/commands", command.clone()).await;
                assert!(status.as_u16() < 500, "{command}: {reply}");
                assert!(status == 200 || reply["error"].is_string(), "{command}: {reply}");
            }
            let batch = json!({"commands": commands});
            let (status, reply) = world.post("/universes/u-1/batches", batch).await;
            assert!(status.as_u16() < 500, "{reply}");
            let mcp = world.mcp().await;
            let arguments = json!({"universeId": "u-1", "command": commands[0]});
            let params = json!({"name": "send_universe_command", "arguments": arguments});
            let answer = mcp.request("tools/call", params).await;
            assert!(answer["error"].is_null(), "{answer}");
            if answer["result"]["isError"] != true {
                assert!(json_of(&answer["result"])["applied"].is_boolean());
            }
        })
    });
}

#[test]
fn no_request_makes_it_fail() {
    let methods =
        select(vec![Method::GET, Method::POST, Method::PUT, Method::DELETE, Method::PATCH]);
    let body = prop_oneof![
        any_json().prop_map(|json| json.to_string().into_bytes()),
        any_command().prop_map(|json| json.to_string().into_bytes()),
        vec(any::<u8>(), 0..64),
    ];
    let request = (methods, any_path(), vec(any_header(), 0..3), body);
    hold(&request, |world, (method, path, headers, body)| {
        Box::pin(async move {
            // Without its universe there is nothing left to break.
            if method == Method::DELETE && path.starts_with("/universes/u-1?") {
                return;
            }
            let Ok(mut request) = Request::builder()
                .method(method.clone())
                .uri(world.url(&path))
                .body(Body::from(body))
            else {
                return;
            };
            request
                .headers_mut()
                .extend(headers.into_iter().map(|(name, value)| (Some(name), value)));
            let response = world.request(request).await;
            let status = response.status().as_u16();
            assert!(status < 500, "{method} {path}: {status}");
            let kind = response.headers().get("content-type").cloned();
            let streams =
                kind.is_some_and(|kind| kind.to_str().unwrap().starts_with("text/event-stream"));
            if status != 204 && status != 405 && !streams {
                let body = text(response).await;
                serde_json::from_str::<Value>(&body)
                    .unwrap_or_else(|_| panic!("{method} {path}: {body}"));
            }
        })
    });
}

#[test]
fn no_state_from_outside_makes_it_fail() {
    let parts = btree_map(any_key(), any_json(), 0..8).prop_map(|map| Value::from_iter(map));
    let mutated = (any_key(), any_key(), any_json()).prop_map(|(part, key, value)| {
        let mut state = crate::rich_state();
        match state.get_mut(&part) {
            Some(Value::Object(map)) => drop(map.insert(key, value)),
            _ => state[part] = value,
        }
        state
    });
    hold(&prop_oneof![parts, mutated], |world, state| {
        Box::pin(async move {
            let (status, reply) =
                world.post("/universes", json!({"name": "n", "state": state})).await;
            assert!(status == 201 || status == 400, "{status} {reply}");
            let (status, reply) =
                world.send(Method::PUT, "/universes/u-1", Some(json!({"state": state}))).await;
            assert!(status == 200 || status == 400, "{status} {reply}");
            if let Some(made) = reply["id"].as_str().filter(|id| *id != "u-1") {
                world.send(Method::DELETE, &format!("/universes/{made}"), None).await;
            }
        })
    });
}

#[tokio::test]
async fn odd_and_huge_input_is_answered() {
    let world = World::start().await;
    let id = world.universe(json!({})).await;
    let path = format!("/universes/{id}/commands");
    let deep = format!("{}1{}", "[".repeat(100), "]".repeat(100));
    let headers = [("content-type", "application/json")];
    for body in [
        format!(r#"{{"type":"addStar","id":"deep","payload":{{"a":{deep}}}}}"#),
        r#"{"type":"tick","dt":1e999}"#.to_owned(),
        r#"{"type":"tick","dt":NaN}"#.to_owned(),
        r#"{"type":"tick","type":"addStar","id":"twice"}"#.to_owned(),
        format!(r#"{{"type":"{}"}}"#, "x".repeat(1_000_000)),
        format!(r#"{{"type":"addStar","id":"{}","payload":{{}}}}"#, "i".repeat(100_000)),
        format!(r#"{{"type":"updateStar","id":"deep","payload":{{"parentId":"{}"}}}}"#, "\\u0000"),
        "\u{feff}{}".to_owned(),
    ] {
        let response = world.raw(Method::POST, &path, &headers, body).await;
        assert!(response.status().as_u16() < 500);
        serde_json::from_str::<Value>(&text(response).await).unwrap();
    }
    // A chain of ten thousand moons, then a circle of them.
    let chain: serde_json::Map<_, _> = (0..10_000)
        .map(|number| {
            let parent = if number == 0 { Value::Null } else { json!(format!("m{}", number - 1)) };
            (format!("m{number}"), json!({"parentId": parent}))
        })
        .collect();
    let (status, _) =
        world.post("/universes", json!({"name": "chain", "state": {"stars": chain}})).await;
    assert_eq!(status, 201);
    let circle = json!({"a": {"parentId": "b"}, "b": {"parentId": "a"}});
    let (status, reply) =
        world.post("/universes", json!({"name": "c", "state": {"stars": circle}})).await;
    assert_eq!((status.as_u16(), reply["field"].is_string()), (400, true), "{reply}");
}
