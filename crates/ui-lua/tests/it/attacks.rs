//! What hostile or careless code tries, and that the session answers the next call all the same.

use std::time::{Duration, Instant};

use ui_lua::{Exceeded, Limits};

use crate::world::{Bench, bench, bench_with};

/// Runs `code`, which must end by `limit`, and soon, and asks the session for something else.
#[track_caller]
fn stopped(code: &str, limit: Exceeded) -> Bench {
    let run =
        if limit == Exceeded::Time { Duration::from_millis(100) } else { Duration::from_mins(1) };
    let mut bench = bench_with(Limits { run, ..Limits::default() });
    let start = Instant::now();
    let fault = bench.fails(code);
    assert_eq!(fault.limit, Some(limit), "{}", fault.full());
    assert!(start.elapsed() < Duration::from_mins(1), "took {:?}", start.elapsed());
    assert_eq!(bench.run("return 6 * 7"), "42");
    bench
}

#[test]
fn an_endless_loop_ends_with_the_time_limit_and_its_place() {
    let mut bench = bench_with(Limits { run: Duration::from_millis(100), ..Limits::default() });
    let fault = bench.fails("local x = 0\nwhile true do x = x + 1 end");
    assert_eq!(fault.message, "ui_run:2: time limit of 100ms exceeded");
    assert_eq!(fault.limit, Some(Exceeded::Time));
    assert_eq!(bench.run("return 1"), "1");
}

#[test]
fn pcall_cannot_swallow_the_time_limit() {
    stopped("while true do pcall(function() while true do end end) end", Exceeded::Time);
    stopped(
        "local function f() while true do end end while true do xpcall(f, f) end",
        Exceeded::Time,
    );
    stopped(
        "while true do xpcall(error, function() while true do pcall(error) end end) end",
        Exceeded::Time,
    );
    stopped("local function f() pcall(f) pcall(f) end while true do pcall(f) end", Exceeded::Depth);
}

#[test]
fn coroutines_have_no_time_of_their_own() {
    stopped("coroutine.wrap(function() while true do end end)()", Exceeded::Time);
    stopped(
        "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
        Exceeded::Time,
    );
    stopped(
        "local function nest(n) local co = coroutine.create(function() if n > 0 then nest(n - 1) end while true do end end)
           while true do coroutine.resume(co) co = coroutine.create(function() while true do end end) end end
         nest(20)",
        Exceeded::Time,
    );
    stopped(
        "local co = coroutine.wrap(function() while true do coroutine.yield() end end) while true do co() end",
        Exceeded::Time,
    );
    stopped(
        "local co = coroutine.create(function()
           local x <close> = setmetatable({}, { __close = function() while true do end end })
           coroutine.yield()
         end)
         coroutine.resume(co)
         while true do coroutine.close(co) end",
        Exceeded::Time,
    );
}

#[test]
fn what_is_closed_when_the_time_is_over_has_no_time_of_its_own() {
    const ENDLESS: &str = "local x <close> = setmetatable({}, { __close = function() while true do end end }) while true do end";
    stopped(ENDLESS, Exceeded::Time);
    // Where a function of C has called back, no coroutine can be left.
    stopped(&format!("table.sort({{ 1, 2, 3 }}, function() {ENDLESS} end)"), Exceeded::Time);
    stopped(&format!("return ('a'):gsub('a', function() {ENDLESS} end)"), Exceeded::Time);
    stopped(
        &format!("while true do pcall(table.sort, {{ 1, 2 }}, function() {ENDLESS} end) end"),
        Exceeded::Time,
    );
    let nested = "function() local y <close> = setmetatable({}, { __close = function() local z <close> = setmetatable({},
        { __close = function() while true do end end }) while true do end end }) while true do end end";
    stopped(&format!("table.sort({{ 1, 2, 3 }}, {nested})"), Exceeded::Time);
    stopped(
        &format!(
            "local t = setmetatable({{}}, {{ __tostring = function() {ENDLESS} end }}) while true do tostring(t) end"
        ),
        Exceeded::Time,
    );
}

#[test]
fn a_sort_that_nothing_interrupts_is_bounded() {
    let mut bench = bench_with(Limits { run: Duration::from_mins(1), ..Limits::default() });
    let fault = bench.fails("local t = {} for i = 1, 1000001 do t[i] = -i end table.sort(t)");
    assert_eq!(fault.message, "ui_run:1: too many elements to sort without a function");
    assert_eq!(
        bench.run("local t = {} for i = 1, 1000 do t[i] = -i end table.sort(t) return t[1]"),
        "-1000"
    );
}

#[test]
fn a_catastrophic_pattern_ends_with_the_time_limit() {
    stopped("return ('a'):rep(40):find(('a?'):rep(40) .. ('a'):rep(40))", Exceeded::Time);
    stopped("return ('a'):rep(50000):match('.-.-.-.-b')", Exceeded::Time);
    stopped("for _ in ('a'):rep(50000):gmatch('.-.-.-.-b') do end", Exceeded::Time);
    stopped("return ('a'):rep(50000):gsub('.-.-.-.-b', '')", Exceeded::Time);
    stopped(
        "while true do pcall(string.find, ('a'):rep(40), ('a?'):rep(40) .. ('a'):rep(40)) end",
        Exceeded::Time,
    );
}

