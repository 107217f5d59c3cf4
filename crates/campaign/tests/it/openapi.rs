//! The document against the routes, and the replies against the document.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use jsonschema::Validator;
use serde_json::{Value, json};

use crate::world::{World, text};

async fn document(world: &World) -> Value {
    world.get("/openapi.json").await
}

/// The methods that a path really takes, by what the router says to one it does not.
async fn taken(world: &World, path: &str) -> BTreeSet<String> {
    let path = path.replace(['{', '}'], "");
    let refused = world.raw(Method::TRACE, &path, &[], "").await;
    assert_eq!(refused.status(), 405, "{path}");
    let allowed = refused.headers()["allow"].to_str().unwrap().to_lowercase();
    allowed.split(',').map(|name| name.trim().to_owned()).filter(|name| name != "head").collect()
}

#[tokio::test]
async fn every_route_is_documented_and_everything_documented_answers() {
    let world = World::start();
    let document = document(&world).await;
    let documented: BTreeMap<_, BTreeSet<_>> = document["paths"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(path, methods)| {
            (path.clone(), methods.as_object().unwrap().keys().cloned().collect())
        })
        .collect();
    let mut routed = BTreeMap::new();
    for path in campaign::paths() {
        routed.insert(path.to_owned(), taken(&world, path).await);
    }
    assert_eq!(documented, routed);
}

/// A component as a schema of its own.
fn schema(document: &Value, name: &str) -> Validator {
    let schema = json!({"$ref": format!("#/components/schemas/{name}"), "components": document["components"]});
    jsonschema::draft202012::new(&schema).unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn name_of(schema: &Value) -> &str {
    schema["$ref"].as_str().unwrap().rsplit('/').next().unwrap()
}

#[tokio::test]
async fn the_document_is_whole() {
    let world = World::start();
    let document = document(&world).await;
    assert_eq!(document["openapi"], "3.1.0");
    // Every reference leads somewhere, and every component is used.
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
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let place = format!("{method} {path}");
            assert!(ids.insert(operation["operationId"].as_str().unwrap()), "{place}");
            assert!(!operation["summary"].as_str().unwrap().is_empty(), "{place}");
            if let Some(body) = operation.get("requestBody") {
                let content = &body["content"]["application/json"];
                let (schema, example) =
                    (schema(&document, name_of(&content["schema"])), &content["example"]);
                assert!(schema.is_valid(example), "{place}: {example}");
            }
        }
    }
}

/// The documented path that this one is an example of; one with fewer variables goes first.
fn route_of<'d>(document: &'d Value, path: &str) -> &'d str {
    let given: Vec<_> = path.split('?').next().unwrap().split('/').collect();
    let mut known: Vec<_> = document["paths"].as_object().unwrap().keys().collect();
    known.sort_by_key(|known| known.matches('{').count());
    let fits = |known: &str| {
        let known: Vec<_> = known.split('/').collect();
        let same = |(known, given): (&&str, &&str)| known == given || known.starts_with('{');
        known.len() == given.len() && known.iter().zip(&given).all(same)
    };
    known
        .into_iter()
        .find(|known| fits(known))
        .unwrap_or_else(|| panic!("{path} is not documented"))
}

/// Sends a request and holds body and answer against what is documented for it.
async fn check(
    world: &World,
    document: &Value,
    method: &str,
    path: &str,
    body: Option<Value>,
) -> Value {
    let operation = &document["paths"][route_of(document, path)][method];
    let headers = [("content-type", "application/json")];
    let sent = body.as_ref().map(Value::to_string).unwrap_or_default();
    let response = world.raw(method.to_uppercase().parse().unwrap(), path, &headers, sent).await;
    let status = response.status();
    let answer = &operation["responses"][status.as_str()];
    assert!(answer.is_object(), "{method} {path} answers {status}, which is not documented");
    if let (true, Some(body)) = (status.is_success(), body) {
        let content = &operation["requestBody"]["content"]["application/json"]["schema"];
        assert!(schema(document, name_of(content)).is_valid(&body), "{path} took {body}");
    }
    let kind = response.headers()["content-type"].to_str().unwrap();
    let kind = kind.split(';').next().unwrap().to_owned();
    let described = &answer["content"][&kind]["schema"];
    assert!(described.is_object(), "{method} {path} {status} is {kind}");
    if kind == "text/markdown" {
        return Value::Null;
    }
    let reply: Value = serde_json::from_str(&text(response).await).unwrap();
    let validator = schema(document, name_of(described));
    let problems: Vec<_> = validator.iter_errors(&reply).map(|error| error.to_string()).collect();
    assert!(problems.is_empty(), "{method} {path} {status}: {problems:?}\n{reply}");
    reply
}

