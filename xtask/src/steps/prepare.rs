//! The first step: everything the later ones need, so that what is missing is known within a minute.

use anyhow::Result;

use super::{Run, conformance, grpc, spark};
use crate::{
    cmd::Cmd,
    report,
    tally::Tally,
    tools::{Missing, Node},
};

pub(super) fn tools(run: &Run) -> Result<Tally> {
    rust_components(run)?;
    let mut tally = Tally::default();
    let mut note = |name: &str, found: Result<String, Missing>| match found {
        Ok(what) => {
            println!("   {name}: {what}");
            tally += Tally::ONE;
        }
        Err(missing) => tally += run.without(&missing),
    };
    let tools = &run.tools;
    note("Node", tools.node().map(Node::version));
    for requirements in
        conformance::PYTHON_CLIENTS.into_iter().chain([grpc::PYTHON_CLIENT, spark::SAIL])
    {
        let python = tools.python(&run.machine.root.join(requirements));
        note("Python", python.map(|path| path.display().to_string()));
    }
    note("PostgreSQL", tools.postgres().map(|path| path.display().to_string()));
    note("Chromium", tools.chromium().map(|path| path.display().to_string()));
    Ok(tally)
}

/// A minimal Rust installation lacks these two.
fn rust_components(run: &Run) -> Result<()> {
    for component in ["fmt", "clippy"] {
        if run.machine.cargo().args([component, "--version"]).read().is_err() {
            report::doing("adding rustfmt and clippy", || {
                Cmd::new("rustup").args(["component", "add", "rustfmt", "clippy"]).read()
            })?;
        }
    }
    Ok(())
}
