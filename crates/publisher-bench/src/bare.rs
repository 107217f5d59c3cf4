//! The same SQL without anything around it.

use std::{path::Path, time::Instant};

use bench_kit::median;
use malloy_duckdb::{Cancel, Database, Limits, Settings};

/// Runs in each round: one is over too soon to be told from noise.
const RUNS: u32 = 50;

/// What one run takes, the median of the rounds.
pub(crate) fn seconds(package: &Path, sql: &str, rounds: usize) -> anyhow::Result<f64> {
    let database = Database::open(&Settings::below(package))?;
    let mut all = Vec::new();
    for _ in 0..=rounds {
        let begun = Instant::now();
        for _ in 0..RUNS {
            drop(database.run(sql, &Limits::default(), &Cancel::new())?);
        }
        all.push(begun.elapsed().as_secs_f64() / f64::from(RUNS));
    }
    // The first round reads the files into the system's memory.
    Ok(median(all.split_off(1)))
}
