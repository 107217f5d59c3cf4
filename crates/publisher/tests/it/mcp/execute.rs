//! Section 5.6: asking.

use kit_mcp::{Mode, Names};
use serde_json::{Value, json};

use super::bed::{Client, bed, own_port};

const TOOL: &str = "malloy/executeQuery";
const MODEL: &str = "malloy://project/home/package/shop/models/shop.malloy";

fn on_shop(more: &Value) -> Value {
    let mut arguments =
        json!({"projectName": "home", "packageName": "shop", "modelPath": "shop.malloy"});
    arguments.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    arguments
}

/// The JSON in a block of an answer.
fn block(answer: &Value, place: usize) -> Value {
    let block = &answer["result"]["content"][place];
    assert_eq!(block["type"], "resource", "{answer}");
    let resource = &block["resource"];
    let json = json!("application/json");
    assert_eq!((&resource["type"], &resource["mimeType"]), (&json, &json));
    serde_json::from_str(resource["text"].as_str().unwrap()).unwrap()
}

async fn rows(client: &Client, more: Value) -> Value {
    let answer = client.call(TOOL, on_shop(&more)).await;
    assert_eq!(answer["result"]["isError"], false, "{answer}");
    block(&answer, 0)["result"].clone()
}

// spec: publisher, "Returns three application/json resource blocks on success."
#[tokio::test]
async fn an_answer_has_three_blocks() {
    let bed = own_port().await;
    let answer =
        bed.client.call(TOOL, on_shop(&json!({"query": "run: orders -> by_customer"}))).await;
    assert_eq!(answer["result"]["isError"], false);
    let blocks = answer["result"]["content"].as_array().unwrap();
    let uris: Vec<_> =
        blocks.iter().map(|block| block["resource"]["uri"].as_str().unwrap()).collect();
    assert_eq!(
        uris,
        ["queryResult", "modelDef", "dataStyles"].map(|part| format!("{MODEL}#{part}"))
    );
    let result = block(&answer, 0);
    assert_eq!(
        result["result"],
        json!([{"customer": "Ada", "order_count": 2, "total": 17},
            {"customer": "Bob", "order_count": 1, "total": 5}])
    );
    assert_eq!(result["totalRows"], 2);
    assert_eq!((&result["rowLimit"], &result["limitHit"]), (&json!(1000), &json!(false)));
    assert!(result["sql"].as_str().unwrap().contains("GROUP BY"));
    let definition = block(&answer, 1);
    assert_eq!(definition["exports"], json!(["orders", "customers", "biggest"]));
    assert_eq!(definition["contents"]["orders"]["type"], "source");
    assert_eq!(block(&answer, 2), json!({}));
    for uri in uris {
        assert_eq!(
            bed.client.definition(uri).await["modelPath"],
            "shop.malloy",
            "{uri} is readable"
        );
    }
}

// spec: publisher, "Execute existing and ad-hoc Malloy queries via an MCP Tool."
#[tokio::test]
async fn texts_views_and_named_queries_are_run() {
    let bed = own_port().await;
    let by_customer = rows(&bed.client, json!({"query": "run: orders -> by_customer"})).await;
    let view = json!({"sourceName": "orders", "queryName": "by_customer"});
    assert_eq!(rows(&bed.client, view).await, by_customer);
    assert_eq!(
        rows(&bed.client, json!({"queryName": "biggest"})).await,
        json!([{"customer": "Ada", "total": 17}])
    );
    // Empty texts count as absent, a source beside a text is passed over, and so is what nobody knows.
    let tolerated = json!({"query": "run: orders -> by_customer", "sourceName": "nobody",
        "queryName": "", "filterParams": {}, "anything": 1});
    assert_eq!(rows(&bed.client, tolerated).await, by_customer);
    let newer = json!({"environmentName": "home", "packageName": "shop",
        "modelPath": "shop.malloy", "query": "run: orders -> by_customer"});
    assert_eq!(bed.client.call(TOOL, newer).await["result"]["isError"], false);
    let nested = rows(
        &bed.client,
        json!({"query": "run: orders -> { group_by: customer order_by: customer nest: dates is { group_by: sold order_by: sold } }"}),
    )
    .await;
    assert_eq!(nested[1]["dates"], json!([{"sold": "2024-02-04T00:00:00.000Z"}]));
}

