//! That passing over what is the same passes over nothing that is not: whatever code does to its objects, variables that were walked
//! again and again show what variables show that are read for the first time.

use std::collections::BTreeMap;
use std::time::Duration;

use proptest::prelude::*;
use ui_core::Slot;
use ui_core::world::{Change, World};

use ui_lua::Limits;

use crate::world::{Bench, bench, bench_with};

/// Objects of every kind that counts, and functions that are values, elements and types in what is done to them.
const APP: &str = "
Base = session:prototype('Base', { shared = 'base' })
Row = session:prototype('Row', { name = 'row', mark = EMPTY }, Base)
Other = session:prototype('Other', { name = 'other' })
loose = setmetatable({}, { __index = { name = 'inherited' } })
getter = setmetatable({ n = 0 }, { __index = function(t, key) return key == 'name' and 'made ' .. t.n or nil end })
hidden = setmetatable({ name = 'h' }, { type = 'Hidden', __metatable = 'locked' })
objects = { Row:new(), Row:new({ name = 'two' }), Other:new(), loose, getter, hidden, { name = 'plain' }, {}, { 1, 2 }, { _x = 1 }, { type = 'Own' } }
app = { a = objects[1], b = 1, list = { objects[1], objects[2], 3 }, rows = { objects[1], objects[2] }, deep = { deep = { name = 'd' } } }
session:createAppVariable(app)
names = { 'a', 'b', 'list', 'deep', 'name', 'shared', 'mark' }
function value(n)
  local all = { false, true, 1, 1.0, 2.5, 0/0, 1/0, 'x', '', print, 'name 1', table.unpack(objects) }
  return all[n % (#all + 1) + 1]
end
function object(n) return objects[n % #objects + 1] end
";

const PATHS: [&str; 12] = [
    "a",
    "b",
    "list",
    "deep",
    "a.name",
    "a.mark",
    "deep.deep.name",
    "list.0",
    "list.1.name",
    "deep.deep",
    "b.shared",
    "none.name",
];
const BELOW: [&str; 5] = ["name", "shared", "mark", "0", "1"];

/// One thing that code may do.
fn step() -> impl Strategy<Value = String> {
    let name = prop::sample::select(vec!["a", "b", "list", "deep", "name", "shared", "mark"]);
    let n = || 0..40_u8;
    prop_oneof![
        4 => (name.clone(), n()).prop_map(|(name, n)| format!("app.{name} = value({n})")),
        4 => (n(), name.clone(), n()).prop_map(|(o, name, n)| format!("object({o}).{name} = value({n})")),
        2 => (n(), 1..4_u8, n()).prop_map(|(o, at, n)| format!("object({o})[{at}] = value({n})")),
        2 => (1..6_u8, n()).prop_map(|(at, n)| format!("if type(app.list) == 'table' then rawset(app.list, {at}, value({n})) end")),
        1 => (1..6_u8).prop_map(|at| format!("if type(app.list) == 'table' then rawset(app.list, {at}, nil) end")),
        2 => (1..4_u8, n()).prop_map(|(at, n)| format!("if {at} <= #app.rows then app.rows[{at}] = object({n}) end")),
        1 => n().prop_map(|n| format!("table.insert(app.rows, object({n}))")),
        1 => n().prop_map(|n| format!("app.rows = {{ object({n}) }}")),
        1 => n().prop_map(|n| format!("app.list = {{ value({n}), object({n}), value({n} + 1) }}")),
        1 => n().prop_map(|n| format!("app.list = {{ table.unpack({{ object({n}), 1, 2 }}) }}")),
        1 => Just("if type(app.list) == 'table' then app.list.x = 1 end".to_owned()),
        1 => Just("if type(app.list) == 'table' then app.list._x = 1 app.list.x = nil end".to_owned()),
        1 => n().prop_map(|n| format!("Row.name = value({n})")),
        1 => n().prop_map(|n| format!("Base.shared = value({n})")),
        1 => Just("Row.type = Row.type == 'Row' and 'Renamed' or 'Row'".to_owned()),
        1 => Just("setmetatable(objects[1], getmetatable(objects[1]) == Row and Other or Row)".to_owned()),
        1 => Just("setmetatable(objects[7], getmetatable(objects[7]) == nil and Row or nil)".to_owned()),
        1 => Just("objects[5].n = objects[5].n + 1".to_owned()),
        1 => n().prop_map(|n| format!("if type(app.deep) == 'table' then app.deep.deep = value({n}) end")),
        1 => Just("app.deep = { deep = { name = 'new' } }".to_owned()),
    ]
}

/// Variables for all paths, some below others; the root is left as it is.
fn watch(bench: &mut Bench) -> Vec<Slot> {
    let mut slots = Vec::new();
    for path in PATHS {
        let slot = bench.watch(Slot::ROOT, path);
        slots.push(slot);
        slots.extend(BELOW.map(|below| bench.watch(slot, below)));
    }
    let listed = bench.wrapped(Slot::ROOT, "rows", "lua.ViewList", &[]);
    // A list made anew has items of its own, so what is in them is compared.
    slots.extend(
        ["items.0.item.name", "items.1.item", "items.2.index"]
            .map(|path| bench.watch(listed, path)),
    );
    slots
}

/// What is known of each variable, by its slot, and what a walk adds to it.
type Shown = BTreeMap<u32, (String, Option<String>)>;

fn walk(bench: &mut Bench, shown: &mut Shown) {
    let mut seen = Vec::new();
    for _ in 0..4 {
        if bench.vm.walk(&mut seen) == ui_core::world::Walked::Settled {
            break;
        }
    }
    for seen in seen {
        let known = shown.entry(seen.slot.0).or_default();
        if let Some(value) = seen.value {
            known.0 = value.to_string();
        }
        known.1 = seen.type_name.map(|name| name.to_string());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]
    #[test]
    fn what_was_passed_over_is_the_same_as_what_is_read_anew(
        turns in prop::collection::vec(prop::collection::vec(step(), 1..8), 1..5),
    ) {
        // A walk that a busy machine interrupts for long must not look like one that missed something.
        let patient = Duration::from_mins(5);
        let mut bench = bench_with(Limits { run: patient, action: patient, ..Limits::default() });
        bench.run(APP);
        let (mut shown, first) = (Shown::new(), watch(&mut bench));
        walk(&mut bench, &mut shown);
        for steps in turns {
            for step in &steps {
                // What cannot be done, such as setting a field of a number, is not done.
                bench.run(&format!("pcall(function() {step} end)"));
                walk(&mut bench, &mut shown);
            }
            // Placing variables makes a new plan, so that comes after several walks.
            let second = watch(&mut bench);
            walk(&mut bench, &mut shown);
            for (old, new) in first.iter().zip(&second) {
                let (old, new) = (&shown[&old.0], &shown[&new.0]);
                prop_assert_eq!(old, new, "after {:?}", &steps);
            }
            for slot in second.into_iter().rev() {
                bench.change(Change::Remove { slot });
            }
        }
    }
}

#[test]
fn what_is_below_something_that_is_gone_reads_as_null_once() {
    let mut bench = bench();
    bench.run("app = { a = { name = 'x' } } session:createAppVariable(app)");
    let a = bench.watch(Slot::ROOT, "a");
    bench.watch(a, "name");
    bench.walk();
    assert_eq!(bench.walk(), "");
    bench.run("app.a = nil");
    assert_eq!(bench.walk(), "a = null\nname = null");
    bench.run("app.a = { name = 'y' }");
    assert_eq!(bench.walk(), "a = {\"obj\":5}\nname = \"y\"");
    bench.run("app.a = 5");
    assert_eq!(bench.walk(), "a = 5\nname = null");
    assert_eq!(bench.walk(), "");
}
