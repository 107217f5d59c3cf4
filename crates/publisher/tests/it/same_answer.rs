//! One question, asked by way of REST and of the command line: the same rows, the same error.

use http::Method;
use serde_json::{Value, json};

use crate::{
    commands::typed,
    rest::shop,
    world::{World, parsed},
};

const MODEL: &str = "/api/v0/projects/home/packages/shop/models/shop.malloy";

/// What the command line prints as JSON, with its exit code.
fn from_terminal(world: &World, words: &[&str]) -> (String, Value) {
    let root = &world.root;
    let words: Vec<&str> =
        ["query", "shop/shop.malloy"].iter().chain(words).chain(&["--json"]).copied().collect();
    let printed = typed(root, &words);
    let (exit, rest) = printed.split_once('\n').unwrap();
    let mut values = serde_json::Deserializer::from_str(rest).into_iter();
    (exit.to_owned(), values.next().unwrap().unwrap())
}

async fn from_rest(world: &World, asked: Value) -> (u16, Value) {
    let (status, answer) = world.send_json(Method::POST, &format!("{MODEL}/query"), &asked).await;
    (status.as_u16(), answer)
}

// spec: publisher 9.1, all surfaces give the same answer and the same error.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_rows_come_over_rest_and_in_a_terminal() {
    let world = World::on(shop());
    let questions = [
        (
            json!({"query": "run: sales -> by_kind", "compactJson": true}),
            vec!["run: sales -> by_kind"],
        ),
        (
            json!({"sourceName": "sales", "queryName": "listed", "compactJson": true, "rowLimit": 2}),
            vec!["--source", "sales", "--name", "listed", "--limit", "2"],
        ),
        (
            json!({"sourceName": "sales", "queryName": "large", "compactJson": true, "givens": {"LEAST": 30}}),
            vec!["--source", "sales", "--name", "large", "--given", "LEAST=30"],
        ),
    ];
    for (asked, words) in questions {
        let (status, answer) = from_rest(&world, asked).await;
        assert_eq!(status, 200, "{answer}");
        let (exit, shown) = tokio::task::block_in_place(|| from_terminal(&world, &words));
        assert_eq!(exit, "exit 0");
        assert_eq!(parsed(&answer["result"]), shown["rows"], "{words:?}");
        assert_eq!(answer["sql"], shown["sql"], "{words:?}");
        assert_eq!(answer["limitHit"], shown["limitHit"], "{words:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_errors_come_over_rest_and_in_a_terminal() {
    let world = World::on(shop());
    let questions = [
        (json!({"query": "run: sales -> by_knid"}), vec!["run: sales -> by_knid"]),
        (
            json!({"sourceName": "sales", "queryName": "by_knid"}),
            vec!["--source", "sales", "--name", "by_knid"],
        ),
        (json!({"queryName": "by_kind"}), vec!["--name", "by_kind"]),
    ];
    for (asked, words) in questions {
        let (status, answer) = from_rest(&world, asked).await;
        let (exit, shown) = tokio::task::block_in_place(|| from_terminal(&world, &words));
        assert_eq!(exit, "exit 1");
        assert_eq!(shown["code"], status, "{words:?}");
        for member in ["code", "message", "suggestions", "hint"] {
            assert_eq!(answer[member], shown[member], "{member} of {words:?}");
        }
    }
}
