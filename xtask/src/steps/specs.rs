//! This repository's own specs, and which scenarios of the specifications have a test that names them.

use anyhow::Result;

use super::Run;
use crate::{cmd::Cmd, tally::Tally};

/// Our specs are held to the rules that we hold others to. What tests name informs; it judges nothing.
pub(super) fn check(run: &Run) -> Result<Tally> {
    let spox = Cmd::new(run.program("tandem")?).dir(&run.machine.root);
    let valid = spox.args(["spox", "validate", "--strict"]).run();
    let tally = match valid {
        Ok(()) => Tally::ONE,
        Err(error) => {
            println!("   {error:#}");
            Tally::FAILURE
        }
    };
    coverage(run)?;
    Ok(tally)
}

fn coverage(run: &Run) -> Result<()> {
    let tool = run.machine.root.join("../shared/tools/spec-coverage");
    if !tool.is_file() {
        println!("   the specifications are not beside this checkout");
        return Ok(());
    }
    let summary = Cmd::new(tool).dir(&run.machine.root).read()?;
    for line in summary.lines().filter(|line| !line.starts_with(' ')) {
        println!("   {line}");
    }
    Ok(())
}
