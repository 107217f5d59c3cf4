//! What people read when a text is wrong.

use insta::assert_snapshot;

use crate::support::errors;

#[test]
fn a_misspelt_clause_is_guessed() {
    let text = "run: flights -> { gruop_by: carrier aggregate: n }";
    assert_snapshot!(errors(text));
}

#[test]
fn words_of_other_languages_are_known() {
    let text = "run: flights -> { group by: carrier
  order by: carrier
  project: x }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_missing_colon_costs_one_message() {
    let text = "run: flights -> { group_by carrier limit: 5 }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_clause_read_as_a_field_is_hinted_at() {
    let text = "run: flights -> { group_by: carrier limit 5 }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_missing_is_is_shown() {
    let text = "run: order_items -> { aggregate: x count() }";
    assert_snapshot!(errors(text));
}

#[test]
fn as_is_not_is() {
    let text = "run: flights -> { group_by: c as carrier }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_call_needs_a_name() {
    let text = "run: flights -> { aggregate: count() group_by: round(x) }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_reserved_word_wants_quotes() {
    let text = "run: flights -> { group_by: day is dep_time.day where: year = 3 }";
    assert_snapshot!(errors(text));
}

#[test]
fn an_open_string_costs_one_message() {
    let text = "run: a -> { where: status = 'Returned
  group_by: status }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_missing_brace_is_found_at_the_next_statement() {
    let text = "source: a is b extend {
  view: v is { group_by: x
  view: w is { group_by: y }
}
run: a";
    assert_snapshot!(errors(text));
}

#[test]
fn a_stray_brace_is_said() {
    let text = "run: a -> { limit: 1 } }
run: b";
    assert_snapshot!(errors(text));
}

#[test]
fn several_errors_in_one_text() {
    let text = "source: a is b extend { dimension: x is }
run: a -> { limit: ten }
query: is b
run: c -> { group_by: , aggregate }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_statement_in_the_wrong_place() {
    let text = "group_by: x
run: a -> { dimension: x is 1 }
source: b is c extend { group_by: x }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_block_without_extend() {
    let text = "source: a is b { measure: n is count() }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_wrong_type() {
    let text = "source: a(p :: int) is b extend { dimension: x is y::varchar }";
    assert_snapshot!(errors(text));
}

#[test]
fn order_by_takes_names() {
    let text = "run: a -> { group_by: x order_by: j.x, year }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_loose_annotation() {
    let text = "# nothing
";
    assert_snapshot!(errors(text));
}

#[test]
fn a_model_annotation_in_a_block() {
    let text = "run: a -> {
  ## theme=dark
  limit: 1
}";
    assert_snapshot!(errors(text));
}

#[test]
fn an_unclosed_annotation() {
    let text = "#| never
  closed
run: a
";
    assert_snapshot!(errors(text));
}

#[test]
fn a_hole_outside_sql() {
    let text = r#"run: a -> { select: x is """%{ b }""" }"#;
    assert_snapshot!(errors(text));
}

#[test]
fn an_unclosed_comment() {
    let text = "run: a /* and so on";
    assert_snapshot!(errors(text));
}

#[test]
fn count_distinct() {
    let text = "run: a -> { aggregate: n is count(distinct x) }";
    assert_snapshot!(errors(text));
}

#[test]
fn now_is_a_value() {
    let text = "run: a -> { where: t < now() }";
    assert_snapshot!(errors(text));
}

#[test]
fn characters_that_mean_nothing() {
    let text = "run: a -> { where: x = ^ limit: 1 } €";
    assert_snapshot!(errors(text));
}

#[test]
fn a_number_with_letters() {
    let text = "run: a -> { limit: 10rows }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_table_of_a_connection() {
    let text = "run: duckdb.tabel('x') -> { limit: 1 }";
    assert_snapshot!(errors(text));
}

#[test]
fn a_missing_comma() {
    let text = "run: a -> { where: x = 1 y = 2 }";
    assert_snapshot!(errors(text));
}

#[test]
fn the_end_comes_too_soon() {
    let text = "run: a -> { group_by: x is (";
    assert_snapshot!(errors(text));
}
