//! What is refused: the code, the place, the words, and the way out.

use malloy_model::Options;

use crate::support::{World, refusals, refusals_of};

const TEAMS: &str =
    "source: teams is duckdb.table('data/teams.csv') extend { primary_key: team_id }\n";

fn refused(text: &str) -> Vec<String> {
    refusals(&format!("{TEAMS}{text}"))
}

#[test]
fn a_name_that_nearly_exists_is_suggested() {
    assert_eq!(
        refused("run: teams -> { select: taem }"),
        ["field-not-found 2:25 `taem` is not defined; did you mean `team`?"]
    );
    assert_eq!(
        refused("run: team -> { select: team }"),
        ["source-or-query-not-found 2:6 there is no source or query `team`; did you mean `teams`?"]
    );
    assert_eq!(
        refused("run: teams -> { select: x is uper(team) }"),
        [
            "function-not-found 2:30 there is no function `uper`; did you mean `upper`? `uper!(…)` calls a function of the database"
        ]
    );
}

#[test]
fn one_mistake_costs_one_message() {
    let text = "source: t is teams extend {
      dimension: bad is nope + 1
      dimension: worse is bad * 2
      measure: sum_of_worse is worse.sum()
      view: v is { group_by: worse aggregate: sum_of_worse }
    }
    run: t -> v
    run: t -> { group_by: worse } -> { select: worse, x is worse + 1 }";
    assert_eq!(refused(text), ["field-not-found 3:25 `nope` is not defined"]);
}

#[test]
fn several_mistakes_cost_several_messages() {
    let found = refused(
        "run: teams -> { where: team = 1, conf > 2 group_by: nope, x is team + 1 aggregate: team, y is sum(conf) }",
    );
    let codes: Vec<&str> = found.iter().filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(
        codes,
        [
            "expression-type-error",
            "expression-type-error",
            "field-not-found",
            "arithmetic-operation-type-mismatch",
            "aggregate-of-scalar",
            "expression-type-error"
        ]
    );
}

#[test]
fn a_row_beside_an_aggregate_has_to_be_grouped_by() {
    assert_eq!(
        refused("run: teams -> { aggregate: x is count() + team_id }"),
        [
            "scalar-not-grouped-by 2:28 `team_id` is neither aggregated nor grouped by; add it to `group_by:`, or aggregate it: `max(…)`"
        ]
    );
    assert_eq!(
        refused("run: teams -> { group_by: team_id aggregate: x is count() + team_id }"),
        [""; 0]
    );
}

#[test]
fn views_that_overlap_do_not_refine_each_other() {
    let text = "source: t is teams extend { view: a is { group_by: team } view: b is { group_by: team, conf } }\nrun: t -> a + b";
    assert_eq!(
        refused(text),
        [
            "name-conflict-in-refinement 3:6 more than one part of this has a field `team`; what refines a view can only add fields that it does not have"
        ]
    );
}

#[test]
fn an_aggregate_across_many_says_how_to_write_it() {
    let text = "source: p is duckdb.table('data/players.csv')
    run: teams extend { join_many: p on team_id = p.team_id } -> { aggregate: x is sum(p.points) }";
    assert_eq!(
        refused(text),
        [
            "aggregate-traverses-join-many 3:84 `sum` has to say whose rows it adds up, since `p` has many for one; aggregate over the rows of the join: `p.sum(…)`"
        ]
    );
}

#[test]
fn an_import_that_goes_round_is_named() {
    let world = World::new()
        .with_text("a.malloy", "import \"b.malloy\"\nsource: a is duckdb.table('data/teams.csv')")
        .with_text("b.malloy", "import \"a.malloy\"\nsource: b is duckdb.table('data/teams.csv')");
    let found = refusals_of(&world, "main.malloy", "import \"a.malloy\"", Options::default());
    assert_eq!(
        found,
        ["import-error 1:8 this import goes round in a circle: a.malloy → b.malloy → a.malloy"]
    );
}

