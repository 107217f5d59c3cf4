//! Section 5.9: looking around, checking, reloading.

use serde_json::{Value, json};

use super::bed::{SHOP, own_port};

// The definitions are what agents rely on, and what they pay for with every conversation.
#[tokio::test]
async fn the_tools() {
    let bed = own_port().await;
    let list = bed.client.ask("tools/list", json!({})).await;
    let tools = list["result"]["tools"].as_array().unwrap();
    for tool in tools {
        for hint in ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(tool["annotations"][hint].is_boolean(), "{}: {hint}", tool["name"]);
        }
        let properties = tool["inputSchema"]["properties"].as_object();
        for (name, property) in properties.into_iter().flatten() {
            assert!(property["description"].is_string(), "{}: {name}", tool["name"]);
        }
        assert_eq!(tool["inputSchema"]["additionalProperties"], false, "{}", tool["name"]);
    }
    let size = list["result"].to_string().len();
    assert!(size < 12_000, "{size} bytes of definitions");
    insta::assert_json_snapshot!(tools);
}

#[tokio::test]
async fn projects_packages_models_and_texts_are_found_level_by_level() {
    let bed = own_port().await;
    let projects = bed.client.found("malloy_projectList", json!({})).await;
    assert_eq!(
        projects[0],
        json!({"name": "home", "type": "project", "description": "Everything of the shop."})
    );
    assert_eq!(projects[1]["name"], "other");
    let packages = bed.client.found("malloy_packageList", json!({"projectName": "home"})).await;
    assert_eq!(
        packages[1],
        json!({"name": "shop", "type": "package", "description": "A small shop."})
    );
    let shop = json!({"projectName": "home", "packageName": "shop"});
    let models = bed.client.found("malloy_packageGet", shop).await;
    let names: Vec<_> = models.as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["broken.malloy", "shop.malloy", "story.malloynb", "sub/deep.malloy"]);
    assert_eq!(models[1], json!({"name": "shop.malloy", "type": "model"}));
    let model = json!({"projectName": "home", "packageName": "shop", "modelPath": "shop.malloy"});
    let text = bed.client.call("malloy_modelGetText", model).await;
    assert_eq!(text["result"]["content"][0]["text"], SHOP);
    let missing = bed
        .client
        .call("malloy_packageGet", json!({"projectName": "hom", "packageName": "shop"}))
        .await;
    assert_eq!(missing["result"]["isError"], true);
    let said = missing["result"]["content"][0]["text"].as_str().unwrap();
    assert!(said.contains("project 'hom'") && said.contains("Did you mean 'home'?"), "{said}");
}

async fn context(client: &super::bed::Client, arguments: Value) -> Vec<(String, String)> {
    let answer = client.found("malloy_getContext", arguments).await;
    let item = |item: &Value| {
        let text = |name: &str| item[name].as_str().unwrap_or_default().to_owned();
        (text("kind"), text("name"))
    };
    answer["items"].as_array().unwrap().iter().map(item).collect()
}

fn pair(kind: &str, name: &str) -> (String, String) {
    (kind.to_owned(), name.to_owned())
}

#[tokio::test]
async fn a_question_finds_what_to_ask() {
    let bed = own_port().await;
    let found =
        bed.client.found("malloy_getContext", json!({"query": "what was paid per customer"})).await;
    let first = &found["items"][0];
    assert!(["by_customer", "total"].contains(&first["name"].as_str().unwrap()), "{found}");
    assert_eq!(first["modelPath"], "shop.malloy");
    assert_eq!((&first["environment"], &first["package"]), (&json!("home"), &json!("shop")));
    assert!(first["score"].as_f64().unwrap() > 0.0);
    let total =
        found["items"].as_array().unwrap().iter().find(|one| one["name"] == "total").unwrap();
    assert_eq!(total["doc"], "What was paid.");
    assert_eq!(
        (&total["kind"], &total["source"], &total["type"]),
        (&json!("measure"), &json!("orders"), &json!("number"))
    );
    let nothing = bed.client.found("malloy_getContext", json!({"query": "zeppelin"})).await;
    assert_eq!(nothing["items"], json!([]));
    assert!(nothing["hint"].as_str().unwrap().contains("try others"));
    let one = bed.client.found("malloy_getContext", json!({"query": "customer", "limit": 1})).await;
    assert_eq!(one["items"].as_array().unwrap().len(), 1);
    assert!(one["total"].as_u64().unwrap() > 1 && one["hint"].is_string());
}

#[tokio::test]
async fn without_a_question_what_there_is_is_listed_level_by_level() {
    let bed = own_port().await;
    assert_eq!(
        context(&bed.client, json!({})).await,
        [pair("environment", "home"), pair("environment", "other")]
    );
    assert_eq!(
        context(&bed.client, json!({"environmentName": "home"})).await,
        [pair("package", "ruined"), pair("package", "shop")]
    );
    let shop = context(&bed.client, json!({"projectName": "home", "packageName": "shop"})).await;
    assert_eq!(
        shop,
        [
            pair("source", "orders"),
            pair("source", "customers"),
            pair("query", "biggest"),
            pair("source", "deep")
        ]
    );
    let of_source =
        json!({"projectName": "home", "packageName": "shop", "sourceName": "customers"});
    let customers = context(&bed.client, of_source).await;
    assert!(
        customers.contains(&pair("view", "names"))
            && customers.contains(&pair("measure", "customer_count"))
    );
    assert!(!customers.contains(&pair("measure", "order_count")));
    let missing = bed
        .client
        .call("malloy_getContext", json!({"packageName": "shop", "sourceName": "ordrs"}))
        .await;
    assert_eq!(missing["result"]["isError"], true);
    assert!(missing.to_string().contains("orders"), "{missing}");
}

