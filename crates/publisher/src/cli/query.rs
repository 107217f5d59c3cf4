//! Run a query.

use std::io::Read as _;

use kit_cli::{Outcome, Ui};
use malloy::RunText;
use serde_json::json;

use super::{
    desk::{Address, Desk, waiting},
    refused,
};
use crate::{Answer, Ask, Asked, By, Error, LimitSource, Surface};

/// Run a query on a model and show its rows
#[derive(Debug, clap::Args)]
pub struct QueryArgs {
    #[command(flatten)]
    address: Address,

    /// Malloy text with a `run:`, or what would stand after it; `-` reads it from standard input
    #[arg(value_name = "QUERY", required_unless_present = "name")]
    query: Option<String>,

    /// Run the view or query of this name
    #[arg(long, value_name = "NAME", conflicts_with = "query")]
    name: Option<String>,

    /// The source that has the view
    #[arg(long, value_name = "NAME", requires = "name")]
    source: Option<String>,

    /// Give a value for a `given:`; may be repeated
    #[arg(long, value_name = "NAME=JSON")]
    given: Vec<String>,

    /// Show at most so many rows, if the query does not say it itself
    #[arg(long, value_name = "N")]
    limit: Option<u64>,

    /// Print rows as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
}

pub(super) async fn query(ui: &mut Ui, desk: &Desk, args: &QueryArgs) -> anyhow::Result<Outcome> {
    let what = args.asked()?;
    let givens = malloy::givens(&args.given).map_err(|why| anyhow::anyhow!(why))?;
    let answered = async {
        let ask = Ask {
            at: desk.find(ui, &args.address).await?,
            what,
            givens,
            row_limit: args.limit,
            by: By::new(&desk.caller, Surface::Cli),
        };
        waiting(ui, "running", desk.service.query(ask)).await
    };
    let answered: Result<_, Error> = answered.await;
    match answered {
        Err(error) => refused(ui, &error),
        Ok(answer) => show(ui, args, &answer),
    }
}

fn show(ui: &mut Ui, args: &QueryArgs, answer: &Answer) -> anyhow::Result<Outcome> {
    for warning in &answer.warnings {
        ui.warn(&warning.message);
    }
    let schema = malloy::schema(&answer.query.schema);
    if args.csv {
        ui.print(&malloy::csv(&schema, &answer.rows))?;
    } else if ui.global().json {
        let shown = json!({
            "schema": schema,
            "rows": *answer.rows,
            "sql": answer.sql,
            "rowLimit": answer.row_limit,
            "limitHit": answer.limit_hit,
        });
        ui.print(&serde_json::to_string_pretty(&shown)?)?;
    } else {
        ui.print(&malloy::table(&schema, &answer.rows))?;
    }
    if answer.limit_hit {
        let who = match answer.limit_source {
            LimitSource::ServerDefault => "by default; `--limit` or a `limit:` gives more",
            LimitSource::Request | LimitSource::Query => "as asked",
        };
        ui.note(&format!("there are more rows: {} are shown {who}", answer.rows.len()));
    }
    Ok(Outcome::Success)
}

impl QueryArgs {
    fn asked(&self) -> anyhow::Result<Asked> {
        if let Some(query) = &self.name {
            return Ok(Asked::Named { source: self.source.clone(), query: query.clone() });
        }
        text(self.query.as_deref().unwrap_or_default()).map(Asked::Text)
    }
}

/// The text of a query as it is typed.
pub(super) fn text(given: &str) -> anyhow::Result<String> {
    let mut given = given.to_owned();
    if given == "-" {
        given.clear();
        std::io::stdin().read_to_string(&mut given)?;
    }
    Ok(RunText::of(&given).sent)
}
