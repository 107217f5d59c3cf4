//! `tandem completions`

use anyhow::Context;
use clap_complete::Shell;
use kit_cli::{Outcome, Ui};

/// Print what a shell needs to complete commands
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell to print for
    shell: Shell,
}

pub(crate) fn completions(ui: &mut Ui, args: &CompletionsArgs) -> anyhow::Result<Outcome> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::cli::command(), "tandem", &mut script);
    ui.print(std::str::from_utf8(&script).context("the script is not text")?)?;
    Ok(Outcome::Success)
}
