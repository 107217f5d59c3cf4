//! What variables see of objects: values, types, paths, writes, and what counts as a change.

use std::sync::Arc;

use ui_core::world::{Change, Placed, Source, World};
use ui_core::{Access, ObjId, Path, Priority, Slot, Value};

use ui_lua::Limits;

use crate::world::{Bench, bench, unseen};

const ROOT: Slot = Slot::ROOT;

fn with(fields: &str) -> Bench {
    let mut bench = bench();
    bench.run(&format!("app = {fields} session:createAppVariable(app)"));
    bench.walk();
    bench
}

#[test]
fn values_have_their_form_on_the_wire() {
    let mut bench = with(
        "{ s = 'x', i = 5, f = 5.0, h = 0.5, t = true, z = 0/0, inf = 1/0, fn = print, o = { a = 1 }, e = {}, arr = { 1, 'a', { b = 1 }, { 1 } }, priv = { 1, _x = 2 }, mixed = { 1, x = 1 } }",
    );
    for path in
        ["s", "i", "f", "h", "t", "none", "z", "inf", "fn", "o", "e", "arr", "priv", "mixed"]
    {
        bench.watch(ROOT, path);
    }
    let expected = "s = \"x\"
i = 5
f = 5
h = 0.5
t = true
none = null
z = null
inf = null
fn = null
o = {\"obj\":4}
e = {\"obj\":5}
arr = [1,\"a\",{\"obj\":6},{\"obj\":7}]
priv = [1]
mixed = {\"obj\":8}";
    assert_eq!(bench.walk(), expected);
    assert_eq!(bench.walk(), "", "nothing changed");
}

#[test]
fn only_what_changed_is_reported() {
    let mut bench = with("{ a = 1, b = 'x', o = { n = 1 }, list = { 1, 2 } }");
    for path in ["a", "b", "list"] {
        bench.watch(ROOT, path);
    }
    let o = bench.watch(ROOT, "o");
    bench.watch(o, "n");
    bench.walk();
    bench.run("app.a = 2");
    assert_eq!(bench.walk(), "a = 2");
    bench.run("app.o.n = 5");
    assert_eq!(
        bench.walk(),
        "n = 5",
        "a field of the same object is no change of the variable that holds it"
    );
    bench.run("app.o = { n = 5 }");
    assert_eq!(bench.walk(), "o = {\"obj\":5}");
    bench.run("app.list[3] = 'c'");
    assert_eq!(bench.walk(), "list = [1,2,\"c\"]");
    bench.run("app.list = { 1, 2, 'c' } app.a = 2.0");
    assert_eq!(bench.walk(), "", "equal on the wire is equal");
    bench.run("app.list[1] = nil app.list[2] = nil app.list[3] = nil");
    assert_eq!(bench.walk(), "list = {\"obj\":6}", "an empty table is an object");
    bench.run("app.o = nil");
    assert_eq!(bench.walk(), "o = null\nn = null");
    assert_eq!(bench.walk(), "");
    bench.run("app.o = { n = 9 }");
    assert_eq!(bench.walk(), "o = {\"obj\":7}\nn = 9");
}

#[test]
fn types_are_told_and_change() {
    let mut bench = with(
        "{ own = { type = 'Own' }, meta = setmetatable({}, { type = 'Meta' }), inherited = setmetatable({}, { __index = { type = 'Far' } }), array = setmetatable({ 1 }, { type = 'NoArray' }) }",
    );
    for path in ["own", "meta", "inherited", "array"] {
        bench.watch(ROOT, path);
    }
    assert_eq!(
        bench.walk(),
        "own = {\"obj\":4} : Own\nmeta = {\"obj\":5} : Meta\ninherited = {\"obj\":6} : Far\narray = {\"obj\":7} : NoArray"
    );
    bench.run("app.own.type = 'New'");
    assert_eq!(bench.walk(), "own = unchanged : New");
    bench.run("app.own = 5");
    assert_eq!(bench.walk(), "own = 5");
}

#[test]
fn object_ids_start_at_two_and_are_never_used_again() {
    let mut bench = unseen(Limits::default());
    assert_eq!(bench.walk(), "root = {\"obj\":2} : MCP");
    bench.run("mcp.x = {}");
    bench.watch(ROOT, "x");
    assert_eq!(bench.walk(), "x = {\"obj\":3}");
    bench.run("mcp.x = {} collectgarbage() collectgarbage()");
    assert_eq!(bench.walk(), "x = {\"obj\":4}");
    bench.run("collectgarbage() collectgarbage()");
    assert_eq!(bench.vm.object(ObjId(3)), None, "nobody holds it");
    assert!(bench.vm.object(ObjId(4)).is_some());
}

#[test]
fn paths_go_through_fields_methods_indexes_and_up() {
    let mut bench = with(
        "{ name = 'app', people = { { name = 'Ann', pets = { { name = 'Cat' } } } }, first = function(self) return self.people[1] end }",
    );
    bench.watch(ROOT, "people.0.name");
    bench.watch(ROOT, "people[0].pets[0].name");
    bench.watch(ROOT, "first().name");
    let person = bench.watch(ROOT, "people.0");
    bench.watch(person, "...name");
    let pet = bench.watch(person, "pets.0");
    bench.watch(pet, "../name");
    bench.watch(pet, "@app.name");
    bench.watch(pet, "name.too.far");
    let expected = "people.0.name = \"Ann\"
people[0].pets[0].name = \"Cat\"
first().name = \"Ann\"
people.0 = {\"obj\":4}
...name = \"app\"
pets.0 = {\"obj\":5}
../name = \"Ann\"
@app.name = \"app\"
name.too.far = null";
    assert_eq!(bench.walk(), expected);
}

#[test]
fn nothing_below_a_nil_is_read_again_but_what_does_not_start_there_is() {
    let mut bench = with("{ n = 1 }");
    let gone = bench.watch(ROOT, "gone");
    bench.watch(gone, "x");
    bench.watch(gone, "@app.n");
    assert_eq!(bench.walk(), "gone = null\nx = null\n@app.n = 1");
    bench.run("app.n = 2");
    assert_eq!(bench.walk(), "@app.n = 2");
    let below = bench.watch(gone, "y");
    assert_eq!(bench.walk(), "y = null", "a first read is reported");
    bench.run("app.gone = { x = 1, y = 2 }");
    assert_eq!(bench.walk(), "gone = {\"obj\":4}\nx = 1\ny = 2");
    bench.change(Change::Remove { slot: below });
    bench.run("app.gone = nil");
    assert_eq!(bench.walk(), "gone = null\nx = null");
}

#[test]
fn what_is_not_live_or_not_readable_is_not_read() {
    let mut bench = with(
        "{ a = 1, b = { c = 2 }, calls = 0, act = function(self) self.calls = self.calls + 1 end }",
    );
    let a = bench.watch(ROOT, "a");
    let path = |text| Source::Path(Arc::new(Path::parse(text).unwrap()));
    bench.place("act()", |placed| Placed {
        source: path("act()"),
        access: Access::Action,
        ..placed
    });
    let b = bench.watch(ROOT, "b");
    bench.watch(b, "c");
    bench.change(Change::Live { slot: a, live: false });
    bench.change(Change::Live { slot: b, live: false });
    assert_eq!(bench.walk(), "");
    assert_eq!(bench.run("return app.calls"), "0");
    bench.change(Change::Live { slot: b, live: true });
    assert_eq!(bench.walk(), "b = {\"obj\":4}\nc = 2");
}

#[test]
fn siblings_come_by_priority_and_then_in_order() {
    let mut bench = with("{ a = 1, b = 2, c = 3, d = 4 }");
    let path = |text: &str| Source::Path(Arc::new(Path::parse(text).unwrap()));
    for (name, priority) in [
        ("a", Priority::Low),
        ("b", Priority::Medium),
        ("c", Priority::High),
        ("d", Priority::Medium),
    ] {
        bench.place(name, |placed| Placed { source: path(name), priority, ..placed });
    }
    assert_eq!(bench.walk(), "c = 3\nb = 2\nd = 4\na = 1");
}

#[test]
fn an_error_while_reading_is_told_once_and_leaves_the_value() {
    let mut bench = with(
        "{ ok = true, get = function(self) if not self.ok then error('broken') end return 5 end }",
    );
    let get = bench.watch(ROOT, "get()");
    bench.watch(get, "x");
    bench.watch(ROOT, "nothing()");
    assert_eq!(
        bench.walk(),
        "get() = 5\nx = null\nnothing() ! not-found: no method `nothing` in the object"
    );
    bench.run("app.ok = false");
    assert_eq!(bench.walk(), "get() ! lua-error: ui_run:1: broken");
    assert_eq!(bench.host.err().matches("broken").count(), 1);
    assert_eq!(bench.walk(), "");
    bench.run("app.ok = true");
    assert_eq!(bench.walk(), "get() = unchanged", "the error is over");
    assert_eq!(bench.walk(), "");
}

#[test]
fn writes_go_through_the_path() {
    let mut bench = with(
        "{ name = 'a', list = { { n = 1 } }, set = function(self, v) self.got = v end, act = function(self) self.acted = (self.acted or 0) + 1 end }",
    );
    let name = bench.watch(ROOT, "name");
    bench.write(name, &Value::text("b")).unwrap();
    assert_eq!(bench.run("return app.name"), r#""b""#);
    let n = bench.watch(ROOT, "list.0.n");
    bench.write(n, &Value::Int(7)).unwrap();
    assert_eq!(bench.run("return { app.list[1].n, math.type(app.list[1].n) }"), r#"[7,"integer"]"#);
    let set = bench.watch(ROOT, "set(_)");
    bench.vm.write(set, ui_core::world::Write::CallWith(&Value::array([Value::Int(1)]))).unwrap();
    assert_eq!(bench.run("return app.got"), "[1]");
    let act = bench.watch(ROOT, "act()");
    bench.call(act).unwrap();
    assert_eq!(bench.run("return app.acted"), "1");
    let object = bench.watch(ROOT, "other");
    bench.write(object, &Value::Object(ObjId(3))).unwrap();
    assert_eq!(bench.run("return rawequal(app.other, app)"), "true");
    let record = Value::Record([("x".into(), Value::Int(1))].into());
    bench.write(object, &record).unwrap();
    assert_eq!(bench.run("return app.other"), r#"{"x":1}"#);
}

#[test]
fn writes_that_cannot_be_done_say_why() {
    let mut bench = with("{ s = 'text', bad = function() error('no') end }");
    let (through_nil, through_text) = (bench.watch(ROOT, "no.such"), bench.watch(ROOT, "s.x"));
    let (missing, bad, plain) =
        (bench.watch(ROOT, "missing()"), bench.watch(ROOT, "bad()"), bench.watch(ROOT, "s"));
    assert_eq!(
        bench.write(through_nil, &Value::Null).unwrap_err(),
        "path-failure: nil on the way, where a table is needed"
    );
    assert_eq!(
        bench.write(through_text, &Value::Null).unwrap_err(),
        "path-failure: string on the way, where a table is needed"
    );
    assert_eq!(bench.call(missing).unwrap_err(), "not-found: no such method in the object");
    assert_eq!(bench.call(bad).unwrap_err(), "lua-error: ui_run:1: no");
    assert!(bench.host.err().contains("ui_run:1: no\nstack traceback:\n\tui_run:1: in "));
    assert_eq!(
        bench.write(plain, &Value::Object(ObjId(99))).unwrap_err(),
        "not-found: no object 99"
    );
}

#[test]
fn a_write_below_what_was_never_read_reads_it_and_the_next_walk_tells() {
    let mut bench = unseen(Limits::default());
    bench.run("app = { a = { b = { c = 1 } } } session:createAppVariable(app)");
    let a = bench.watch(ROOT, "a");
    let b = bench.watch(a, "b");
    let c = bench.watch(b, "c");
    bench.write(c, &Value::Int(2)).unwrap();
    assert_eq!(bench.run("return app.a.b.c"), "2");
    let seen = bench.walk();
    for line in ["root = {\"obj\":2}", "a = {\"obj\":3}", "b = {\"obj\":4}", "c = 2"] {
        assert!(seen.lines().any(|seen| seen == line), "{line} in {seen}");
    }
    assert_eq!(seen.lines().count(), 4);
}

#[test]
fn create_makes_the_value_and_keeps_it_while_its_source_is_the_same() {
    let mut bench = with("{ person = { name = 'Ann' } }");
    bench.run("made = 0 View = session:prototype('View', {}) function View:new(p) made = made + 1 return session:create(self, { p = p }) end");
    let source = Source::Path(Arc::new(Path::parse("person").unwrap()));
    let view =
        bench.place("person", |placed| Placed { source, create: Some("View".into()), ..placed });
    bench.watch(view, "p.name");
    assert_eq!(bench.walk(), "person = {\"obj\":4} : View\np.name = \"Ann\"");
    bench.walk();
    assert_eq!(bench.run("return made"), "1");
    bench.run("app.person = { name = 'Bob' }");
    assert_eq!(bench.walk(), "person = {\"obj\":5} : View\np.name = \"Bob\"");
    bench.run("function View:new() error('cannot') end app.person = {}");
    assert_eq!(bench.walk(), "person = null\np.name = null");
}

#[test]
fn held_variables_show_their_object() {
    let mut bench = with("{}");
    bench.run("thing = { n = 1 } session:createVariable(1, thing)");
    let held = bench.place("held", |placed| Placed {
        id: ui_core::VarId(-1),
        source: Source::Held,
        ..placed
    });
    bench.watch(held, "n");
    let unbound = bench.place("unbound", |placed| Placed { source: Source::Held, ..placed });
    assert_eq!(bench.walk(), "held = {\"obj\":4}\nn = 1\nunbound = null");
    bench.write(unbound, &Value::Int(3)).unwrap();
    assert_eq!(bench.walk(), "unbound = 3");
}

#[test]
fn a_slot_is_used_again_for_another_variable() {
    let mut bench = with("{ a = 1, b = 2 }");
    let a = bench.watch(ROOT, "a");
    bench.walk();
    bench.change(Change::Remove { slot: a });
    let path = Source::Path(Arc::new(Path::parse("b").unwrap()));
    let placed = Placed {
        slot: a,
        id: ui_core::VarId(77),
        parent: Some(ROOT),
        source: path,
        access: Access::Read,
        priority: Priority::Medium,
        wrapper: None,
        item_wrapper: None,
        create: None,
    };
    bench.change(Change::Place(placed));
    assert_eq!(bench.walk(), "", "not live yet");
    bench.change(Change::Live { slot: a, live: true });
    assert_eq!(bench.walk(), "a = 2", "the bench still calls it `a`");
}

#[test]
fn an_object_is_shown_one_level_deep() {
    let mut bench = with("{ n = 1, o = { x = 1 }, f = print, _h = 2, list = { { 1 }, 5 } }");
    let list = bench.watch(ROOT, "list");
    bench.walk();
    assert_eq!(
        bench.vm.object(ObjId(3)).unwrap().to_string(),
        r#"{"list":{"obj":5},"n":1,"o":{"obj":6}}"#
    );
    assert_eq!(bench.vm.object(ObjId(5)).unwrap().to_string(), r#"[{"obj":4},5]"#);
    assert_eq!(bench.vm.object(ObjId(99)), None);
    bench.run("app.type = 'T'");
    assert_eq!(bench.vm.type_of(ObjId(3)).as_deref(), Some("T"));
    bench.change(Change::Remove { slot: list });
}
