//! MCP tool calls: Tandem, stock rmcp, the official TypeScript SDK, and axum without any protocol.
//!
//! Brings everything together; the measuring itself is the crate `mcp-bench`, so that this program stays quick
//! to build.

use anyhow::{Context as _, Result};

use super::{build, document, show};
use crate::{claim::Claim, cmd::Cmd, machine::Machine, report, tools::Tools};

/// Measure MCP tool calls over HTTP and stdio
#[derive(Debug, clap::Args)]
pub(crate) struct McpArgs {
    /// Put the tables into `docs/performance.md`
    #[arg(long)]
    write: bool,
    /// Look only whether everything runs; the figures say little
    #[arg(long, conflicts_with = "write")]
    quick: bool,
    /// Count instructions per call with valgrind instead, which other work on the machine does not disturb
    #[arg(long)]
    instructions: bool,
    /// Only servers whose name contains this
    #[arg(long, value_name = "TEXT", conflicts_with = "write")]
    only: Option<String>,
}

pub(crate) fn mcp(args: &McpArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let _claim = Claim::take(&machine)?;
    let programs = build(&machine, &["tandem", "mcp-bench"])?;
    let tools = Tools::new(&machine);
    let node = tools.node()?;
    let folder = machine.root.join("bench");
    report::doing("installing the TypeScript SDK", || {
        node.command("npm").dir(&folder).args(["ci", "--loglevel=error"]).read()
    })?;
    let bench = programs.join("mcp-bench");
    let program = bench.to_str().context("the target directory's name is not UTF-8")?;
    let command = node
        .command(program)
        .arg("run")
        .arg("--typescript")
        .arg(folder.join("server.mjs"))
        .arg("--tandem")
        .arg(programs.join("tandem"));
    let tables = show(options(command, args))?;
    if args.write {
        let part = if args.instructions { "instructions" } else { "calls" };
        document::write(&machine.root.join("docs/performance.md"), part, &tables)?;
    }
    Ok(true)
}

fn options(mut command: Cmd, args: &McpArgs) -> Cmd {
    if args.quick {
        command = command.args(["--rounds", "2", "--seconds", "0.2", "--sessions", "1000"]);
    }
    if args.instructions {
        command = command.arg("--instructions");
    }
    match &args.only {
        Some(text) => command.arg("--only").arg(text),
        None => command,
    }
}
