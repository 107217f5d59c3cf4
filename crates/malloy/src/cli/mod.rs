//! `malloy …`: models and queries from a terminal.
//!
//! Every command works on the files of a folder (`--root`, else where it is typed) and asks no server. What is wrong
//! with a text is the result of the command: with `--json` an object `{"errors": […]}`, and exit code 1 either way.
//! Start at [`run`].

mod check;
mod compile;
mod debug;
pub(crate) mod describe;
mod fmt;
mod notebook;
mod query;

use std::path::PathBuf;

use clap::{ArgMatches, FromArgMatches, Subcommand};
use kit_cli::{Outcome, Ui};
use serde_json::json;

use crate::Failure;

/// What is typed after `malloy`.
#[derive(Debug, Subcommand)]
pub enum Command {
    Run(query::RunArgs),
    Compile(compile::CompileArgs),
    Check(check::CheckArgs),
    Describe(describe::DescribeArgs),
    Fmt(fmt::FmtArgs),
    Notebook(notebook::NotebookArgs),
    Debug(debug::DebugArgs),
}

/// The folder to work on.
#[derive(Debug, Clone, clap::Args)]
pub struct Root {
    /// Read models and data below this folder (default: here)
    #[arg(long, value_name = "DIR", default_value = ".")]
    root: PathBuf,
}

/// Does what was asked.
pub fn run(ui: &mut Ui, matches: &ArgMatches) -> anyhow::Result<Outcome> {
    match Command::from_arg_matches(matches)? {
        Command::Run(args) => query::run(ui, &args),
        Command::Compile(args) => compile::compile(ui, &args),
        Command::Check(args) => check::check(ui, &args),
        Command::Describe(args) => describe::describe(ui, &args),
        Command::Fmt(args) => fmt::fmt(ui, &args),
        Command::Notebook(args) => notebook::notebook(ui, &args),
        Command::Debug(args) => debug::debug(ui, &args),
    }
}

/// Says what is wrong, as the result.
fn refused(ui: &mut Ui, failure: &Failure) -> anyhow::Result<Outcome> {
    if ui.global().json {
        ui.print(&serde_json::to_string_pretty(&json!({"errors": failure.issues}))?)?;
    } else {
        for issue in &failure.issues {
            ui.note(&issue.to_string());
        }
    }
    Ok(Outcome::Negative)
}
