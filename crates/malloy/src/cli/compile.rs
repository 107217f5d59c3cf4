//! Show the SQL of a query.

use kit_cli::{Outcome, Ui};
use serde_json::json;

use super::{query::Asked, refused};
use crate::schema;

/// Show the SQL that a query becomes, without running it
#[derive(Debug, clap::Args)]
pub struct CompileArgs {
    #[command(flatten)]
    asked: Asked,
}

pub(super) fn compile(ui: &mut Ui, args: &CompileArgs) -> anyhow::Result<Outcome> {
    let outcome = args.asked.prepare()?;
    let outcome = outcome
        .and_then(|ready| Ok((ready.workspace.sql(&ready.query)?, schema(&ready.query.schema))));
    match outcome {
        Err(failure) => refused(ui, &failure),
        Ok((sql, schema)) => {
            if ui.global().json {
                ui.print(&serde_json::to_string_pretty(&json!({"schema": schema, "sql": sql}))?)?;
            } else {
                ui.print(&sql)?;
            }
            Ok(Outcome::Success)
        }
    }
}
