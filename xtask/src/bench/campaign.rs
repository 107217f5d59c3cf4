//! Rolls and joins of campaigns: Tandem over MCP and gRPC beside the official TypeScript and Python SDKs.

use anyhow::{Context as _, Result};

use super::{build, document, show};
use crate::{claim::Claim, machine::Machine, report, tools::Tools};

/// Measure rolls and durable joins of campaigns
#[derive(Debug, clap::Args)]
pub(crate) struct CampaignArgs {
    /// Put the tables into `docs/performance.md`
    #[arg(long)]
    write: bool,
    /// Look only whether everything runs; the figures say little
    #[arg(long, conflicts_with = "write")]
    quick: bool,
}

pub(crate) fn campaign(args: &CampaignArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let _claim = Claim::take(&machine)?;
    // What could be missing comes before what takes minutes.
    let tools = Tools::new(&machine);
    let folder = machine.root.join("bench");
    let npm = tools.node()?;
    report::doing("installing the TypeScript SDK", || {
        npm.command("npm").dir(&folder).args(["ci", "--loglevel=error"]).read()
    })?;
    // SQLite is in Node itself, in those that are new enough.
    let node = npm.new_enough(&folder.join("node_modules"))?;
    let python = tools.python(&folder.join("campaign/requirements.txt"))?;
    let programs = build(&machine, &["tandem", "campaign-bench"])?;
    let bench = programs.join("campaign-bench");
    let program = bench.to_str().context("the target directory's name is not UTF-8")?;
    let mut command = node
        .command(program)
        .arg("--tandem")
        .arg(programs.join("tandem"))
        .arg("--typescript")
        .arg(folder.join("campaign/server.mjs"))
        .arg("--python")
        .arg(python)
        .arg(folder.join("campaign/server.py"));
    if args.quick {
        command = command.args(["--rounds", "1", "--seconds", "0.2"]);
    }
    let tables = show(command)?;
    if args.write {
        document::write(&machine.root.join("docs/performance.md"), "campaign", &tables)?;
    }
    Ok(true)
}
