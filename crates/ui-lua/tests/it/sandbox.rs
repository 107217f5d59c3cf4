//! What user code sees of Lua's libraries, and what it does not.

use crate::world::bench;

#[test]
fn what_reaches_the_machine_is_not_there() {
    let mut bench = bench();
    for name in [
        "debug",
        "dofile",
        "loadfile",
        "warn",
        "setfenv",
        "getfenv",
        "newproxy",
        "string.dump",
        "os.execute",
        "os.exit",
        "os.getenv",
        "os.remove",
        "os.rename",
        "os.tmpname",
        "os.setlocale",
        "io.open",
        "io.popen",
        "io.lines",
        "io.tmpfile",
        "package.loadlib",
        "package.cpath",
        "package.searchers",
        "package.preload",
    ] {
        assert_eq!(bench.run(&format!("return {name}")), "null", "{name}");
    }
}

#[test]
fn habits_of_older_lua_work() {
    let mut bench = bench();
    assert_eq!(bench.run("return { unpack({ 1, 2 }) }"), "[1,2]");
    assert_eq!(bench.run("return loadstring('return 1 + 1')()"), "2");
    assert_eq!(bench.run("return table.getn({ 1, 2, 3 })"), "3");
    assert_eq!(bench.run("return math.pow(2, 10)"), "1024");
    assert_eq!(bench.run("goto done ::done:: local x <const> = 7 // 2 return x"), "3");
}

