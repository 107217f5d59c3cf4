//! The command line.

use std::{ffi::OsString, path::Path};

use clap::{ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use kit_cli::Global;

use crate::{
    apps::{self, Application, Commands},
    args::{Alone, Keeping},
    commands::{completions::CompletionsArgs, config::ConfigArgs, mcp::McpArgs, serve::ServeArgs},
};

/// Applications that people and AI agents drive together
#[derive(Debug, Parser)]
#[command(name = "tandem", version, arg_required_else_help = true)]
struct Cli {
    #[command(flatten)]
    global: Global,

    #[command(subcommand)]
    command: HostCommand,
}

/// What concerns all applications.
#[derive(Debug, Subcommand)]
pub(crate) enum HostCommand {
    Serve(ServeArgs),
    Mcp(McpArgs),
    Config(ConfigArgs),
    Completions(CompletionsArgs),
}

/// What concerns one application.
#[derive(Debug, Subcommand)]
pub(crate) enum AppCommand {
    /// Serve this application alone, with its routes at the root
    Serve(Alone),
    /// Serve this application to agents on standard input and output
    Mcp(Keeping),
}

/// What was asked.
pub(crate) enum Command {
    Host(HostCommand),
    App(&'static Application, AppCommand),
    /// A command that only this application has; where its data is kept, and what to do.
    Own(&'static Application, &'static Commands, Keeping, ArgMatches),
}

/// Reads the command line. A program named as an application is that application.
pub(crate) fn parse(
    args: impl IntoIterator<Item = OsString>,
) -> Result<(Global, Command), clap::Error> {
    let args: Vec<OsString> = args.into_iter().collect();
    if let Some(app) = args.first().and_then(|program| named_by(program)) {
        let root = Global::augment_args(app_command(app)).version(env!("CARGO_PKG_VERSION"));
        let matches = root.try_get_matches_from(args)?;
        return Ok((Global::from_arg_matches(&matches)?, of_app(app, &matches)?));
    }
    let matches = command().try_get_matches_from(args)?;
    let global = Global::from_arg_matches(&matches)?;
    Ok((global, what(&matches)?))
}

/// The whole command line, for parsing, help and completions.
pub(crate) fn command() -> clap::Command {
    Cli::command().subcommands(apps::ALL.iter().map(app_command))
}

fn app_command(app: &Application) -> clap::Command {
    let command = clap::Command::new(app.name).arg_required_else_help(true);
    let own = clap::Command::new(app.name);
    let own = app.commands.iter().fold(own, |own, commands| (commands.augment)(own));
    let own = own.get_subcommands().map(keeping);
    let command = AppCommand::augment_subcommands(command.subcommands(own));
    // Last, since clap puts the comment on `AppCommand` in its place.
    command.subcommand_required(true).about(app.about)
}

/// A command of an application's own with the flags that say where things are kept.
fn keeping(own: &clap::Command) -> clap::Command {
    let about = own.get_about().cloned().unwrap_or_default();
    let more = own.get_long_about().cloned();
    // clap puts the comment on `Keeping` in the place of what the command says of itself.
    let own = Keeping::augment_args(own.clone()).about(about.clone());
    own.long_about(more.unwrap_or(about))
}

fn of_app(app: &'static Application, matches: &ArgMatches) -> Result<Command, clap::Error> {
    if let Some((name, inner)) = matches.subcommand()
        && let Some(commands) = &app.commands
        && !AppCommand::has_subcommand(name)
    {
        let keeping = Keeping::from_arg_matches(inner)?;
        return Ok(Command::Own(app, commands, keeping, matches.clone()));
    }
    Ok(Command::App(app, AppCommand::from_arg_matches(matches)?))
}

fn what(matches: &ArgMatches) -> Result<Command, clap::Error> {
    if let Some((name, inner)) = matches.subcommand()
        && let Some(app) = apps::ALL.iter().find(|app| app.name == name)
    {
        return of_app(app, inner);
    }
    HostCommand::from_arg_matches(matches).map(Command::Host)
}

fn named_by(program: &OsString) -> Option<&'static Application> {
    let stem = Path::new(program).file_stem()?;
    apps::ALL.iter().find(|app| stem == app.name)
}