#[tokio::test]
async fn a_text_is_checked_without_being_run() {
    let bed = own_port().await;
    let check = async |source: &str, scope: &str| {
        let arguments = json!({"projectName": "home", "packageName": "shop",
            "modelPath": "shop.malloy", "source": source, "scope": scope, "includeSql": true});
        bed.client.call("malloy_compile", arguments).await["result"]["structuredContent"].clone()
    };
    let fine = check("run: orders -> by_customer", "append").await;
    assert_eq!((&fine["status"], &fine["problems"]), (&json!("success"), &json!([])));
    assert!(fine["sql"].as_str().unwrap().contains("GROUP BY"));
    let wrong = check("run: orders -> {\n  group_by: custmer\n}", "append").await;
    assert_eq!(wrong["status"], "error");
    let problem = &wrong["problems"][0];
    assert_eq!((&problem["severity"], &problem["model"]), (&json!("error"), &json!("shop.malloy")));
    assert_eq!(problem["at"]["range"]["start"], json!({"line": 1, "character": 12}));
    assert_eq!(check("source: x is nothing", "file").await["status"], "error");
    assert!(bed.service.history(1).is_empty(), "nothing was run");
}

#[tokio::test]
async fn an_edit_is_taken_up_and_a_bad_one_leaves_what_was() {
    let bed = own_port().await;
    let shop = json!({"projectName": "home", "packageName": "shop"});
    let count = json!({"projectName": "home", "packageName": "shop", "modelPath": "shop.malloy",
        "query": "run: orders -> { aggregate: order_count }"});
    bed.client.found("malloy_packageGet", shop.clone()).await;
    bed.root.write("home/shop/shop.malloy", &SHOP.replace("biggest", "largest"));
    bed.client.found("malloy_reloadPackage", shop.clone()).await;
    let queries = context(&bed.client, shop.clone()).await;
    assert!(queries.contains(&pair("query", "largest")), "{queries:?}");

    bed.root.write("home/shop/shop.malloy", "source: orders is nonsense\n");
    let reloaded = bed.client.found("malloy_reloadPackage", shop).await;
    assert_eq!((&reloaded["status"], &reloaded["name"]), (&json!("stale"), &json!("shop")));
    let problems = reloaded["problems"].as_array().unwrap();
    assert!(problems.iter().any(|one| one["model"] == "shop.malloy" && one["severity"] == "error"));
    let answer = bed.client.call("malloy/executeQuery", count).await;
    assert_eq!(answer["result"]["isError"], false, "what compiled before keeps serving");
    let text = answer["result"]["content"][0]["resource"]["text"].as_str().unwrap();
    assert!(text.contains("\"stale\":"), "and says so: {text}");
    let status = bed.client.found("malloy_getStatus", json!({})).await;
    let errors = status["loadErrors"].as_array().unwrap();
    assert!(
        errors.iter().any(|one| one["modelPath"] == "shop.malloy" && one["stale"] == true),
        "{status}"
    );
    assert_eq!(status["projects"], json!(["home", "other"]));
    assert!(status["packages"].as_array().unwrap().iter().any(|one| one["package"] == "shop"));
}

#[tokio::test]
async fn tables_that_nobody_modelled_are_found_with_a_line_to_begin_with() {
    let bed = own_port().await;
    let arguments = json!({"projectName": "home", "packageName": "shop", "searchQuery": "city"});
    let found = bed.client.found("malloy_searchDatabaseSchema", arguments).await;
    assert_eq!(found["total"], 1, "{found}");
    let table = &found["tables"][0];
    assert_eq!(table["source"], "source: customers is duckdb.table('data/customers.csv')");
    assert_eq!(table["rowCount"], 2);
    let columns: Vec<_> =
        table["columns"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(columns, ["name", "city"]);
    let named = json!({"projectName": "home", "packageName": "shop", "tableName": "orders"});
    let found = bed.client.found("malloy_searchDatabaseSchema", named).await;
    assert_eq!(found["tables"][0]["table"], "data/orders.csv");
}

#[tokio::test]
async fn the_language_is_explained() {
    let bed = own_port().await;
    let found = bed.client.found("malloy_searchDocs", json!({"query": "nest", "limit": 1})).await;
    assert_eq!(found["passages"][0]["title"], "Nesting");
    assert!(found["passages"][0]["text"].as_str().unwrap().contains("nest:"));
}

#[tokio::test]
async fn unknown_arguments_of_the_newer_tools_are_named() {
    let bed = own_port().await;
    let answer = bed.client.call("malloy_getContext", json!({"quary": "x"})).await;
    assert_eq!(answer["error"]["code"], -32602);
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("did you mean `query`"),
        "{answer}"
    );
}
