//! Section 5.8: prompts that come with the schema they need.

use serde_json::{Value, json};

use super::bed::own_port;

const MODEL: &str = "malloy://project/home/package/shop/models/shop.malloy";

#[tokio::test]
async fn the_four_prompts_are_listed_with_their_arguments() {
    let bed = own_port().await;
    let answer = bed.client.ask("prompts/list", json!({})).await;
    let arguments = |prompt: &Value| -> Vec<(String, bool)> {
        let all = prompt["arguments"].as_array().unwrap().iter();
        all.map(|one| (one["name"].as_str().unwrap().to_owned(), one["required"] == true)).collect()
    };
    let listed: Vec<_> = answer["result"]["prompts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|prompt| (prompt["name"].as_str().unwrap(), arguments(prompt)))
        .collect();
    let named = |name: &str, required: bool| (name.to_owned(), required);
    assert_eq!(
        listed,
        [
            (
                "explain-malloy-query@1.0.0",
                vec![named("query_code", true), named("model_context_uri", false)]
            ),
            (
                "generate-malloy-query-from-description@1.0.0",
                vec![
                    named("natural_language_goal", true),
                    named("target_model_uri", true),
                    named("data_source_hints", false)
                ]
            ),
            ("summarize-malloy-model@1.0.0", vec![named("model_uri", true)]),
            (
                "translate-sql-to-malloy@1.0.0",
                vec![
                    named("sql_query", true),
                    named("target_model_uri", true),
                    named("sql_dialect", false)
                ]
            ),
        ]
    );
}

#[tokio::test]
async fn each_is_one_message_of_the_user_with_the_input_and_the_schema() {
    let bed = own_port().await;
    for (name, arguments, input) in [
        (
            "explain-malloy-query@1.0.0",
            json!({"query_code": "run: orders -> by_customer", "model_context_uri": MODEL}),
            "run: orders -> by_customer",
        ),
        (
            "generate-malloy-query-from-description@1.0.0",
            json!({"natural_language_goal": "who pays most", "target_model_uri": MODEL}),
            "who pays most",
        ),
        (
            "translate-sql-to-malloy@1.0.0",
            json!({"sql_query": "select 1", "target_model_uri": MODEL, "sql_dialect": "DuckDB"}),
            "select 1",
        ),
        ("summarize-malloy-model@1.0.0", json!({"model_uri": MODEL}), "Summarize"),
    ] {
        let answer =
            bed.client.ask("prompts/get", json!({"name": name, "arguments": arguments})).await;
        let messages =
            answer["result"]["messages"].as_array().unwrap_or_else(|| panic!("{answer}"));
        assert_eq!((messages.len(), &messages[0]["role"]), (1, &json!("user")));
        let text = messages[0]["content"]["text"].as_str().unwrap();
        assert!(text.contains(input), "{name}: {text}");
        for part in [
            "source: orders",
            "measure total: number -- What was paid.",
            "view by_customer",
            "query: biggest",
        ] {
            assert!(text.contains(part), "{name} lacks {part}: {text}");
        }
    }
    let alone =
        json!({"name": "explain-malloy-query@1.0.0", "arguments": {"query_code": "run: x"}});
    let answer = bed.client.ask("prompts/get", alone).await;
    assert!(
        answer["result"]["messages"][0]["content"]["text"].as_str().unwrap().contains("run: x")
    );
}

#[tokio::test]
async fn an_address_of_no_model_is_refused() {
    let bed = own_port().await;
    for uri in [
        "nonsense",
        "malloy://project/home",
        "malloy://project/home/package/shop/notebooks/story.malloynb",
    ] {
        let ask = json!({"name": "summarize-malloy-model@1.0.0", "arguments": {"model_uri": uri}});
        let answer = bed.client.ask("prompts/get", ask).await;
        assert_eq!(answer["error"]["code"], -32602);
        assert_eq!(answer["error"]["message"], format!("Invalid Malloy URI: {uri}"));
    }
    let missing = format!("{MODEL}x");
    let ask = json!({"name": "summarize-malloy-model@1.0.0", "arguments": {"model_uri": missing}});
    let answer = bed.client.ask("prompts/get", ask).await;
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(message.starts_with(&format!("Invalid Malloy URI: {missing}")), "{message}");
}
