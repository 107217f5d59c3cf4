//! The document against the routes, and the replies against the document.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::{rest::shop, world::World};

const METHODS: [&str; 5] = ["get", "put", "post", "delete", "patch"];

/// The path that a route has for the router: what follows a file's path is part of it there.
fn routed(path: &str) -> String {
    let path = path.replace("{path}", "{*path}");
    match path.find("{*path}") {
        Some(at) => path[..at + "{*path}".len()].to_owned(),
        None => path,
    }
}

#[tokio::test]
async fn every_route_is_documented_and_everything_documented_is_a_route() {
    let world = World::on(shop());
    let (_, document) = world.get("/openapi.json").await;
    let mut documented: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        let names = methods.as_object().unwrap().keys().cloned();
        let names = names.filter(|name| METHODS.contains(&name.as_str()));
        documented.entry(routed(path)).or_default().extend(names);
    }
    let mut real: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in publisher::paths() {
        let somewhere = path.replace("{*path}", "x.malloy").replace(['{', '}'], "");
        let refused = world.raw(Method::TRACE, &somewhere, &[], "").await;
        assert_eq!(refused.status(), 405, "{path}");
        let allowed = refused.headers()["allow"].to_str().unwrap().to_lowercase();
        let names = allowed.split(',').map(str::trim).filter(|name| *name != "head");
        real.entry(path.to_owned()).or_default().extend(names.map(str::to_owned));
    }
    assert_eq!(documented, real);
}

#[tokio::test]
async fn the_document_is_whole() {
    let world = World::on(shop());
    let (_, document) = world.get("/api/v0/openapi.json").await;
    assert_eq!(document["openapi"], "3.1.0");
    let text = document.to_string();
    let mut used = BTreeSet::new();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
        used.insert(pointer.to_owned());
    }
    for kind in ["schemas", "parameters"] {
        for name in document["components"][kind].as_object().unwrap().keys() {
            let pointer = format!("/components/{kind}/{name}");
            assert!(used.contains(&pointer), "{pointer} is not used");
        }
    }
    let mut ids = BTreeSet::new();
    for methods in document["paths"].as_object().unwrap().values() {
        for operation in methods.as_object().unwrap().values() {
            let id = operation["operationId"].as_str().unwrap();
            assert!(ids.insert(id.to_owned()), "{id} twice");
        }
    }
}

/// The schema of what a route answers with a status.
fn validator(document: &Value, path: &str, method: &str, status: u16) -> Validator {
    let reply = &document["paths"][path][method]["responses"][status.to_string()];
    let schema = &reply["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{method} {path} {status}");
    let whole = json!({"allOf": [schema], "components": document["components"]});
    jsonschema::validator_for(&whole).unwrap()
}

