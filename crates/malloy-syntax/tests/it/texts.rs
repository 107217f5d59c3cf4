//! Our own texts, which between them have every construct of the language.

use insta::assert_snapshot;
use malloy_syntax::parse_expression;
use malloy_syntax::tree::ExprKind;

use crate::support::{check_spans, texts, tree};

#[test]
fn they_parse_without_a_word_and_know_their_places() {
    for (name, text) in texts() {
        assert!(tree(&text).lines().count() > 20, "{name}");
        check_spans(&text);
    }
}

/// The tree of an expression.
fn expr(text: &str) -> String {
    let tree = tree(&format!("source: s is t extend {{ dimension: d is {text} }}"));
    let lines = tree.lines().skip_while(|line| !line.contains("define \"d\"")).skip(1);
    lines
        .map(|line| line.strip_prefix("            ").unwrap_or(line))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn a_partial_comparison_reaches_as_far_as_it_can() {
    assert_eq!(expr("x ? > 3 & < 5 | > 9"), expr("x ? > 3 & < 5 | > 9"));
    assert_snapshot!(expr("x ? > 3 & < 5 and y"), @r#"
    apply
      path "x"
      partial >
        alternation All
          number 3
          partial <
            and
              number 5
              path "y"
    "#);
}

#[test]
fn a_run_of_alternatives_is_one_list() {
    assert_snapshot!(expr("x = 'a' | 'b' | 'c'"), @r#"
    =
      path "x"
      alternation Any
        string "a"
        string "b"
        string "c"
    "#);
}

#[test]
fn a_unit_ends_what_stands_after_for() {
    assert_snapshot!(expr("x ? @2003 for 1 + 2 days and y"), @r#"
    apply
      path "x"
      and
        for day
          time @2003
          +
            number 1
            number 2
        path "y"
    "#);
}

#[test]
fn a_method_and_a_truncation_after_a_path() {
    assert_snapshot!(expr("a.b.sum(c).day + source.avg(d) + e.f(g)"), @r#"
    +
      +
        truncate day
          aggregate sum
            over "a"."b"
            path "c"
        aggregate avg
          over source
          path "d"
      call
        function "f"
        of "e"
        path "g"
    "#);
}

#[test]
fn not_and_minus_bind_as_they_should() {
    assert_snapshot!(expr("not a = -b::number * 2 and c"), @r#"
    and
      not
        =
          path "a"
          *
            negate
              cast
                path "b"
                number
            number 2
      path "c"
    "#);
}

#[test]
fn a_clause_word_with_two_colons_is_a_name() {
    assert_snapshot!(expr("limit::number"), @r#"
    cast
      path "limit"
      number
    "#);
}

#[test]
fn the_parts_of_a_time_are_taken_apart() {
    let ExprKind::Time(time) = parse_expression("@2021-05-06 07:08:09,25[Europe/Rome]").tree.kind
    else {
        panic!("a time");
    };
    assert_eq!((time.year, time.month, time.day), (2021, 5, 6));
    assert_eq!((time.hour, time.minute, time.second), (7, 8, 9));
    assert_eq!((time.fraction.as_deref(), time.zone.as_deref()), (Some("25"), Some("Europe/Rome")));
    let ExprKind::Time(quarter) = parse_expression("@2021-q3").tree.kind else { panic!("a time") };
    assert_eq!((quarter.month, quarter.day), (7, 1));
}

#[test]
fn times_that_do_not_exist_are_refused() {
    let code = |text: &str| parse_expression(text).diagnostics.first().map(|found| found.code);
    let refused = Some("failed-to-parse-time-literal");
    for text in
        ["@2021-13", "@2021-02-29", "@2021-06-31 00:00", "@2021-01-01 24:00", "@2021-05-04-WK"]
    {
        assert_eq!(code(text), refused, "{text}");
    }
    for text in
        ["@2024-02-29", "@2000-02-29", "@2021-05-02-WK", "@2021-01-01 23:59:59", "@0001-01-01"]
    {
        assert_eq!(code(text), None, "{text}");
    }
}
