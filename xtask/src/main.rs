//! Automation of this repository: `cargo xtask help`.
//!
//! `test` is what CI runs and what a newcomer runs; it brings what the tests need. Start at [`test`] for the
//! plan, at [`steps`] for what each step does, at [`tools`] for how the machine is prepared.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "printing is what it is for")]

mod bench;
mod claim;
mod cmd;
mod deps;
mod drift;
mod machine;
mod new_app;
mod prune;
mod report;
mod service;
mod steps;
mod tally;
mod test;
mod tools;
mod weights;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Automation of this repository
#[derive(Debug, Parser)]
#[command(bin_name = "cargo xtask")]
struct Cli {
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    Test(test::TestArgs),
    /// Run the quick part of `test`: formatting, lints, dependency arrows, Rust tests
    Ci,
    Bench(bench::BenchArgs),
    Deps(deps::DepsArgs),
    Drift(drift::DriftArgs),
    NewApp(new_app::NewAppArgs),
    Weights(weights::WeightsArgs),
}

fn main() -> ExitCode {
    let done = match Cli::parse().task {
        Task::Test(args) => test::test(&args),
        Task::Ci => test::quick(),
        Task::Bench(args) => bench::bench(&args),
        Task::Deps(args) => deps::deps(&args),
        Task::Drift(args) => drift::drift(&args),
        Task::NewApp(args) => new_app::new_app(&args),
        Task::Weights(args) => weights::weights(&args),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
