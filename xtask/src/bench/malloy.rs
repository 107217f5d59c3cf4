//! The Malloy compiler beside the official one, on the sample packages.

use anyhow::{Context as _, Result};

use super::{build, document, show};
use crate::{claim::Claim, machine::Machine, report, tools::Tools};

/// Measure the Malloy compiler beside the official one
#[derive(Debug, clap::Args)]
pub(crate) struct MalloyArgs {
    /// Put the tables into `docs/performance.md`
    #[arg(long)]
    write: bool,
    /// Look only whether everything runs; the figures say little
    #[arg(long, conflicts_with = "write")]
    quick: bool,
}

pub(crate) fn malloy(args: &MalloyArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let _claim = Claim::take(&machine)?;
    let tools = Tools::new(&machine);
    let node = tools.node()?;
    let folder = machine.root.join("bench/malloy");
    report::doing("installing the official compiler", || {
        // Not `ci`, which also asks for DuckDB's libraries of the platforms that nobody measures on.
        node.command("npm").dir(&folder).args(["install", "--no-save", "--loglevel=error"]).read()
    })?;
    let programs = build(&machine, &["malloy-bench"])?;
    let bench = programs.join("malloy-bench");
    let program = bench.to_str().context("the target directory's name is not UTF-8")?;
    let mut command = node
        .command(program)
        .arg("--samples")
        .arg(machine.root.join("examples/publisher"))
        .arg("--official")
        .arg(folder.join("official.mjs"));
    if args.quick {
        command = command.args(["--rounds", "1"]);
    }
    let tables = show(command)?;
    if args.write {
        document::write(&machine.root.join("docs/performance.md"), "malloy", &tables)?;
    }
    Ok(true)
}
