//! Our matcher beside Lua's own: the same script in both, on random patterns and texts.

use std::fmt::Write as _;

use mlua::Lua;
use proptest::prelude::*;

use crate::world::{Bench, bench_with};

/// Does everything that takes a pattern, and shows all results.
const SCRIPT: &str = r"
local function show(...)
  local parts = table.pack(...)
  for i = 1, parts.n do
    local v = parts[i]
    parts[i] = type(v) == 'string' and '<' .. table.concat({ v:byte(1, -1) }, ' ') .. '>' or tostring(v)
  end
  return table.concat(parts, ',')
end
local function try(f, ...)
  local results = table.pack(pcall(f, ...))
  if not results[1] then return 'error ' .. tostring(results[2]):gsub('^[^:]+:%d+: ', '') end
  return show(table.unpack(results, 2, results.n))
end
local out = {
  try(string.find, s, p, init), try(string.match, s, p, init), try(string.find, s, p, init, true),
  try(string.gsub, s, p, r), try(string.gsub, s, p, r, 1), try(string.gsub, s, p, function(...) return show(...) end),
  try(string.gsub, s, p, { a = 'X', b = false, [1] = 'one' }),
  try(function() local t = {} for a, b in string.gmatch(s, p, init) do t[#t + 1] = show(a, b) end return table.concat(t, ';') end),
}
return table.concat(out, '\n')
";

fn literal(bytes: &[u8]) -> String {
    let mut text = String::from("'");
    for byte in bytes {
        let _infallible = write!(text, "\\{byte:03}");
    }
    text + "'"
}

fn script(text: &[u8], pattern: &[u8], replacement: &[u8], init: i64) -> String {
    let (s, p, r) = (literal(text), literal(pattern), literal(replacement));
    format!("local s, p, r, init = {s}, {p}, {r}, {init}\n{SCRIPT}")
}

fn ours(bench: &mut Bench, script: &str) -> String {
    bench.vm.run(script.as_bytes()).unwrap().as_str().unwrap().to_owned()
}

/// Pieces that patterns are made of; glued together they are mostly sound and sometimes not.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let fixed = prop::sample::select(vec![
        "a",
        "b",
        "c",
        ".",
        "%a",
        "%d",
        "%s",
        "%w",
        "%p",
        "%u",
        "%x",
        "%g",
        "%c",
        "%l",
        "%A",
        "%S",
        "%W",
        "%%",
        "%.",
        "%z",
        "[ab]",
        "[^a]",
        "[a-c]",
        "[%a_]",
        "[]]",
        "[^]]",
        "[a-]",
        "[%]]",
        "[",
        "]",
        "%",
        "(",
        ")",
        "()",
        "^",
        "$",
        "*",
        "+",
        "-",
        "?",
        "%b()",
        "%bab",
        "%b",
        "%f[%w]",
        "%f[^a]",
        "%f",
        "%f[",
        "%1",
        "%2",
        "%0",
        "(a)",
        "(.-)",
        "(a*)",
        "(%w+)",
        "\0",
        "[\0-\x7f]",
        "a*",
        "b-",
        ".+",
        "[%",
        "[%a-z]",
        "[a-%%]",
    ]);
    prop_oneof![
        8 => fixed.prop_map(|piece| piece.as_bytes().to_vec()),
        1 => any::<u8>().prop_map(|byte| vec![byte]),
    ]
}

fn pattern() -> impl Strategy<Value = Vec<u8>> {
    prop::collection::vec(piece(), 0..7).prop_map(|pieces| pieces.concat())
}

fn text() -> impl Strategy<Value = Vec<u8>> {
    let byte = prop_oneof![
        8 => prop::sample::select(b"aabbc ()[].%_1-AZ\n\0".to_vec()),
        1 => any::<u8>(),
    ];
    prop::collection::vec(byte, 0..14)
}

fn replacement() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop::sample::select(vec!["x", "%0", "%1", "%2", "%%", "%", "<", "%9", "%a"]);
    prop::collection::vec(piece, 0..3).prop_map(|pieces| pieces.concat().into_bytes())
}

#[test]
fn our_matcher_answers_as_luas_own() {
    let lua = Lua::new();
    let mut bench = bench_with(ui_lua::Limits::default());
    let cases = if std::env::var_os("SLOW_TESTS").is_some() { 200_000 } else { 3_000 };
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig {
        cases,
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let bench = std::cell::RefCell::new(&mut bench);
    runner
        .run(
            &(text(), pattern(), replacement(), -16_i64..17),
            |(text, pattern, replacement, init)| {
                let script = script(&text, &pattern, &replacement, init);
                let expected: String = lua.load(&script).set_name("=lua").call(()).unwrap();
                prop_assert_eq!(
                    ours(&mut bench.borrow_mut(), &script),
                    expected,
                    "text {:?} pattern {:?}",
                    String::from_utf8_lossy(&text),
                    String::from_utf8_lossy(&pattern)
                );
                Ok(())
            },
        )
        .unwrap();
}

#[test]
fn deep_patterns_and_many_captures_fail_as_in_lua() {
    let lua = Lua::new();
    let mut bench = bench_with(ui_lua::Limits::default());
    let long = b"a".repeat(400);
    for pattern in [
        "a?".repeat(150),
        "a?".repeat(250),
        "(a)".repeat(32),
        "(a)".repeat(33),
        "(".repeat(10),
        "a".repeat(300),
        "a-".repeat(210),
        "()".repeat(32),
    ] {
        let script = script(&long, pattern.as_bytes(), b"%1", 1);
        let expected: String = lua.load(&script).set_name("=lua").call(()).unwrap();
        assert_eq!(ours(&mut bench, &script), expected, "{pattern}");
    }
}
