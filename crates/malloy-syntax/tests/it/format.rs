//! The formatter: the same tree, the same comments, and nothing more to do the second time.

use insta::assert_snapshot;
use malloy_syntax::dump::{Spans, dump};
use malloy_syntax::{format, lex, parse};
use proptest::prelude::*;

use crate::support::{cases, corpus, files, texts};

/// Formats, and makes sure of all that a formatter promises.
fn formatted(text: &str) -> String {
    let once = format(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    let tree = |text: &str| dump(&parse(text).tree, Spans::Hidden);
    assert_eq!(tree(&once), tree(text), "the tree changed\n{text}\n---\n{once}");
    let comments = |text: &str| -> Vec<String> {
        lex(text)
            .comments
            .iter()
            .map(|comment| comment.span.of(text).trim_end().to_owned())
            .collect()
    };
    assert_eq!(comments(&once), comments(text), "comments got lost\n{text}\n---\n{once}");
    let twice = format(&once).unwrap();
    assert_eq!(twice, once, "formatting again changes it\n{text}");
    once
}

/// Whether a text was laid out at all, and not handed back for safety: its tokens without white space are the same, so
/// what tells is that bad spacing is gone.
fn is_laid_out(text: &str) -> bool {
    let badly = format!("\n\n  {}\n\n\n", text.trim());
    format(&badly).is_ok_and(|found| !found.starts_with('\n'))
}

#[test]
fn our_own_texts() {
    for (name, text) in texts() {
        let once = formatted(&text);
        assert!(is_laid_out(&text), "{name}");
        insta::with_settings!({ snapshot_suffix => name.clone(), omit_expression => true }, {
            assert_snapshot!("formatted", once);
        });
    }
}

#[test]
fn the_corpus() {
    let Some(corpus) = corpus() else { return };
    let mut laid_out = 0;
    let models = files(&corpus.join("models"), "malloy")
        .into_iter()
        .map(|file| std::fs::read_to_string(file).unwrap());
    let queries = cases(&corpus).into_iter().map(|case| case.query);
    for text in queries.chain(models).filter(|text| parse(text).is_ok()) {
        formatted(&text);
        assert!(is_laid_out(&text), "{text}");
        laid_out += 1;
    }
    assert!(laid_out > 300);
}

#[test]
fn a_text_with_errors_is_left_alone() {
    assert_eq!(format("run: a -> {").unwrap_err().len(), 1);
}

#[test]
fn a_long_query_breaks_from_the_outside_in() {
    let text = "run: flights -> { where: carrier = 'AA' | 'UA' and distance > 100, origin.state = 'CA' group_by: carrier, y is dep_time.year aggregate: flight_count, total is distance.sum() { where: distance > 0 } nest: hubs is { group_by: origin.code aggregate: flight_count limit: 3 } limit: 10 }";
    assert_snapshot!(formatted(text));
}

#[test]
fn comments_stay_where_they_are() {
    let text = "// top\nrun: a -> { // open\n group_by: x -- after x\n   // own line\n , y /* in */ is 1\n // last\n} // end\n\n\n// fin";
    assert_snapshot!(formatted(text));
}

#[test]
fn two_minuses_do_not_become_a_comment() {
    assert_eq!(
        formatted("run: a -> { select: x is 4 - - -1 }"),
        "run: a -> { select: x is 4 - - -1 }\n"
    );
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop::sample::select(
        &[
            "a",
            "b.c",
            "`q n`",
            "1",
            "2.5",
            "'s'",
            "null",
            "true",
            "now",
            "@2021-05",
            "f'x%'",
            "r'x'",
            "$G",
            "count()",
            "j.sum(x)",
            "source.avg(a)",
            "a.b.max()",
            "\"\"\"t\"\"\"",
        ][..],
    )
    .prop_map(str::to_owned);
    leaf.prop_recursive(5, 40, 4, |inner| {
        let two = (inner.clone(), inner.clone());
        let op = prop::sample::select(
            &[
                "+", "-", "*", "/", "%", "=", "!=", "<", "~", "and", "or", "??", "|", "&", "?",
                "to", "like",
            ][..],
        );
        prop_oneof![
            (two.clone(), op).prop_map(|((a, b), op)| format!("{a} {op} {b}")),
            inner.clone().prop_map(|a| format!("( {a})")),
            inner.clone().prop_map(|a| format!("- {a}")),
            inner.clone().prop_map(|a| format!("not {a}")),
            inner.clone().prop_map(|a| format!("({a}).month::string")),
            inner.clone().prop_map(|a| format!("({a}) {{where:x,y}}")),
            inner.clone().prop_map(|a| format!("{a} is not null")),
            inner.clone().prop_map(|a| format!("b ? > {a}")),
            two.clone().prop_map(|(a, b)| format!("f( {a} ,{b})")),
            two.clone().prop_map(|(a, b)| format!("[{a},{b}]")),
            two.clone().prop_map(|(a, b)| format!("{{k is {a} , l is {b}}}")),
            two.clone().prop_map(|(a, b)| format!("(x in ({a},{b}))")),
            two.clone().prop_map(|(a, b)| format!("pick {a} when {b} else 1")),
            two.clone().prop_map(|(a, b)| format!("case when {a} then {b} end")),
            two.prop_map(|(a, b)| format!("{a} -- c\n + {b}")),
        ]
    })
}

fn query() -> impl Strategy<Value = String> {
    let statement = prop_oneof![
        expression().prop_map(|e| format!("where: {e}")),
        (expression(), expression()).prop_map(|(a, b)| format!("group_by: x is {a}, z y is {b}")),
        expression().prop_map(|e| format!("aggregate:\n # note\n n is {e}")),
        Just("limit: 5;".to_owned()),
        Just("# loose\norder_by: a desc,2".to_owned()),
        Just("// comment\nnest: a b is { group_by:x } -> {select:*}".to_owned()),
        Just("#| block\n  text\n|#\n select: *".to_owned()),
    ];
    prop::collection::vec(statement, 1..5)
        .prop_map(|statements| format!("run: s->{{\n{}\n}}", statements.join("\n")))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn whatever_parses_keeps_its_tree(text in query()) {
        prop_assume!(parse(&text).is_ok());
        formatted(&text);
        prop_assert!(is_laid_out(&text), "{}", text);
    }
}
