//! Sections 5.2 to 5.4: what can be listed and read.

use serde_json::{Value, json};

use super::bed::{own_port, text_of};

const SHOP: &str = "malloy://project/home/package/shop";

// spec: publisher, "Defined MCP resource schemas (Project, Package, Model, Source, View, Query, Notebook) using malloy:// URIs."
#[tokio::test]
async fn the_eight_templates_are_listed_by_name() {
    let bed = own_port().await;
    let answer = bed.client.ask("resources/templates/list", json!({})).await;
    let templates = answer["result"]["resourceTemplates"].as_array().unwrap();
    let listed: Vec<_> = templates
        .iter()
        .map(|one| (one["name"].as_str().unwrap(), one["uriTemplate"].as_str().unwrap()))
        .collect();
    assert_eq!(listed, publisher_core::uri::TEMPLATES);
    for template in templates {
        assert_eq!(template["mimeType"], "application/json");
        assert!(template["description"].as_str().unwrap().len() > 40);
    }
}

// spec: publisher, "Implemented ListResources … to list packages across all known projects."
#[tokio::test]
async fn every_package_of_every_project_is_listed_with_its_own_words() {
    let bed = own_port().await;
    for params in [json!({}), json!({"uri": "malloy://project/home"})] {
        let answer = bed.client.ask("resources/list", params).await;
        let resources = answer["result"]["resources"].as_array().unwrap();
        let uris: Vec<_> = resources.iter().map(|one| one["uri"].as_str().unwrap()).collect();
        assert_eq!(
            uris,
            ["malloy://project/home/package/ruined", SHOP, "malloy://project/other/package/little"]
        );
        for resource in resources {
            assert_eq!(
                (&resource["type"], &resource["mimeType"]),
                (&json!("package"), &json!("application/json"))
            );
            for member in ["description", "usage"] {
                assert!(!resource["metadata"][member].as_str().unwrap().is_empty());
            }
        }
        assert_eq!(
            (&resources[1]["name"], &resources[1]["description"]),
            (&json!("shop"), &json!("A small shop."))
        );
        assert!(
            resources[0]["description"].as_str().unwrap().starts_with("Unable to load package: ")
        );
    }
}

/// What a resource is, and how the answer is wrapped.
async fn read(client: &super::bed::Client, uri: &str) -> Value {
    let answer = client.read(uri).await;
    let contents = &answer["result"]["contents"][0];
    assert_eq!(contents["uri"], uri, "{answer}");
    let json = json!("application/json");
    assert_eq!((&contents["type"], &contents["mimeType"]), (&json, &json));
    assert_eq!(answer["result"].get("isError"), None, "{answer}");
    let text = text_of(&answer);
    for member in ["description", "usage"] {
        assert!(!text["metadata"][member].as_str().unwrap().is_empty());
    }
    text
}

