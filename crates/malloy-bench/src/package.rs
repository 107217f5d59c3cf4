//! The sample packages: loading a model, compiling each of its views, and running what comes out.

use std::{fmt::Write as _, fs, path::Path};

use anyhow::Context as _;
use bench_kit::{median, table};
use malloy::{Compiled, Workspace};
use malloy_duckdb::{Cancel, Database, Limits, Settings};
use malloy_model::{Givens, Options, Outcome, Which, ir};

use crate::{Args, median_time, official};

const PACKAGES: [&str; 3] = ["library", "harbour", "grid"];

/// One package: how many times the official compiler takes what ours takes, and what running costs.
struct Row {
    package: &'static str,
    views: usize,
    load: (f64, f64),
    compile: (f64, f64),
    /// Our SQL's time divided by that of the official SQL, of each view.
    runs: Vec<f64>,
}

pub(crate) fn measure(args: &Args) -> anyhow::Result<String> {
    let rows: anyhow::Result<Vec<_>> =
        PACKAGES.iter().map(|package| one(args, package).with_context(|| *package)).collect();
    Ok(tables(&rows?))
}

fn one(args: &Args, package: &'static str) -> anyhow::Result<Row> {
    let folder = args.samples.join(package);
    let file = format!("{package}.malloy");
    let workspace = Workspace::open(&folder)?;
    let model = workspace.compile_file(&file)?;
    let queries = views(&model)?;
    let official = official::ask(args, &folder, &file, &queries)?;

    let text = fs::read_to_string(folder.join(&file))?;
    let load = median_time(args.rounds, || load(&file, &text, &model))?;
    let mut compiles = Vec::new();
    for query in &queries {
        compiles.push(median_time(args.rounds, || sql(&workspace, &model, query))?);
    }
    let theirs = official.queries.iter().map(|query| query.ms / 1e3).collect();
    let runs = runs(args, &folder, &workspace, &model, &official)?;
    Ok(Row {
        package,
        views: queries.len(),
        load: (load, official.load / 1e3),
        compile: (median(compiles), median(theirs)),
        runs,
    })
}

/// Loads the model again, the columns of its tables being known, as they are to the official compiler.
fn load(file: &str, text: &str, model: &Compiled) -> anyhow::Result<()> {
    match malloy_model::compile(file, text, model.known(), Options::default()) {
        Outcome::Done(_) => Ok(()),
        other => anyhow::bail!("{file} does not compile: {other:?}"),
    }
}

/// Every view of every source.
fn views(model: &Compiled) -> anyhow::Result<Vec<String>> {
    let described = serde_json::to_value(malloy_model::describe(&model.model))?;
    let sources = described["sources"].as_array().into_iter().flatten();
    let views = sources.flat_map(|source| {
        let views = source["fields"].as_array().into_iter().flatten();
        let views = views.filter(|field| field["kind"] == "view");
        views.filter_map(|view| {
            Some(format!("run: {} -> {}", source["name"].as_str()?, view["name"].as_str()?))
        })
    });
    Ok(views.collect())
}

fn query(workspace: &Workspace, model: &Compiled, text: &str) -> anyhow::Result<ir::Query> {
    let compiled = workspace.compile(Some(model), "", text)?;
    Ok(workspace.prepare(&compiled, Which::LastRun, &Givens::new(), ("", text))?)
}

fn sql(workspace: &Workspace, model: &Compiled, text: &str) -> anyhow::Result<String> {
    Ok(workspace.sql(&query(workspace, model, text)?)?)
}

/// Both forms of SQL on the same engine, in turn.
fn runs(
    args: &Args,
    folder: &Path,
    workspace: &Workspace,
    model: &Compiled,
    official: &official::Official,
) -> anyhow::Result<Vec<f64>> {
    let database = Database::open(&Settings::below(folder))?;
    let run = |sql: &str| Ok(database.run(sql, &Limits::default(), &Cancel::new())?);
    let mut ratios = Vec::new();
    for theirs in &official.queries {
        let ours = sql(workspace, model, &theirs.text)?;
        let mine = median_time(args.rounds, || run(&ours))?;
        let official = median_time(args.rounds, || run(&theirs.sql))?;
        ratios.push(mine / official);
    }
    Ok(ratios)
}

fn tables(rows: &[Row]) -> String {
    let mut text = "\n### The sample packages, beside the official compiler\n\n".to_owned();
    let head =
        ["views", "load", "official", "times faster", "compile a view", "official", "times faster"];
    table::line(&mut text, "package", &head);
    table::line(&mut text, "---", &["---:"; 7]);
    for row in rows {
        let ((load, their_load), (compile, their_compile)) = (row.load, row.compile);
        let cells = [
            row.views.to_string(),
            table::time(load),
            table::time(their_load),
            table::ratio(their_load / load),
            table::time(compile),
            table::time(their_compile),
            table::ratio(their_compile / compile),
        ];
        table::line(&mut text, row.package, &cells);
    }
    text.push_str("\n### Running, our SQL's time divided by that of the official SQL\n\n");
    table::line(&mut text, "package", &["median", "worst"]);
    table::line(&mut text, "---", &["---:"; 2]);
    for row in rows {
        let worst = row.runs.iter().copied().fold(0.0, f64::max);
        let cells = [table::ratio(median(row.runs.clone())), table::ratio(worst)];
        table::line(&mut text, row.package, &cells);
    }
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "\nMedians; tables are known to both compilers before they are measured, and both forms of SQL run on the same DuckDB."
    );
    text
}
