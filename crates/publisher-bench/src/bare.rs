//! The same SQL without anything around it.

use std::{path::Path, time::Instant};

use bench_kit::median;
use malloy_duckdb::{Cancel, Database, Limits, Settings};

/// Where the rows come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum From {
    File,
    Memory,
}

/// Runs in each round: one is over too soon to be told from noise.
const RUNS: u32 = 50;

/// What one run takes, the median of the rounds: of a table, or of the file that is read each time.
pub(crate) fn seconds(package: &Path, sql: &str, from: From, rounds: usize) -> anyhow::Result<f64> {
    let mut settings = Settings::below(package);
    if from == From::File {
        settings.files = 0;
    }
    let database = Database::open(&settings)?;
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
