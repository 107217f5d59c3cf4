//! `publisher …`: packages and queries from a terminal.

use clap::{ArgMatches, FromArgMatches as _, Subcommand};
use kit_cli::{Outcome, Ui};

/// What is typed after `publisher`.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// List
    List,
}

/// Does what was asked.
pub fn run(_ui: &mut Ui, matches: &ArgMatches) -> anyhow::Result<Outcome> {
    match Command::from_arg_matches(matches)? {
        Command::List => Ok(Outcome::Success),
    }
}
