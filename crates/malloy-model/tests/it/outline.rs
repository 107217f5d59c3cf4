//! What an outline tells beyond a description.

use malloy_model::ir::OutputRole;
use malloy_model::{FieldOutline, FieldOutlineKind, Givens, Options, Outline, Which, quoted};

use crate::support::World;

const BASE: &str = r#"
#" From another file.
source: fields is duckdb.table('data/airports.parquet') extend {
  primary_key: code
  measure: field_count is count()
  # bar_chart
  view: by_state is { group_by: state aggregate: field_count }
}
"#;

const MODEL: &str = r#"
##! experimental.givens
import "base.malloy"

given: LEAST :: number is 10

#" Of here.
# tall
source: large is fields extend {
  join_one: same is fields on same.code = code
  dimension: high is elevation > 5000
  view: listed is { select: code, high }
  view: indexed is { index: state }
  view: twice is { group_by: state, county aggregate: n is field_count } -> { group_by: state aggregate: m is n.sum() }
  #" Kept.
  view: by_county is {
    group_by: `the county` is same.county
    # percent
    aggregate: field_count
    calculate: place is rank()
    nest: names is { group_by: full_name limit: 2 }
  }
}

# line_chart
query: counties is large -> by_county + { limit: 3 }

run: large -> { select: * limit: 2 }
"#;

fn outline() -> Outline {
    let world = World::new().with_text("base.malloy", BASE);
    let model = world.compile(None, "m.malloy", MODEL, Options::default()).unwrap();
    malloy_model::outline(&model)
}

fn field<'a>(outline: &'a Outline, source: &str, name: &str) -> &'a FieldOutline {
    let source = outline.sources.iter().find(|found| found.name == source).unwrap();
    source.fields.iter().find(|field| field.name == name).unwrap()
}

#[test]
fn notes_of_this_text_are_told_from_those_that_were_imported() {
    let outline = outline();
    let large = outline.sources.iter().find(|source| source.name == "large").unwrap();
    assert!(large.own);
    assert_eq!(large.notes.all.len(), 3);
    let here: Vec<&str> = large.notes.here().iter().map(|note| &**note).collect();
    assert_eq!(here, ["#\" Of here.", "# tall"]);
    let fields = outline.sources.iter().find(|source| source.name == "fields").unwrap();
    assert!(!fields.own && fields.notes.here().is_empty());
    assert!(field(&outline, "large", "by_state").notes.here().is_empty());
    assert_eq!(field(&outline, "large", "by_county").notes.here().len(), 1);
}

#[test]
fn joins_are_told_all_the_way_down_and_fields_with_their_code() {
    let outline = outline();
    let FieldOutlineKind::Join { fields, .. } = &field(&outline, "large", "same").kind else {
        panic!("a join")
    };
    assert!(fields.iter().any(|field| field.name == "by_state" && field.kind_name() == "view"));
    assert_eq!(field(&outline, "large", "high").code.as_deref(), Some("elevation > 5000"));
    assert_eq!(outline.sources[1].primary_key.as_deref(), Some("code"));
    assert_eq!(outline.givens[0].default.as_deref(), Some("10"));
}

#[test]
fn views_tell_whether_every_stage_groups() {
    let outline = outline();
    let groups = |name| match &field(&outline, "large", name).kind {
        FieldOutlineKind::View(output) => (output.stages, output.groups),
        other => panic!("{other:?}"),
    };
    assert_eq!(groups("by_county"), (1, true));
    assert_eq!(groups("twice"), (2, true));
    assert_eq!(groups("listed"), (1, false));
    assert_eq!(groups("indexed"), (1, false));
}

#[test]
fn columns_of_results_tell_how_they_came_about() {
    let world = World::new().with_text("base.malloy", BASE);
    let model = world.compile(None, "m.malloy", MODEL, Options::default()).unwrap();
    let query = model.prepare(Which::Named("counties"), &Givens::new()).unwrap();
    let told: Vec<_> = query
        .schema
        .iter()
        .map(|field| (field.name.as_str(), field.role, field.origin.as_deref()))
        .collect();
    assert_eq!(
        told,
        [
            ("the county", OutputRole::Dimension, Some("same.county")),
            ("field_count", OutputRole::Aggregate, Some("field_count")),
            ("place", OutputRole::Calculation, Some("rank()")),
            ("names", OutputRole::Nest, None),
        ]
    );
    assert_eq!(query.schema[3].fields[0].origin.as_deref(), Some("full_name"));
    let outline = malloy_model::outline(&model);
    assert_eq!(outline.queries[0].source, "large");
    assert_eq!(outline.runs.len(), 1);
}

#[test]
fn a_name_is_written_so_that_it_can_only_be_a_name() {
    for (name, written) in [
        ("loans", "loans"),
        ("by month", "`by month`"),
        ("is", "`is`"),
        ("", "``"),
        ("a` -> { select: *", "`a\\` -> { select: *`"),
        ("back\\slash", "`back\\\\slash`"),
        ("é", "é"),
        ("two\nlines", "`two\\nlines`"),
        ("month", "`month`"),
    ] {
        let made = quoted(name);
        // A word that is a name in some places and not in others may be quoted or not.
        if name != "month" && name != "é" {
            assert_eq!(made, written, "{name:?}");
        }
        let lexed = malloy_syntax::lex(&made);
        assert_eq!(lexed.tokens[0].span.end as usize, made.len(), "{name:?}");
    }
}

#[test]
fn a_query_has_the_annotations_of_the_view_that_it_runs_and_not_of_what_refines_it() {
    let text = "
source: s is duckdb.table('data/airports.parquet') extend {
  # b1
  view: b is { group_by: state aggregate: n is count() }
  # a1
  view: a is b + { limit: 2 }
  # c1
  view: c is { aggregate: m is count() }
}
# q1
query: q is s -> a
# q2
query: q2 is q + { limit: 1 }
query: nested is s -> { group_by: county nest: a }
query: refined is s -> { group_by: county } + c
query: further is s -> b -> { select: * }
";
    let model = World::new().compile(None, "m.malloy", text, Options::default()).unwrap();
    let query = |name| model.prepare(Which::Named(name), &Givens::new()).unwrap();
    assert_eq!(query("q2").annotations, ["# b1", "# a1", "# q1", "# q2"]);
    assert_eq!(query("nested").schema[1].annotations, ["# b1", "# a1"]);
    assert!(query("refined").annotations.is_empty());
    assert!(query("further").annotations.is_empty());
    let outline = malloy_model::outline(&model);
    let notes = &field(&outline, "s", "a").notes;
    assert_eq!((notes.all.len(), notes.here().len()), (2, 1));
}
