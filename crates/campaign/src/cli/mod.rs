//! `tandem campaign …`: campaigns from a terminal.
//!
//! Every command asks the same routes as any other program ([`Client`]), so that what is typed here is checked,
//! kept and seen by everybody like the rest. [`find`] turns what people type into ids, [`say`] turns what the journal has into
//! sentences.

mod acting;
mod campaigns;
mod dice;
mod find;
mod journal;
mod log;
mod odds;
mod people;
mod say;
mod seat;
mod sessions;
mod sheets;

use clap::{ArgMatches, FromArgMatches, Subcommand};
use kit_cli::{Client, Outcome, Ui};

/// What is typed after `campaign`.
#[derive(Debug, Subcommand)]
pub enum Command {
    List(campaigns::ListArgs),
    Create(campaigns::CreateArgs),
    Show(campaigns::ShowArgs),
    Participant(people::ParticipantArgs),
    Actor(people::ActorArgs),
    Control(people::ControlArgs),
    Token(people::TokenArgs),
    Sheet(sheets::SheetArgs),
    State(sheets::StateArgs),
    Fear(sheets::FearArgs),
    Start(sessions::StartArgs),
    End(sessions::EndArgs),
    Note(sessions::NoteArgs),
    Export(sessions::ExportArgs),
    Roll(dice::RollArgs),
    Duality(dice::DualityArgs),
    Act(acting::ActArgs),
    Apply(acting::ApplyArgs),
    Explain(dice::ExplainArgs),
    Odds(odds::OddsArgs),
    Rules(dice::RulesArgs),
    Log(log::LogArgs),
    Undo(journal::UndoArgs),
    Fork(journal::ForkArgs),
    Verify(journal::VerifyArgs),
}

/// Whether a command looks at what is kept. Dice alone need no store, and none is made for them.
pub fn needs_store(matches: &ArgMatches) -> bool {
    match Command::from_arg_matches(matches) {
        Ok(Command::Explain(_) | Command::Odds(_) | Command::Rules(_)) => false,
        Ok(Command::Roll(args)) => args.campaign.is_some(),
        Ok(Command::Duality(args)) => args.campaign.is_some(),
        _ => true,
    }
}

/// Does what was asked.
pub async fn run(ui: &mut Ui, client: Client, matches: &ArgMatches) -> anyhow::Result<Outcome> {
    match Command::from_arg_matches(matches)? {
        Command::List(args) => campaigns::list(ui, &client, &args).await,
        Command::Create(args) => campaigns::create(ui, &client, &args).await,
        Command::Show(args) => campaigns::show(ui, &client, &args).await,
        Command::Participant(args) => people::participant(ui, &client, &args).await,
        Command::Actor(args) => people::actor(ui, &client, &args).await,
        Command::Control(args) => people::control(ui, &client, &args).await,
        Command::Token(args) => people::token(ui, &client, &args).await,
        Command::Sheet(args) => sheets::sheet(ui, &client, &args).await,
        Command::State(args) => sheets::state(ui, &client, &args).await,
        Command::Fear(args) => sheets::fear(ui, &client, &args).await,
        Command::Start(args) => sessions::start(ui, &client, &args).await,
        Command::End(args) => sessions::end(ui, &client, &args).await,
        Command::Note(args) => sessions::note(ui, &client, &args).await,
        Command::Export(args) => sessions::export(ui, &client, &args).await,
        Command::Roll(args) => dice::roll(ui, &client, &args).await,
        Command::Duality(args) => dice::duality(ui, &client, &args).await,
        Command::Act(args) => acting::act(ui, &client, &args).await,
        Command::Apply(args) => acting::apply(ui, &client, &args).await,
        Command::Explain(args) => dice::explain(ui, &client, &args).await,
        Command::Odds(args) => odds::odds(ui, &client, &args).await,
        Command::Rules(args) => dice::rules(ui, &client, &args).await,
        Command::Log(args) => log::log(ui, &client, &args).await,
        Command::Undo(args) => journal::undo(ui, &client, &args).await,
        Command::Fork(args) => journal::fork(ui, &client, &args).await,
        Command::Verify(args) => journal::verify(ui, &client, &args).await,
    }
}