#[tokio::test]
async fn real_replies_are_as_documented() {
    let world = World::start();
    let document = document(&world).await;
    let check = async |method: &str, path: &str, body: Option<Value>| {
        check(&world, &document, method, path, body).await
    };
    let made = check("post", "/campaigns", Some(json!({"name": "N", "gm_mode": "HUMAN"}))).await;
    let at = |rest: &str| format!("/campaigns/{}{rest}", made["id"].as_str().unwrap());
    let joined =
        check("post", &at("/participants"), Some(json!({"display_name": "A", "role": "PLAYER"})))
            .await;
    let actor = check("post", &at("/actors"), Some(json!({"name": "A", "kind": "PC"}))).await;
    let of = |rest: &str| at(&format!("/actors/{}{rest}", actor["id"].as_str().unwrap()));
    check("put", &of("/controller"), Some(json!({"controller": joined["id"]}))).await;
    check("put", &of("/sheet"), Some(json!({"traits": {"AGILITY": 1}, "evasion": 3}))).await;
    check("patch", &of("/state"), Some(json!({"hope": 1}))).await;
    check("put", &at("/fear"), Some(json!({"fear": 2}))).await;
    let session = check("post", &at("/sessions"), None).await;
    check("post", &at("/sessions"), None).await;
    check("post", &at("/rolls"), Some(json!({"kind": "DUALITY", "advantage": "ADVANTAGE"}))).await;
    check("post", &at("/rolls"), Some(json!({"kind": "DICE", "dice": [{"sides": 6, "count": 2}]})))
        .await;
    let action = json!({
        "kind": "ACTION", "actor_id": actor["id"], "trait": "AGILITY", "difficulty": 10,
        "modifiers": [{"source": "cover", "value": 1}], "rng": {"seed": 3, "roll_mode": "REPLAY"},
    });
    let rolled = check("post", &at("/rolls"), Some(action)).await;
    let apply = at(&format!("/rolls/{}/apply", rolled["roll_seq"]));
    check("post", &apply, None).await;
    check("post", &apply, Some(json!({"targets": []}))).await;
    check("post", &at("/notes"), Some(json!({"text": "x"}))).await;
    check("post", &at("/notes"), Some(json!({"text": ""}))).await;
    check("post", &at("/undo"), None).await;
    check("post", &at("/fork"), Some(json!({"seq": 2}))).await;
    check("post", &at(&format!("/participants/{}/token", joined["id"].as_str().unwrap())), None)
        .await;
    check("post", &at(&format!("/sessions/{}/end", session["id"].as_str().unwrap())), None).await;
    for path in [
        "/campaigns",
        "/campaigns?limit=1",
        "/campaigns?limit=0",
        "/campaigns/none",
        "/duality/rules",
        "/openapi.json",
        &at(""),
        &at("?seq=1"),
        &at("?seq=999"),
        &at("/events?limit=5"),
        &at("/verify"),
        &at("/changes?after=x"),
        &format!("/sessions/{}/export", session["id"].as_str().unwrap()),
        "/sessions/none/export",
    ] {
        check("get", path, None).await;
    }
    check("post", "/duality/roll", Some(json!({"difficulty": 5, "rng": {}}))).await;
    check("post", "/duality/roll", Some(json!({"difficulty": -5}))).await;
    check("post", "/duality/outcome", Some(json!({"hope": 1, "fear": 2}))).await;
    check("post", "/duality/explain", Some(json!({"hope": 3, "fear": 3, "difficulty": 5}))).await;
    check("post", "/duality/probability", Some(json!({"modifier": 1, "difficulty": 5}))).await;
    check("post", "/dice", Some(json!({"dice": [{"sides": 6, "count": 2}]}))).await;
}
