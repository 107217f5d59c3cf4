//! Run a query.

use std::io::Read as _;

use kit_cli::{Outcome, Ui};
use malloy_engine::{Cancel, Limits};
use malloy_model::{Which, ir};

use super::{Root, refused};
use crate::{Compiled, Failure, RunText, Workspace, csv, table};

/// Run a query and show its rows
#[derive(Debug, clap::Args)]
pub struct RunArgs {
    #[command(flatten)]
    asked: Asked,

    /// Print rows as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,

    /// Refuse a result with more rows
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    max_rows: usize,
}

/// Which query, of which model.
#[derive(Debug, clap::Args)]
pub(super) struct Asked {
    #[command(flatten)]
    pub(super) root: Root,

    /// Compile the query on top of this model
    #[arg(long, value_name = "FILE")]
    pub(super) model: Option<String>,

    /// Give a value for a `given:`; may be repeated
    #[arg(long, value_name = "NAME=JSON")]
    pub(super) given: Vec<String>,

    /// Malloy text with a `run:`, or what would stand after it; `-` reads it from standard input
    #[arg(value_name = "QUERY")]
    pub(super) query: String,
}

/// A query that is ready to be run.
pub(super) struct Ready {
    pub(super) workspace: Workspace,
    pub(super) compiled: Compiled,
    pub(super) query: ir::Query,
}

impl Asked {
    pub(super) fn prepare(&self) -> anyhow::Result<Result<Ready, Failure>> {
        let text = self.text()?;
        let givens = crate::givens(&self.given).map_err(|why| anyhow::anyhow!(why))?;
        let ready = || {
            let workspace = Workspace::open(&self.root.root)?;
            let base =
                self.model.as_deref().map(|model| workspace.compile_file(model)).transpose()?;
            let compiled = workspace.compile(base.as_ref(), "", &text.sent)?;
            let query = workspace.prepare(&compiled, Which::LastRun, &givens, ("", &text.sent))?;
            Ok(Ready { workspace, compiled, query })
        };
        Ok(ready().map_err(|failure| text.moved_back(failure)))
    }

    fn text(&self) -> anyhow::Result<RunText> {
        let mut given = self.query.clone();
        if given == "-" {
            given.clear();
            std::io::stdin().read_to_string(&mut given)?;
        }
        Ok(RunText::of(&given))
    }
}

pub(super) fn run(ui: &mut Ui, args: &RunArgs) -> anyhow::Result<Outcome> {
    let ready = match args.asked.prepare()? {
        Ok(ready) => ready,
        Err(failure) => return refused(ui, &failure),
    };
    for warning in &ready.compiled.warnings {
        ui.warn(&warning.message);
    }
    let limits = Limits { rows: args.max_rows, ..Limits::default() };
    match ready.workspace.run(&ready.query, &limits, &Cancel::new()) {
        Err(failure) => refused(ui, &failure),
        Ok(answer) => {
            if args.csv {
                ui.print(&csv(&answer.schema, &answer.rows))?;
            } else if ui.global().json {
                ui.print(&serde_json::to_string_pretty(&answer)?)?;
            } else {
                ui.print(&table(&answer.schema, &answer.rows))?;
            }
            Ok(Outcome::Success)
        }
    }
}
