//! Wrappers, and the lists that are made with them.

use std::sync::Arc;

use ui_core::world::{Change, Placed, Request, Source};
use ui_core::{Path, Slot, VarId};

use crate::world::{Bench, bench};

const ROOT: Slot = Slot::ROOT;

fn people() -> Bench {
    let mut bench = bench();
    bench.run(
        "Person = session:prototype('Person', { name = '' })
         app = { people = { Person:new({ name = 'Ann' }), Person:new({ name = 'Bob' }) } }
         session:createAppVariable(app)
         Row = session:prototype('Row', {}) made = 0
         function Row:new(item) made = made + 1 return session:create(self, { item = item, person = item.baseItem }) end
         function Row:name() return self.person.name .. self.item.index end",
    );
    bench.walk();
    bench.requests();
    bench
}

#[test]
fn a_view_list_wraps_an_array_and_its_items() {
    let mut bench = people();
    let list = bench.wrapped(ROOT, "people", "lua.ViewList", &[]);
    bench.watch(list, "items");
    let first = bench.watch(list, "items.0");
    bench.watch(first, "item.name");
    bench.watch(first, "index");
    let expected = "people = {\"obj\":6} : lua.ViewList
items = [{\"obj\":7},{\"obj\":8}]
items.0 = {\"obj\":7} : lua.ViewListItem
item.name = \"Ann\"
index = 0";
    assert_eq!(bench.walk(), expected);
    let property = Request::Property {
        id: VarId(2),
        name: "fallbackNamespace:high".into(),
        value: "list-item".into(),
    };
    assert_eq!(bench.requests(), [property]);
    bench.run("table.insert(app.people, Person:new({ name = 'Cid' }))");
    assert_eq!(
        bench.walk(),
        "items = [{\"obj\":7},{\"obj\":8},{\"obj\":10}]",
        "the list stays, its items grow"
    );
    assert_eq!(bench.walk(), "");
    bench.run("app.people = {}");
    assert_eq!(
        bench.walk(),
        "items = {\"obj\":11}\nitems.0 = null\nitem.name = null\nindex = null"
    );
    bench.run("app.people[1] = Person:new({ name = 'Dan' })");
    assert_eq!(
        bench.walk(),
        "items = [{\"obj\":13}]\nitems.0 = {\"obj\":13} : lua.ViewListItem\nitem.name = \"Dan\"\nindex = 0"
    );
}

#[test]
fn item_wrappers_are_made_once_for_each_element() {
    let mut bench = people();
    let list = bench.wrapped(ROOT, "people", "lua.ViewList", &[("itemWrapper", "Row")]);
    let first = bench.watch(list, "items.0.item");
    bench.watch(first, "name()");
    assert!(bench.walk().ends_with(" : Row\nname() = \"Ann0\""));
    bench.run("app.people[3] = Person:new({ name = 'Cid' })");
    bench.walk();
    assert_eq!(bench.run("return made"), "3", "only the new element got a presenter");
    bench.run("app.people[1], app.people[2] = app.people[2], app.people[1]");
    assert!(bench.walk().ends_with("name() = \"Bob0\""));
    assert_eq!(bench.run("return made"), "5");
}

#[test]
fn item_is_another_name_for_item_wrapper() {
    let mut bench = people();
    let list = bench.wrapped(ROOT, "people", "lua.ViewList", &[("item", "Row")]);
    bench.watch(list, "items.1.item.name()");
    assert!(bench.walk().ends_with("= \"Bob1\""));
}

#[test]
fn items_remove_themselves_from_the_array_that_is_bound() {
    let mut bench = people();
    let list = bench.wrapped(ROOT, "people", "lua.ViewList", &[]);
    let remove = bench.watch(list, "items.0.remove()");
    bench.change(Change::Live { slot: remove, live: false });
    bench.watch(list, "items.0.item.name");
    bench.walk();
    bench.call(remove).unwrap();
    assert_eq!(bench.run("return app.people"), r#"[{"type":"Person","name":"Bob"}]"#);
    assert_eq!(bench.walk(), "items.0.item.name = \"Bob\"");
    bench.call(remove).unwrap();
    assert!(
        bench.call(remove).unwrap_err().starts_with("path-failure")
            || bench.run("return #app.people") == "0"
    );
    bench.run("app.people = { Person:new(), Person:new() }");
    bench.walk();
    bench.call(remove).unwrap();
    assert_eq!(bench.run("return #app.people"), "1", "the array that is bound now");
}

#[test]
fn a_list_without_wrapper_gives_its_children_presenters() {
    let mut bench = people();
    let source = Source::Path(Arc::new(Path::parse("people").unwrap()));
    let list = bench.place("people", |placed| Placed {
        source,
        item_wrapper: Some("Row".into()),
        ..placed
    });
    let row = bench.watch(list, "0");
    bench.watch(row, "name()");
    bench.watch(list, "1.person.name");
    assert_eq!(
        bench.walk(),
        "people = [{\"obj\":4},{\"obj\":5}]\n0 = {\"obj\":6} : Row\nname() = \"Ann0\"\n1.person.name = \"Bob\""
    );
    bench.run("table.remove(app.people, 1)");
    assert_eq!(
        bench.walk(),
        "people = [{\"obj\":5}]\n0 = {\"obj\":7} : Row\nname() = \"Bob0\"\n1.person.name = null"
    );
    assert_eq!(bench.run("return made"), "3");
}

#[test]
fn a_wrapper_keeps_its_state_while_it_returns_itself() {
    let mut bench = people();
    bench.run(
        "log = {} Box = {}
         function Box:new(variable)
           log[#log + 1] = 'new ' .. variable:getId() .. ' ' .. tostring(variable:getProperty('colour')) .. ' ' .. variable:getValue()
           return variable:getWrapper() or setmetatable({ type = 'Box', value = variable:getValue() }, { __index = Box })
         end
         function Box:sync() log[#log + 1] = 'sync ' .. self.value end
         function Box:destroy() log[#log + 1] = 'destroy' end
         app.n = 1",
    );
    let boxed = bench.wrapped(ROOT, "n", "Box", &[("colour", "red")]);
    bench.watch(boxed, "value");
    bench.watch(boxed, "missing");
    let first = bench.walk();
    assert!(
        first.starts_with("n = {\"obj\":") && first.ends_with(" : Box\nvalue = 1\nmissing = null"),
        "{first}"
    );
    bench.run("app.n = 2");
    assert_eq!(bench.walk(), "value = 2");
    bench.run("app.n = nil");
    assert_eq!(bench.walk(), "n = null\nvalue = null");
    bench.run("app.n = 3");
    bench.walk();
    bench.change(Change::Remove { slot: boxed });
    assert_eq!(
        bench.run("return log"),
        r#"["new 2 red 1","new 2 red 2","sync 2","destroy","new 2 red 3","destroy"]"#
    );
}

#[test]
fn a_wrapper_that_is_missing_or_fails_is_an_error_of_its_variable() {
    let mut bench = people();
    bench.run("Bad = {} function Bad:new() error('cannot wrap') end");
    bench.wrapped(ROOT, "people", "NoSuch", &[]);
    bench.wrapped(ROOT, "people", "Bad", &[]);
    assert_eq!(
        bench.walk(),
        "people ! not-found: no wrapper `NoSuch`: neither a prototype nor a global table\npeople ! lua-error: ui_run:1: cannot wrap"
    );
    assert_eq!(bench.walk(), "");
    bench.run("function Bad:new() return { type = 'Good' } end");
    assert!(bench.walk().ends_with(" : Good"));
}

#[test]
fn registered_tables_are_wrappers_too() {
    let mut bench = people();
    bench.run("local hidden = {} function hidden:new() return { type = 'Hidden' } end ui.registerWrapper('my.hidden', hidden) deep = { er = { new = function() return { type = 'Deep' } end } }");
    bench.wrapped(ROOT, "people", "my.hidden", &[]);
    bench.wrapped(ROOT, "people", "deep.er", &[]);
    let seen = bench.walk();
    assert!(seen.contains(" : Hidden") && seen.contains(" : Deep"), "{seen}");
}
