//! Prototypes, their instances, and what a reload does to both.

use crate::world::bench;

#[test]
fn a_prototype_is_its_fields_with_a_type_and_a_constructor() {
    let mut bench = bench();
    bench.run(
        "init = { name = 'nobody', email = EMPTY } Person = session:prototype('Person', init)",
    );
    assert_eq!(bench.run("return rawequal(Person, init) and rawequal(Person, session:prototype('Person')) and rawequal(Person.__index, Person)"), "true");
    assert_eq!(
        bench.run(
            "local p = Person:new({ age = 3 }) return { p.name, p.email == nil, p.age, p.type }"
        ),
        r#"["nobody",true,3,"Person"]"#
    );
    assert_eq!(
        bench.run("local p = session:create(Person) return getmetatable(p) == Person"),
        "true"
    );
    assert_eq!(bench.run("function Person:new(name) return session:create(self, { name = name }) end return Person:new('Ann').name"), r#""Ann""#);
}

#[test]
fn a_prototype_inherits_from_its_base_or_from_object() {
    let mut bench = bench();
    bench.run(
        "Object = session:prototype('Object', {}) function Object:hello() return 'hello ' .. self.type end
         A = session:prototype('A', { x = 1 }) B = session:prototype('My.B', { y = 2 }, A)",
    );
    assert_eq!(
        bench.run("local b = B:new() return { b.x, b.y, b:hello() }"),
        r#"[1,2,"hello My.B"]"#
    );
    assert_eq!(bench.run("return rawget(B, 'new') == nil"), "true", "a constructor is inherited");
}

#[test]
fn tostring_names_the_type() {
    let mut bench = bench();
    assert_eq!(
        bench.run("return tostring(session:prototype('Person', {}):new())"),
        r#""a Person""#
    );
    assert_eq!(bench.run("return tostring(session:prototype('Item', {}):new())"), r#""an Item""#);
    assert_eq!(
        bench.run("local P = session:prototype('P', { n = 4 }) function P:tostring() return 'P' .. self.n end return tostring(P:new())"),
        r#""P4""#
    );
}

const FIRST: &[u8] =
    b"Person = session:prototype('Person', { name = 'x', old = 1, tags = { a = { 1 } } })
function Person:greet() return 'hi' end
if not session.reloading then ann = Person:new({ name = 'Ann', old = 7 }) end
loads = (loads or 0) + 1";

#[test]
fn a_reload_changes_methods_and_fields_of_instances_that_live() {
    let mut bench = bench();
    bench.vm.run_main("lua/main.lua", FIRST).unwrap();
    let second = b"Person = session:prototype('Person', { name = 'x', email = 'none', tags = { a = { 1 } } })
        function Person:greet() return 'hello ' .. self.email end
        function Person:mutate() self.full = self.name .. tostring(self.old) end
        if not session.reloading then ann = nil end";
    assert!(bench.vm.reload("lua/main.lua", second).unwrap());
    assert_eq!(bench.run("return { ann:greet(), ann.full, rawget(ann, 'old') == nil, ann.old == nil, session.reloading }"), r#"["hello none","Ann7",true,true,false]"#);
}

#[test]
fn an_equal_declaration_mutates_nobody() {
    let mut bench = bench();
    bench.vm.run_main("lua/main.lua", FIRST).unwrap();
    bench.run("mutated = 0 function Person:mutate() mutated = mutated + 1 end");
    assert!(bench.vm.reload("lua/main.lua", FIRST).unwrap());
    assert_eq!(bench.run("return { mutated, loads }"), "[0,2]");
    bench
        .vm
        .reload(
            "lua/main.lua",
            &String::from_utf8_lossy(FIRST).replace("{ 1 }", "{ 2 }").into_bytes(),
        )
        .unwrap();
    assert_eq!(bench.run("return mutated"), "1", "a difference deep inside is one");
}

#[test]
fn one_instance_that_fails_to_mutate_stops_no_other() {
    let mut bench = bench();
    bench.run("P = session:prototype('P', { a = 1 }) one, two, three = P:new({ n = 1 }), P:new({ n = 2 }), P:new({ n = 3 })");
    bench.run("function P:mutate() if self.n == 2 then error('not me') end self.done = true end session:prototype('P', { b = 1 })");
    assert_eq!(bench.run("return { one.done, two.done == nil, three.done }"), "[true,true,true]");
    assert!(bench.host.err().starts_with("ui_run:1: not me\nstack traceback:\n"));
}

#[test]
fn files_that_were_never_loaded_are_not_reloaded() {
    let mut bench = bench();
    assert!(!bench.vm.reload("lua/other.lua", b"x = 1").unwrap());
    assert_eq!(bench.run("return x"), "null");
}

#[test]
fn a_reload_that_fails_leaves_the_old_code_and_is_noted() {
    let mut bench = bench();
    bench.vm.run_main("lua/main.lua", FIRST).unwrap();
    let fault =
        bench.vm.reload("lua/main.lua", b"function Person:greet( return 1 end").unwrap_err();
    assert_eq!(fault.message, "lua/main.lua:1: <name> or '...' expected near 'return'");
    assert_eq!(bench.host.err(), "lua/main.lua:1: <name> or '...' expected near 'return'\n");
    assert_eq!(bench.run("return { ann:greet(), session.reloading }"), r#"["hi",false]"#);
    bench.vm.reload("lua/main.lua", b"error('late')").unwrap_err();
    assert_eq!(bench.run("return session.reloading"), "false");
}

#[test]
fn instances_are_held_weakly() {
    let mut bench = bench();
    bench.run("P = session:prototype('P', { a = 1 }) for i = 1, 1000 do P:new() end kept = P:new() collectgarbage() collectgarbage()");
    bench.run("n = 0 function P:mutate() n = n + 1 end session:prototype('P', { b = 1 })");
    assert_eq!(bench.run("return n"), "1");
}

#[test]
fn prototypes_are_removed_by_name_with_their_children() {
    let mut bench = bench();
    bench.run("for _, n in ipairs({ 'A', 'A.B', 'A.C', 'AB' }) do session:prototype(n, {}) end first = session:prototype('A.B') session:removePrototype('A', true)");
    assert_eq!(bench.run("return rawequal(first, session:prototype('A.B', {}))"), "false");
    assert_eq!(bench.run("local ab = session:prototype('AB') return ab.type"), r#""AB""#);
}
