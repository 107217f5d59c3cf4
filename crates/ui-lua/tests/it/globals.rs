//! `session`, `mcp`, `ui`, `require` and their company.

use serde_json::json;
use ui_core::VarId;
use ui_core::world::Request;
use ui_lua::{Level, Limits};

use crate::world::{bench, unseen};

#[test]
fn everything_is_there_while_main_runs() {
    let mut bench = bench();
    let main = b"assert(session and mcp and ui and EMPTY and print and require and package.loaded and diag) seen = mcp.type";
    bench.vm.run_main("lua/main.lua", main).unwrap();
    assert_eq!(bench.run("return seen"), r#""MCP""#);
}

#[test]
fn without_an_application_mcp_is_the_root_and_object_two() {
    let mut bench = unseen(Limits::default());
    assert_eq!(bench.walk(), "root = {\"obj\":2} : MCP");
    assert_eq!(bench.run("return session:getApp()"), "null");
}

#[test]
fn the_application_object_replaces_the_root() {
    let mut bench = bench();
    assert_eq!(bench.run("App = session:prototype('App', {}) return session:createAppVariable(App:new({ n = 1 }), { namespace = 'x', n = 2 })"), "1");
    assert_eq!(bench.walk(), "root = {\"obj\":3} : App");
    assert_eq!(bench.run("return session:getApp().n"), "1");
    assert_eq!(
        bench.requests(),
        [Request::Root {
            properties: vec![("n".into(), "2".into()), ("namespace".into(), "x".into())]
        }]
    );
    bench.run("session:createAppVariable(session:prototype('Other', {}):new())");
    assert_eq!(bench.walk(), "root = {\"obj\":4} : Other");
}

#[test]
fn variables_made_by_lua_are_asked_for_with_negative_ids() {
    let mut bench = bench();
    bench.run("app = {} session:createAppVariable(app)");
    bench.requests();
    assert_eq!(bench.run("thing = { x = 1 } return { session:createVariable(1, thing), session:createVariable(app, {}), session:createVariable(thing, {}) }"), "[-1,-2,-3]");
    bench.run(
        "session:destroyVariable(thing) session:destroyVariable(-2) session:destroyVariable({})",
    );
    let create =
        |id, parent| Request::Create { id: VarId(id), parent: VarId(parent), properties: vec![] };
    let destroy = |id| Request::Destroy { id: VarId(id) };
    assert_eq!(
        bench.requests(),
        [create(-1, 1), create(-2, 1), create(-3, -1), destroy(-1), destroy(-2)]
    );
    assert!(bench.requests().is_empty());
    bench.fails("session:createVariable({}, {})");
}

#[test]
fn require_runs_a_module_once() {
    let mut bench = bench();
    bench.host.module("a.b", "runs = (runs or 0) + 1 return { name = ... }");
    assert_eq!(
        bench.run("return { require('a.b').name, rawequal(require('a.b'), require('a.b')), runs }"),
        r#"["a.b",true,1]"#
    );
    bench.host.module("plain", "x = 1");
    assert_eq!(bench.run("return { require('plain'), package.loaded.plain }"), "[true,true]");
}

#[test]
fn modules_may_require_each_other_and_a_failed_one_may_be_tried_again() {
    let mut bench = bench();
    bench.host.module("one", "local two = require('two') return { two = two }");
    bench.host.module("two", "return { one = require('one') }");
    assert_eq!(bench.run("return require('one').two.one"), "true");
    bench.host.module("bad", "local x = 1\nerror('not yet')");
    let fault = bench.fails("require('bad')");
    assert_eq!(fault.message, "lua/bad.lua:2: not yet");
    assert!(fault.traceback.contains("lua/bad.lua:2: in "), "{}", fault.traceback);
    bench.host.module("bad", "return 'good'");
    assert_eq!(bench.run("return require('bad')"), r#""good""#);
    bench.host.module("broken", "x = = 1");
    assert_eq!(
        bench.fails("require('broken')").message,
        "lua/broken.lua:1: unexpected symbol near '='"
    );
}

#[test]
fn a_module_that_changed_is_run_again_where_it_was_loaded() {
    let mut bench = bench();
    bench.host.module("m", "return { version = 1 }");
    bench.run("require('m')");
    assert!(
        bench
            .vm
            .reload("lua/m.lua", b"was_reloading = session.reloading return { version = 2 }")
            .unwrap()
    );
    assert_eq!(bench.run("return { require('m').version, was_reloading }"), "[2,true]");
}

#[test]
fn modules_are_unloaded_with_what_they_registered() {
    let mut bench = bench();
    bench.host.module("apps.x.model", "session:prototype('X', {}) return 1");
    bench.run("require('apps.x.model') first = session:prototype('X')");
    bench.run("session:unloadDirectory('lua/apps/x')");
    assert_eq!(bench.run("return { package.loaded['apps.x.model'] == nil, rawequal(first, session:prototype('X', {})) }"), "[true,false]");
    assert!(!bench.vm.reload("lua/apps/x/model.lua", b"").unwrap());
    bench.run("require('apps.x.model') session:unloadModule('apps.x.model')");
    assert_eq!(bench.run("return package.loaded['apps.x.model']"), "null");
}

// spec: ui 7.1
#[test]
fn notify_hands_events_to_the_host_in_order() {
    let mut bench = bench();
    bench.run("mcp.notify('feedback', { rating = 4, comment = 'Great!' }) mcp.notify('bare') mcp.notify('list', { 1, 2 }) mcp.pushState({ event = 'e' })");
    let events = bench.host.events.lock().unwrap().clone();
    assert_eq!(
        events,
        [
            ("feedback".to_owned(), json!({"rating": 4, "comment": "Great!"})),
            ("bare".to_owned(), json!({})),
            ("list".to_owned(), json!({"items": [1, 2]})),
            (String::new(), json!({"event": "e"})),
        ]
    );
    for code in [
        "mcp.notify()",
        "mcp.notify('tools/call')",
        "mcp.notify('initialize')",
        "mcp.notify('ping')",
        "mcp.notify('x', 5)",
        "mcp.notify(3)",
    ] {
        bench.fails(code);
    }
    assert_eq!(bench.host.events.lock().unwrap().len(), 4);
    assert_eq!(
        bench.run("return { mcp:pollingEvents(), mcp:waitTime(), mcp:status() }"),
        "[false,0,{}]"
    );
}

#[test]
fn logs_reach_the_host() {
    let mut bench = bench();
    bench.run("session:log('plain') session:log('warn', 'careful') ui.log('error', 'bad') ui.log('odd', 'text') diag('info', 'outside')");
    let log = bench.host.log.lock().unwrap().clone();
    let expected = [
        (Level::Info, "plain"),
        (Level::Warn, "careful"),
        (Level::Error, "bad"),
        (Level::Info, "text"),
        (Level::Debug, "outside"),
    ];
    assert_eq!(log, expected.map(|(level, text)| (level, text.to_owned())));
}

#[test]
fn diag_notes_the_variable_being_evaluated() {
    let mut bench = bench();
    bench.run("session:createAppVariable({ get = function() diag('warn', 'slow') return 1 end })");
    bench.requests();
    bench.watch(ui_core::Slot::ROOT, "get()");
    bench.walk();
    assert_eq!(bench.requests(), [Request::Note { id: VarId(2), text: "warn: slow".into() }]);
}

#[test]
fn an_error_in_main_is_returned_and_noted() {
    let mut bench = bench();
    let fault = bench.vm.run_main("lua/main.lua", b"x = 1\nerror('no')").unwrap_err();
    assert_eq!(fault.message, "lua/main.lua:2: no");
    assert_eq!(
        bench.host.err(),
        "lua/main.lua:2: no\nstack traceback:\n\tlua/main.lua:2: in main chunk\n"
    );
    assert_eq!(bench.run("return x"), "1", "the session is there");
}
