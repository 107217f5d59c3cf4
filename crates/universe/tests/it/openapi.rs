//! The document against the routes, and the replies against the document.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::{
    add, tick,
    world::{World, text},
};

/// What `/mcp` speaks is not described here: it has a protocol, and lists of its own.
const METHODS: [&str; 7] = ["get", "put", "post", "delete", "patch", "options", "trace"];

async fn document(world: &World) -> Value {
    world.get("/openapi.json").await.1
}

/// The methods that a path really takes, by what the router says to one it does not.
async fn taken(world: &World, path: &str) -> BTreeSet<String> {
    let path = path.replace("{id}", "nowhere");
    let refused = world.raw(Method::TRACE, &path, &[], "").await;
    assert_eq!(refused.status(), 405, "{path}");
    let allowed = refused.headers()["allow"].to_str().unwrap().to_lowercase();
    allowed.split(',').map(|name| name.trim().to_owned()).filter(|name| name != "head").collect()
}

#[tokio::test]
async fn every_route_is_documented_and_everything_documented_answers() {
    let world = World::start().await;
    let document = document(&world).await;
    let documented: BTreeMap<_, BTreeSet<_>> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(path, methods)| {
            let names = methods.as_object().unwrap().keys().cloned();
            (path.clone(), names.filter(|name| METHODS.contains(&name.as_str())).collect())
        })
        .collect();
    let mut routed = BTreeMap::new();
    for path in universe::paths() {
        routed.insert(path.to_owned(), taken(&world, path).await);
    }
    assert_eq!(documented, routed);
}

#[tokio::test]
async fn the_document_is_whole() {
    let world = World::start().await;
    let document = document(&world).await;
    assert_eq!(document["openapi"], "3.1.0");
    // Every reference leads somewhere, every component is used, and every schema is one.
    let text = document.to_string();
    let mut used = BTreeSet::new();
    for reference in text.split("\"$ref\":\"#").skip(1) {
        let pointer = reference.split('"').next().unwrap();
        assert!(document.pointer(pointer).is_some(), "{pointer}");
        used.insert(pointer.to_owned());
    }
    for kind in ["schemas", "parameters", "headers"] {
        for name in document["components"][kind].as_object().unwrap().keys() {
            let pointer = format!("/components/{kind}/{name}");
            let alone = ["Delta", "Change"].contains(&name.as_str());
            assert!(alone || used.contains(&pointer), "{pointer} is not used");
        }
    }
    let mut examples = 0;
    for (name, component) in document["components"]["schemas"].as_object().unwrap() {
        let validator = schema(&document, name);
        for example in component["examples"].as_array().into_iter().flatten() {
            assert!(validator.is_valid(example), "{name}: {example}");
            examples += 1;
        }
    }
    assert_eq!(examples, 9);
    let mut ids = BTreeSet::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let place = format!("{method} {path}");
            assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{place}");
            assert!(
                operation["summary"].is_string() && operation["responses"].is_object(),
                "{place}"
            );
            if let Some(body) = operation.get("requestBody") {
                let content = &body["content"]["application/json"];
                let name = content["schema"]["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                let example = &content["example"];
                assert!(schema(&document, name).is_valid(example), "{place}: {example}");
            }
        }
    }
}

/// A component as a schema of its own.
fn schema(document: &Value, name: &str) -> Validator {
    let schema = json!({"$ref": format!("#/components/schemas/{name}"), "components": document["components"]});
    jsonschema::draft202012::new(&schema).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The documented path that this one is an example of; one without variables goes first.
fn route_of<'d>(document: &'d Value, path: &str) -> &'d str {
    let given: Vec<_> = path.split('/').collect();
    let mut known: Vec<_> = document["paths"].as_object().unwrap().keys().collect();
    known.sort_by_key(|known| known.contains("{id}"));
    let fits = |known: &str| {
        let known: Vec<_> = known.split('/').collect();
        let same = |(known, given): (&&str, &&str)| known == given || *known == "{id}";
        known.len() == given.len() && known.iter().zip(&given).all(same)
    };
    known
        .into_iter()
        .find(|known| fits(known))
        .unwrap_or_else(|| panic!("{path} is not documented"))
}

