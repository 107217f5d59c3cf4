//! What the compiler sees at each step.

use clap::ValueEnum;
use kit_cli::{Outcome, Ui};
use malloy_syntax::dump::{Spans, dump, dump_tokens};

use super::{query::Asked, refused};

/// Show a query as the compiler sees it at one of its steps
#[derive(Debug, clap::Args)]
pub struct DebugArgs {
    /// The step
    #[arg(value_enum)]
    step: Step,

    #[command(flatten)]
    asked: Asked,
}

/// A step of the compiler.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Step {
    /// The words of the text
    Tokens,
    /// The syntax tree
    Tree,
    /// The compiled query
    Model,
    /// The SQL
    Sql,
}

pub(super) fn debug(ui: &mut Ui, args: &DebugArgs) -> anyhow::Result<Outcome> {
    let text = &args.asked.query;
    match args.step {
        Step::Tokens => ui.print(&dump_tokens(text, &malloy_syntax::lex(text)))?,
        Step::Tree => {
            let parsed = malloy_syntax::parse(text);
            ui.print(&dump(&parsed.tree, Spans::Shown))?;
            if !parsed.diagnostics.is_empty() {
                ui.note(&malloy_syntax::render("query", text, &parsed.diagnostics));
            }
            return Ok(if parsed.is_ok() { Outcome::Success } else { Outcome::Negative });
        }
        Step::Model | Step::Sql => match args.asked.prepare()? {
            Err(failure) => return refused(ui, &failure),
            Ok(ready) if matches!(args.step, Step::Model) => {
                ui.print(&serde_json::to_string_pretty(&ready.query)?)?;
            }
            Ok(ready) => match ready.workspace.sql(&ready.query) {
                Err(failure) => return refused(ui, &failure),
                Ok(sql) => ui.print(&sql)?,
            },
        },
    }
    Ok(Outcome::Success)
}
