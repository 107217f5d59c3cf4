//! Measures the Malloy compiler in one run, on this machine: loading the sample packages and compiling their views beside
//! the official compiler, what comes out beside its SQL on the same engine ([`package`]), and how loading grows
//! with a model ([`growth`]). No part of the product: `cargo xtask bench malloy` runs it.

mod growth;
mod official;
mod package;

use std::path::PathBuf;

use anyhow::Context as _;
use clap::Parser as _;

/// Measure the Malloy compiler beside the official one
#[derive(Debug, clap::Parser)]
#[command(name = "malloy-bench")]
struct Args {
    /// The folder of the sample packages
    #[arg(long, value_name = "DIR")]
    samples: PathBuf,
    /// The script that asks the official compiler, run with node
    #[arg(long, value_name = "PATH")]
    official: PathBuf,
    /// How often each thing is done; the median counts
    #[arg(long, default_value_t = 9)]
    rounds: usize,
}

#[expect(clippy::print_stdout, reason = "the tables are the result")]
fn main() -> anyhow::Result<()> {
    let args = Args::parse();
    print!("{}", package::measure(&args).context("packages")?);
    print!("{}", growth::measure(&args).context("growth")?);
    Ok(())
}

/// The median time of `rounds` runs, after one that does not count.
fn median_time<T>(
    rounds: usize,
    mut work: impl FnMut() -> anyhow::Result<T>,
) -> anyhow::Result<f64> {
    work()?;
    let mut times = Vec::with_capacity(rounds);
    for _ in 0..rounds {
        let start = std::time::Instant::now();
        let made = work()?;
        times.push(start.elapsed().as_secs_f64());
        drop(made);
    }
    Ok(bench_kit::median(times))
}
