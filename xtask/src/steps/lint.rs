//! Checks that read the sources and run nothing.

use anyhow::Result;

use super::Run;
use crate::{deps, tally::Tally};

pub(super) fn format(run: &Run) -> Result<Tally> {
    run.machine.cargo().args(["fmt", "--all", "--check"]).run()?;
    Ok(Tally::ONE)
}

/// The same packages, targets and profile as the tests, so that what both need is compiled once.
pub(super) fn clippy(run: &Run) -> Result<Tally> {
    run.machine
        .cargo()
        .args(["clippy", "--workspace", "--all-targets"])
        .args(run.machine.locked())
        .args(["--", "-D", "warnings"])
        .run()?;
    Ok(Tally::ONE)
}

pub(super) fn arrows(run: &Run) -> Result<Tally> {
    let problems = deps::check(&run.machine)?;
    for problem in &problems {
        println!("   {problem}");
    }
    Ok(if problems.is_empty() { Tally::ONE } else { Tally::FAILURE })
}
