//! What the language means, on small models of our own.

use malloy_model::ir::{
    AggregateFunction, Direction, Expr, Key, OutputKind, Query, Relation, Relationship, SourceKind,
};
use malloy_model::{Givens, Options, Which};
use serde_json::json;

use crate::support::{World, refusals};

const LEAGUE: &str = "
source: teams is duckdb.table('data/teams.csv') extend {
  primary_key: team_id
  measure: team_count is count()
}
source: players is duckdb.table('data/players.csv') extend {
  primary_key: player_id
  join_one: teams with team_id
  dimension: is_good is points > 10
  # unit=points
  measure: total is points.sum()
  view: by_team is { group_by: teams.team aggregate: total limit: 3 }
}
";

fn query(text: &str) -> Query {
    query_with(text, &Givens::new())
}

fn query_with(text: &str, givens: &Givens) -> Query {
    let whole = format!("{LEAGUE}{text}");
    let model = World::new().compile(None, "league.malloy", &whole, Options::default());
    let model = model.unwrap_or_else(|problems| panic!("{problems:#?}"));
    model.prepare(Which::LastRun, givens).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

fn names(query: &Query) -> Vec<&str> {
    query.schema.iter().map(|field| field.name.as_str()).collect()
}

#[test]
fn only_joins_in_use_are_in_a_stage() {
    assert_eq!(query("run: players -> { aggregate: total }").pipeline.stages[0].joins.len(), 1);
    let joined = query("run: players -> { group_by: teams.team }");
    let joins = &joined.pipeline.stages[0].joins;
    assert_eq!(joins.len(), 2);
    assert_eq!(joins[1].relationship, Relationship::One);
    assert!(joins[1].on.is_some());
}

#[test]
fn an_aggregate_over_a_join_needs_its_key() {
    let made = query("run: players -> { aggregate: total, n is teams.count() }");
    let stage = &made.pipeline.stages[0];
    let by_key: Vec<bool> = stage
        .level
        .outputs
        .iter()
        .map(|output| match &output.kind {
            OutputKind::Aggregate(Expr::Aggregate(aggregate)) => aggregate.by_key,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        by_key,
        [false, true],
        "a join to one repeats no rows of the base, and its own may be repeated"
    );
    assert!(stage.joins[0].key.is_none());
    assert!(matches!(stage.joins[1].key, Some(Key::Primary(_))));
}

#[test]
fn a_source_without_key_is_given_one_for_each_row() {
    let made = query(
        "source: kids is duckdb.table('data/players.csv')
         run: teams extend { join_many: kids on team_id = kids.team_id } -> { aggregate: team_count, n is kids.count() }",
    );
    let joins = &made.pipeline.stages[0].joins;
    assert!(matches!(joins[0].key, Some(Key::Primary(_))), "rows of the base are repeated");
    assert_eq!(joins[1].key, Some(Key::Made));
}

#[test]
fn filters_around_an_aggregate_are_inside_it() {
    let made = query(
        "run: players -> { aggregate: x is (total { where: is_good }) { where: player != 'Bo' } + total }",
    );
    let OutputKind::Aggregate(Expr::Binary { left, right, .. }) =
        &made.pipeline.stages[0].level.outputs[0].kind
    else {
        panic!("{made:?}")
    };
    let filter = |expr: &Expr| match expr {
        Expr::Aggregate(aggregate) => aggregate.filter.clone(),
        other => panic!("{other:?}"),
    };
    assert!(matches!(filter(left), Some(Expr::And(both)) if both.len() == 2));
    assert_eq!(filter(right), None);
}

#[test]
fn the_default_order_is_by_the_first_time_or_aggregate() {
    let order = |text: &str| {
        let made = query(text);
        let level = &made.pipeline.stages.last().unwrap().level;
        level
            .order
            .iter()
            .map(|by| (level.outputs[by.output as usize].name.clone(), by.direction))
            .collect::<Vec<_>>()
    };
    let by = |name: &str, direction| vec![(name.to_owned(), direction)];
    assert_eq!(
        order("run: players -> { group_by: player aggregate: total }"),
        by("total", Direction::Desc)
    );
    assert_eq!(order("run: players -> { group_by: player, points }"), by("player", Direction::Asc));
    assert_eq!(order("run: players -> { aggregate: total }"), vec![]);
    assert_eq!(order("run: players -> { select: player }"), vec![]);
    assert_eq!(order("run: players -> by_team + { order_by: team }"), by("team", Direction::Asc));
    assert_eq!(
        order(
            "run: players -> { group_by: player aggregate: total order_by: player } + { limit: 2 }"
        ),
        by("total", Direction::Desc),
        "a limit brings the default order back"
    );
}

#[test]
fn a_stage_that_feeds_another_is_ordered_for_its_limit_alone() {
    let made = query(
        "run: players -> { group_by: player aggregate: total } -> { aggregate: n is count() }",
    );
    assert!(made.pipeline.stages[0].level.order.is_empty());
    let made = query(
        "run: players -> { group_by: player aggregate: total limit: 2 } -> { aggregate: n is count() }",
    );
    assert!(!made.pipeline.stages[0].level.order.is_empty());
}

#[test]
fn outputs_come_as_written_and_a_taken_name_gets_its_path() {
    let made =
        query("run: players -> { aggregate: total group_by: player, team_id, teams.team_id }");
    assert_eq!(names(&made), ["total", "player", "team_id", "teams_team_id"]);
}

#[test]
fn a_star_is_sorted_and_leaves_out_measures_and_joins() {
    let made = query("run: players -> { select: * { except: team_id } }");
    assert_eq!(names(&made), ["is_good", "player", "player_id", "points"]);
}

#[test]
fn annotations_are_inherited_and_added_to() {
    let made = query("# chart\nrun: players -> {\n  # label=x\n  aggregate: total\n}");
    assert_eq!(made.annotations, ["# chart"]);
    assert_eq!(made.schema[0].annotations, ["# unit=points", "# label=x"]);
}

#[test]
fn a_nest_of_aggregates_alone_is_one_record() {
    let made = query(
        "run: players -> { group_by: team_id nest: all_of_them is { aggregate: total } nest: by_team }",
    );
    let ones: Vec<bool> = made.pipeline.stages[0]
        .level
        .outputs
        .iter()
        .filter_map(|output| match &output.kind {
            OutputKind::Nest(nest) => Some(nest.one_record),
            _ => None,
        })
        .collect();
    assert_eq!(ones, [true, false]);
    assert_eq!(made.schema[2].fields[1].annotations, ["# unit=points"]);
}

#[test]
fn an_ungrouped_aggregate_keeps_the_dimensions_around_it() {
    let made = query(
        "run: players -> { group_by: team_id nest: p is { group_by: player, points aggregate: \
         a is all(total), b is all(total, player), c is exclude(total, player), d is exclude(total, team_id) } }",
    );
    let OutputKind::Nest(nest) = &made.pipeline.stages[0].level.outputs[1].kind else { panic!() };
    let kept: Vec<Vec<(u32, u32)>> = nest.level.outputs[2..]
        .iter()
        .map(|output| match &output.kind {
            OutputKind::Aggregate(Expr::Ungrouped(ungrouped)) => {
                ungrouped.keep.iter().map(|dimension| (dimension.up, dimension.output)).collect()
            }
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(
        kept,
        [vec![(1, 0)], vec![(1, 0), (0, 0)], vec![(1, 0), (0, 1)], vec![(0, 0), (0, 1)]]
    );
}

#[test]
fn a_query_source_is_compiled_once_however_often_it_is_joined() {
    let made = query(
        "source: facts is players -> { group_by: team_id aggregate: total }
         run: teams extend {
           join_one: a is facts on team_id = a.team_id
           join_one: b is facts on team_id = b.team_id
         } -> { select: team, a.total, t2 is b.total }",
    );
    let queries =
        made.sources.iter().filter(|source| matches!(source.kind, SourceKind::Query(_))).count();
    assert_eq!(queries, 1);
    assert_eq!(names(&made), ["team", "total", "t2"]);
}

#[test]
fn a_join_whose_condition_needs_joins_reads_a_select() {
    let made = query(
        "source: good is players extend { where: teams.conf = 'E' }
         run: teams extend { join_many: good on team_id = good.team_id } -> { aggregate: n is good.count() }",
    );
    let join = &made.pipeline.stages[0].joins[1];
    let Relation::Source(id) = &join.relation else { panic!() };
    assert!(matches!(made.sources[id.0 as usize].kind, SourceKind::Query(_)));
    assert!(matches!(&join.on, Some(Expr::Binary { .. })), "the condition itself is in the select");
}

#[test]
fn renamed_and_removed_fields_are_still_there_for_what_was_defined_before() {
    let made = query(
        "source: p is players extend { rename: score is points except: is_good measure: half is score.sum() / 2 }
         run: p -> { aggregate: total, half }",
    );
    assert_eq!(names(&made), ["total", "half"]);
    let found = refusals(&format!(
        "{LEAGUE}source: p is players extend {{ except: is_good }}\nrun: p -> {{ select: is_good }}"
    ));
    assert_eq!(found, ["field-not-found 15:21 `is_good` is not defined"]);
}

#[test]
fn a_given_is_a_value_of_its_type_when_a_query_is_prepared() {
    let text = "##! experimental.givens\ngiven: LEAST :: number is 3, WHO :: filter<string> is f'', IDS :: number[]
         run: players -> { where: points > $LEAST, player ~ $WHO, team_id in $IDS select: player }";
    let whole = format!("{LEAGUE}{text}");
    let model = World::new().compile(None, "m", &whole, Options::default()).unwrap();
    let prepare = |givens: serde_json::Value| {
        let givens: Givens = serde_json::from_value(givens).unwrap();
        model.prepare(Which::LastRun, &givens).map_err(|problems| problems[0].diagnostic.code)
    };
    assert!(prepare(json!({"IDS": [1, 2]})).is_ok());
    assert_eq!(prepare(json!({})).unwrap_err(), "compiler-given-no-value");
    assert_eq!(prepare(json!({"IDS": [1], "LEAST": "x"})).unwrap_err(), "runtime-given-bad-value");
    assert_eq!(prepare(json!({"IDS": 1})).unwrap_err(), "runtime-given-bad-value");
    assert_eq!(prepare(json!({"IDS": [], "WHO": "("})).unwrap_err(), "filter-expression-error");
    assert_eq!(prepare(json!({"IDS": [], "NOPE": 1})).unwrap_err(), "runtime-given-unknown");
    let made = prepare(json!({"IDS": [1], "LEAST": 7})).unwrap();
    assert!(serde_json::to_string(&made).unwrap().contains(r#""number":"7""#));
}

#[test]
fn definitions_of_a_block_may_stand_in_any_order() {
    let made = query(
        "source: p is players extend { view: v is { group_by: who aggregate: double } measure: double is once * 2, once is points.sum()
           dimension: who is x.team join_one: x is teams on k = x.team_id dimension: k is team_id where: who != null }
         run: p -> v",
    );
    assert_eq!(names(&made), ["who", "double"]);
    let found = refusals(&format!(
        "{LEAGUE}source: p is players extend {{ dimension: a is b + 1, b is a + 1 }}"
    ));
    assert_eq!(
        found,
        [
            "field-not-found 14:59 `a` is not defined; it is defined in the same block, and needs what is defined here"
        ]
    );
}

#[test]
fn a_window_runs_over_outputs_whichever_statement_comes_first() {
    let made = query(
        "run: players -> { calculate: before is lag(total) group_by: player aggregate: total }",
    );
    let OutputKind::Calculation(Expr::Window(window)) =
        &made.pipeline.stages[0].level.outputs[0].kind
    else {
        panic!()
    };
    assert_eq!(window.args, [Expr::Output(2)]);
}

#[test]
fn text_aggregates_have_a_separator() {
    let made = query("run: players -> { aggregate: x is string_agg(player) }");
    let OutputKind::Aggregate(Expr::Aggregate(aggregate)) =
        &made.pipeline.stages[0].level.outputs[0].kind
    else {
        panic!()
    };
    assert_eq!(aggregate.function, AggregateFunction::StringAgg);
    assert_eq!(aggregate.args.len(), 2);
}
