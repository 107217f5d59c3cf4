//! Run a notebook.

use kit_cli::{Outcome, Ui};
use malloy_engine::{Cancel, Limits};
use malloy_model::{Givens, Which};
use malloy_syntax::{
    notebook::{Cell, CellKind},
    parse_notebook,
};
use serde_json::{Value, json};

use super::{Root, refused};
use crate::{Answer, Compiled, Failure, Workspace, table};

/// Run the cells of a notebook, each on top of those before it
#[derive(Debug, clap::Args)]
pub struct NotebookArgs {
    #[command(flatten)]
    root: Root,

    /// The notebook, below the folder
    #[arg(value_name = "FILE")]
    file: String,
}

pub(super) fn notebook(ui: &mut Ui, args: &NotebookArgs) -> anyhow::Result<Outcome> {
    let workspace = Workspace::open(&args.root.root)?;
    let text = match workspace.read(&args.file) {
        Ok(text) => text,
        Err(why) => return refused(ui, &Failure::plain("no-file", why, kit_core::Kind::NotFound)),
    };
    let mut model: Option<Compiled> = None;
    let (mut shown, mut failed) = (Vec::new(), false);
    for cell in parse_notebook(&text).cells {
        let outcome = match cell.kind {
            CellKind::Malloy => one(&workspace, &mut model, &args.file, &cell),
            CellKind::Markdown | CellKind::Sql => Ok(None),
        };
        failed |= outcome.is_err();
        if ui.global().json {
            shown.push(as_json(&cell, &outcome));
        } else {
            ui.print(&as_text(&cell, &outcome))?;
        }
    }
    if ui.global().json {
        ui.print(&serde_json::to_string_pretty(&json!({"cells": shown}))?)?;
    }
    Ok(if failed { Outcome::Negative } else { Outcome::Success })
}

/// Runs one cell. A cell that fails leaves the model as it was, so that those after it still work.
fn one(
    workspace: &Workspace,
    model: &mut Option<Compiled>,
    file: &str,
    cell: &Cell<'_>,
) -> Result<Option<Answer>, Failure> {
    let compiled = workspace.compile(model.as_ref(), file, cell.text)?;
    let answer = if compiled.model.runs() > 0 {
        let query =
            workspace.prepare(&compiled, Which::LastRun, &Givens::new(), (file, cell.text))?;
        Some(workspace.run(&query, &Limits::default(), &Cancel::new())?)
    } else {
        None
    };
    *model = Some(compiled);
    Ok(answer)
}

fn as_json(cell: &Cell<'_>, outcome: &Result<Option<Answer>, Failure>) -> Value {
    let kind = match cell.kind {
        CellKind::Malloy => "malloy",
        CellKind::Markdown => "markdown",
        CellKind::Sql => "sql",
    };
    let mut shown = json!({"kind": kind, "text": cell.text});
    match outcome {
        Ok(None) => {}
        Ok(Some(answer)) => {
            shown["schema"] = json!(answer.schema);
            shown["rows"] = json!(answer.rows);
        }
        Err(failure) => shown["errors"] = json!(failure.issues),
    }
    shown
}

fn as_text(cell: &Cell<'_>, outcome: &Result<Option<Answer>, Failure>) -> String {
    let result = match outcome {
        Ok(None) => String::new(),
        Ok(Some(answer)) => format!("\n{}", table(&answer.schema, &answer.rows)),
        Err(failure) => format!("\n{failure}\n"),
    };
    format!("{}\n{result}", cell.text)
}