#[test]
fn a_text_larger_than_the_vm_is_refused() {
    stopped("return #('x'):rep(1 << 30)", Exceeded::Memory);
    stopped("while true do pcall(string.rep, 'x', 1 << 30) end", Exceeded::Memory);
    stopped("local s = 'x' while true do s = s .. s end", Exceeded::Memory);
    stopped("return (('x'):rep(1000000):gsub('x', ('y'):rep(1000000)))", Exceeded::Memory);
    stopped("local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000000) end", Exceeded::Memory);
    stopped("local t = {} while true do t[#t + 1] = {} end", Exceeded::Memory);
    stopped(
        "local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end",
        Exceeded::Memory,
    );
}

#[test]
fn library_calls_that_count_to_the_end_of_time_are_bounded() {
    let mut bench = bench();
    assert_eq!(bench.run("return string.rep('', 1 << 62)"), r#""""#);
    let fault = bench.fails("return string.format('%99999d', 1)");
    assert!(fault.message.contains("invalid conversion"), "{}", fault.message);
    for code in [
        "table.move({}, 1, 1 << 60, 2)",
        "table.concat(setmetatable({}, { __index = table.concat }), '', 1, 1 << 60)",
    ] {
        assert!(bench.fails(code).message.contains("too many elements"));
    }
    for code in [
        "table.insert(setmetatable({}, { __len = function() return 1 << 60 end }), 1, 'x')",
        "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }), 1)",
        "table.concat(setmetatable({}, { __index = function() return '' end }), '', 1, 9000000)",
        "table.sort(setmetatable({}, { __len = function() return 1 << 30 end, __index = function() return 1 end }))",
        "while true do collectgarbage() end",
        "load(function() while true do end end)",
        "while true do load(function() while true do end end) end",
    ] {
        stopped(code, Exceeded::Time);
    }
}

#[test]
fn runaway_coroutines_end_with_a_limit() {
    stopped("local t = {} while true do t[#t + 1] = coroutine.create(print) end", Exceeded::Memory);
    stopped("local function f() coroutine.wrap(f)() end f()", Exceeded::Depth);
}

#[test]
fn runaway_recursion_ends_with_the_depth_limit() {
    // Wide frames, so that the stack is full before the memory is.
    let wide = "local function f()\n local a, b, c, d, e, g, h, i, j, k, l, m, n, o, p, q, r, s, t\n return 1 + f()\nend\n";
    let mut bench = stopped(&format!("{wide}return f()"), Exceeded::Depth);
    let fault = bench.fails(&format!("{wide}return pcall(f)"));
    assert_eq!(fault.message, "ui_run:3: stack overflow: functions call each other too deeply");
    bench.fails("local function f() return 1 + f() end return f()");
    stopped(
        "local t = setmetatable({}, {}) getmetatable(t).__index = function(t, k) return t[k] end return t.x",
        Exceeded::Depth,
    );
    stopped(
        "local t = setmetatable({}, {}) getmetatable(t).__tostring = tostring return tostring(t)",
        Exceeded::Depth,
    );
}

#[test]
fn hostile_error_objects_hurt_nobody() {
    let mut bench = bench();
    let fault =
        bench.fails("error(setmetatable({}, { __tostring = function() error('again') end }))");
    assert!(!fault.message.is_empty());
    bench.fails("error(setmetatable({}, { __tostring = function() return {} end }))");
    let fault =
        bench.fails("error(setmetatable({}, { __tostring = function() return 'said it' end }))");
    assert_eq!(fault.message, "said it");
    bench.fails("error()");
    bench.fails("error({ code = 1 })");
    stopped(
        "error(setmetatable({}, { __tostring = function() while true do end end }))",
        Exceeded::Time,
    );
    assert_eq!(bench.run("return 1"), "1");
}

#[test]
fn closing_values_cannot_prolong_an_entry() {
    stopped(
        "local x <close> = setmetatable({}, { __close = function() while true do end end })
         while true do end",
        Exceeded::Time,
    );
    stopped(
        "local function f()
           local x <close> = setmetatable({}, { __close = function() while true do end end })
           while true do end
         end
         while true do pcall(coroutine.wrap(f)) end",
        Exceeded::Time,
    );
    stopped(
        "local endless = setmetatable({}, { __close = function() while true do end end })
         while true do pcall(function() for _ in next, { 1 }, nil, endless do error('out') end end) end",
        Exceeded::Time,
    );
    stopped(
        "table.sort({ 3, 2, 1 }, function() while true do pcall(error) end end)",
        Exceeded::Time,
    );
    stopped("return ('x'):gsub('x', function() while true do end end)", Exceeded::Time);
}

#[test]
fn finalizers_are_refused() {
    let mut bench = bench();
    let fault = bench.fails("setmetatable({}, { __gc = function() while true do end end })");
    assert!(
        fault.message.starts_with("ui_run:1: finalizers (`__gc`) are not available"),
        "{}",
        fault.message
    );
    bench.fails("session:create({ __gc = function() end })");
    // Set afterwards it means nothing: Lua looks when the metatable is set.
    assert_eq!(bench.run("local m = {} setmetatable({}, m) m.__gc = function() n = 1 end collectgarbage() return n"), "null");
}

#[test]
fn a_full_vm_can_be_told_to_let_go() {
    let mut bench = bench();
    bench.fails("kept = {} while true do kept[#kept + 1] = ('x'):rep(100000) .. #kept end");
    assert!(bench.vm.memory() > 50 << 20);
    bench.run("kept = nil");
    bench.vm.collect();
    assert!(bench.vm.memory() < 1 << 20);
    assert_eq!(bench.run("return #('x'):rep(20 << 20)"), (20 << 20).to_string());
}

#[test]
fn getters_that_exceed_a_limit_leave_the_others_alone() {
    let mut bench = bench();
    bench.run("session:createAppVariable({ bad = function() while true do end end, good = 1 })");
    let root = ui_core::Slot::ROOT;
    bench.watch(root, "bad()");
    bench.watch(root, "good");
    let seen = bench.walk();
    assert_eq!(
        seen,
        "root = {\"obj\":3}\nbad() ! limit: ui_run:1: time limit of 300ms exceeded\ngood = 1"
    );
    assert_eq!(bench.walk(), "", "the same error is told once");
    bench.run("session:getApp().bad = function() return 5 end");
    assert_eq!(bench.walk(), "bad() = 5");
}

#[test]
fn an_action_that_exceeds_a_limit_is_refused_and_the_next_one_runs() {
    let mut bench = bench();
    bench.run(
        "session:createAppVariable({ n = 0, loop = function() while true do pcall(error) end end, inc = function(self) self.n = self.n + 1 end })",
    );
    bench.walk();
    let (bad, good) =
        (bench.watch(ui_core::Slot::ROOT, "loop()"), bench.watch(ui_core::Slot::ROOT, "inc()"));
    assert_eq!(bench.call(bad).unwrap_err(), "limit: ui_run:1: time limit of 300ms exceeded");
    bench.call(good).unwrap();
    assert_eq!(bench.run("return session:getApp().n"), "1");
}

#[test]
fn hostile_metamethods_do_not_run_in_change_detection() {
    let mut bench = bench();
    bench.run(
        "ran = 0
         local meta = { __eq = function() ran = ran + 1 return true end, __len = function() ran = ran + 1 return 5 end,
                        __pairs = function() ran = ran + 1 return next, {} end, __lt = function() ran = ran + 1 end }
         function make(v) return setmetatable(v, meta) end
         session:createAppVariable({ a = make({ 1, 2 }), b = make({}), c = { make({}), make({}) } })",
    );
    for path in ["a", "b", "c"] {
        bench.watch(ui_core::Slot::ROOT, path);
    }
    assert_eq!(
        bench.walk(),
        "root = {\"obj\":3}\na = [1,2]\nb = {\"obj\":4}\nc = [{\"obj\":5},{\"obj\":6}]"
    );
    bench.run("local app = session:getApp() app.a = make({ 1, 2, 3 }) app.b = make({}) app.c[1] = make({})");
    assert_eq!(bench.walk(), "a = [1,2,3]\nb = {\"obj\":7}\nc = [{\"obj\":8},{\"obj\":6}]");
    assert_eq!(bench.run("return ran"), "0");
}

#[test]
fn a_hostile_index_is_an_error_of_its_variable_alone() {
    let mut bench = bench();
    bench.run(
        "local hostile = setmetatable({}, { __index = function(_, name) error('no ' .. name) end })
         session:createAppVariable({ hostile = hostile, fine = 'yes' })",
    );
    bench.watch(ui_core::Slot::ROOT, "hostile.name");
    bench.watch(ui_core::Slot::ROOT, "fine");
    let seen = bench.walk();
    assert_eq!(
        seen,
        "root = {\"obj\":3}\nhostile.name ! lua-error: ui_run:1: no name\nfine = \"yes\""
    );
    assert!(
        bench.host.err().contains("no name\nstack traceback:\n\tui_run:1: in metamethod 'index'")
    );
}

#[test]
fn limits_are_settings() {
    let mut small =
        bench_with(Limits { run: Duration::from_millis(20), memory: 1 << 20, ..Limits::default() });
    assert_eq!(small.fails("while true do end").message, "ui_run:1: time limit of 20ms exceeded");
    assert_eq!(small.fails("x = ('x'):rep(1 << 20)").message, "memory limit of 1 MB exceeded");
    assert_eq!(Limits::default().run, Duration::from_secs(10));
    assert_eq!(Limits::default().action, Duration::from_secs(2));
    assert_eq!(Limits::default().memory, 64 << 20);
}

#[test]
fn requests_to_the_engine_are_bounded() {
    let mut bench = bench();
    let fault = bench.fails("while true do session:destroyVariable(-1) end");
    assert_eq!(fault.message, "too many variables are made, changed or destroyed at once");
    assert_eq!(bench.requests().len(), 100_000);
    bench.run("session:destroyVariable(-1)");
}
