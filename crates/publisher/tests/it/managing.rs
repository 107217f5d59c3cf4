//! Changing projects, packages and connections while the server runs.

use publisher::{Change, What};
use serde_json::json;

use crate::helper::{Root, count, shop};

fn configured() -> Root {
    let root = shop();
    root.write("publisher.config.json", r#"{"projects": {"home": "."}, "theme": "dark"}"#);
    root
}

fn config(root: &Root) -> String {
    std::fs::read_to_string(root.dir.path().join("publisher.config.json")).unwrap()
}

#[tokio::test]
async fn a_project_and_a_package_come_and_go_and_are_there_after_a_restart() {
    let root = configured();
    let service = root.service(|_| {});
    let mut events = service.events();
    service.add_project("more").await.unwrap();
    assert!(matches!(events.recv().await.unwrap(), Change::Projects));
    service.add_package("more", "copy", "shop", false).await.unwrap();
    let again = root.service(|_| {});
    assert_eq!(again.packages("more").await.unwrap()[0].name, "copy");
    assert!(config(&root).contains("dark"), "what we do not know is kept");
    assert_eq!(service.add_project("more").await.unwrap_err().status(), 409);
    assert_eq!(service.add_package("more", "copy", "shop", false).await.unwrap_err().status(), 409);
    service.remove_package("more", "copy").await.unwrap();
    assert_eq!(service.package("more", "copy").await.unwrap_err().status(), 404);
    assert!(root.dir.path().join("shop/publisher.json").exists(), "files stay");
    service.remove_project("more").await.unwrap();
    assert_eq!(service.projects().await.len(), 1);
    assert_eq!(count(&service).await, json!(3));
}

#[tokio::test]
async fn a_directory_becomes_a_list_when_a_package_is_taken_off() {
    let root = configured();
    root.write("other/publisher.json", "{}");
    let service = root.service(|_| {});
    service.remove_package("home", "other").await.unwrap();
    assert_eq!(service.packages("home").await.unwrap().len(), 1);
    assert_eq!(count(&service).await, json!(3));
    assert_eq!(count(&root.service(|_| {})).await, json!(3));
}

#[tokio::test]
async fn a_connection_is_added_changed_with_the_marker_and_removed() {
    let root = configured();
    let service = root.service(|_| {});
    let connection = json!({"name": "pg", "type": "postgres",
        "postgresConnection": {"host": "127.0.0.1", "port": 1, "userName": "u", "password": "s3cret"}});
    service.add_connection("home", &connection).await.unwrap();
    let shown = service.connections("home", None).await.unwrap()[0].shown.clone();
    assert!(!shown.to_string().contains("s3cret"));
    let mut sent = shown;
    sent["postgresConnection"]["host"] = json!("localhost");
    service.update_connection("home", "pg", &sent).await.unwrap();
    let written = config(&root);
    assert!(written.contains("s3cret") && written.contains("localhost"), "{written}");
    assert_eq!(service.add_connection("home", &connection).await.unwrap_err().status(), 409);
    service.remove_connection("home", "pg").await.unwrap();
    assert!(service.connections("home", None).await.unwrap().is_empty());
    assert_eq!(service.remove_connection("home", "pg").await.unwrap_err().status(), 404);
}

#[tokio::test]
async fn a_frozen_configuration_changes_nothing() {
    let root = configured();
    root.write("publisher.config.json", r#"{"frozenConfig": true, "projects": {"home": "."}}"#);
    for service in [root.service(|_| {}), configured().service(|config| config.frozen = true)] {
        for error in [
            service.add_project("x").await.unwrap_err(),
            service.remove_connection("home", "x").await.unwrap_err(),
        ] {
            assert!(matches!(error.status(), 403 | 404), "{error}");
        }
        assert_eq!(service.add_project("x").await.unwrap_err().status(), 403);
        assert!(service.status().frozen_config);
    }
}

#[tokio::test]
async fn a_server_without_a_configuration_says_how_to_get_one() {
    let root = shop();
    let error = root.service(|_| {}).add_project("x").await.unwrap_err();
    assert_eq!(error.what, What::Forbidden);
    assert!(error.hint.unwrap().contains("publisher.config.json"));
}

#[tokio::test]
async fn whoever_may_change_a_server_is_not_let_into_the_machine() {
    let root = configured();
    let elsewhere = Root::with(&[("publisher.json", "{}")]);
    let service = root.service(|_| {});
    let place = elsewhere.dir.path().to_string_lossy().into_owned();
    for location in [&*place, "..", "../..", "/"] {
        let error = service.add_package("home", "x", location, false).await.unwrap_err();
        assert!(matches!(error.status(), 400 | 403), "{location}: {error}");
    }
    let error = service.add_package("home", "x", "https://x/y.git", false).await.unwrap_err();
    assert_eq!(error.status(), 501);
    for name in ["../x", ".x", "", "a/b"] {
        assert_eq!(service.add_project(name).await.unwrap_err().status(), 400, "{name}");
    }
    let attach =
        json!({"name": "x", "type": "duckdb", "duckdbConnection": {"path": "/etc/passwd"}});
    assert_eq!(service.add_connection("home", &attach).await.unwrap_err().status(), 403);
    assert_eq!(service.test_new_connection(None, &attach).await.unwrap_err().status(), 403);
}
