//! The official MCP conformance suite, and the official client libraries, against a fixture on our layer.

use std::path::PathBuf;

use anyhow::Result;

use super::{Run, counted};
use crate::{machine::Machine, tally::Tally};

/// The packages of the Python client.
pub(super) fn requirements(machine: &Machine) -> PathBuf {
    machine.root.join("conformance/requirements.txt")
}

pub(super) fn run(run: &Run) -> Result<Tally> {
    let node = run.tools.new_node()?;
    let python = run.tools.python(&requirements(&run.machine))?;
    let folder = run.machine.root.join("conformance");
    node.command("npm").dir(&folder).args(["ci", "--loglevel=error"]).run()?;
    counted(
        node.command("npm")
            .dir(&folder)
            .args(["run", "--silent", "test"])
            .env("MCP_FIXTURE", run.program("mcp-fixture")?)
            .env("PYTHON", python),
    )
}
