//! How loading grows with a model: sources with joins, dimensions, measures and nested views, fifty lines each.

use std::fmt::Write as _;

use bench_kit::table;
use malloy::Workspace;
use malloy_model::{Options, Outcome};

use crate::{Args, median_time};

/// Sources of the models that are measured.
const SIZES: [usize; 4] = [25, 50, 100, 200];

pub(crate) fn measure(args: &Args) -> anyhow::Result<String> {
    let mut text = "\n### Loading larger models\n\n".to_owned();
    table::line(&mut text, "sources", &["lines", "load", "per line"]);
    table::line(&mut text, "---", &["---:"; 3]);
    let dir = tempfile::Builder::new().prefix("tandem-malloy-").tempdir()?;
    std::fs::write(
        dir.path().join("facts.csv"),
        "id,parent,kind,amount,at\n1,1,a,2.5,2025-01-01\n",
    )?;
    let workspace = Workspace::open(dir.path())?;
    for sources in SIZES {
        let model = model(sources);
        let lines = model.lines().count();
        let compiled = workspace.compile(None, "large.malloy", &model)?;
        let time = median_time(args.rounds, || {
            match malloy_model::compile(
                "large.malloy",
                &model,
                compiled.known(),
                Options::default(),
            ) {
                Outcome::Done(model) => Ok(model),
                other => anyhow::bail!("the large model does not compile: {other:?}"),
            }
        })?;
        #[expect(clippy::cast_precision_loss, reason = "a few thousand")]
        let per_line = time / lines as f64;
        let cells = [lines.to_string(), table::time(time), table::time(per_line)];
        table::line(&mut text, &sources.to_string(), &cells);
    }
    Ok(text)
}

/// Each source joins the one before it.
fn model(sources: usize) -> String {
    let mut text = String::new();
    for number in 0..sources {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "source: s{number} is duckdb.table('facts.csv') extend {{\n  primary_key: id"
        );
        if number > 0 {
            let _ = writeln!(text, "  join_one: before is s{} with parent", number - 1);
        }
        for field in 0..10 {
            let _ = writeln!(
                text,
                "  dimension: d{field} is amount * {field} + year(at)\n  measure: m{field} is sum(amount) {{ where: kind = 'k{field}' }}"
            );
        }
        for view in 0..5 {
            let _ = writeln!(
                text,
                "  view: v{view} is {{\n    group_by: kind\n    aggregate: m{view}\n    nest: within is {{\n      group_by: d{view}\n      aggregate: m0\n    }}\n  }}"
            );
        }
        text.push_str("}\n");
    }
    text
}
