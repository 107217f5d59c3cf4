//! Spox beside the OpenSpec command line, on the same tree of specs; and search in this repository's own specs.

use anyhow::{Context as _, Result};

use super::{build, document, show};
use crate::{claim::Claim, machine::Machine, report, tools::Tools};

/// Measure spox beside the OpenSpec command line
#[derive(Debug, clap::Args)]
pub(crate) struct SpoxArgs {
    /// Put the tables into `docs/performance.md`
    #[arg(long)]
    write: bool,
    /// Look only whether everything runs; the figures say little
    #[arg(long, conflicts_with = "write")]
    quick: bool,
}

pub(crate) fn spox(args: &SpoxArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let _claim = Claim::take(&machine)?;
    let tools = Tools::new(&machine);
    let node = tools.node()?;
    let folder = machine.root.join("bench");
    report::doing("installing OpenSpec", || {
        node.command("npm").dir(&folder).args(["ci", "--loglevel=error"]).read()
    })?;
    let programs = build(&machine, &["tandem", "spox-bench"])?;
    let bench = programs.join("spox-bench");
    let program = bench.to_str().context("the target directory's name is not UTF-8")?;
    let mut command = node
        .command(program)
        .arg("--tandem")
        .arg(programs.join("tandem"))
        .arg("--openspec")
        .arg(folder.join("node_modules/@fission-ai/openspec/bin/openspec.js"))
        .arg("--project")
        .arg(&machine.root);
    if args.quick {
        command = command.args(["--rounds", "1", "--specs", "50"]);
    }
    let tables = show(command)?;
    if args.write {
        document::write(&machine.root.join("docs/performance.md"), "spox", &tables)?;
    }
    Ok(true)
}
