//! Measures the universe application from outside, in one run, on this machine.
//!
//! `universe-bench run` starts the real program, and beside it what people would write instead ([`server`]), gives
//! each a bounded load over loopback ([`load`]) and prints Markdown: commands by the size of the universe
//! ([`commands`]), live feeds ([`feeds`]). `universe-bench copy BYTES` is a server that copies bytes and does nothing
//! else, to see what a large answer costs at least. No part of the product: `cargo xtask bench universe` runs it.

mod commands;
mod copy;
mod feeds;
mod load;
mod server;
mod table;

use std::path::PathBuf;

use anyhow::Context;
use clap::Parser;

/// Measure the universe's routes and feeds
#[derive(Debug, clap::Parser)]
#[command(name = "universe-bench")]
enum Cli {
    /// Measure and print the tables
    Run(RunArgs),
    /// Answer every request with a copy of this many bytes, until standard input ends
    Copy { bytes: usize },
}

#[derive(Debug, clap::Args)]
struct RunArgs {
    /// The program `tandem`
    #[arg(long, value_name = "PATH")]
    tandem: PathBuf,
    /// The script of the Express server, run with node; without it that row is left out
    #[arg(long, value_name = "PATH")]
    express: Option<PathBuf>,
    /// Rounds that count, after one that warms up
    #[arg(long, default_value_t = 5)]
    rounds: usize,
    /// How long each round loads each universe
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Connections, each with one command in flight
    #[arg(long, default_value_t = 32)]
    connections: usize,
    /// Readers of one live feed
    #[arg(long, default_value_t = 1_000)]
    readers: usize,
}

fn main() -> anyhow::Result<()> {
    let cli = Cli::parse();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        match cli {
            Cli::Run(args) => run(&args).await,
            Cli::Copy { bytes } => copy::serve(bytes).await,
        }
    })
}

#[expect(clippy::print_stdout, reason = "the tables are the result")]
async fn run(args: &RunArgs) -> anyhow::Result<()> {
    print!("{}", commands::measure(args).await.context("commands")?);
    print!("{}", feeds::measure(args).await.context("feeds")?);
    Ok(())
}
