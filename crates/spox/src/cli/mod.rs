//! `spox …`: specs and changes from a terminal.
//!
//! Each command asks the [`Service`], as MCP and HTTP do, and prints its answer: as text ([`render`]), or with `--json`
//! the object that MCP gives. Whatever goes wrong is `error: …` and exit code 1, as scripts that use the tool expect.
//! Start at [`run`]; [`desk`] is what a command works with.

mod applying;
mod changes;
mod config;
mod desk;
mod init;
mod list;
mod render;
mod searching;
mod show;
mod specs;
mod told;
mod validate;
mod watch;

use clap::{ArgMatches, FromArgMatches, Subcommand};
use kit_cli::{Outcome, Ui};

pub use desk::Desk;

/// What is typed after `spox`.
#[derive(Debug, Subcommand)]
pub enum Command {
    Init(init::InitArgs),
    Show(show::ShowArgs),
    List(list::ListArgs),
    /// List, show and check specs
    #[command(subcommand, arg_required_else_help = true)]
    Spec(specs::SpecCommand),
    /// Begin, show, check, apply and archive changes
    #[command(subcommand, arg_required_else_help = true)]
    Change(changes::ChangeCommand),
    /// Show the settings of the project
    #[command(subcommand, arg_required_else_help = true)]
    Config(config::ConfigCommand),
    Index(searching::IndexArgs),
    Search(searching::SearchArgs),
    Validate(validate::ValidateArgs),
    Archive(applying::ArchiveArgs),
}

/// Does what was asked, in the project that `--root` or the working directory names.
pub fn run(ui: &mut Ui, matches: &ArgMatches) -> anyhow::Result<Outcome> {
    run_at(ui, Desk::of(matches), matches)
}

/// The same at any desk.
pub fn run_at(
    ui: &mut Ui,
    desk: anyhow::Result<Desk>,
    matches: &ArgMatches,
) -> anyhow::Result<Outcome> {
    let outcome = desk.and_then(|desk| carry_out(ui, &desk, Command::from_arg_matches(matches)?));
    outcome.or_else(|error| ui.negative(error))
}

fn carry_out(ui: &mut Ui, desk: &Desk, command: Command) -> anyhow::Result<Outcome> {
    if let Command::Init(args) = &command {
        return init::init(ui, desk, args);
    }
    for unknown in &desk.snapshot()?.project.warnings {
        ui.warn(&unknown.to_string());
    }
    match command {
        Command::Init(_) => Ok(Outcome::Success),
        Command::Show(args) => show::show(ui, desk, &args),
        Command::List(args) => list::both(ui, desk, &args),
        Command::Spec(command) => specs::spec(ui, desk, &command),
        Command::Change(command) => changes::change(ui, desk, &command),
        Command::Config(command) => config::config(ui, desk, &command),
        Command::Index(args) => searching::index(ui, desk, &args),
        Command::Search(args) => searching::search(ui, desk, &args),
        Command::Validate(args) => validate::validate(ui, desk, &args),
        Command::Archive(args) => applying::archive(ui, desk, &args),
    }
}
