//! Measures the UI platform from outside, in one run, on this machine: from an action to the update that it causes, beside
//! NiceGUI doing the same page ([`actions`]), and what many open sessions cost ([`sessions`]). No part of the product:
//! `cargo xtask bench ui` runs it.

mod actions;
mod app;
mod nicegui;
mod sessions;
mod socket;
mod tandem;

use std::path::PathBuf;

use anyhow::Context as _;
use bench_kit::pin_load;
use clap::Parser as _;

/// Measure the UI platform beside NiceGUI
#[derive(Debug, clap::Parser)]
#[command(name = "ui-bench")]
struct Args {
    /// The program `tandem`
    #[arg(long, value_name = "PATH")]
    tandem: PathBuf,
    /// NiceGUI: an interpreter that has it, and the script of the page; without it that row is left out
    #[arg(long, num_args = 2, value_names = ["INTERPRETER", "PATH"])]
    nicegui: Option<Vec<PathBuf>>,
    /// Rounds that count, after one that warms up
    #[arg(long, default_value_t = 7)]
    rounds: usize,
    /// Actions in a round
    #[arg(long, default_value_t = 500)]
    actions: usize,
    /// Open sessions
    #[arg(long, default_value_t = 1_000)]
    sessions: usize,
}

#[expect(clippy::print_stdout, reason = "the tables are the result")]
fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    pin_load();
    for labels in [10, 5_000] {
        print!("{}", actions::measure(&args, labels).context("actions")?);
    }
    print!("{}", sessions::measure(&args).context("sessions")?);
    Ok(())
}
