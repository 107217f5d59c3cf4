//! Results as JSON.

use serde_json::Value as Json;
use ui_core::World;

use crate::world::bench;

// spec: ui 5.3
#[test]
fn results_are_json() {
    let mut bench = bench();
    for (code, json) in [
        ("", "null"),
        ("return", "null"),
        ("return 1, 2", "1"),
        ("return 5.0", "5"),
        ("return 2^53", "9007199254740992"),
        ("return 0.1", "0.1"),
        ("return 'text'", r#""text""#),
        (r#"return "\xff""#, "\"\u{fffd}\""),
        ("return true", "true"),
        ("return {}", "{}"),
        ("return { 1, nil, 3 }", "[1,null,3]"),
        ("return { [3] = 1 }", "[null,null,1]"),
        ("return { 1, x = 2 }", r#"{"x":2}"#),
        ("return { 1, _hidden = 2 }", "[1]"),
        ("return { b = 1, a = { c = { 2 } }, _h = 3 }", r#"{"a":{"c":[2]},"b":1}"#),
        ("return { [0] = 1, 2 }", "{}"),
        ("return 0/0", r#"{"non-json":"nan"}"#),
        ("return { 1/0, -1/0 }", r#"[{"non-json":"inf"},{"non-json":"-inf"}]"#),
    ] {
        assert_eq!(bench.run(code), json, "{code}");
    }
}

// spec: ui 5.3
#[test]
fn what_json_cannot_show_is_text_in_its_place() {
    let mut bench = bench();
    let is_text = |json: &Json, start: &str| json["non-json"].as_str().unwrap().starts_with(start);
    let result: Json = serde_json::from_str(
        &bench.run("return { print, coroutine.create(print), { f = print } }"),
    )
    .unwrap();
    assert!(is_text(&result[0], "function: 0x") && is_text(&result[1], "thread: 0x"));
    assert!(is_text(&result[2]["f"], "function: 0x"));
    let whole: Json = serde_json::from_str(&bench.run("return print")).unwrap();
    assert!(is_text(&whole, "function: "));
    let cycle: Json =
        serde_json::from_str(&bench.run("local t = { name = 'a' } t.me = t return t")).unwrap();
    assert_eq!(cycle["name"], "a");
    assert!(is_text(&cycle["me"], "table: 0x"));
}

#[test]
fn a_table_that_occurs_twice_is_no_cycle() {
    assert_eq!(bench().run("local t = { 1 } return { t, t }"), "[[1],[1]]");
}

#[test]
fn typed_objects_show_type_defaults_and_own_fields_without_methods() {
    let mut bench = bench();
    bench.run(
        "Base = session:prototype('Base', { colour = 'red' })
         Person = session:prototype('Person', { name = 'nobody', age = 1, email = EMPTY }, Base)
         function Person:greet() end",
    );
    assert_eq!(
        bench.run("return Person:new({ name = 'Ann', tags = { 'x' } })"),
        r#"{"type":"Person","age":1,"colour":"red","name":"Ann","tags":["x"]}"#
    );
    assert_eq!(bench.run("return { type = 'Own', 1, 2 }"), r#"{"type":"Own"}"#);
}

#[test]
fn depth_and_size_are_bounded_with_a_clear_error() {
    let mut bench = bench();
    let deep = "local t = {} local at = t for i = 1, N do at.x = {} at = at.x end return t";
    bench.run(&deep.replace('N', "99"));
    let fault = bench.fails(&deep.replace('N', "100"));
    assert_eq!(fault.message, "the result is nested deeper than 100 levels");
    for code in [
        "return ('x'):rep(5000000)",
        "return { [1 << 40] = 1 }",
        "local t = { 1 } for i = 1, 60 do t = { t, t } end return t",
        "local t = {} for i = 1, 500000 do t[i] = 'some text' end return t",
    ] {
        assert_eq!(
            bench.fails(code).message,
            "the result is larger than 4 MB: return a part of it",
            "{code}"
        );
    }
}

#[test]
fn json_goes_into_lua_and_back() {
    let mut bench = bench();
    let text = r#"{"a":[1,2.5,null,"x"],"b":{"c":true},"n":5.0}"#;
    assert_eq!(
        bench.run(&format!("return ui.json_encode(ui.json_decode('{text}'))")),
        r#""{\"a\":[1,2.5,null,\"x\"],\"b\":{\"c\":true},\"n\":5}""#
    );
    assert_eq!(bench.run("return math.type(ui.json_decode('5.0'))"), r#""integer""#);
    assert_eq!(bench.run("return tostring(ui.json_decode('[7.0]')[1])"), r#""7""#);
    assert_eq!(
        bench.run("local v, e = ui.json_decode('{') return { v == nil, type(e) }"),
        r#"[true,"string"]"#
    );
    assert_eq!(
        bench.run("local v, e = ui.json_decode(nil) return e"),
        r#""a text is needed, got nil""#
    );
}

// spec: ui 8.1
#[test]
fn the_state_is_the_root_with_its_type_and_cycles_as_references() {
    let mut bench = bench();
    assert_eq!(bench.vm.state().unwrap(), "null", "`mcp` is the root and has no value");
    bench.run("mcp.value = { 1 }");
    assert_eq!(bench.vm.state().unwrap(), "[1]");
    bench.run("App = session:prototype('MyApp', {}) app = App:new({ title = 'My Application', items = {} }) app.self = app session:createAppVariable(app)");
    assert_eq!(
        bench.vm.state().unwrap(),
        r#"{"type":"MyApp","items":{},"self":{"obj":3},"title":"My Application"}"#
    );
    bench.run("mcp.state = { only = 'this' }");
    assert_eq!(bench.vm.state().unwrap(), r#"{"only":"this"}"#);
}
