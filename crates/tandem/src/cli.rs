//! The command line.

use std::{ffi::OsString, path::Path};

use clap::{Arg, ArgAction, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use kit_cli::Global;

use crate::{
    apps::{self, Application, Commands, Flag, Group, Remote, Run},
    args::{Alone, Elsewhere, Keeping, ToAgents},
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
    /// Serve this application to agents, on standard input and output or over HTTP
    Mcp(ToAgents),
}

/// What was asked.
pub(crate) enum Command {
    Host(HostCommand),
    App(&'static Application, AppCommand),
    /// An application's MCP surface over the server at this address.
    Remote(&'static Application, &'static Remote, ToAgents, String),
    /// A command that only this application has; where its data is kept, and what to do.
    Own(&'static Application, &'static Commands, Keeping, ArgMatches),
    /// A command on files that belongs to no application.
    Group(&'static Group, ArgMatches),
}

/// Reads the command line. A program named as an application is that application.
pub(crate) fn parse(
    args: impl IntoIterator<Item = OsString>,
) -> Result<(Global, Command), clap::Error> {
    let args = with_two_dashes(args.into_iter().collect());
    if let Some(app) = args.first().and_then(|program| named_by(program)) {
        let root = Global::augment_args(app_command(app)).version(env!("CARGO_PKG_VERSION"));
        let matches = root.try_get_matches_from(args)?;
        return Ok((Global::from_arg_matches(&matches)?, of_app(app, &matches)?));
    }
    if let Some(group) = args.first().and_then(|program| group_named_by(program)) {
        let root = Global::augment_args(group_command(group)).version(env!("CARGO_PKG_VERSION"));
        let matches = root.try_get_matches_from(args)?;
        return Ok((Global::from_arg_matches(&matches)?, Command::Group(group, matches)));
    }
    let matches = command_for(|name| args.iter().any(|arg| arg == name));
    let matches = matches.try_get_matches_from(args)?;
    let global = Global::from_arg_matches(&matches)?;
    Ok((global, what(&matches)?))
}

/// The whole command line, for parsing, help and completions.
pub(crate) fn command() -> clap::Command {
    command_for(|_| true)
}

/// The same, with the commands below a name only if it is `wanted`. Who does not write a name cannot mean what is below
/// it, and all commands of all applications take longer to put together than an agent's first answer takes otherwise.
fn command_for(wanted: impl Fn(&str) -> bool) -> clap::Command {
    let bare = |name, about| clap::Command::new(name).about(about);
    let apps = apps::ALL
        .iter()
        .map(|app| if wanted(app.name) { app_command(app) } else { bare(app.name, app.about) });
    let groups = apps::GROUPS.iter().map(|group| {
        if wanted(group.name) { group_command(group) } else { bare(group.name, group.about) }
    });
    Cli::command().subcommands(apps).subcommands(groups)
}

fn group_command(group: &Group) -> clap::Command {
    let command = clap::Command::new(group.name).arg_required_else_help(true);
    // Last, since clap puts the comment on the group's own type in its place.
    (group.augment)(command).subcommand_required(true).about(group.about)
}

fn app_command(app: &Application) -> clap::Command {
    let command = clap::Command::new(app.name).arg_required_else_help(true);
    let own = clap::Command::new(app.name);
    let own = app.commands.iter().fold(own, |own, commands| (commands.augment)(own));
    let on_files = app.commands.as_ref().is_some_and(|own| matches!(own.run, Run::OnFiles(_)));
    let own = own.get_subcommands().map(|own| if on_files { own.clone() } else { keeping(own) });
    let command = AppCommand::augment_subcommands(command.subcommands(own));
    let command = command.args(app.flags.iter().map(flag));
    let bare = app.flags.iter().find(|flag| flag.bare);
    let command = match bare {
        None => command,
        Some(flag) => command.mut_subcommand("serve", |serve| serve.arg(bare_value(flag))),
    };
    let command = if app.mcp_flag { command.arg(mcp_flag()) } else { command };
    let command = match &app.remote {
        None => command,
        Some(_) => command.mut_subcommand("mcp", elsewhere),
    };
    // Last, since clap puts the comment on `AppCommand` in its place.
    command.subcommand_required(!app.mcp_flag).about(app.about)
}

/// A flag that all commands of an application have.
fn flag(flag: &Flag) -> Arg {
    let (value, help) = (flag.value, flag.help);
    let arg = Arg::new(flag.long).long(flag.long).value_name(value).help(help).global(true);
    flag.short.into_iter().fold(arg, Arg::short)
}

/// The same value where `serve` takes it without a name.
const BARE: &str = "bare";

fn bare_value(flag: &Flag) -> Arg {
    Arg::new(BARE).value_name(flag.value).help(flag.help)
}

/// `--mcp` in the place of a command.
const MCP: &str = "mcp-flag";

fn mcp_flag() -> Arg {
    let help = "Serve this application to agents on standard input and output";
    Arg::new(MCP).long("mcp").help(help).action(ArgAction::SetTrue)
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
        let keeping = match commands.run {
            Run::Asking { .. } => Keeping::from_arg_matches(inner)?,
            Run::OnFiles(_) => Keeping::default(),
        };
        return Ok(Command::Own(app, commands, keeping, matches.clone()));
    }
    let by_flag = app.mcp_flag && matches.subcommand().is_none() && matches.get_flag(MCP);
    let mut command = if by_flag {
        AppCommand::Mcp(ToAgents::default())
    } else {
        AppCommand::from_arg_matches(matches)?
    };
    for flag in app.flags {
        let bare = matches.subcommand_matches("serve").filter(|_| flag.bare);
        let bare = bare.and_then(|serve| serve.get_one::<String>(BARE));
        if let Some(value) = matches.get_one::<String>(flag.long).or(bare) {
            match &mut command {
                AppCommand::Serve(flags) => flags.set(flag.key, value),
                AppCommand::Mcp(flags) => flags.set(flag.key, value),
            }
        }
    }
    if let (AppCommand::Mcp(flags), Some(remote)) = (&command, &app.remote)
        && let Some((_, inner)) = matches.subcommand()
        && let Some(address) = address(remote, Elsewhere::from_arg_matches(inner)?)
    {
        return Ok(Command::Remote(app, remote, flags.clone(), address));
    }
    Ok(Command::App(app, command))
}

/// The server that is meant: what the variable says goes before the flag.
fn address(remote: &Remote, flags: Elsewhere) -> Option<String> {
    let variable = std::env::var(remote.variable).ok().map(|text| text.trim().to_owned());
    variable.filter(|text| !text.is_empty()).or(flags.addr)
}

/// `mcp` of an application that may stand in front of another server.
fn elsewhere(mcp: clap::Command) -> clap::Command {
    let about = mcp.get_about().cloned().unwrap_or_default();
    // clap puts the comment on `Elsewhere` in the place of what the command says of itself.
    Elsewhere::augment_args(mcp).about(about.clone()).long_about(about)
}

/// Programs of the world that campaigns come from write long flags with one dash, and so may whoever writes `mcp`. A short
/// flag of ours is one letter, so that nothing else can be meant there; elsewhere the same words may be somebody's text.
fn with_two_dashes(mut args: Vec<OsString>) -> Vec<OsString> {
    const LONG: [&str; 3] = ["-transport", "-http-addr", "-addr"];
    for arg in args.iter_mut().skip_while(|arg| *arg != "mcp").take_while(|arg| *arg != "--") {
        let Some(text) = arg.to_str() else { continue };
        let name = text.split('=').next().unwrap_or_default();
        if LONG.contains(&name) {
            *arg = format!("-{text}").into();
        }
    }
    args
}

fn what(matches: &ArgMatches) -> Result<Command, clap::Error> {
    if let Some((name, inner)) = matches.subcommand()
        && let Some(app) = apps::ALL.iter().find(|app| app.name == name)
    {
        return of_app(app, inner);
    }
    if let Some((name, inner)) = matches.subcommand()
        && let Some(group) = apps::GROUPS.iter().find(|group| group.name == name)
    {
        return Ok(Command::Group(group, inner.clone()));
    }
    HostCommand::from_arg_matches(matches).map(Command::Host)
}

fn named_by(program: &OsString) -> Option<&'static Application> {
    let stem = Path::new(program).file_stem()?;
    apps::ALL.iter().find(|app| stem == app.name)
}

fn group_named_by(program: &OsString) -> Option<&'static Group> {
    let stem = Path::new(program).file_stem()?;
    apps::GROUPS.iter().find(|group| stem == group.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Vec<OsString> {
        with_two_dashes(line.split(' ').map(OsString::from).collect())
    }

    #[test]
    fn one_dash_is_enough_for_the_flags_of_mcp_and_for_nothing_else() {
        let flags = "campaign mcp -transport=http -addr x -q";
        assert_eq!(read(flags), read("campaign mcp --transport=http --addr x -q"));
        for text in ["campaign note lost -- -addr", "campaign mcp -- -addr"] {
            let words: Vec<_> = text.split(' ').map(OsString::from).collect();
            assert_eq!(read(text), words);
        }
    }
}
