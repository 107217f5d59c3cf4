//! The universe's commands and feeds: by the size of the universe, and beside an Express server.

use anyhow::{Context as _, Result};

use super::{build, document, show};
use crate::{claim::Claim, machine::Machine, report, tools::Tools};

/// Measure commands and live feeds of the universe
#[derive(Debug, clap::Args)]
pub(crate) struct UniverseArgs {
    /// Put the tables into `docs/performance.md`
    #[arg(long)]
    write: bool,
    /// Look only whether everything runs; the figures say little
    #[arg(long, conflicts_with = "write")]
    quick: bool,
}

pub(crate) fn universe(args: &UniverseArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let _claim = Claim::take(&machine)?;
    let programs = build(&machine, &["tandem", "universe-bench"])?;
    let tools = Tools::new(&machine);
    let node = tools.node()?;
    let folder = machine.root.join("bench");
    report::doing("installing Express", || {
        node.command("npm").dir(&folder).args(["ci", "--loglevel=error"]).read()
    })?;
    let bench = programs.join("universe-bench");
    let program = bench.to_str().context("the target directory's name is not UTF-8")?;
    let mut command = node
        .command(program)
        .arg("run")
        .arg("--tandem")
        .arg(programs.join("tandem"))
        .arg("--express")
        .arg(folder.join("universe/server.mjs"));
    if args.quick {
        command = command.args(["--rounds", "1", "--seconds", "0.2", "--readers", "50"]);
    }
    let tables = show(command)?;
    if args.write {
        document::write(&machine.root.join("docs/performance.md"), "universe", &tables)?;
    }
    Ok(true)
}