#[test]
fn an_import_brings_in_what_is_defined_there_and_not_what_was_imported() {
    let world = World::new()
        .with_text("a.malloy", "source: a is duckdb.table('data/teams.csv')")
        .with_text("b.malloy", "import \"a.malloy\"\nsource: b is a")
        .with_text("c.malloy", "import \"a.malloy\"\nsource: c is a\nexport { a }");
    let check = |text: &str| refusals_of(&world, "main.malloy", text, Options::default());
    assert_eq!(check("import \"b.malloy\"\nrun: b -> { select: team }"), [""; 0]);
    assert_eq!(
        check("import \"b.malloy\"\nrun: a -> { select: team }"),
        ["source-or-query-not-found 2:6 there is no source or query `a`; did you mean `b`?"]
    );
    assert_eq!(check("import { x is a } from \"c.malloy\"\nrun: x -> { select: team }"), [""; 0]);
    assert_eq!(
        check("import { c } from \"c.malloy\""),
        ["selective-import-not-found 1:10 `c.malloy` has no `c`; did you mean `a`?"]
    );
    assert_eq!(
        check("import \"nowhere.malloy\""),
        ["import-error 1:8 `nowhere.malloy` cannot be read: no such file"]
    );
}

#[test]
fn text_from_outside_does_not_reach_past_the_model() {
    let world = World::new();
    let base = world
        .compile(None, "m", &format!("##! experimental.sql_functions\n{TEAMS}"), Options::default())
        .unwrap();
    let check = |text: &str| -> Vec<String> {
        let made = world.compile(Some(&base), "q", text, Options { restricted: true });
        made.err()
            .unwrap_or_default()
            .iter()
            .map(|problem| problem.diagnostic.code.to_owned())
            .collect()
    };
    assert_eq!(check("run: teams -> { select: team }"), [""; 0]);
    let forbidden = ["restricted-construct-forbidden"];
    assert_eq!(check("import \"x.malloy\""), forbidden);
    assert_eq!(check("run: duckdb.table('data/players.csv') -> { select: player }"), forbidden);
    assert_eq!(check("run: duckdb.sql('SELECT 1 AS a') -> { select: a }"), forbidden);
    assert_eq!(check("run: teams -> { select: x is md5!(team) }"), forbidden);
    assert_eq!(check("run: teams -> { select: x is sql_string(\"${team}\") }"), forbidden);
    assert_eq!(check("##! experimental.givens\nrun: teams -> { select: team }"), forbidden);
    assert_eq!(check("given: X :: string is 'a'\nrun: teams -> { select: team }"), forbidden);
}

#[test]
fn access_labels_hold() {
    let text = "##! experimental.access_modifiers
    source: t is teams extend { private dimension: p is conf internal dimension: i is conf dimension: uses is concat(p, i) }
    source: u is t extend { dimension: fine is i }
    run: u -> { select: fine, uses }
    run: t -> { select: p }
    run: t -> { select: i }
    source: w is t extend { dimension: bad is p }";
    assert_eq!(
        refused(text),
        [
            "field-not-accessible 6:25 `p` is private and cannot be used here",
            "field-not-accessible 7:25 `i` is internal and cannot be used here",
            "field-not-accessible 8:47 `p` is private and cannot be used here",
        ]
    );
}

#[test]
fn no_input_of_a_composite_may_be_enough() {
    let text = "##! experimental.composite_sources
    source: a is teams extend { except: conf }
    source: b is teams extend { except: team }
    source: c is compose(a, b)
    run: c -> { select: team, conf }";
    assert_eq!(
        refused(text),
        [
            "could-not-resolve-composite-source 6:10 no input of the composite source has all that is needed here; the last one lacks `team`"
        ]
    );
}

#[test]
fn sources_of_two_connections_are_not_brought_together() {
    let told = "connection-mismatch 2:40 this is read over the connection `pg`, and what it is brought together with over `duckdb`; \
                a query runs on one database; bring the data there first";
    let players = "pg.table('data/players.csv')";
    let join = format!(
        "source: t is teams extend {{ join_many: players is {players} on players.team_id = team_id }}"
    );
    assert_eq!(refused(&join), [told]);
    let query = format!(
        "run: teams -> {{ extend: {{ join_many: players is {players} on true }} select: team }}"
    );
    assert_eq!(refused(&query), [told.replace("2:40", "2:38")]);
    let sql = "source: x is pg.sql(\"SELECT * FROM (%{ teams -> { select: * } })\")";
    let sql = sql.replace('\"', "\"\"\"");
    assert_eq!(refused(&sql)[0].split(' ').next(), Some("connection-mismatch"));
}
