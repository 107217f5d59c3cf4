//! Filters.

use malloy_syntax::filter::{Filter, parse_boolean, parse_number, parse_string, parse_temporal};

/// A filter on one line, short enough to read in a list.
fn short<C: std::fmt::Debug>(
    result: Result<Filter<C>, malloy_syntax::filter::FilterError>,
) -> String {
    match result {
        Ok(filter) => written(&filter),
        Err(error) => format!("{:?} {}", error.span, error.message),
    }
}

fn written<C: std::fmt::Debug>(filter: &Filter<C>) -> String {
    let not = |negated: &bool| if *negated { "not " } else { "" };
    let all = |items: &[Filter<C>], with: &str| {
        let items: Vec<String> = items.iter().map(written).collect();
        format!("[{}]", items.join(with))
    };
    match filter {
        Filter::Everything => "everything".to_owned(),
        Filter::Nothing { negated } => format!("{}nothing", not(negated)),
        Filter::Null { negated } => format!("{}null", not(negated)),
        Filter::Clause { clause, negated } => format!("{}{clause:?}", not(negated)),
        Filter::Group { inner, negated } => format!("{}({})", not(negated), written(inner)),
        Filter::And(items) => all(items, " and "),
        Filter::Or(items) => all(items, " or "),
        Filter::List(items) => all(items, ", "),
    }
}

#[test]
fn strings() {
    let expected = [
        ("", "everything"),
        ("  ", "everything"),
        ("none", "nothing"),
        ("abc", r#"Equal(["abc"])"#),
        (" a b , c ", r#"Equal(["a b", "c"])"#),
        ("-a,-b", r#"not Equal(["a", "b"])"#),
        ("a,-b", r#"[Equal(["a"]), not Equal(["b"])]"#),
        ("a%, b%, -c%", r#"[Starts(["a", "b"]), not Starts(["c"])]"#),
        ("%a", r#"Ends(["a"])"#),
        ("%a%", r#"Contains(["a"])"#),
        ("%", r#"Like(["%"])"#),
        ("a%b", r#"Like(["a%b"])"#),
        (r"100\%\_%", r#"Starts(["100%_"])"#),
        (r"a_\%", r#"Like(["a_\\%"])"#),
        (r"a\,b", r#"Equal(["a,b"])"#),
        (r"\null", r#"Equal(["null"])"#),
        (r"a\", r#"Equal(["a\\"])"#),
        (r"\ a", r#"Equal([" a"])"#),
        ("NULL, -empty", "[null, not Empty]"),
        ("--a", r#"not Equal(["-a"])"#),
        ("a; b | c", r#"[[Equal(["a"]) and Equal(["b"])] or Equal(["c"])]"#),
        ("a, b; c", r#"[Equal(["a", "b"]) and Equal(["c"])]"#),
        ("(a,b);-c", r#"[(Equal(["a", "b"])) and not Equal(["c"])]"#),
        ("-(a|b)", r#"not ([Equal(["a"]) or Equal(["b"])])"#),
        ("a,", "2..2 expected a string"),
        (",a", "0..1 expected a string"),
        ("a(b", r"1..2 `(` closes or begins nothing here; to mean it, write `\(`"),
        ("(a", "2..2 expected `)`"),
    ];
    for (text, expected) in expected {
        assert_eq!(short(parse_string(text)), expected, "{text}");
    }
}

#[test]
fn numbers() {
    let expected = [
        ("", "everything"),
        ("5", r#"Compare { op: Equal, values: ["5"] }"#),
        ("1, -3.5 ,.5e2", r#"Compare { op: Equal, values: ["1", "-3.5", ".5e2"] }"#),
        ("not 5", r#"Compare { op: NotEqual, values: ["5"] }"#),
        ("!= 5, 6", r#"Compare { op: NotEqual, values: ["5", "6"] }"#),
        ("not > 5", r#"not Compare { op: Greater, values: ["5"] }"#),
        ("not null", "not null"),
        ("not (1, 2)", r#"not (Compare { op: Equal, values: ["1", "2"] })"#),
        (
            "[-5 to 2.5)",
            r#"Range { from: NumberBound { value: "-5", inclusive: true }, to: NumberBound { value: "2.5", inclusive: false } }"#,
        ),
        (
            "> 5 or < 2 AND != 3",
            r#"[[Compare { op: Greater, values: ["5"] } or Compare { op: Less, values: ["2"] }] and Compare { op: NotEqual, values: ["3"] }]"#,
        ),
        ("5,", "2..2 expected a number, found the end"),
        ("5 to 6", "2..4 expected `and`, `or` or the end, found `to`"),
        ("$x", "0..2 expected a number, found `$x`"),
    ];
    for (text, expected) in expected {
        assert_eq!(short(parse_number(text)), expected, "{text}");
    }
}

#[test]
fn booleans() {
    let expected = [
        ("", "everything"),
        ("TRUE", "True"),
        ("not true", "not True"),
        ("=false", "EqualFalse"),
        ("not null", "not null"),
        ("none", "nothing"),
    ];
    for (text, expected) in expected {
        assert_eq!(short(parse_boolean(text)), expected, "{text}");
    }
    assert!(parse_boolean("true or false").is_err());
    assert!(parse_boolean("nottrue").is_err());
}

#[test]
fn times() {
    let expected = [
        ("today", "In(Today)"),
        ("this month", "In(This(Month))"),
        ("LAST Monday", "In(LastWeekday(Monday))"),
        ("monday", "In(LastWeekday(Monday))"),
        ("next week", "In(Next(Week))"),
        ("3 days", "InLast { count: 3, unit: Day }"),
        ("last 3 days", "Last { count: 3, unit: Day }"),
        ("next 2 weeks", "Next { count: 2, unit: Week }"),
        ("before 1 year ago", "Before(Ago { count: 1, unit: Year })"),
        ("starting 3 days from now", "not Before(FromNow { count: 3, unit: Day })"),
        ("through yesterday", "not After(Yesterday)"),
        ("not after now", "not After(Now)"),
        ("now to next month", "To { from: Now, to: Next(Month) }"),
        (
            "3 days ago for 2 hours",
            "For { from: Ago { count: 3, unit: Day }, count: 2, unit: Hour }",
        ),
        ("today or null", "[In(Today) or null]"),
        ("(today and now) or none", "[([In(Today) and In(Now)]) or nothing]"),
        ("3 days from", "11..11 expected `now`, found the end"),
        ("last", "4..4 expected a unit of time, such as `days`, found the end"),
        ("2021-13", "0..7 expected a time that exists, found `2021-13`"),
        ("2021-5-6", "4..8 expected the end of the time, found `-5-6`"),
        (
            "garbage",
            "0..7 expected a time, such as `2021-05`, `today` or `last week`, found `garbage`",
        ),
    ];
    for (text, expected) in expected {
        assert_eq!(short(parse_temporal(text)), expected, "{text}");
    }
    for text in ["2021", "2021-Q2", "2021-05-06-WK", "2021-05-06 07", "2021-05-06T07:08:09.5"] {
        let filter = short(parse_temporal(text));
        assert!(
            filter.starts_with("In(Literal(") && filter.contains(&format!("\"@{text}\"")),
            "{filter}"
        );
    }
}

#[test]
fn parentheses_without_end_are_refused() {
    let deep = "(".repeat(10_000);
    assert!(
        parse_string(&deep).is_err()
            && parse_number(&deep).is_err()
            && parse_temporal(&deep).is_err()
    );
}
