//! The browser sources, without a browser.

use anyhow::Result;

use super::{Run, counted};
use crate::tally::Tally;

pub(super) fn check_and_test(run: &Run) -> Result<Tally> {
    let node = run.tools.node()?;
    let web = run.machine.root.join("web");
    node.command("npm").dir(&web).args(["ci", "--loglevel=error"]).run()?;
    let mut tally = Tally::ONE;
    for script in ["check", "test"] {
        tally += counted(node.command("npm").dir(&web).args(["run", "--silent", script]))?;
    }
    Ok(tally)
}
