//! Three states, and what may be asked in each.

use serde_json::{Value, json};

use crate::{
    browser::{Page, authority, get},
    world::World,
};

/// The tools that need a server at work, with arguments that are right.
fn runtime_tools() -> [(&'static str, Value); 5] {
    [
        ("ui_run", json!({"code": "return 1"})),
        ("ui_upload_viewdef", json!({"type": "A", "namespace": "DEFAULT", "content": "<p>a</p>"})),
        ("ui_open_browser", json!({})),
        ("ui_wait", json!({"timeout": 1})),
        ("ui_look", json!({})),
    ]
}

// spec: ui 3.1
// spec: ui 3.3
#[tokio::test]
async fn unconfigured_only_configuring_is_permitted() {
    let world = World::new();
    let agent = world.agent().await;
    assert_eq!(agent.tool("ui_status", json!({})).await, "{\n  \"state\": \"unconfigured\"\n}");
    for (tool, arguments) in runtime_tools() {
        assert_eq!(agent.refusal(tool, arguments).await, "Server not configured", "{tool}");
        assert_eq!(agent.refusal(tool, json!({})).await, "Server not configured", "{tool}");
    }
    assert_eq!(agent.refusal("ui_start", json!({})).await, "Server not configured");
    for uri in ["ui://state", "ui://state/1", "ui://variables", "ui://variables/2"] {
        assert_eq!(agent.unreadable(uri).await, "Server not configured", "{uri}");
    }
    assert!(agent.read("ui://reference").await.0.starts_with('#'));
    assert_eq!(agent.unreadable("ui://notes.md").await, "Resource not found: notes.md");
}

// spec: ui 3.2
// spec: ui 5.1
#[tokio::test]
async fn configured_the_tools_that_need_a_server_say_that_it_is_not_started() {
    let world = World::new();
    let agent = world.agent().await;
    let said = agent.tool("ui_configure", json!({"base_dir": world.base()})).await;
    let logs = world.path().join("log");
    assert_eq!(said, format!("Server configured. Log files created at {}", logs.display()));
    assert!(logs.join("lua.log").is_file() && logs.join("lua-err.log").is_file());
    assert_eq!(agent.tool("ui_status", json!({})).await, "{\n  \"state\": \"configured\"\n}");
    for (tool, arguments) in runtime_tools() {
        assert_eq!(agent.refusal(tool, arguments).await, "Server not started", "{tool}");
    }
    for uri in ["ui://state", "ui://state/1", "ui://variables"] {
        assert_eq!(agent.unreadable(uri).await, "Server not started", "{uri}");
    }
    // Once more, in the same state.
    agent.tool("ui_configure", json!({"base_dir": world.base()})).await;
    world.put("resources/notes.md", "mine");
    assert_eq!(agent.read("ui://notes").await, ("mine".to_owned(), "text/markdown".to_owned()));
}

// spec: ui 5.2
// spec: ui 5.6
#[tokio::test]
async fn running_everything_is_permitted_but_starting_again() {
    let world = World::new();
    let (agent, url) = world.started().await;
    let port: u16 = authority(&url).strip_prefix("127.0.0.1:").unwrap().parse().unwrap();
    assert_ne!(port, 0);
    assert_eq!(agent.refusal("ui_start", json!({})).await, "Server already running");
    let status: Value = serde_json::from_str(&agent.tool("ui_status", json!({})).await).unwrap();
    assert_eq!(status, json!({"state": "running", "url": url, "sessions": 0}));
    let (mut page, mut other) = (Page::open(&url, "1").await, Page::open(&url, "1").await);
    for page in [&mut page, &mut other] {
        page.batch(json!([{"type": "watch", "data": {"varId": 1}}])).await;
        page.frame().await;
    }
    let status: Value = serde_json::from_str(&agent.tool("ui_status", json!({})).await).unwrap();
    assert_eq!(status["sessions"], 1, "sessions that a browser shows, not connections");
    assert_eq!(agent.run("return 1 + 1").await, 2);
    assert_eq!(
        agent.refusal("ui_run", json!({"code": "", "sessionId": "7"})).await,
        "session 7 not found"
    );
    assert_eq!(agent.read_json("ui://variables").await[0]["id"], 1);
}

// spec: ui 3.3
#[tokio::test]
async fn configuring_anew_ends_everything_and_begins_with_session_1() {
    let (world, agent, url) = World::counting().await;
    let mut page = Page::open(&url, "1").await;
    agent.run("app.count = 5").await;
    agent.tool("ui_configure", json!({"base_dir": world.base()})).await;
    assert!(page.is_ended().await);
    let refused = tokio::net::TcpStream::connect(authority(&url)).await;
    assert!(refused.is_err(), "the old listener is closed");
    assert_eq!(agent.refusal("ui_run", json!({"code": "return 1"})).await, "Server not started");
    let again = agent.tool("ui_start", json!({})).await;
    assert_ne!(again, url);
    assert_eq!(agent.run("return app.count").await, 0, "a new session, and it is 1 again");
    assert_eq!(get(&again, "/2/").await.status, 404);
}

#[tokio::test]
async fn a_folder_that_cannot_be_used_changes_nothing() {
    let (world, agent, _) = World::counting().await;
    agent.run("app.count = 5").await;
    world.put("file", "");
    let file = world.path().join("file");
    let refusal = agent.refusal("ui_configure", json!({"base_dir": file})).await;
    assert!(refusal.ends_with("it is not a folder"), "{refusal}");
    world.put("broken/config/config.toml", "[server]\nport = \"many\"\n");
    let broken = world.path().join("broken");
    let refusal = agent.refusal("ui_configure", json!({"base_dir": broken})).await;
    assert!(refusal.contains("config/config.toml:2: `server.port`: "), "{refusal}");
    assert_eq!(agent.run("return app.count").await, 5);
}

#[tokio::test]
async fn arguments_of_the_wrong_kind_are_named() {
    let world = World::new();
    let agent = world.agent().await;
    for arguments in [json!({}), json!({"base_dir": 1}), json!({"base_dir": null})] {
        let refusal = agent.refusal("ui_configure", arguments).await;
        assert_eq!(refusal, "base_dir must be a string");
    }
    let refusal = agent.refusal("ui_configure", json!({"base_dir": ""})).await;
    assert!(refusal.starts_with("base_dir must be a string"), "{refusal}");
    let (agent, _) = world.started().await;
    for (tool, arguments, refusal) in [
        ("ui_run", json!({}), "code must be a string"),
        ("ui_run", json!({"code": 1}), "code must be a string"),
        ("ui_run", json!({"code": "", "sessionId": 1}), "sessionId must be a string"),
        ("ui_upload_viewdef", json!({}), "type must be a string"),
        ("ui_upload_viewdef", json!({"type": "A"}), "namespace must be a string"),
        ("ui_upload_viewdef", json!({"type": "A", "namespace": "B"}), "content must be a string"),
        ("ui_open_browser", json!({"path": 1}), "path must be a string"),
        ("ui_open_browser", json!({"conserve": "yes"}), "conserve must be a boolean"),
        ("ui_wait", json!({"timeout": "1"}), "timeout must be a number"),
    ] {
        assert_eq!(agent.refusal(tool, arguments).await, refusal, "{tool}");
    }
    assert_eq!(agent.tool("ui_run", json!({"code": "return 1", "sessionId": ""})).await, "1");
}

// spec: ui 5.3
#[tokio::test]
async fn what_a_program_returns_is_json_and_what_is_none_says_so() {
    let (_world, agent, _) = World::counting().await;
    let code = "app.items = {{firstName = 'Ann'}}; return session:getApp().items[1].firstName";
    assert_eq!(agent.tool("ui_run", json!({"code": code})).await, "\"Ann\"");
    let text = agent.tool("ui_run", json!({"code": "return {a = {1, 2}}"})).await;
    assert_eq!(text, "{\n  \"a\": [\n    1,\n    2\n  ]\n}");
    let whole = agent.run("return print").await;
    assert!(whole["non-json"].as_str().unwrap().starts_with("function"), "{whole}");
    let part = agent.run("local t = {n = 1}; t.me = t; return t").await;
    assert_eq!(part["n"], 1);
    assert!(part["me"]["non-json"].is_string(), "{part}");
    assert_eq!(agent.run("x = 1").await, Value::Null);
    let refusal = agent.refusal("ui_run", json!({"code": "local x = nil\nreturn x.y"})).await;
    assert!(refusal.starts_with("execution failed: "), "{refusal}");
    assert!(refusal.contains(":2:") && refusal.contains("traceback"), "{refusal}");
}

#[tokio::test]
async fn a_program_that_fails_is_told_and_the_session_is_there() {
    let world = World::new();
    world.put("lua/main.lua", "x = 1\nerror('oh no')");
    let agent = world.agent().await;
    agent.tool("ui_configure", json!({"base_dir": world.base()})).await;
    let answer = agent.call("ui_start", json!({})).await;
    assert!(!answer.failed && answer.text.starts_with("http://127.0.0.1:"));
    assert!(answer.notes[0].contains("oh no"), "{:?}", answer.notes);
    assert_eq!(agent.run("return x").await, 1);
    assert!(world.read("log/lua-err.log").contains("oh no"));
}

// spec: ui 5.5
#[tokio::test]
async fn a_browser_that_cannot_be_opened_is_told() {
    let world = World::new();
    let (agent, _) = world.started().await;
    assert_eq!(
        agent.refusal("ui_open_browser", json!({"sessionId": "9"})).await,
        "session 9 not found"
    );
}

// spec: ui 4
#[tokio::test]
async fn what_lua_prints_goes_to_the_logs() {
    let (world, agent, _) = World::counting().await;
    agent.run("print('one', 2, true) io.write('three\\n') io.stdout:write('four\\n')").await;
    agent.run("io.stderr:write('five\\n')").await;
    assert_eq!(world.read("log/lua.log"), "one\t2\ttrue\nthree\nfour\n");
    assert!(world.read("log/lua-err.log").contains("five\n"));
    // Taken away from outside, it is there again with the next line.
    std::fs::remove_file(world.path().join("log/lua.log")).unwrap();
    agent.run("print('six')").await;
    assert_eq!(world.read("log/lua.log"), "six\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commands_that_race_leave_one_server_and_nothing_else() {
    let (world, agent, _) = World::counting().await;
    let others = [world.agent().await, world.agent().await, world.agent().await];
    let base = json!({"base_dir": world.base()});
    let racing = others.iter().map(|other| async {
        let mut urls = Vec::new();
        for _ in 0..8 {
            other.tool("ui_configure", base.clone()).await;
            let started = other.call("ui_start", json!({})).await;
            // Somebody else may have been first, or have begun anew in between.
            let known = ["Server already running", "Server not configured"];
            assert!(!started.failed || known.contains(&&*started.text), "{started:?}");
            if !started.failed {
                urls.push(started.text);
            }
            let run = other.call("ui_run", json!({"code": "return app.count"})).await;
            assert!(
                !run.failed
                    || run.text == "Server not started"
                    || run.text == "session 1 not found",
                "{run:?}"
            );
        }
        urls
    });
    let urls: Vec<String> = futures::future::join_all(racing).await.concat();
    agent.call("ui_start", json!({})).await;
    let status: Value = serde_json::from_str(&agent.tool("ui_status", json!({})).await).unwrap();
    assert_eq!(agent.run("return app.count").await, 0);
    for url in urls.iter().filter(|url| status["url"] != **url) {
        assert!(
            tokio::net::TcpStream::connect(authority(url)).await.is_err(),
            "{url} still listens"
        );
    }
}
