//! The official MCP conformance suite, and the official client libraries, against servers on our layer.

use anyhow::Result;

use super::{Run, counted};
use crate::tally::Tally;

/// The packages of the two generations of the Python client, which cannot live in one environment.
pub(super) const PYTHON_CLIENTS: [&str; 2] =
    ["conformance/requirements-1.txt", "conformance/requirements-2.txt"];

pub(super) fn run(run: &Run) -> Result<Tally> {
    let folder = run.machine.root.join("conformance");
    let npm = run.tools.node()?;
    npm.command("npm").dir(&folder).args(["ci", "--loglevel=error"]).run()?;
    let node = npm.new_enough(&folder.join("node_modules"))?;
    let script = |part: &str| -> Result<_> {
        let fixture = run.program("mcp-fixture")?;
        Ok(node.command("node").dir(&folder).args(["run.mjs", part, "--fixture"]).arg(fixture))
    };
    let mut tally = counted(script("suite")?)?;
    let mut clients = script("clients")?.arg("--tandem").arg(run.program("tandem")?);
    for (option, requirements) in ["--python1", "--python2"].into_iter().zip(PYTHON_CLIENTS) {
        match run.tools.python(&run.machine.root.join(requirements)) {
            Ok(python) => clients = clients.arg(option).arg(python),
            Err(missing) => tally += run.without(&missing),
        }
    }
    tally += counted(clients)?;
    Ok(tally)
}
