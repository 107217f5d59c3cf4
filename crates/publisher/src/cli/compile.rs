//! Compile a query.

use kit_cli::{Outcome, Ui};
use serde_json::json;

use super::{
    desk::{Address, Desk},
    query, refused,
};
use crate::{CompileAsk, Error, Scope};

/// Check a query on a model and show its SQL
#[derive(Debug, clap::Args)]
pub struct CompileArgs {
    #[command(flatten)]
    address: Address,

    /// Malloy text with a `run:`, or what would stand after it; `-` reads it from standard input
    #[arg(value_name = "QUERY")]
    query: String,

    /// Give a value for a `given:`; may be repeated
    #[arg(long, value_name = "NAME=JSON")]
    given: Vec<String>,
}

pub(super) async fn compile(
    ui: &mut Ui,
    desk: &Desk,
    args: &CompileArgs,
) -> anyhow::Result<Outcome> {
    let source = query::text(&args.query)?;
    let givens = malloy::givens(&args.given).map_err(|why| anyhow::anyhow!(why))?;
    let report = async {
        let ask = CompileAsk {
            at: desk.find(ui, &args.address).await?,
            source,
            scope: Scope::Append,
            include_sql: true,
            givens,
            caller: desk.caller.clone(),
        };
        desk.service.compile(ask).await
    };
    let report: Result<_, Error> = report.await;
    let report = match report {
        Ok(report) => report,
        Err(error) => return refused(ui, &error),
    };
    if ui.global().json {
        let shown = json!({"problems": report.problems, "sql": report.sql});
        ui.print(&serde_json::to_string_pretty(&shown)?)?;
    } else {
        report.problems.iter().for_each(|problem| ui.note(&problem.to_string()));
        if let Some(sql) = &report.sql {
            ui.print(sql)?;
        }
    }
    Ok(if report.is_ok() { Outcome::Success } else { Outcome::Negative })
}