#[tokio::test]
async fn what_is_answered_is_what_the_document_says() {
    let world = World::on(shop());
    let (_, document) = world.get("/openapi.json").await;
    let package = "/api/v0/projects/{project}/packages/{package}";
    let connection = format!("{package}/connections/{{connection}}");
    let file = |path: &str| format!("{package}/{path}");
    let gets: Vec<(String, &str, u16)> = vec![
        ("/api/v0/projects".into(), "/api/v0/projects", 200),
        ("/api/v0/projects/{project}".into(), "/api/v0/projects/home", 200),
        ("/api/v0/projects/{project}".into(), "/api/v0/projects/nope", 404),
        ("/api/v0/projects/{project}/packages".into(), "/api/v0/projects/home/packages", 200),
        (package.into(), "/api/v0/projects/home/packages/shop", 200),
        (package.into(), "/api/v0/projects/home/packages/shop?reload=true", 200),
        (package.into(), "/api/v0/projects/home/packages/shop?versionId=x", 501),
        (file("models"), "/api/v0/projects/home/packages/shop/models", 200),
        (file("models/{path}"), "/api/v0/projects/home/packages/shop/models/shop.malloy", 200),
        (file("models/{path}"), "/api/v0/projects/home/packages/shop/models/broken.malloy", 424),
        (
            file("queryResults/{path}"),
            "/api/v0/projects/home/packages/shop/queryResults/shop.malloy?queryName=kinds",
            200,
        ),
        (
            file("queryResults/{path}"),
            "/api/v0/projects/home/packages/shop/queryResults/shop.malloy?query=run:%20x",
            400,
        ),
        (file("notebooks"), "/api/v0/projects/home/packages/shop/notebooks", 200),
        (
            file("notebooks/{path}"),
            "/api/v0/projects/home/packages/shop/notebooks/shop.malloynb",
            200,
        ),
        (
            file("notebooks/{path}/cells/{index}"),
            "/api/v0/projects/home/packages/shop/notebooks/shop.malloynb/cells/3",
            200,
        ),
        (file("databases"), "/api/v0/projects/home/packages/shop/databases", 200),
        (file("schedules"), "/api/v0/projects/home/packages/shop/schedules", 200),
        ("/api/v0/projects/{project}/connections".into(), "/api/v0/projects/home/connections", 200),
        (
            format!("{connection}/schemas"),
            "/api/v0/projects/home/packages/shop/connections/duckdb/schemas",
            200,
        ),
        (
            format!("{connection}/queryData"),
            "/api/v0/projects/home/packages/shop/connections/duckdb/queryData?sqlStatement=select%201",
            200,
        ),
        (
            "/api/v0/projects/{project}/connections/{connection}/test".into(),
            "/api/v0/projects/home/connections/far/test",
            502,
        ),
        ("/api/v0/status".into(), "/api/v0/status", 200),
        ("/api/v0/history".into(), "/api/v0/history", 200),
        ("/api/v0/watch-mode/status".into(), "/api/v0/watch-mode/status", 200),
        ("/health".into(), "/health", 200),
    ];
    for (path, asked, status) in gets {
        let (found, answer) = world.get(asked).await;
        assert_eq!(found.as_u16(), status, "{asked}: {answer}");
        let errors: Vec<String> = validator(&document, &path, "get", status)
            .iter_errors(&answer)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{asked}: {errors:?}\n{answer}");
    }
    for (word, body) in [
        ("query", json!({"query": "run: kinds", "givens": {"LEAST": 2}})),
        ("compile", json!({"source": "run: sales -> nope", "scope": "append"})),
    ] {
        let asked = format!("/api/v0/projects/home/packages/shop/models/shop.malloy/{word}");
        let (status, answer) = world.send_json(Method::POST, &asked, &body).await;
        assert_eq!(status, 200);
        let path = file(&format!("models/{{path}}/{word}"));
        assert!(validator(&document, &path, "post", 200).is_valid(&answer), "{word}: {answer}");
    }
}

#[tokio::test]
async fn the_document_is_there_as_yaml_and_as_a_page() {
    let world = World::on(shop());
    let page = world.raw(Method::GET, "/api-doc.html", &[], "").await;
    assert_eq!(page.headers()["content-type"], "text/html; charset=utf-8");
    let yaml = world.raw(Method::GET, "/api-doc.yaml", &[], "").await;
    assert_eq!(yaml.headers()["content-type"], "application/yaml; charset=utf-8");
    let body = http_body_util::BodyExt::collect(yaml.into_body()).await.unwrap().to_bytes();
    let text = String::from_utf8(body.to_vec()).unwrap();
    assert!(text.starts_with("openapi: \"3.1.0\"\ninfo:\n  title: \"Publisher\"\n"), "{text:.200}");
}

#[tokio::test]
async fn what_others_rely_on_is_seen_when_it_changes() {
    let world = World::on(shop());
    let (_, document) = world.get("/openapi.json").await;
    let mut lines = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let statuses: Vec<&str> =
                operation["responses"].as_object().unwrap().keys().map(String::as_str).collect();
            let id = operation["operationId"].as_str().unwrap();
            lines.push(format!("{method} {path} {id} {}", statuses.join(" ")));
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}