// spec: publisher, "Protocol Errors (Invalid Tool Params - e.g., missing modelPath): … Client promise is rejected".
#[tokio::test]
async fn missing_and_mistyped_arguments_are_protocol_errors_that_name_them() {
    let bed = own_port().await;
    for name in ["projectName", "packageName", "modelPath"] {
        let mut arguments = on_shop(&json!({"query": "run: orders -> by_customer"}));
        arguments[name] = json!(7);
        let mistyped = bed.client.call(TOOL, arguments.clone()).await;
        arguments.as_object_mut().unwrap().remove(name);
        let missing = bed.client.call(TOOL, arguments).await;
        for answer in [mistyped, missing] {
            assert_eq!(answer["error"]["code"], -32602, "{answer}");
            assert!(answer["error"]["message"].as_str().unwrap().contains(name), "{answer}");
        }
    }
    let mistyped = bed.client.call(TOOL, on_shop(&json!({"query": ["run: orders"]}))).await;
    assert!(mistyped["error"]["message"].as_str().unwrap().contains("`query`"), "{mistyped}");
    let unknown = bed.client.call("malloy/nothing", json!({})).await;
    assert_eq!(unknown["error"]["code"], -32602);
    assert_eq!(unknown["error"]["message"], "Tool malloy/nothing not found");
}

// spec: publisher, "conflicting query/queryName: … Client promise resolves with { isError: true, content: [...] }".
#[tokio::test]
async fn conflicting_arguments_resolve_before_any_model_is_looked_up() {
    let bed = own_port().await;
    let either =
        "MCP error -32602: Either 'query' or both 'sourceName' and 'queryName' must be provided";
    for (more, words) in [
        (
            json!({"query": "run: x", "queryName": "y"}),
            "MCP error -32602: Cannot provide both 'query' and 'queryName'",
        ),
        (json!({}), either),
        (json!({"sourceName": "orders"}), either),
        (json!({"query": "", "queryName": ""}), either),
    ] {
        let mut arguments = on_shop(&more);
        arguments["projectName"] = json!("nowhere");
        let answer = bed.client.call(TOOL, arguments).await;
        assert_eq!(
            answer["result"],
            json!({"content": [{"type": "text", "text": words}], "isError": true})
        );
    }
}

/// What a failed query says, and the address of its block.
async fn failed(client: &Client, arguments: Value) -> (String, Value) {
    let answer = client.call(TOOL, arguments).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let content = answer["result"]["content"].as_array().unwrap();
    let resources = content.iter().filter(|block| block["type"] == "resource").count();
    assert_eq!((resources, content.len()), (1, 2), "one block, and its words as text");
    assert_eq!(content[1]["text"], content[0]["resource"]["text"]);
    let text = block(&answer, 0);
    assert!(!text["suggestions"].as_array().unwrap().is_empty());
    (content[0]["resource"]["uri"].as_str().unwrap().to_owned(), text)
}