// spec: publisher, "Formatted standard GetResource responses … to include definition and metadata".
#[tokio::test]
async fn each_kind_of_resource_has_a_definition_and_says_what_it_is() {
    let bed = own_port().await;
    let client = &bed.client;
    assert_eq!(read(client, "malloy://project/home").await["definition"], json!({"name": "home"}));
    assert_eq!(
        read(client, SHOP).await["definition"],
        json!({"name": "shop", "description": "A small shop.",
            "resource": "/api/v0/projects/home/packages/shop"})
    );
    let model = read(client, &format!("{SHOP}/models/shop.malloy")).await["definition"].clone();
    assert_eq!((&model["type"], &model["packageName"]), (&json!("source"), &json!("shop")));
    assert_eq!(model["modelPath"], "shop.malloy");
    let names: Vec<_> =
        model["sources"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["orders", "customers"]);
    assert_eq!(model["queries"][0]["name"], "biggest");
    for member in ["modelDef", "dataStyles", "modelInfo"] {
        serde_json::from_str::<Value>(model[member].as_str().unwrap()).unwrap();
    }

    let text = read(client, &format!("{SHOP}/models/shop.malloy/sources/orders")).await;
    assert!(
        text["metadata"]["description"]
            .as_str()
            .unwrap()
            .starts_with("Represents a table or dataset")
    );
    let source = &text["definition"];
    assert_eq!(source["name"], "orders");
    assert_eq!(source["annotations"], json!(["#\" Orders of the shop.\n"]));
    // Views that do not group are runnable, and left out of lists.
    assert_eq!(source["views"], json!([{"name": "by_customer", "annotations": ["# bar_chart\n"]}]));
    let fields: Vec<_> =
        source["fields"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert!(fields.contains(&&json!("amount")) && fields.contains(&&json!("total")), "{fields:?}");

    let view =
        read(client, &format!("{SHOP}/models/shop.malloy/sources/orders/views/by_customer")).await;
    let view = &view["definition"];
    assert_eq!(
        (&view["name"], &view["annotations"]),
        (&json!("by_customer"), &json!(["# bar_chart\n"]))
    );
    assert!(view["code"].as_str().unwrap().contains("group_by: customer"), "{view}");
    let fields: Vec<_> =
        view["fields"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(fields, ["customer", "order_count", "total"]);

    // [FIX]: a query is looked up among queries.
    let query = read(client, &format!("{SHOP}/models/shop.malloy/queries/biggest")).await;
    let query = &query["definition"];
    assert_eq!(
        (&query["name"], &query["annotations"]),
        (&json!("biggest"), &json!(["# line_chart\n"]))
    );

    let notebook = read(client, &format!("{SHOP}/notebooks/story.malloynb")).await;
    assert!(notebook["metadata"]["description"].as_str().unwrap().contains("interactive document"));
    let cells = notebook["definition"]["notebookCells"].as_array().unwrap();
    let kinds: Vec<_> = cells.iter().map(|cell| &cell["type"]).collect();
    assert_eq!(kinds, ["markdown", "code", "code"]);
    assert_eq!(cells[0]["text"], "# A story");
    let result: Value = serde_json::from_str(cells[2]["queryResult"].as_str().unwrap()).unwrap();
    assert_eq!(result["result"][0]["customer"], "Ada");
}

// spec: publisher, "a direct application/json response containing an array of { uri, metadata } for resources within the package".
#[tokio::test]
async fn the_contents_of_a_package_are_addresses_that_can_all_be_read() {
    let bed = own_port().await;
    let contents = bed.client.text(&format!("{SHOP}/contents")).await;
    let entries = contents.as_array().expect("an array without a wrapper");
    let uris: Vec<_> = entries.iter().map(|entry| entry["uri"].as_str().unwrap()).collect();
    for uri in [
        "notebooks/story.malloynb",
        "sources/shop.malloy",
        "models/shop.malloy/views/names",
        "models/shop.malloy",
        "models/shop.malloy/sources/orders",
        "models/shop.malloy/sources/orders/views/by_customer",
        "models/shop.malloy/queries/biggest",
        "sources/sub%2Fdeep.malloy",
        "models/sub%2Fdeep.malloy/sources/deep/views/one",
        // A file that does not compile is there all the same.
        "sources/broken.malloy",
    ] {
        assert!(uris.contains(&&*format!("{SHOP}/{uri}")), "{uri} is not among {uris:#?}");
    }
    let source = entries.iter().find(|entry| entry["uri"] == format!("{SHOP}/sources/shop.malloy"));
    let about = source.unwrap()["metadata"]["description"].as_str().unwrap();
    assert!(about.starts_with("Represents a table or dataset"));
    for uri in &uris {
        let answer = bed.client.read(uri).await;
        let failed = answer["result"]["isError"] == true;
        let about_it =
            uri.contains("broken.malloy") || uri.ends_with("shop.malloy/views/by_customer");
        assert_eq!(failed, about_it, "{uri}: {answer}");
        assert_eq!(answer.get("error"), None, "{uri} matches a template");
    }
}

// [FIX] of 5.4: an old address of a view is resolved where one source has it, and otherwise names the candidates.
#[tokio::test]
async fn old_addresses_are_read() {
    let bed = own_port().await;
    let view = bed.client.definition(&format!("{SHOP}/models/shop.malloy/views/names")).await;
    assert_eq!((&view["name"], &view["source"]), (&json!("names"), &json!("customers")));
    let model = bed.client.definition(&format!("{SHOP}/sources/shop.malloy")).await;
    assert_eq!(model["modelPath"], "shop.malloy");
    let several = bed.client.read(&format!("{SHOP}/models/shop.malloy/views/by_customer")).await;
    assert_eq!(several["result"]["isError"], true);
    let text = several["result"]["contents"][0]["text"].as_str().unwrap();
    assert!(
        text.contains("orders/views/by_customer") && text.contains("customers/views/by_customer")
    );
}

// [FIX] of 5.2: names are decoded, and a nested model may be written with plain slashes.
#[tokio::test]
async fn a_model_in_a_folder_is_read_by_either_spelling() {
    let bed = own_port().await;
    for path in ["sub%2Fdeep.malloy", "sub/deep.malloy"] {
        let model = bed.client.definition(&format!("{SHOP}/models/{path}")).await;
        assert_eq!(model["modelPath"], "sub/deep.malloy");
        let source = bed.client.definition(&format!("{SHOP}/models/{path}/sources/deep")).await;
        assert_eq!(source["name"], "deep");
    }
    assert_eq!(bed.client.definition("MALLOY://project/home").await["name"], "home");
}

#[tokio::test]
async fn variables_of_templates_are_completed() {
    let bed = own_port().await;
    let complete = async |variable: &str, typed: &str| {
        let answer = bed
            .client
            .ask(
                "completion/complete",
                json!({"ref": {"type": "ref/resource", "uri": publisher_core::uri::TEMPLATES[6].1},
                    "argument": {"name": variable, "value": typed}}),
            )
            .await;
        answer["result"]["completion"]["values"].clone()
    };
    assert_eq!(complete("projectName", "").await, json!(["home", "other"]));
    assert_eq!(complete("packageName", "s").await, json!(["shop"]));
    assert_eq!(complete("modelPath", "su").await, json!(["sub/deep.malloy"]));
    assert_eq!(complete("sourceName", "o").await, json!(["orders"]));
    assert_eq!(complete("viewName", "by").await, json!(["by_customer"]));
}

// spec: publisher, 5.3: "A project that cannot be listed contributes nothing; a failure to list projects gives an empty list".
#[tokio::test]
async fn a_project_that_cannot_be_listed_contributes_nothing() {
    let bed = own_port().await;
    std::fs::remove_dir_all(bed.root.dir.path().join("other")).unwrap();
    let listed = async || {
        let answer = bed.client.ask("resources/list", json!({})).await;
        let all = answer["result"]["resources"].as_array().unwrap().clone();
        all.iter().map(|one| one["uri"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(listed().await, ["malloy://project/home/package/ruined", SHOP]);
    std::fs::remove_dir_all(bed.root.dir.path().join("home")).unwrap();
    assert_eq!(listed().await, [""; 0]);
}
