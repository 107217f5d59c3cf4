//! Files that a project opens to its programs.

use serde_json::json;

use crate::{agent::Agent, world::World};

async fn with(settings: &str) -> (World, Agent) {
    let world = World::new();
    world.put("config/config.toml", settings);
    world.put("notes/a.txt", "one\ntwo\n3.5 rest");
    let (agent, _) = world.started().await;
    (world, agent)
}

async fn run(agent: &Agent, code: &str) -> String {
    agent.tool("ui_run", json!({ "code": code })).await
}

#[tokio::test]
async fn files_are_closed_unless_the_project_opens_them() {
    let (_world, agent) = with("").await;
    assert_eq!(
        run(&agent, "return io.open == nil and io.lines == nil and io.popen == nil").await,
        "true"
    );
}

#[tokio::test]
async fn programs_read_and_write_below_the_project() {
    let (world, agent) = with("[lua]\nallow = [\"io\"]\n").await;
    let code = "local all = {} for line in io.lines('notes/a.txt') do all[#all + 1] = line end return table.concat(all, '|')";
    assert_eq!(run(&agent, code).await, "\"one|two|3.5 rest\"");
    let code = "local f <close> = io.open('notes/a.txt') local x, y = f:read('L', 2) local at = f:seek()
        f:seek('set', 8) local n = f:read('n') return { x, y, at, n, f:read('a'), f:read('a'), tostring(f:read('l')), io.type(f) }";
    let read: serde_json::Value = serde_json::from_str(&run(&agent, code).await).unwrap();
    assert_eq!(read, json!(["one\n", "tw", 6, 3.5, " rest", "", "nil", "file"]));
    let code = "local f = io.open('made.txt', 'w') f:write('a', 1, 2.5):write('b') f:close()
        f = io.open('made.txt', 'a+') f:write('!') f:seek('set') local all = f:read('a') f:close()
        return { all, io.type(f), select(2, pcall(f.read, f)) }";
    let made: serde_json::Value = serde_json::from_str(&run(&agent, code).await).unwrap();
    assert_eq!(made[0], "a12.5b!");
    assert_eq!(made[1], "closed file");
    assert!(made[2].as_str().unwrap().contains("closed file"), "{made}");
    assert_eq!(world.read("made.txt"), "a12.5b!");
}

#[tokio::test]
async fn no_name_leads_out_and_the_settings_cannot_be_written() {
    let (world, agent) = with("[lua]\nallow = [\"io\"]\n").await;
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("secret"), "s").unwrap();
    std::os::unix::fs::symlink(outside.path(), world.path().join("out")).unwrap();
    std::os::unix::fs::symlink(outside.path().join("none"), world.path().join("dangling")).unwrap();
    let secret = outside.path().join("secret");
    for (name, mode) in [
        ("../x", "w"),
        ("notes/../../x", "w"),
        (secret.to_str().unwrap(), "r"),
        ("out/secret", "r"),
        ("out/new", "w"),
        ("dangling", "w"),
        ("config/config.toml", "w"),
        ("config/config.toml", "r+"),
        ("config/more.toml", "a"),
        ("notes", "r"),
        ("none/a", "w"),
    ] {
        let code = format!("local f, why = io.open({name:?}, '{mode}') return f == nil and why");
        let said = run(&agent, &code).await;
        assert!(said.starts_with(&format!("\"{name}: ")), "{name} {mode}: {said}");
    }
    assert_eq!(run(&agent, "return io.open('config/config.toml'):read('l')").await, "\"[lua]\"");
    assert!(!outside.path().join("new").exists() && !outside.path().join("none").exists());
    let refused = agent.call("ui_run", json!({"code": "io.open('a', 'x')"})).await;
    assert!(refused.failed && refused.text.contains("invalid mode"), "{}", refused.text);
}

#[tokio::test]
async fn files_are_bounded_in_number_and_size() {
    let (world, agent) = with("[lua]\nallow = [\"io\"]\nmemory_limit = \"4MB\"\n").await;
    world.put("large", &"x".repeat(8 << 20));
    let whole = agent.call("ui_run", json!({"code": "return #io.open('large'):read('a')"})).await;
    assert!(whole.failed && whole.text.contains("memory limit of 4 MB exceeded"), "{}", whole.text);
    let code = "kept = {} for i = 1, 100 do local f, why = io.open('large') if not f then return why end kept[i] = f end";
    assert!(run(&agent, code).await.contains("files are open already"));
    let code = "kept = nil collectgarbage() return io.open('large') ~= nil";
    assert_eq!(run(&agent, code).await, "true", "what nobody holds is closed");
    let code = "local f = io.open('grown', 'w') local t = ('x'):rep(1 << 20)
        for i = 1, 100 do local ok, why = f:write(t) if not ok then return i end end";
    assert_eq!(run(&agent, code).await, "65");
}

#[tokio::test]
async fn what_cannot_be_allowed_is_told_with_its_place() {
    for (allow, said) in [
        ("[\"process\"]", "processes are closed"),
        ("[\"net\"]", "there is `io`"),
        ("1", "a list is wanted"),
    ] {
        let world = World::new();
        world.put("config/config.toml", &format!("[lua]\nallow = {allow}\n"));
        let agent = world.agent().await;
        let refused = agent.refusal("ui_configure", json!({"base_dir": world.base()})).await;
        assert!(
            refused.contains("config.toml:2")
                && refused.contains("`lua.allow`")
                && refused.contains(said),
            "{refused}"
        );
    }
}