// spec: publisher, "a single type: resource block … its text contains the structured JSON error { error, suggestions }".
#[tokio::test]
async fn a_model_that_cannot_be_had_is_named() {
    let bed = own_port().await;
    let query = json!({"query": "run: orders -> by_customer"});
    for (name, value, context, near) in [
        ("projectName", "hme", "project 'hme'", "home"),
        ("packageName", "shp", "package 'shp' in project 'home'", "shop"),
        (
            "modelPath",
            "shp.malloy",
            "model 'shp.malloy' in package 'shop' for project 'home'",
            "shop.malloy",
        ),
        (
            "modelPath",
            "story.malloynb",
            "model 'story.malloynb' in package 'shop' for project 'home'",
            "",
        ),
    ] {
        let mut arguments = on_shop(&query);
        arguments[name] = json!(value);
        let (uri, text) = failed(&bed.client, arguments).await;
        assert_eq!(uri, "error://executeQuery/modelAccess");
        assert_eq!(text["error"], format!("Resource not found: {context}"));
        assert!(near.is_empty() || text["suggestions"].to_string().contains(near), "{text}");
    }
    let mut arguments = on_shop(&query);
    arguments["modelPath"] = json!("broken.malloy");
    let (uri, text) = failed(&bed.client, arguments).await;
    assert_eq!(uri, "error://executeQuery/modelAccess");
    let begin = "Error during executeQuery (load model) for resource 'home/shop/broken.malloy': ";
    assert!(text["error"].as_str().unwrap().starts_with(begin), "{text}");
}

#[tokio::test]
async fn a_query_that_fails_says_where_and_what_to_do() {
    let bed = own_port().await;
    for (more, said, advised) in [
        (json!({"query": "run: orders -> { group_by: custmer }"}), "custmer", "customer"),
        (json!({"query": "run: ordrs -> by_customer"}), "ordrs", "orders"),
        (json!({"query": "run: orders -> { group_by: }}"}), "line 1", "brackets"),
        (json!({"query": "source: x is orders extend {}"}), "no queries", "run:"),
        (json!({"sourceName": "orders", "queryName": "by_custmer"}), "by_custmer", "by_customer"),
        (json!({"sourceName": "ordrs", "queryName": "x"}), "ordrs", "orders"),
        // Only a view has this name: the answer says of which sources.
        (json!({"queryName": "names"}), "names", "customers"),
        (json!({"query": "run: duckdb.sql('select 1')"}), "", "model's own sources"),
        (json!({"sourceName": "orders", "queryName": "x` -> { group_by: id } //"}), "no view", ""),
    ] {
        let (uri, text) = failed(&bed.client, on_shop(&more)).await;
        assert_eq!(uri, "error://executeQuery/queryExecution", "{more}");
        let error = text["error"].as_str().unwrap();
        let begin = "Error during executeQuery for resource 'home/shop/shop.malloy': ";
        assert!(error.starts_with(begin) && error.contains(said), "{more}: {error}");
        assert!(text["suggestions"].to_string().contains(advised), "{more}: {text}");
    }
}