#[test]
fn no_bytecode_is_loaded() {
    let mut bench = bench();
    assert_eq!(
        bench.run(r#"return { load("\27Lua") }"#),
        "[null,\"attempt to load a binary chunk (mode is 't')\"]"
    );
    assert_eq!(
        bench.run(r#"return select(2, load("\27Lua", "x", "b"))"#),
        r#""attempt to load a binary chunk: only text is loaded here""#
    );
    assert_eq!(
        bench.run("return select(2, load('x ='))"),
        r#""[string \"x =\"]:1: unexpected symbol near <eof>""#
    );
    assert_eq!(bench.run("local e = { y = 3 } return load('return y', 'n', 't', e)()"), "3");
    assert_eq!(bench.run("local e = { y = 3 } return load('x = y', 'n', 't', e)() or e.x"), "3");
}

#[test]
fn the_metatable_of_strings_is_closed_but_the_library_is_open() {
    let mut bench = bench();
    assert_eq!(bench.run("return getmetatable('')"), "false");
    assert_eq!(
        bench.run("function string.shout(s) return s:upper() .. '!' end return ('a'):shout()"),
        r#""A!""#
    );
}

#[test]
fn replaced_globals_do_not_reach_our_own_code() {
    let mut bench = bench();
    bench.run(
        "for name in pairs(_G) do if name ~= '_G' and name ~= 'session' and name ~= 'pairs' then _G[name] = nil end end
         local app = { list = { 1, 2 } } session:createAppVariable(app)",
    );
    bench.watch(ui_core::Slot::ROOT, "list");
    assert_eq!(bench.walk(), "root = {\"obj\":3}\nlist = [1,2]");
}

#[test]
fn errors_have_their_place_and_traceback() {
    let mut bench = bench();
    let fault = bench.fails("local function f()\n  error('boom')\nend\nf()\nreturn 1");
    assert_eq!(fault.message, "ui_run:2: boom");
    assert_eq!(
        fault.traceback,
        "\tui_run:2: in upvalue 'f'\n\tui_run:4: in main chunk".replace("upvalue", "local")
    );
    assert_eq!(fault.full().lines().nth(1), Some("stack traceback:"));
    assert_eq!(bench.fails("return 1 +").message, "ui_run:1: unexpected symbol near <eof>");
    assert_eq!(
        bench.fails("local s = nil; s:find('x')").message,
        "ui_run:1: attempt to index a nil value (local 's')"
    );
}

#[test]
fn errors_of_our_functions_are_texts_with_the_place_of_the_caller() {
    let mut bench = bench();
    for (code, message) in [
        ("string.find()", "bad argument #1 to 'find' (string expected, got no value)"),
        ("string.find('a', '[a')", "malformed pattern (missing ']')"),
        ("('a'):gsub('a', '%2')", "invalid capture index %2"),
        (
            "('a'):gsub('a', true)",
            "bad argument #3 to 'gsub' (string/function/table expected, got boolean)",
        ),
        ("('a'):gsub('a', function() return {} end)", "invalid replacement value (a table)"),
        ("for _ in ('a'):gmatch('%') do end", "malformed pattern (ends with '%')"),
        ("table.insert({}, 5, 1)", "bad argument #2 to 'insert' (position out of bounds)"),
        ("table.insert({})", "wrong number of arguments to 'insert'"),
        ("table.insert(nil, 1)", "bad argument #1 to 'insert' (table expected, got no value)"),
        ("io.write({})", "bad argument #1 to 'write' (string expected, got table)"),
        (
            "require('no.such')",
            "module 'no.such' not found: there is neither `lua/no/such.lua` nor `no/such.lua`",
        ),
        (
            "require('../up')",
            "bad module name `...up`: names of letters, digits, `_` and `-`, joined by dots",
        ),
        ("mcp.notify('')", "`mcp.notify` needs the name of the event, a text that is not empty"),
        ("collectgarbage('x')", "bad argument #1 to 'collectgarbage' (invalid option)"),
    ] {
        assert_eq!(bench.fails(code).message, format!("ui_run:1: {message}"));
        let caught =
            bench.run(&format!("local ok, e = pcall(function() {code} end) return type(e)"));
        assert_eq!(caught, r#""string""#, "{code}");
    }
}

#[test]
fn tables_are_changed_as_luas_own_functions_do() {
    let mut bench = bench();
    assert_eq!(
        bench.run("local t = { 1, 2 } table.insert(t, 3) table.insert(t, 1, 0) return t"),
        "[0,1,2,3]"
    );
    assert_eq!(bench.run("local t = { 1, 2, 3 } local a, b = table.remove(t), table.remove(t, 1) return { a, b, t }"), "[3,1,[2]]");
    assert_eq!(
        bench.run("return { table.remove({}), select('#', table.remove({ 1 }, 2)) }"),
        "[null,1]"
    );
    assert_eq!(bench.run("return table.concat({ 1, 'a', 2.5 }, ', ')"), r#""1, a, 2.5""#);
    assert_eq!(bench.run("return table.concat({ 1, 2, 3 }, '', 2, 3)"), r#""23""#);
    assert_eq!(bench.run("return table.move({ 1, 2, 3 }, 2, 3, 1)"), "[2,3,3]");
    assert_eq!(
        bench.run("local t = { 3, 1, 2 } table.sort(t, function(a, b) return a > b end) return t"),
        "[3,2,1]"
    );
}

#[test]
fn time_comes_from_the_host() {
    let mut bench = bench();
    assert_eq!(bench.run("return os.time()"), "86400");
    assert_eq!(bench.run("return os.date('!%Y-%m-%d')"), r#""1970-01-02""#);
    assert_eq!(bench.run("return os.date('!%Y', 0)"), r#""1970""#);
    assert_eq!(bench.run("return os.clock() >= 0 and os.difftime(5, 3) == 2"), "true");
}

#[test]
fn the_outermost_code_is_no_coroutine() {
    let mut bench = bench();
    assert_eq!(
        bench.run("return { select(2, coroutine.running()), coroutine.isyieldable() }"),
        "[true,false]"
    );
    assert_eq!(
        bench.fails("coroutine.yield(1)").message,
        "ui_run:1: attempt to yield from outside a coroutine"
    );
    assert_eq!(
        bench.run("return coroutine.wrap(function() return { select(2, coroutine.running()), coroutine.isyieldable() } end)()"),
        "[false,true]"
    );
}

#[test]
fn coroutines_fail_as_luas_own() {
    let mut bench = bench();
    assert_eq!(bench.run("local co = coroutine.create(function() error('x', 0) end) local ok, e = coroutine.resume(co) return { ok, e, coroutine.status(co) }"), r#"[false,"x","dead"]"#);
    assert_eq!(bench.run("local co = coroutine.create(function() end) coroutine.resume(co) return { coroutine.resume(co) }"), r#"[false,"cannot resume dead coroutine"]"#);
    assert_eq!(
        bench.fails("coroutine.wrap(function() error('deep') end)()").message,
        "ui_run:1: deep"
    );
    assert_eq!(bench.run("return { coroutine.resume(coroutine.create(function(...) return select('#', ...), ... end), nil, 2) }"), "[true,2,null,2]");
}

#[test]
fn coroutines_may_yield_inside_pcall() {
    let mut bench = bench();
    let code = "local co = coroutine.wrap(function() local ok, got = pcall(function() return coroutine.yield(1) end) return got end)
                return { co(), co('back') }";
    assert_eq!(bench.run(code), r#"[1,"back"]"#);
}

#[test]
fn gmatch_and_gsub_do_as_luas_own() {
    let mut bench = bench();
    assert_eq!(
        bench.run(
            "local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[k] = v end return t"
        ),
        r#"{"a":"1","b":"2"}"#
    );
    assert_eq!(bench.run("return { ('hello world'):gsub('o', '0', 1) }"), r#"["hell0 world",1]"#);
    assert_eq!(
        bench.run("return { ('$name is $age'):gsub('%$(%w+)', { name = 'x', age = 3 }) }"),
        r#"["x is 3",2]"#
    );
    assert_eq!(bench.run("return { ('abc'):gsub('', '-') }"), r#"["-a-b-c-",4]"#);
    assert_eq!(bench.run("return { ('abc'):gsub('%w', function(c) if c == 'b' then return false end return c .. c end) }"), r#"["aabcc",3]"#);
    assert_eq!(
        bench.run("local n = 0 for c in ('aé'):gmatch(utf8.charpattern) do n = n + 1 end return n"),
        "2"
    );
    assert_eq!(
        bench.run(
            "return { (string.find(12345, 3)), ('x'):find('x', 5), ('a.b'):find('.', 1, true) }"
        ),
        "[3,null,2,2]"
    );
}

#[test]
fn a_vm_may_move_between_threads() {
    let mut bench = bench();
    bench.run("x = 1");
    let mut bench = std::thread::spawn(move || {
        bench.run("x = x + 1");
        bench
    })
    .join()
    .unwrap();
    assert_eq!(bench.run("return x"), "2");
}
