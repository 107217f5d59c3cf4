//! Instructions per call, counted by valgrind: the same on a busy machine as on a quiet one.
//!
//! Counts what the program itself executes; the kernel's part (sockets, pipes, scheduling) is not in it.

use std::{path::Path, time::Duration};

use anyhow::Context;
use bench_kit::{Limits, Loaded as _};

use crate::subject::{Running, Subject};

/// Calls of the short run and of the long one; what both do besides calls cancels out.
const SHORT: usize = 500;
const LONG: usize = 2500;

/// Instructions that one call of `subject` takes.
pub(crate) fn measure(subject: &Subject) -> anyhow::Result<f64> {
    let short = count(subject, SHORT)?;
    let long = count(subject, LONG)?;
    #[expect(clippy::cast_precision_loss, reason = "these counts are far below 2^52")]
    Ok((long - short) as f64 / (LONG - SHORT) as f64)
}

fn count(subject: &Subject, calls: usize) -> anyhow::Result<u64> {
    let directory = tempfile::tempdir()?;
    let log = directory.path().join("log");
    let out = directory.path().join("out");
    let options = [
        "valgrind".into(),
        "--tool=cachegrind".into(),
        "--cache-sim=no".into(),
        option("--log-file=", &log),
        option("--cachegrind-out-file=", &out),
    ];
    let process = subject.launch.under(options).pinned().start()?;
    let limits = Limits { time: Duration::MAX, calls, in_flight: 1 };
    let mut running = Running::open(subject, process, 1)?;
    running.run(limits)?;
    running.end()?;
    let log = std::fs::read_to_string(&log).context("valgrind left no log")?;
    refs(&log).with_context(|| format!("no count in valgrind's log: {log}"))
}

fn option(name: &str, path: &Path) -> std::ffi::OsString {
    let mut option = std::ffi::OsString::from(name);
    option.push(path);
    option
}

/// The number in the line `==1== I   refs:  1,234`, or `I refs:` in other versions.
fn refs(log: &str) -> Option<u64> {
    let number = log.lines().find_map(|line| line.split_once("refs:"))?.1;
    number.trim().replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_is_read_from_the_log() {
        assert_eq!(refs("==7== \n==7== I   refs:      1,234,567\n"), Some(1_234_567));
        assert_eq!(refs("==7== I refs:  12\n"), Some(12));
    }
}