#[tokio::test]
async fn the_two_later_forms_of_an_answer_and_the_short_one() {
    let bed = own_port().await;
    let ask = async |answer: &str| {
        let more = json!({"query": "run: orders -> by_customer", "answer": answer});
        bed.client.call(TOOL, on_shop(&more)).await
    };
    let result = ask("result").await;
    assert_eq!(result["result"]["content"].as_array().unwrap().len(), 1);
    assert_eq!(block(&result, 0)["result"][0]["customer"], "Ada");
    let stable = ask("stable").await;
    assert_eq!(stable["result"]["content"][0]["resource"]["uri"], format!("{MODEL}#result"));
    assert_eq!(block(&stable, 0)["data"]["kind"], "array_cell");
    let rows = ask("rows").await;
    let text = rows["result"]["content"][0]["text"].as_str().unwrap();
    assert!(text.starts_with(r#"{"rows":[{"customer":"Ada""#), "rows come first: {text}");
    let refused = ask("table").await;
    assert_eq!(refused["error"]["code"], -32602, "{refused}");
}

#[tokio::test]
async fn a_cut_is_always_stated() {
    let bed = bed(Mode::StatelessEvents, Names::Own, |config| config.default_rows = 2).await;
    let ask = async |more: Value| block(&bed.client.call(TOOL, on_shop(&more)).await, 0);
    let plain = ask(json!({"sourceName": "orders", "queryName": "plain"})).await;
    assert_eq!(plain["result"].as_array().unwrap().len(), 2);
    assert_eq!((&plain["rowLimit"], &plain["limitHit"]), (&json!(2), &json!(true)));
    let one = ask(json!({"sourceName": "orders", "queryName": "plain", "rowLimit": 1})).await;
    assert_eq!((&one["rowLimit"], &one["limitHit"]), (&json!(1), &json!(true)));
    let whole = ask(json!({"query": "run: orders -> { select: * limit: 10 }"})).await;
    assert_eq!((whole["result"].as_array().unwrap().len(), &whole["limitHit"]), (3, &json!(false)));
}

// The samples, because they are typical: an answer with its three blocks fits a context.
#[tokio::test]
async fn a_typical_answer_is_under_24_kilobytes() {
    let service = crate::helper::samples();
    let stop = tokio_util::sync::CancellationToken::new();
    for package in service.packages("home").await.unwrap() {
        let (server, _) = super::bed::server(&service, Names::Own, &stop);
        let client = super::pipes::Line::open(server);
        for model in package.models.values() {
            for source in
                model.description.sources.iter().filter(|_| model.path.ends_with(".malloy"))
            {
                let text = format!("run: {} -> {{ aggregate: n is count() }}", source.name);
                let arguments = json!({"projectName": "home", "packageName": package.name,
                    "modelPath": model.path, "query": text});
                let call = json!({"name": TOOL, "arguments": arguments});
                let answer = client.ask("tools/call", call).await;
                assert_eq!(answer["result"]["isError"], false, "{text}: {answer}");
                let size = answer.to_string().len();
                assert!(size < 24_000, "{}/{}: {size} bytes", package.name, model.path);
            }
        }
    }
    stop.cancel();
}

// [N] of 5.6: "`tools/call` must accept both … which spelling `tools/list` shows must be switchable."
#[tokio::test]
async fn both_spellings_are_called_and_either_can_be_listed() {
    for (names, listed) in [(Names::Own, TOOL), (Names::WithoutSlash, "malloy_executeQuery")] {
        let bed = bed(Mode::StatelessEvents, names, |_| {}).await;
        let list = bed.client.ask("tools/list", json!({})).await;
        assert_eq!(list["result"]["tools"][0]["name"], listed);
        let slashes = list["result"]["tools"].as_array().unwrap().iter();
        let slashes = slashes.filter(|tool| tool["name"].as_str().unwrap().contains('/')).count();
        assert_eq!(slashes, usize::from(names == Names::Own));
        for name in [TOOL, "malloy_executeQuery"] {
            let answer = bed.client.call(name, on_shop(&json!({"queryName": "biggest"}))).await;
            assert_eq!(answer["result"]["isError"], false, "{name}");
        }
    }
}

#[tokio::test]
async fn what_agents_ask_is_remembered_for_everybody() {
    let bed = own_port().await;
    rows(&bed.client, json!({"queryName": "biggest"})).await;
    let past = bed.service.history(1);
    assert_eq!(past[0].surface, publisher::Surface::Mcp);
    assert_eq!((past[0].model_path.as_str(), past[0].rows), ("shop.malloy", 1));
}

// spec: publisher, 5.6: "[E] `queryName` without `sourceName` is legal …; if the name is only a view … say which source has it".
#[tokio::test]
async fn a_view_asked_for_as_a_query_is_told_whose_it_is() {
    let bed = own_port().await;
    let answer = bed.client.call(TOOL, on_shop(&json!({"queryName": "names"}))).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let text = block(&answer, 0).to_string();
    assert!(text.contains("customers"), "{text}");
}

// spec: publisher, 4.1: "Text with definitions but no final query is an error".
#[tokio::test]
async fn a_text_without_a_query_says_that_there_is_none() {
    let bed = own_port().await;
    let text = "source: more is orders extend { dimension: twice is amount * 2 }";
    let answer = bed.client.call(TOOL, on_shop(&json!({"query": text}))).await;
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let error = block(&answer, 0)["error"].as_str().unwrap().to_lowercase();
    assert!(error.contains("quer"), "{error}");
    assert_eq!(
        answer["result"]["content"][0]["resource"]["uri"],
        "error://executeQuery/queryExecution"
    );
}
