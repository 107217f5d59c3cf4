//! Section 5.5: what cannot be read.

use serde_json::{Value, json};

use super::bed::{own_port, text_of};

const SHOP: &str = "malloy://project/home/package/shop";

// spec: publisher, 5.5: what matches no template, or is no URI, rejects.
#[tokio::test]
async fn an_address_of_no_known_form_is_a_protocol_error() {
    let bed = own_port().await;
    for uri in [
        "malloy://project/home/package/shop/",
        "malloy:///project/home",
        "malloy://nothing/home",
        "https://example.com",
        "not a uri",
        "",
    ] {
        let answer = bed.client.read(uri).await;
        assert_eq!(answer["error"]["code"], -32602, "{uri}: {answer}");
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains(&format!("Resource {uri} not found")), "{message}");
    }
    let answer = bed.client.ask("resources/read", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602);
    assert!(answer["error"]["message"].as_str().unwrap().contains("uri"));
}

/// What a failed read says.
async fn failed(client: &super::bed::Client, uri: &str) -> Value {
    let answer = client.read(uri).await;
    assert_eq!(answer["result"]["isError"], true, "{uri}: {answer}");
    let contents = &answer["result"]["contents"][0];
    let json = json!("application/json");
    assert_eq!(
        (&contents["uri"], &contents["type"], &contents["mimeType"]),
        (&json!(uri), &json, &json)
    );
    let text = text_of(&answer);
    assert!(!text["suggestions"].as_array().unwrap().is_empty());
    text
}

// spec: publisher, "For GetResource: content contains structured JSON error { error, suggestions }", and the table of 5.5.
#[tokio::test]
async fn what_is_not_there_is_named_as_clients_know_it() {
    let bed = own_port().await;
    let model = "model 'shop.malloy' in package 'shop' for project 'home'";
    for (uri, context) in [
        ("malloy://project/hme".to_owned(), "Project 'hme'".to_owned()),
        ("malloy://project/hme/package/shop".to_owned(), "project 'hme'".to_owned()),
        ("malloy://project/hme/package/shop/contents".to_owned(), "project 'hme'".to_owned()),
        ("malloy://project/hme/package/shop/models/shop.malloy".to_owned(), "project 'hme'".to_owned()),
        ("malloy://project/hme/package/shop/notebooks/n.malloynb".to_owned(), "project 'hme'".to_owned()),
        (
            "malloy://project/home/package/shp".to_owned(),
            "Package resource matching URI 'malloy://project/home/package/shp'".to_owned(),
        ),
        (
            "malloy://project/home/package/shp/contents".to_owned(),
            "Package for contents listing matching URI 'malloy://project/home/package/shp/contents'".to_owned(),
        ),
        (
            "malloy://project/home/package/shp/models/shop.malloy".to_owned(),
            "Package 'shp' in project 'home'".to_owned(),
        ),
        (
            "malloy://project/home/package/shp/models/shop.malloy/sources/orders".to_owned(),
            "package 'shp' in project 'home'".to_owned(),
        ),
        (
            format!("{SHOP}/models/shp.malloy"),
            "Model 'shp.malloy' in package 'shop' for project 'home'".to_owned(),
        ),
        (
            format!("{SHOP}/models/shp.malloy/sources/orders"),
            "model 'shp.malloy' in package 'shop' for project 'home'".to_owned(),
        ),
        // A notebook is no model, and a model no notebook.
        (
            format!("{SHOP}/models/story.malloynb"),
            "Model 'story.malloynb' in package 'shop' for project 'home'".to_owned(),
        ),
        (
            format!("{SHOP}/notebooks/shop.malloy"),
            "Notebook 'shop.malloy' in package 'shop' project 'home'".to_owned(),
        ),
        (
            format!("{SHOP}/notebooks/stry.malloynb"),
            "Notebook 'stry.malloynb' in package 'shop' project 'home'".to_owned(),
        ),
        (
            format!("{SHOP}/models/shop.malloy/sources/order"),
            "Source 'order' in model 'shop.malloy' package 'shop' project 'home'".to_owned(),
        ),
        (
            format!("{SHOP}/models/shop.malloy/sources/orders/views/by_custmer"),
            "View 'by_custmer' in source 'orders' model 'shop.malloy' package 'shop' project 'home'".to_owned(),
        ),
        (
            format!("{SHOP}/models/shop.malloy/queries/bigest"),
            "Query 'bigest' in model 'shop.malloy' package 'shop' project 'home'".to_owned(),
        ),
    ] {
        let text = failed(&bed.client, &uri).await;
        assert_eq!(text["error"], format!("Resource not found: {context}"), "{uri} {model}");
        let first = text["suggestions"][0].as_str().unwrap();
        assert!(first.starts_with(&format!("Verify the identifier or URI ({context})")), "{first}");
        assert!(text["suggestions"].as_array().unwrap().len() >= 3);
    }
}

#[tokio::test]
async fn near_names_are_told() {
    let bed = own_port().await;
    for (uri, near) in [
        ("malloy://project/hme".to_owned(), "home"),
        ("malloy://project/home/package/shp".to_owned(), "shop"),
        (format!("{SHOP}/models/shp.malloy"), "shop.malloy"),
        (format!("{SHOP}/models/shop.malloy/sources/order"), "orders"),
        (format!("{SHOP}/models/shop.malloy/sources/orders/views/by_custmer"), "by_customer"),
        (format!("{SHOP}/models/shop.malloy/queries/bigest"), "biggest"),
        (format!("{SHOP}/notebooks/stry.malloynb"), "story.malloynb"),
    ] {
        let text = failed(&bed.client, &uri).await;
        let suggestions = text["suggestions"].to_string();
        assert!(suggestions.contains(&format!("Did you mean '{near}'")), "{uri}: {suggestions}");
    }
}

// spec: publisher, "Application Errors (e.g., Resource Not Found, Compilation Error): … Client promise resolves with isError: true".
#[tokio::test]
async fn a_model_that_does_not_compile_says_where_and_why() {
    let bed = own_port().await;
    let text = failed(&bed.client, &format!("{SHOP}/models/broken.malloy")).await;
    let error = text["error"].as_str().unwrap();
    let begin = "Error during GetResource (model) for resource 'home/shop/broken.malloy': ";
    assert!(error.starts_with(begin), "{error}");
    assert!(
        error.contains("broken.malloy:1:") && error.contains("nothing") && error.contains('^'),
        "{error}"
    );
    assert!(
        !error.contains(bed.root.dir.path().to_str().unwrap()),
        "no path of the server: {error}"
    );
    assert!(text["suggestions"][0].as_str().unwrap().contains("field"), "{text}");
}

#[tokio::test]
async fn nothing_outside_of_a_package_can_be_read() {
    let bed = own_port().await;
    for path in [
        "..%2F..%2Fpublisher.config.json",
        "..%2Fshop%2Fshop.malloy",
        "%2Fetc%2Fpasswd",
        "data%2Forders.csv",
    ] {
        let text = failed(&bed.client, &format!("{SHOP}/models/{path}")).await;
        assert!(
            text["error"].as_str().unwrap().starts_with("Resource not found: Model "),
            "{text}"
        );
    }
    for package in ["..", "%2e%2e", "..%2Fother%2Flittle"] {
        failed(&bed.client, &format!("malloy://project/home/package/{package}")).await;
    }
}
