//! Run a notebook.

use kit_cli::{Outcome, Ui};
use serde_json::{Value, json};

use super::{
    desk::{Address, Desk, waiting},
    refused,
};
use crate::{By, Cell, CellKind, Error, Run, Surface};

/// Run the cells of a notebook, each on top of those before it
#[derive(Debug, clap::Args)]
pub struct NotebookArgs {
    #[command(flatten)]
    address: Address,

    /// Run only this cell, counted from 0
    #[arg(long, value_name = "N")]
    cell: Option<usize>,

    /// Give a value for a `given:`; may be repeated
    #[arg(long, value_name = "NAME=JSON")]
    given: Vec<String>,
}

pub(super) async fn notebook(
    ui: &mut Ui,
    desk: &Desk,
    args: &NotebookArgs,
) -> anyhow::Result<Outcome> {
    let givens = malloy::givens(&args.given).map_err(|why| anyhow::anyhow!(why))?;
    let run = args.cell.map_or(Run::All, Run::Cell);
    let notebook = async {
        let at = desk.find(ui, &args.address).await?;
        let by = By::new(&desk.caller, Surface::Cli);
        let work = desk.service.notebook(&at, run, &givens, &by);
        waiting(ui, "running", work).await
    };
    let notebook: Result<_, Error> = notebook.await;
    let notebook = match notebook {
        Ok(notebook) => notebook,
        Err(error) => return refused(ui, &error),
    };
    if ui.global().json {
        let cells: Vec<_> = notebook.cells.iter().map(as_json).collect();
        ui.print(&serde_json::to_string_pretty(&json!({"cells": cells}))?)?;
    } else {
        for cell in &notebook.cells {
            ui.print(&as_text(cell))?;
        }
    }
    let failed = notebook.cells.iter().any(|cell| cell.error.is_some());
    Ok(if failed { Outcome::Negative } else { Outcome::Success })
}

fn as_json(cell: &Cell) -> Value {
    let kind = match cell.kind {
        CellKind::Markdown => "markdown",
        CellKind::Code => "code",
    };
    let mut shown = json!({"kind": kind, "text": &*cell.text});
    if let Some(answer) = &cell.answer {
        shown["schema"] = json!(malloy::schema(&answer.query.schema));
        shown["rows"] = json!(*answer.rows);
    }
    if let Some(error) = &cell.error {
        shown["error"] = json!(error.message);
    }
    shown
}

fn as_text(cell: &Cell) -> String {
    let result = match (&cell.answer, &cell.error) {
        (Some(answer), _) => {
            format!("\n{}", malloy::table(&malloy::schema(&answer.query.schema), &answer.rows))
        }
        (None, Some(error)) => format!("\nerror: {}\n", error.message),
        (None, None) => String::new(),
    };
    format!("{}\n{result}", cell.text.trim_end())
}