/// Sends a request and holds the answer against what is documented for it.
async fn check(
    world: &World,
    document: &Value,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Value {
    let route = route_of(document, path.split('?').next().unwrap());
    let headers = [("content-type", "application/json")];
    let sent = body.map(|body| body.to_string()).unwrap_or_default();
    let method_name: Method = method.to_uppercase().parse().unwrap();
    let response = world.raw(method_name, path, &headers, sent).await;
    let status = response.status().as_str().to_owned();
    let answer = &document["paths"][route][method]["responses"][&status];
    assert!(answer.is_object(), "{method} {path} answers {status}, which is not documented");
    let text = text(response).await;
    let Some(content) = answer.get("content") else {
        assert!(text.is_empty(), "{method} {path}: {text}");
        return Value::Null;
    };
    let reference = content["application/json"]["schema"]["$ref"].as_str().unwrap();
    let reply: Value = serde_json::from_str(&text).unwrap();
    let validator = schema(document, reference.rsplit('/').next().unwrap());
    let problems: Vec<_> = validator.iter_errors(&reply).map(|error| error.to_string()).collect();
    assert!(problems.is_empty(), "{method} {path} {status}: {problems:?}\n{reply}");
    reply
}

#[tokio::test]
async fn real_replies_are_as_documented() {
    let world = World::start().await;
    let document = document(&world).await;
    let check = async |method: &str, path: &str, body: Option<Value>| {
        check(&world, &document, method, path, body).await
    };
    check("get", "/health", None).await;
    check("get", "/openapi.json", None).await;
    check("get", "/generator", None).await;
    let made =
        check("post", "/universes", Some(json!({"name": "N", "state": crate::rich_state()}))).await;
    let id = made["id"].as_str().unwrap().to_owned();
    let at = |rest: &str| format!("/universes/{id}{rest}");
    for command in crate::all_commands() {
        check("post", &at("/commands"), Some(command)).await;
    }
    for command in [json!({"type": "undo"}), json!({"type": "redo"}), json!({"type": "nonsense"})] {
        check("post", &at("/commands"), Some(command)).await;
    }
    check("post", &at("/commands"), Some(json!({}))).await;
    check("post", &at("/commands"), Some(json!({"type": "tick", "dt": "x"}))).await;
    check("post", &at("/batches"), Some(json!({"commands": [tick(), add("new", None)]}))).await;
    check("post", &at("/batches?state=none"), Some(json!({"commands": [add("new", None)]}))).await;
    check("post", &at("/batches"), Some(json!({"commands": []}))).await;
    check("put", &at("/clock"), Some(json!({"playing": true}))).await;
    check("get", &at("/clock"), None).await;
    check("get", &at("/history?limit=100"), None).await;
    check("get", &at("/history?limit=0"), None).await;
    check("post", &at("/fork"), Some(json!({"revision": 2}))).await;
    check("put", &at(""), Some(json!({"name": "Other"}))).await;
    check("put", &at(""), Some(json!({"name": 3}))).await;
    check("get", &at(""), None).await;
    check("get", &at("?state=none"), None).await;
    check("get", &at("?revision=1"), None).await;
    check("get", &at("?revision=9999"), None).await;
    check("get", "/universes", None).await;
    check("get", "/universes?state=none&limit=1", None).await;
    check("get", "/universes/nowhere", None).await;
    check("get", "/universes/nowhere/events", None).await;
    check("get", "/universes/nowhere/changes", None).await;
    let sparse = json!({"preset": "sparse", "seed": 1});
    check("post", "/universes/generate?state=none", Some(sparse.clone())).await;
    check("post", &at("/generate"), Some(sparse)).await;
    check("post", &at("/generate"), Some(json!({"preset": "none such"}))).await;
    check("delete", &at(""), None).await;
    check("delete", &at(""), None).await;
}
