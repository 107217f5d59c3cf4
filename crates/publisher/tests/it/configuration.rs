//! Where projects and packages are found.

use publisher::What;
use serde_json::json;

use crate::helper::{Root, SHOP, count, shop};

fn with_config(config: &str) -> Root {
    let root = shop();
    root.write("publisher.config.json", config);
    root
}

#[tokio::test]
async fn each_of_the_three_shapes_leads_to_the_package() {
    for config in [
        r#"{"projects": {"home": "."}}"#,
        r#"{"projects": [{"name": "home", "packages": [{"name": "shop", "location": "./shop"}]}]}"#,
        r#"{"environments": [{"name": "home", "packages": [{"name": "shop", "location": "shop"}]}]}"#,
    ] {
        let root = with_config(config);
        let service = root.service(|_| {});
        assert_eq!(count(&service).await, json!(3), "{config}");
    }
}

#[tokio::test]
async fn a_location_may_be_absolute_and_one_elsewhere_is_listed_with_its_error() {
    let root = shop();
    let place = root.dir.path().join("shop");
    let config = json!({"environments": [{"name": "home", "packages": [
        {"name": "shop", "location": place},
        {"name": "far", "location": "https://example.com/far.git"},
    ]}]});
    root.write("publisher.config.json", &config.to_string());
    let service = root.service(|_| {});
    assert_eq!(count(&service).await, json!(3));
    let packages = service.packages("home").await.unwrap();
    assert_eq!(packages[0].name, "far");
    assert!(packages[0].error.as_ref().unwrap().contains("not on this machine"));
    assert!(packages[0].description.as_ref().unwrap().starts_with("Unable to load package: "));
}

#[tokio::test]
async fn a_configuration_without_projects_has_none_and_a_broken_one_is_refused_with_its_place() {
    let root = with_config("{}");
    assert_eq!(root.service(|_| {}).projects().await, []);
    let root = with_config(r#"{"projects": {"home": 1}}"#);
    let config = publisher::Config {
        server_root: Some(root.dir.path().to_owned()),
        ..publisher::Config::default()
    };
    let clock = std::sync::Arc::new(kit_app::SystemClock);
    let error = publisher::Service::open(config, root.dir.path(), clock).unwrap_err();
    assert_eq!(error.message, "`projects.home` must be a directory");
}

#[tokio::test]
async fn a_bare_directory_of_packages_is_the_project_home() {
    let root = shop();
    let service = root.service(|_| {});
    let packages = service.packages("home").await.unwrap();
    assert_eq!(packages.len(), 1);
    assert_eq!(packages[0].description.as_deref(), Some("A shop."));
    assert!(!service.status().samples);
}

#[tokio::test]
async fn a_root_that_is_a_package_is_served_as_one() {
    let files: Vec<_> =
        SHOP.iter().map(|(path, text)| (path.strip_prefix("shop/").unwrap(), *text)).collect();
    let root = Root::with(&files);
    let service = root.service(|_| {});
    let packages = service.packages("home").await.unwrap();
    assert_eq!(packages.len(), 1);
    assert!(packages[0].models.contains_key("shop.malloy"));
}

#[tokio::test]
async fn a_root_with_nothing_serves_the_samples_and_says_so() {
    let root = Root::with(&[]);
    let service = root.service(|_| {});
    let names: Vec<_> =
        service.packages("home").await.unwrap().iter().map(|p| p.name.clone()).collect();
    assert_eq!(names, ["grid", "harbour", "library"]);
    assert!(service.status().samples);
}

#[tokio::test]
async fn the_readme_of_a_project_is_told() {
    let root = shop();
    root.write("README.md", "# Ours");
    let service = root.service(|_| {});
    assert_eq!(service.projects().await[0].readme, "# Ours");
    assert_eq!(service.project("home", false).await.unwrap().readme, "# Ours");
}

#[tokio::test]
async fn what_is_not_there_is_said_with_what_was_meant() {
    let service = shop().service(|_| {});
    let error = service.project("hom", false).await.unwrap_err();
    assert_eq!((error.what, error.near), (What::Project, vec!["home".to_owned()]));
    let root = shop();
    let service = root.service(|_| {});
    let error = service.package("home", "shopp").await.unwrap_err();
    assert_eq!((error.what, error.near), (What::Package, vec!["shop".to_owned()]));
    let at = publisher::At::new("home", "shop", "shop.maloy");
    let error = service.model(&at).await.unwrap_err();
    assert_eq!(error.message, "shop.maloy does not exist");
    assert_eq!((error.status(), error.near), (404, vec!["shop.malloy".to_owned()]));
}
