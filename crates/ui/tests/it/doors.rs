//! Who may come: other pages may not.

use serde_json::json;

use crate::{
    browser::{Page, authority, get, post, send},
    world::World,
};

const FOREIGN: [&str; 4] =
    ["http://evil.example", "null", "http://localhost:1", "https://127.0.0.1:443"];

#[tokio::test]
async fn a_foreign_page_can_neither_open_the_socket_nor_post() {
    let (_world, agent, url) = World::counting().await;
    let own = format!("http://{}", authority(&url));
    assert!(Page::try_open(&url, "1", &[("origin", &own)]).await.is_ok());
    let body = json!({"code": "app.count = 99"}).to_string();
    for origin in FOREIGN {
        assert_eq!(
            Page::try_open(&url, "1", &[("origin", origin)]).await.err(),
            Some(403),
            "{origin}"
        );
        let headers = [("origin", origin), ("content-type", "application/json")];
        let reply = send(&url, "POST", "/api/ui_run", &headers, &body).await;
        assert_eq!(reply.status, 403, "{origin}");
        assert_eq!(reply.header("access-control-allow-origin"), "");
    }
    assert_eq!(agent.run("return app.count").await, 0);
}

#[tokio::test]
async fn only_our_name_at_our_port_is_answered() {
    let (_world, _, url) = World::counting().await;
    let port = authority(&url).rsplit(':').next().unwrap();
    for host in [format!("localhost:{port}"), format!("127.0.0.1:{port}")] {
        assert_eq!(send(&url, "GET", "/1/", &[("host", &host)], "").await.status, 200, "{host}");
    }
    for host in ["localhost", "evil.example", "127.0.0.1:1", "localhost:80", "10.0.0.1"] {
        assert_eq!(send(&url, "GET", "/1/", &[("host", host)], "").await.status, 403, "{host}");
    }
}

#[tokio::test]
async fn a_request_that_does_not_say_json_is_refused() {
    let (_world, agent, url) = World::counting().await;
    let body = json!({"code": "app.count = 99"}).to_string();
    for kind in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"] {
        let reply = send(&url, "POST", "/api/ui_run", &[("content-type", kind)], &body).await;
        assert_eq!(reply.status, 415, "{kind}");
    }
    assert_eq!(send(&url, "POST", "/api/ui_run", &[], &body).await.status, 415);
    assert_eq!(agent.run("return app.count").await, 0);
}

#[tokio::test]
async fn nobody_may_frame_a_page() {
    let (world, agent, url) = World::counting().await;
    let policy = |reply: crate::browser::Reply| reply.header("content-security-policy").to_owned();
    assert!(policy(get(&url, "/1/").await).contains("frame-ancestors 'none'"));
    assert!(policy(get(&url, "/9/").await).contains("frame-ancestors 'none'"));
    world.put("config/config.toml", "[server]\nframe_ancestors = \"https://app.example\"\n");
    agent.tool("ui_configure", json!({"base_dir": world.base()})).await;
    let url = agent.tool("ui_start", json!({})).await;
    assert!(policy(get(&url, "/1/").await).contains("frame-ancestors https://app.example"));
}

#[tokio::test]
async fn an_open_address_needs_a_token_that_is_given_once() {
    let world = World::new();
    world.put("config/config.toml", "[server]\nhost = \"0.0.0.0\"\n");
    let agent = world.agent().await;
    let refusal = agent.refusal("ui_configure", json!({"base_dir": world.base()})).await;
    assert!(refusal.contains("server.token"), "{refusal}");
    world.put("config/config.toml", "[server]\nhost = \"0.0.0.0\"\ntoken = \"s3cret\"\n");
    let (_agent, url) = world.started().await;
    assert_eq!(get(&url, "/1/").await.status, 403);
    assert_eq!(Page::try_open(&url, "1", &[]).await.err(), Some(403));
    let entered = get(&url, "/1/?token=s3cret").await;
    assert_eq!(entered.status, 303);
    let cookie = entered.header("set-cookie");
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(send(&url, "GET", "/1/", &[("cookie", cookie)], "").await.status, 200);
    assert!(Page::try_open(&url, "1", &[("cookie", cookie)]).await.is_ok());
    assert_eq!(send(&url, "GET", "/1/", &[("cookie", "tandem_token=x")], "").await.status, 403);
}

#[tokio::test]
async fn the_tools_are_there_over_http() {
    let (_world, agent, url) = World::counting().await;
    let run = |code: &str| json!({"code": code});
    let reply = post(&url, "/api/ui_run", &run("return {count = app.count}")).await;
    assert_eq!(reply.json(), json!({"result": {"count": 0}}));
    let reply = post(&url, "/api/ui_run", &run("error('no')")).await;
    assert!(reply.json()["error"].as_str().unwrap().starts_with("execution failed: "));
    let status = post(&url, "/api/ui_status", &json!({})).await.json();
    assert_eq!(status["result"]["url"], url);
    assert_eq!(post(&url, "/api/ui_nothing", &json!({})).await.status, 404);
    let reply = post(&url, "/api/ui_start", &json!({})).await;
    assert_eq!(
        (reply.status.as_u16(), &reply.json()["error"]),
        (409, &json!("Server already running"))
    );
    assert_eq!(agent.read_json("ui://state").await["count"], 0);
}
