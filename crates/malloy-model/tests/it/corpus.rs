//! The conformance corpus: what compiles, with which schema; what is refused, with which code and where.
//!
//! Set `MALLOY_CORPUS` to its folder, or keep it in `../shared/malloy-corpus` beside the repository. Without it these tests pass by,
//! and say so.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use malloy_model::ir::{self, NumberKind, Type};
use malloy_model::{Givens, Model, Options, Problem, Which};
use malloy_syntax::LineIndex;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::{World, corpus};

#[derive(Deserialize)]
struct Case {
    name: String,
    #[serde(default)]
    tier: String,
    model: Option<String>,
    query: String,
    #[serde(default)]
    givens: Givens,
    expect: Expect,
}

#[derive(Deserialize)]
struct Expect {
    kind: String,
    #[serde(default)]
    schema: Vec<Value>,
    #[serde(default)]
    rows: Vec<Value>,
    #[serde(default)]
    errors: Vec<Refusal>,
}

#[derive(Deserialize)]
struct Refusal {
    code: String,
    #[serde(default)]
    line: u32,
    #[serde(default)]
    column: u32,
}

/// Cases that do not do yet what they should, and why.
const KNOWN_FAILURES: &[(&str, &str)] = &[];

#[test]
fn the_corpus_compiles_with_the_schemas_that_it_should() {
    let Some(folder) = corpus() else {
        println!("skipped: no conformance corpus");
        return;
    };
    let mut cases = read(&folder.join("cases"));
    cases.extend(read(&folder.join("disputed")));
    let world = World::new();
    let mut models: BTreeMap<String, Arc<Model>> = BTreeMap::new();
    let mut tally: BTreeMap<(String, &str), (usize, usize)> = BTreeMap::new();
    let mut places = (0, 0);
    let mut failures = Vec::new();
    for case in &cases {
        let made = run(&folder, &world, &mut models, case);
        let refused = case.expect.kind == "error";
        let verdict = if refused { refusal(case, &made, &mut places) } else { schema(case, made) };
        let entry =
            tally.entry((case.tier.clone(), if refused { "refused" } else { "rows" })).or_default();
        entry.1 += 1;
        match verdict {
            Ok(()) => entry.0 += 1,
            Err(why) => failures.push((case.name.clone(), why)),
        }
    }
    for ((tier, kind), (good, all)) in &tally {
        println!("{tier:>8} {kind}: {good} of {all}");
    }
    println!("first error with the same code and place: {} of {}", places.0, places.1);
    for (name, why) in &failures {
        println!("FAIL {name}: {why}");
    }
    let names: Vec<&str> = failures.iter().map(|(name, _)| name.as_str()).collect();
    let known: Vec<&str> = KNOWN_FAILURES.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, known);
}

#[test]
fn models_are_described_as_they_should_be() {
    let Some(folder) = corpus() else {
        println!("skipped: no conformance corpus");
        return;
    };
    let world = World::new();
    for entry in std::fs::read_dir(folder.join("describe")).unwrap() {
        let path = entry.unwrap().path();
        let wanted: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let url = format!("models/{}.malloy", path.file_stem().unwrap().to_str().unwrap());
        let text = std::fs::read_to_string(folder.join(&url)).unwrap();
        let model = world.compile(None, &url, &text, Options::default()).unwrap();
        let made = serde_json::to_value(malloy_model::describe(&model)).unwrap();
        similar(&made, &wanted, &url);
    }
}

/// Compares source by source and field by field, so that a difference can be read.
fn similar(made: &Value, wanted: &Value, url: &str) {
    let sources = |value: &Value| value["sources"].as_array().cloned().unwrap_or_default();
    for (ours, theirs) in sources(made).iter().zip(&sources(wanted)) {
        let fields = |value: &Value| value["fields"].as_array().cloned().unwrap_or_default();
        for (our, their) in fields(ours).iter().zip(&fields(theirs)) {
            assert_eq!(our, their, "{url}: {}", theirs["name"]);
        }
    }
    assert_eq!(made, wanted, "{url}");
}

fn read(folder: &Path) -> Vec<Case> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
        .iter()
        .map(|path| serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap())
        .collect()
}

