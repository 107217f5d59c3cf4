//! `publisher …`: packages and queries from a terminal.
//!
//! Every command works on the files of a server root (`--server_root`, else where it is typed) and asks no server. A folder
//! without a configuration, packages and a manifest is a package by itself, so that a query needs nothing but a model. What
//! is wrong with a text is the result of the command, and exit code 1. Start at [`run`].

mod check;
mod compile;
mod describe;
mod desk;
mod list;
mod notebook;
mod query;

use clap::{ArgMatches, FromArgMatches as _, Subcommand};
use kit_cli::{Outcome, Ui};
use serde_json::json;

use self::desk::Desk;
use crate::Error;

/// What is typed after `publisher`.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(list::ListArgs),
    Describe(describe::DescribeArgs),
    Query(query::QueryArgs),
    Compile(compile::CompileArgs),
    Notebook(notebook::NotebookArgs),
    Check(check::CheckArgs),
}

/// Does what was asked.
pub fn run(ui: &mut Ui, matches: &ArgMatches) -> anyhow::Result<Outcome> {
    let command = Command::from_arg_matches(matches)?;
    let root = matches.try_get_one::<String>("server_root").ok().flatten();
    let root = root.cloned().or_else(|| std::env::var("SERVER_ROOT").ok());
    let desk = Desk::open(root.as_deref()).map_err(kit_cli::fault)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        match command {
            Command::List(args) => list::list(ui, &desk, &args).await,
            Command::Describe(args) => describe::describe(ui, &desk, &args).await,
            Command::Query(args) => query::query(ui, &desk, &args).await,
            Command::Compile(args) => compile::compile(ui, &desk, &args).await,
            Command::Notebook(args) => notebook::notebook(ui, &desk, &args).await,
            Command::Check(args) => check::check(ui, &desk, &args).await,
        }
    })
}

/// Says what is wrong, as the result.
fn refused(ui: &mut Ui, error: &Error) -> anyhow::Result<Outcome> {
    if ui.global().json {
        let shown = json!({
            "code": error.status(),
            "message": error.message,
            "hint": error.hint,
            "suggestions": error.near,
            "place": error.place,
        });
        ui.print(&serde_json::to_string_pretty(&shown)?)?;
    } else {
        ui.note(&format!("error: {}", error.message));
        if let Some(place) = error.place.as_ref().filter(|place| !place.text.is_empty()) {
            ui.note(&place.shown());
        }
        if let Some(hint) = &error.hint {
            ui.note(&format!("  hint: {hint}"));
        }
    }
    Ok(Outcome::Negative)
}
