//! Texts that are broken: never a panic, never a hang, always spans that lie in the text.

use malloy_syntax::{lex, parse};
use proptest::prelude::*;

use crate::support::{cases, check_spans, corpus, texts};

/// The corpus's queries, or our own texts alone without it.
fn all_texts() -> Vec<String> {
    let queries = corpus().map_or_else(Vec::new, |corpus| {
        cases(&corpus).into_iter().map(|case| case.query).collect()
    });
    texts().into_iter().map(|(_, text)| text).chain(queries).collect()
}

#[test]
fn every_prefix_of_every_text_gives_a_tree() {
    for text in all_texts() {
        for (end, _) in text.char_indices() {
            let prefix = &text[..end];
            let parsed = parse(prefix);
            assert!(parsed.diagnostics.len() < 50, "{prefix}");
        }
    }
}

#[test]
fn a_text_without_one_of_its_tokens_gives_a_tree() {
    for text in all_texts() {
        for token in lex(&text).tokens {
            let mut cut = text.clone();
            cut.replace_range(token.span.range(), "");
            let parsed = parse(&cut);
            assert!(parsed.diagnostics.len() < 50, "{cut}");
        }
    }
}

#[test]
fn places_lie_in_the_text_even_where_it_is_broken() {
    for text in all_texts() {
        for token in lex(&text).tokens.iter().step_by(7) {
            let mut cut = text.clone();
            cut.replace_range(token.span.range(), "");
            check_spans(&cut);
            check_spans(&text[..token.span.start as usize]);
        }
    }
}

/// Words that the parser knows, and some that it does not.
fn word() -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "source:",
        "query:",
        "run:",
        "given:",
        "type:",
        "import",
        "export",
        "from",
        "extend",
        "include",
        "group_by:",
        "aggregate:",
        "select:",
        "nest:",
        "where:",
        "having:",
        "order_by:",
        "limit:",
        "index:",
        "sample:",
        "calculate:",
        "dimension:",
        "measure:",
        "join_one:",
        "view:",
        "rename:",
        "except:",
        "extend:",
        "is",
        "with",
        "on",
        "inner",
        "->",
        "+",
        "-",
        "*",
        "/",
        "%",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        ",",
        ";",
        ".",
        "::",
        ":::",
        "?",
        "??",
        "|",
        "&",
        "=",
        "!=",
        "<",
        ">",
        "~",
        "!~",
        "!",
        "and",
        "or",
        "not",
        "null",
        "pick",
        "when",
        "else",
        "case",
        "then",
        "end",
        "all",
        "sum",
        "count",
        "day",
        "month",
        "for",
        "to",
        "in",
        "like",
        "a",
        "b",
        "`q n`",
        "1",
        "2.5",
        "10%",
        "'s'",
        "\"\"\"",
        "%{",
        "f'x'",
        "r'x'",
        "@2021",
        "@2021-05-06 07:08:09",
        "# note\n",
        "## model\n",
        "#|\n",
        "|#\n",
        "-- c\n",
        "/* c */",
        "$G",
        "now",
        "'open",
        "é",
        "€",
        "\n",
        "string",
        "filter",
        "table",
        "sql",
        "duckdb",
        "compose",
        "public",
        "private",
        "public:",
        "asc",
        "desc",
    ];
    prop_oneof![
        20 => prop::sample::select(WORDS).prop_map(str::to_owned),
        1 => "\\PC{0,4}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn a_soup_of_tokens_gives_a_tree(words in prop::collection::vec(word(), 0..60)) {
        let text = words.join(" ");
        check_spans(&text);
    }

    #[test]
    fn any_characters_give_tokens_that_cover_no_byte_twice(text in "\\PC{0,200}") {
        let tokens = lex(&text).tokens;
        for pair in tokens.windows(2) {
            prop_assert!(pair[0].span.end <= pair[1].span.start);
        }
        check_spans(&text);
    }
}