fn run(
    folder: &Path,
    world: &World,
    models: &mut BTreeMap<String, Arc<Model>>,
    case: &Case,
) -> Result<ir::Query, Vec<Problem>> {
    let base = match &case.model {
        None => None,
        Some(url) if models.contains_key(url) => models.get(url).cloned(),
        Some(url) => {
            let text = std::fs::read_to_string(folder.join(url)).unwrap();
            let model = world.compile(None, url, &text, Options::default());
            let model = model.unwrap_or_else(|problems| panic!("{url}: {problems:#?}"));
            models.insert(url.clone(), Arc::clone(&model));
            Some(model)
        }
    };
    let model = world.compile(base.as_deref(), "", &case.query, Options::default())?;
    model.prepare(Which::LastRun, &case.givens)
}

fn schema(case: &Case, made: Result<ir::Query, Vec<Problem>>) -> Result<(), String> {
    let query = made.map_err(|problems| format!("refused: {}", first(&case.query, &problems)))?;
    let text = serde_json::to_string(&query).unwrap();
    let back: ir::Query = serde_json::from_str(&text).unwrap();
    assert_eq!(back, query, "{}: a query is the same after a round through JSON", case.name);
    let fields: Vec<Value> = query
        .schema
        .iter()
        .map(|field| json!({"name": field.name, "type": type_json(&field.ty)}))
        .collect();
    if case.expect.schema.is_empty() {
        // Disputed cases have rows alone.
        let names: Vec<&str> = query.schema.iter().map(|field| field.name.as_str()).collect();
        let wanted: Vec<&str> = case
            .expect
            .rows
            .first()
            .and_then(Value::as_object)
            .map(|row| row.keys().map(String::as_str).collect())
            .unwrap_or_default();
        return if names == wanted {
            Ok(())
        } else {
            Err(format!("columns {names:?}, not {wanted:?}"))
        };
    }
    if fields == case.expect.schema {
        return Ok(());
    }
    let show = |list: &[Value]| {
        list.iter()
            .map(|field| format!("{}:{}", field["name"].as_str().unwrap_or(""), field["type"]))
            .collect::<Vec<_>>()
            .join(", ")
    };
    Err(format!("schema\n     {}\n not {}", show(&fields), show(&case.expect.schema)))
}

fn refusal(
    case: &Case,
    made: &Result<ir::Query, Vec<Problem>>,
    places: &mut (usize, usize),
) -> Result<(), String> {
    let Err(problems) = made else { return Err("accepted".to_owned()) };
    let Some(wanted) = case.expect.errors.first() else { return Ok(()) };
    places.1 += 1;
    let got = first(&case.query, problems);
    let wanted = format!("{} {}:{}", wanted.code, wanted.line, wanted.column);
    if got.starts_with(&wanted) {
        places.0 += 1;
    } else {
        println!("{}: {got}, officially {wanted}", case.name);
    }
    Ok(())
}

fn first(text: &str, problems: &[Problem]) -> String {
    let lines = LineIndex::new(text);
    let Some(problem) = problems.iter().find(|problem| problem.is_error()) else {
        return "nothing".to_owned();
    };
    let diagnostic = &problem.diagnostic;
    format!(
        "{} {} {} ({:?})",
        diagnostic.code,
        lines.position(text, diagnostic.span.start),
        diagnostic.message,
        diagnostic.help
    )
}

/// A type as the corpus writes it.
fn type_json(ty: &Type) -> Value {
    let timed = |name: &str, unit: &Option<ir::TimeUnit>| match unit {
        Some(unit) => json!(format!("{name}:{}", unit.name())),
        None => json!(name),
    };
    match ty {
        Type::String => json!("string"),
        Type::Number(NumberKind::Integer) => json!("number:integer"),
        Type::Number(NumberKind::Bigint) => json!("number:bigint"),
        Type::Number(NumberKind::Float) => json!("number:decimal"),
        Type::Number(NumberKind::Unknown) => json!("number"),
        Type::Boolean => json!("boolean"),
        Type::Date(unit) => timed("date", unit),
        Type::Timestamp(unit) => timed("timestamp", unit),
        Type::Timestamptz(unit) => timed("timestamptz", unit),
        Type::Json => json!("json"),
        Type::Array(element) => json!({"array": type_json(element)}),
        Type::Record(fields) => {
            let fields: Vec<Value> = fields
                .iter()
                .map(|field| json!({"name": field.name, "type": type_json(&field.ty)}))
                .collect();
            json!({"record": fields})
        }
        Type::Sql(name) => json!(format!("sql:{name}")),
        Type::Null => json!("null"),
    }
}
