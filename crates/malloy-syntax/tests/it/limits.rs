//! Sizes: deep texts are refused in a place, long ones are read in time.

use std::time::Instant;

use malloy_syntax::{parse, parse_expression};

/// Parses on a stack as small as those of worker threads are, and gives the messages.
fn messages(text: String) -> Vec<String> {
    let parse = move || parse(&text).diagnostics.into_iter().map(|found| found.message).collect();
    std::thread::Builder::new().stack_size(2 << 20).spawn(parse).unwrap().join().unwrap()
}

fn nested(open: &str, middle: &str, close: &str, depth: usize) -> String {
    format!("run: a -> {{ select: x is {}{middle}{} }}", open.repeat(depth), close.repeat(depth))
}

#[test]
fn what_is_nested_too_deeply_is_one_error_and_no_overflow() {
    let too_deep = "nested more than";
    for text in [
        nested("(", "1", ")", 10_000),
        nested("[", "1", "]", 10_000),
        nested("{ a is ", "1", "}", 10_000),
        nested("- ", "1", "", 10_000),
        nested("not ", "true", "", 10_000),
        nested("f(", "1", ")", 10_000),
        nested("pick 1 when ", "x", " else 2", 10_000),
        nested("case when ", "x", " then 1 end", 10_000),
        nested("x ? ", "1", "", 10_000),
        nested("a { where: ", "x", " }", 10_000),
        nested("1", "", " + 1", 10_000),
        nested("a", "", ".day", 10_000),
        nested("", "a::number", "[]", 10_000),
        format!("run: a -> {}", "{ nest: a is ".repeat(10_000)),
        format!("run: a -> {}", "(".repeat(10_000)),
        format!("run: {}", "(".repeat(10_000)),
        format!("run: {}", "compose(".repeat(10_000)),
        format!("source: a is {}", "b extend { join_one: c is ".repeat(10_000)),
        format!("type: t is {}", "{ a :: ".repeat(10_000)),
        format!("run: d.sql(\"\"\"{}", "%{ d.sql(\"\"\"".repeat(10_000)),
    ] {
        let start: String = text.chars().take(60).collect();
        let found = messages(text);
        assert_eq!(
            found.iter().filter(|message| message.starts_with(too_deep)).count(),
            1,
            "{start}"
        );
        assert!(found.len() < 4, "{start}: {found:?}");
    }
}

#[test]
fn what_is_long_and_flat_is_no_matter() {
    for text in [
        format!("run: a{}", " -> { limit: 1 }".repeat(10_000)),
        format!("run: a -> b{}", " + { limit: 1 }".repeat(10_000)),
        nested("", "x = 1", &" | 1".repeat(10_000), 1),
        nested("", "x", &" and x".repeat(10_000), 1),
        nested("", "x", &" or x".repeat(10_000), 1),
        nested("", "x", &" ?? x".repeat(10_000), 1),
        format!("run: a -> {{ nest: v is b{} }}", " -> c".repeat(10_000)),
        format!("run: a -> {{ select: x is f({}1) }}", "1, ".repeat(10_000)),
        format!(
            "run: a -> {{ select: x is pick 1 when y {} else 2 }}",
            "pick 1 when y ".repeat(10_000)
        ),
    ] {
        let start: String = text.chars().take(60).collect();
        assert_eq!(messages(text), Vec::<String>::new(), "{start}");
    }
}

#[test]
fn a_hundred_levels_are_read() {
    assert!(parse_expression(&format!("{}1{}", "(".repeat(100), ")".repeat(100))).is_ok());
    assert!(parse_expression(&vec!["1"; 150].join(" + ")).is_ok());
}

#[test]
fn time_grows_with_the_text_and_not_faster() {
    let unit = "run: flights -> { where: state = 'CA' | 'NY' group_by: carrier, y is dep_time.year aggregate: n is count() }\n";
    let wrong = "run: flights -> { group_by carrier ( ( { [ aggregate: n count() \n";
    for unit in [unit, wrong] {
        let time = |copies: usize| {
            let text = unit.repeat(copies);
            let begin = Instant::now();
            assert!(!parse(&text).tree.statements.is_empty());
            begin.elapsed().as_secs_f64()
        };
        time(100);
        let (short, long) = (time(500), time(5_000));
        assert!(long < short * 40.0 + 0.05, "ten times the text took {short} s and then {long} s");
    }
}
