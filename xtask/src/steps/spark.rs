//! Malloy on Spark SQL, over Spark Connect: the engine's own tests, the conformance corpus and the publisher's
//! connections, on a running Sail.

use anyhow::Result;

use super::{Run, counted};
use crate::tally::Tally;

/// Sail, which serves Spark Connect without Java.
pub(super) const SAIL: &str = "conformance/requirements-sail.txt";

pub(super) fn run(run: &Run) -> Result<Tally> {
    let python = match run.tools.python(&run.machine.root.join(SAIL)) {
        Ok(python) => python,
        Err(missing) => return Ok(run.without(&missing)),
    };
    run.built()?;
    // The environment's programs lie beside its interpreter.
    let sail = python.with_file_name("sail");
    let mut tally = Tally::default();
    for (package, only) in
        [("malloy-spark", None), ("malloy", Some("spark::")), ("publisher", Some("spark"))]
    {
        let tests = run.machine.cargo().args(["test", "-p", package, "--test", "it"]);
        tally += counted(tests.args(run.machine.locked()).args(only).env("SAIL", &sail))?;
    }
    Ok(tally)
}
