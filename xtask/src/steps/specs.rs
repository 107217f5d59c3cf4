//! Which scenarios of the specifications have a test that names them. It informs; it judges nothing.

use anyhow::Result;

use super::Run;
use crate::{cmd::Cmd, tally::Tally};

pub(super) fn coverage(run: &Run) -> Result<Tally> {
    let tool = run.machine.root.join("../shared/tools/spec-coverage");
    if !tool.is_file() {
        println!("   the specifications are not beside this checkout");
        return Ok(Tally::default());
    }
    let summary = Cmd::new(tool).dir(&run.machine.root).read()?;
    for line in summary.lines().filter(|line| !line.starts_with(' ')) {
        println!("   {line}");
    }
    Ok(Tally::default())
}
