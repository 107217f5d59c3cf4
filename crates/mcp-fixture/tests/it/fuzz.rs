//! Whatever is sent: an answer in time, and never a failure of the server's own.

use kit_mcp::Mode;
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use serde_json::{Value, json};

use crate::{
    client::Answer,
    server::{MODERN, Server},
};

/// Sends what `bodies` makes to a server of each mode, in a session and outside, as each era.
fn never_fails<S>(cases: u32, bodies: S)
where
    S: Strategy<Value = Vec<u8>>,
{
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let servers: Vec<_> = [Mode::Sessions, Mode::Cookie, Mode::Stateless]
        .into_iter()
        .map(|mode| runtime.block_on(Server::start(mode)))
        .collect();
    let session = runtime.block_on(servers[0].session("2025-03-26")).id;
    let mut runner =
        TestRunner::new(Config { failure_persistence: None, ..Config::with_cases(cases) });
    let tried = runner.run(&bodies, |body| {
        for server in &servers {
            let ask = server.raw_post(body.clone());
            let named = ask.clone().header("mcp-session-id", &session);
            let modern = ask.clone().header("mcp-protocol-version", MODERN);
            for ask in [ask, named, modern] {
                let answer = runtime.block_on(ask.send());
                prop_assert!(answer.status < 500, "{:?}", answer);
                prop_assert!(answer.status == 202 || is_message(&answer), "{:?}", answer);
            }
        }
        Ok(())
    });
    tried.unwrap();
    runtime.block_on(async {
        let params = json!({ "name": "about_fixture", "arguments": {} });
        servers[0].modern(1, "tools/call", params).send().await.result();
    });
}

fn is_message(answer: &Answer) -> bool {
    !answer.is_json()
        || serde_json::from_slice::<Value>(&answer.body)
            .is_ok_and(|body| body.is_array() || body["jsonrpc"] == "2.0")
}

#[test]
fn arbitrary_bytes() {
    never_fails(60, vec(any::<u8>(), 0..400));
}

#[test]
fn arbitrary_json() {
    never_fails(60, any_json().prop_map(|value| value.to_string().into_bytes()));
}

#[test]
fn envelopes_with_arbitrary_parts() {
    let id = prop_oneof![
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,300}".prop_map(Value::from),
        Just(json!("9".repeat(5000))),
        any_json(),
    ];
    let method = prop_oneof![
        Just("tools/call"),
        Just("tools/list"),
        Just("initialize"),
        Just("resources/read"),
        Just("prompts/get"),
        Just("completion/complete"),
        Just("logging/setLevel"),
        Just("ping"),
        Just("notifications/cancelled"),
        Just("server/discover"),
        Just("tasks/get"),
        Just(""),
    ];
    let message =
        (id, method, any_json(), any::<bool>()).prop_map(|(id, method, params, named)| {
            let mut message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
            if named {
                message["id"] = id;
            }
            message.to_string().into_bytes()
        });
    never_fails(120, message);
}

#[test]
fn json_that_is_deep_or_has_numbers_without_end() {
    let bodies = prop_oneof![
        (1usize..50_000).prop_map(|depth| "[".repeat(depth).into_bytes()),
        (1usize..20_000).prop_map(|depth| {
            let nested = format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
            wrapped(&nested, "1")
        }),
        (1usize..20_000).prop_map(|depth| {
            let nested = format!("{}1{}", r#"{"a":"#.repeat(depth), "}".repeat(depth));
            wrapped(&nested, "1")
        }),
        (1usize..10_000).prop_map(|digits| wrapped("{}", &"9".repeat(digits))),
        (1usize..10_000).prop_map(|digits| wrapped("{}", &format!("1e{digits}"))),
    ];
    never_fails(40, bodies);
}

/// A call whose arguments and id are the given text.
fn wrapped(arguments: &str, id: &str) -> Vec<u8> {
    let params = format!(r#"{{"name":"echo","arguments":{{"text":{arguments}}}}}"#);
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#).into_bytes()
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,40}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        let key = prop_oneof![
            Just("name".to_owned()),
            Just("arguments".to_owned()),
            Just("_meta".to_owned()),
            Just("uri".to_owned()),
            Just("cursor".to_owned()),
            Just("protocolVersion".to_owned()),
            Just("progressToken".to_owned()),
            Just("requestId".to_owned()),
            ".{0,12}",
        ];
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            vec((key, inner), 0..6).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}
