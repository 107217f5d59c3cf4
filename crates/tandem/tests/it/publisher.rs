//! `tandem publisher …` and what it serves, from outside.

use std::{fs, net::SocketAddr, path::Path};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{Answer, INITIALIZE, Running, documented, mcp_head, send_to};

const TOKENS: [&str; 2] = ["token-of-ada-0001", "token-of-ben-0001"];

/// A server root with one package, whose model asks for a tenant.
fn tenants() -> TempDir {
    let dir = TempDir::new().unwrap();
    let write = |path: &str, text: &str| {
        let place = dir.path().join(path);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        fs::write(place, text).unwrap();
    };
    write("shop/publisher.json", "{}");
    write("shop/orders.csv", "tenant,price\nnorth,1\nnorth,2\nsouth,5\n");
    write(
        "shop/shop.malloy",
        "##! experimental\ngiven: TENANT :: string is 'nobody'\n\
         source: orders is duckdb.table('orders.csv') extend {\n\
         where: tenant = $TENANT\n  measure: n is count()\n  view: total is { aggregate: n }\n}\n",
    );
    let [ada, ben] = TOKENS;
    write(
        "tandem.toml",
        &format!(
            "[tokens]\nada = \"{ada}\"\nben = \"{ben}\"\n\n\
             [publisher.identities]\nada = {{ TENANT = \"north\" }}\nben = {{ TENANT = \"south\" }}\n"
        ),
    );
    dir
}

fn count(server: &Running, token: Option<&str>, givens: &Value) -> Answer {
    let token = token.map(|token| format!("authorization: Bearer {token}\r\n")).unwrap_or_default();
    let head = format!(
        "POST /api/v0/projects/home/packages/shop/models/shop.malloy/query HTTP/1.1\r\n\
         host: localhost\r\ncontent-type: application/json\r\n{token}"
    );
    let body = json!({"sourceName": "orders", "queryName": "total", "givens": givens, "compactJson": true});
    server.send(&head, &body.to_string())
}

/// What an agent with a token is answered: the rows, or the words of the refusal.
fn count_over_mcp(address: SocketAddr, token: &str, givens: &Value) -> Value {
    let head = format!("{}authorization: Bearer {token}\r\n", mcp_head("/mcp"));
    let call = json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "malloy/executeQuery", "arguments": {"projectName": "home", "packageName": "shop",
            "modelPath": "shop.malloy", "sourceName": "orders", "queryName": "total", "givens": givens}}});
    let answer = send_to(address, &head, &call.to_string());
    assert_eq!(answer.status, 200, "{}", answer.body);
    let data = answer.body.lines().find_map(|line| line.strip_prefix("data: ")).unwrap();
    let answer: Value = serde_json::from_str(data).unwrap();
    let text = answer["result"]["content"][0]["resource"]["text"].as_str();
    serde_json::from_str(text.unwrap_or_else(|| panic!("{answer}"))).unwrap()
}

#[test]
fn a_token_fixes_the_givens_of_its_holder_for_agents_too() {
    let mut server =
        Running::start_in(tenants(), &["publisher", "serve"], &["--mcp_port", "0"], &[]);
    let address = server.further_address();
    for (token, n) in TOKENS.into_iter().zip([2, 1]) {
        let answer = count_over_mcp(address, token, &json!({}));
        assert_eq!(answer["result"], json!([{"n": n}]), "{answer}");
    }
    let refused = count_over_mcp(address, TOKENS[0], &json!({"TENANT": "south"}));
    assert!(refused["error"].as_str().unwrap().contains("TENANT"), "{refused}");
    assert_eq!(refused["result"], Value::Null);
}

#[test]
fn a_token_fixes_the_givens_of_its_holder() {
    let server = Running::start_in(tenants(), &["publisher", "serve"], &["--mcp_port", "0"], &[]);
    assert_eq!(count(&server, None, &json!({})).status, 401);
    for (token, n) in TOKENS.into_iter().zip([2, 1]) {
        let answer = count(&server, Some(token), &json!({}));
        assert_eq!(answer.status, 200, "{}", answer.body);
        let result: Value =
            serde_json::from_str(answer.json()["result"].as_str().unwrap()).unwrap();
        assert_eq!(result, json!([{"n": n}]));
    }
    let other = count(&server, Some(TOKENS[0]), &json!({"TENANT": "south"}));
    assert_eq!(other.status, 403, "{}", other.body);
    assert!(other.body.contains("TENANT"), "{}", other.body);
}

#[test]
fn the_samples_are_served_to_people_programs_and_agents() {
    let mut server = Running::start_as(&["publisher", "serve"], &["--mcp_port", "0"]);
    let packages = server.get("/api/v0/projects/home/packages").json();
    let names: Vec<_> = packages.as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["grid", "harbour", "library"]);
    assert!(server.get("/").body.contains("<html"));
    let place = server.get("/home/library");
    assert_eq!((place.status, place.header("location")), (307, Some("../#/home/library")));
    assert_eq!(server.get("/api/nothing").status, 404);
    let said = send_to(server.further_address(), &mcp_head("/mcp"), INITIALIZE);
    assert_eq!(said.status, 200);
    assert!(said.header("mcp-session-id").is_none(), "it keeps no sessions");
}

#[test]
fn every_command_of_the_documentation_works() {
    let dir = TempDir::new().unwrap();
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/publisher"), dir.path());
    documented(dir.path(), include_str!("../../../../docs/publisher.md"), 8);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let place = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}
