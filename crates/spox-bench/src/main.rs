//! Measures spox from outside, in one run, on this machine: commands beside the OpenSpec command line on the same tree
//! ([`commands`]), then a server for agents ([`agent`]): its start, its answers, its search. No part of the product:
//! `cargo xtask bench spox` runs it.

mod agent;
mod commands;
mod tree;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser as _;

use tree::Size;

/// Measure spox beside the OpenSpec command line
#[derive(Debug, clap::Parser)]
#[command(name = "spox-bench")]
struct Args {
    /// The program `tandem`
    #[arg(long, value_name = "PATH")]
    tandem: PathBuf,
    /// The script of the OpenSpec command line, run with node
    #[arg(long, value_name = "PATH")]
    openspec: PathBuf,
    /// A project with real specs, to search in
    #[arg(long, value_name = "DIR")]
    project: PathBuf,
    /// Specs of 20 requirements with 3 scenarios each
    #[arg(long, default_value_t = 1_000)]
    specs: usize,
    /// Rounds that count, after one that warms up
    #[arg(long, default_value_t = 7)]
    rounds: usize,
}

#[expect(clippy::print_stdout, reason = "the tables are the result")]
fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    let size = Size { specs: args.specs, requirements: 20, scenarios: 3 };
    let dir = tempfile::Builder::new().prefix("tandem-spox-").tempdir()?;
    tree::write(dir.path(), size).context("cannot write the specs")?;
    print!("{}", commands::measure(&args, dir.path(), size).context("commands")?);
    print!("{}", agent::measure(&args, dir.path()).context("the server for agents")?);
    print!("{}", agent::search(&args).context("search")?);
    Ok(())
}
