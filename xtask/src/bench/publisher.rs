//! The publisher: start, memory, and queries over MCP beside the bare database.

use anyhow::{Context as _, Result};

use super::{build, document, show};
use crate::{claim::Claim, cmd::Cmd, machine::Machine};

/// Measure the publisher's start, memory and queries over MCP
#[derive(Debug, clap::Args)]
pub(crate) struct PublisherArgs {
    /// Put the tables into `docs/performance.md`
    #[arg(long)]
    write: bool,
    /// Look only whether everything runs; the figures say little
    #[arg(long, conflicts_with = "write")]
    quick: bool,
}

pub(crate) fn publisher(args: &PublisherArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let _claim = Claim::take(&machine)?;
    let programs = build(&machine, &["tandem", "publisher-bench"])?;
    let bench = programs.join("publisher-bench");
    let program = bench.to_str().context("the target directory's name is not UTF-8")?;
    let mut command = Cmd::new(program)
        .arg("--tandem")
        .arg(programs.join("tandem"))
        .arg("--samples")
        .arg(machine.root.join("examples/publisher"));
    if args.quick {
        command = command.args(["--rounds", "1", "--seconds", "0.2", "--endurance", "1"]);
    }
    let tables = show(command)?;
    if args.write {
        document::write(&machine.root.join("docs/performance.md"), "publisher", &tables)?;
    }
    Ok(true)
}
