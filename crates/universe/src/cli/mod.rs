//! `tandem universe …`: universes from a terminal.
//!
//! Every command asks the same routes as any other program ([`Client`]), so that what is typed here is checked,
//! kept and seen by everybody like the rest. One file per command; [`find`] turns what people type into an id.

mod files;
mod find;
mod generate;
mod history;
mod list;
mod send;
mod show;
mod text;
mod watch;

use clap::{ArgMatches, FromArgMatches, Subcommand};
use kit_cli::{Client, Outcome, Ui};

/// What is typed after `universe`.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(list::ListArgs),
    Show(show::ShowArgs),
    Create(files::CreateArgs),
    Send(send::SendArgs),
    Watch(watch::WatchArgs),
    History(history::HistoryArgs),
    Generate(generate::GenerateArgs),
    Export(files::ExportArgs),
    Import(files::ImportArgs),
    Fork(files::ForkArgs),
    Delete(files::DeleteArgs),
}

/// Does what was asked.
pub async fn run(ui: &mut Ui, client: Client, matches: &ArgMatches) -> anyhow::Result<Outcome> {
    match Command::from_arg_matches(matches)? {
        Command::List(args) => list::list(ui, &client, &args).await,
        Command::Show(args) => show::show(ui, &client, &args).await,
        Command::Create(args) => files::create(ui, &client, &args).await,
        Command::Send(args) => send::send(ui, &client, &args).await,
        Command::Watch(args) => watch::watch(ui, &client, &args).await,
        Command::History(args) => history::history(ui, &client, &args).await,
        Command::Generate(args) => generate::generate(ui, &client, &args).await,
        Command::Export(args) => files::export(ui, &client, &args).await,
        Command::Import(args) => files::import(ui, &client, &args).await,
        Command::Fork(args) => files::fork(ui, &client, &args).await,
        Command::Delete(args) => files::delete(ui, &client, &args).await,
    }
}
