//! Pages and files.

use serde_json::{Value, json};

use crate::{
    browser::{Page, get},
    world::World,
};

#[tokio::test]
async fn the_root_leads_to_session_1_and_unknown_ones_are_told() {
    let (_world, _, url) = World::counting().await;
    let reply = get(&url, "/").await;
    assert_eq!((reply.status.as_u16(), reply.header("location")), (307, "/1/"));
    for path in ["/1", "/1/", "/1/any/path", "/1/any/path.html?x=1"] {
        let reply = get(&url, path).await;
        // Without the front end in the binary a notice stands there.
        assert!([200, 503].contains(&reply.status.as_u16()), "{path}: {}", reply.status);
        assert!(reply.header("content-type").starts_with("text/html"));
    }
    for path in ["/2", "/2/", "/01/", "/99999999999999999999/"] {
        let reply = get(&url, path).await;
        assert_eq!(reply.status, 404, "{path}");
        assert!(reply.body.contains("not found"), "{}", reply.body);
    }
    assert_eq!(Page::try_open(&url, "2", &[]).await.err(), Some(404));
}

#[tokio::test]
async fn the_projects_files_lie_over_the_built_in_ones() {
    let (world, _, url) = World::counting().await;
    world.put("html/hello.txt", "hi");
    world.put("html/deep/a.svg", "<svg/>");
    world.put("html/index.html", "<head></head><script src=\"./ui.js\"></script>");
    let reply = get(&url, "/hello.txt").await;
    assert_eq!((&*reply.body, reply.header("content-type")), ("hi", "text/plain; charset=utf-8"));
    assert!(get(&url, "/deep/a.svg").await.header("content-type").starts_with("image/svg+xml"));
    let page = get(&url, "/1/at/any/depth").await;
    assert_eq!(
        page.body,
        "<head><meta name=\"ui-session\" content=\"1\"><meta name=\"ui-base\" content=\"/\"></head><script src=\"/ui.js\"></script>"
    );
    assert_eq!(get(&url, "/none.txt").await.status, 404);
}

#[tokio::test]
async fn no_path_leads_out_of_the_folder() {
    let (world, _, url) = World::counting().await;
    world.put("secret.txt", "s3cret");
    world.put("html/ok.txt", "ok");
    std::os::unix::fs::symlink(world.path().join("secret.txt"), world.path().join("html/link.txt"))
        .unwrap();
    for path in [
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/deep/../../secret.txt",
        "/link.txt",
        "//etc/passwd",
        "/%2fetc%2fpasswd",
        "/config/config.toml",
        "/lua/main.lua",
        "/ok.txt%00",
    ] {
        let reply = get(&url, path).await;
        assert_eq!(reply.status, 404, "{path}");
        assert!(!reply.body.contains("s3cret"), "{path}");
    }
}

// spec: ui 8.2
#[tokio::test]
async fn the_variables_are_json_and_a_page() {
    let (_world, agent, url) = World::counting().await;
    let mut page = Page::open(&url, "1").await;
    page.count().await;
    page.until(2, &json!(0)).await;
    let reply = get(&url, "/1/variables.json").await;
    assert!(reply.header("x-change-count").parse::<u64>().is_ok());
    let list = reply.json();
    assert_eq!(list, agent.read_json("ui://variables").await);
    assert_eq!(list, agent.read_json("ui://variables/1").await);
    let root = &list[0];
    assert_eq!(
        (&root["id"], &root["parentId"], &root["type"]),
        (&json!(1), &json!(0), &json!("App"))
    );
    assert!(root["value"]["obj"].is_u64());
    let count = list.as_array().unwrap().iter().find(|one| one["path"] == "count").unwrap();
    assert_eq!((&count["value"], &count["childIds"]), (&json!(0), &json!([])));
    let places: Vec<_> = list.as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    for one in list.as_array().unwrap() {
        let parent = places.iter().position(|id| *id == one["parentId"]);
        let own = places.iter().position(|id| *id == one["id"]);
        assert!(one["parentId"] == 0 || parent < own, "parents come first");
    }
    for path in ["/debug/variables", "/debug/variables?session=1", "/1/variables"] {
        assert!([200, 503].contains(&get(&url, path).await.status.as_u16()), "{path}");
    }
    assert_eq!(get(&url, "/debug/variables?session=7").await.status, 404);
}

#[tokio::test]
async fn the_overview_knows_the_sessions() {
    let (_world, _, url) = World::counting().await;
    let mut page = Page::open(&url, "1").await;
    page.count().await;
    let list = get(&url, "/api/sessions").await.json();
    let one = &list["sessions"][0];
    assert_eq!(
        (&one["id"], &one["connections"], &one["type"]),
        (&json!("1"), &json!(1), &json!("App"))
    );
    assert_eq!(one["url"], format!("{url}/1/"));
    assert!(one["started"].as_i64() <= one["active"].as_i64() && one["started"] != Value::Null);
}
