//! `cargo xtask test`: every test there is.

use std::time::Instant;

use anyhow::{Result, bail};
use clap::Args;

use crate::{
    claim::Claim,
    machine::Machine,
    prune,
    report::{self, Row},
    steps::{Run, STEPS, Step},
    tally::Tally,
    tools::Missing,
};

/// Run every test there is, installing what they need
///
/// With `CI=true` a part that cannot run is a failure; otherwise it is skipped, loudly.
#[derive(Debug, Args)]
pub(crate) struct TestArgs {
    /// Run only these steps
    #[arg(long, value_name = "STEP", num_args = 1.., value_parser = names())]
    only: Vec<String>,
    /// Print the steps and stop
    #[arg(long)]
    list: bool,
}

fn names() -> clap::builder::PossibleValuesParser {
    STEPS.iter().map(|step| step.name).collect::<Vec<_>>().into()
}

pub(crate) fn test(args: &TestArgs) -> Result<bool> {
    if args.list {
        for step in STEPS {
            println!("{:12} {}", step.name, step.title);
        }
        return Ok(true);
    }
    run(|step| args.only.is_empty() || args.only.iter().any(|name| name == step.name))
}

/// `cargo xtask ci`.
pub(crate) fn quick() -> Result<bool> {
    run(|step| step.quick)
}

/// Runs the chosen steps to the end, whatever fails on the way; whether all is well.
fn run(chosen: impl Fn(&Step) -> bool) -> Result<bool> {
    let machine = Machine::here()?;
    let _claim = Claim::take(&machine)?;
    prune::prune(&machine.target)?;
    let run = Run::new(machine);
    let rows: Vec<_> =
        STEPS.iter().filter(|step| chosen(step)).map(|step| take(&run, step)).collect();
    if rows.is_empty() {
        bail!("nothing to run");
    }
    println!("\n{}", report::table(&rows));
    Ok(rows.iter().all(|row| row.tally.failed == 0))
}

fn take(run: &Run, step: &Step) -> Row {
    report::heading(&format!("{}: {}", step.name, step.title));
    let start = Instant::now();
    let (tally, remark) = match (step.run)(run) {
        Ok(tally) => (tally, None),
        Err(error) => match error.downcast_ref::<Missing>() {
            Some(missing) => (run.without(missing), Some(missing.to_string())),
            None => (Tally::FAILURE, Some(format!("{error:#}"))),
        },
    };
    let row = Row { name: step.name, tally, took: start.elapsed(), remark };
    report::footing(&row);
    row
}
