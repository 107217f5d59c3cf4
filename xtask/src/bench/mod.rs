//! `cargo xtask bench`: how fast it is, side by side with what people would use instead.
//!
//! Never a test: figures depend on the machine and on what else it does. They are for people, who read them
//! in `docs/performance.md`.

mod campaign;
mod document;
mod malloy;
mod mcp;
mod publisher;
mod spox;
mod ui;
mod universe;

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Subcommand;

use crate::{cmd::Cmd, machine::Machine};

/// Measure side by side with what people would use instead
#[derive(Debug, clap::Args)]
pub(crate) struct BenchArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Campaign(campaign::CampaignArgs),
    Malloy(malloy::MalloyArgs),
    Mcp(mcp::McpArgs),
    Publisher(publisher::PublisherArgs),
    Spox(spox::SpoxArgs),
    Ui(ui::UiArgs),
    Universe(universe::UniverseArgs),
}

pub(crate) fn bench(args: &BenchArgs) -> Result<bool> {
    match &args.what {
        What::Campaign(args) => campaign::campaign(args),
        What::Malloy(args) => malloy::malloy(args),
        What::Mcp(args) => mcp::mcp(args),
        What::Publisher(args) => publisher::publisher(args),
        What::Spox(args) => spox::spox(args),
        What::Ui(args) => ui::ui(args),
        What::Universe(args) => universe::universe(args),
    }
}

/// Builds the programs that are measured and that measure, and gives the folder they are in.
///
/// One after the other: built together they would share the features of what they depend on, and each bench would
/// compile another `tandem`, which takes minutes and is not quite the one that people run.
fn build(machine: &Machine, packages: &[&str]) -> Result<PathBuf> {
    for package in packages {
        machine.cargo().args(["build", "--release", "-p", package]).run()?;
    }
    Ok(machine.target.join("release"))
}

/// Shows the tables as they come, and gives them.
fn show(command: Cmd) -> Result<String> {
    let mut tables = String::new();
    let status = command.lines(|line| {
        println!("{line}");
        tables.push_str(line);
        tables.push('\n');
    })?;
    if !status.success() {
        bail!("the measuring failed ({status})");
    }
    Ok(tables)
}
