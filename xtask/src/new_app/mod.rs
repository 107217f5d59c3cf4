//! `cargo xtask new-app tides`: a working sixth application with passing tests.
//!
//! The templates in `xtask/templates/` are an application called `tides`, as real files; another name is put in
//! its place. What is written is planned first ([`plan`]), so that `--dry-run` shows exactly that, and a plan that
//! cannot be carried out leaves everything as it was.

mod edit;
mod name;
mod plan;

use std::path::Path;

use anyhow::{Context as _, Result};
use clap::Args;

pub(crate) use self::name::Name;
use crate::{deps, machine::Machine};

/// Write a new application: two crates, a tool, a route, their tests, and its place in the host
#[derive(Debug, Args)]
pub(crate) struct NewAppArgs {
    /// What to call it: lower case letters and digits, as in `tides`
    name: String,
    /// Print what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn new_app(args: &NewAppArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let plan = plan::make(&machine.root, &args.name)?;
    if args.dry_run {
        plan.print();
        return Ok(true);
    }
    write(&machine, &plan)?;
    for change in &plan.changes {
        println!("wrote {}", change.path.display());
    }
    println!("wrote docs/deps.txt");
    println!("\nnext: cargo test -p {0} -p {0}-core", plan.name);
    println!("then ARCHITECTURE.md, «How to add an application», from step 2");
    Ok(true)
}

/// Generates into `machine.root`, which may be a copy of the checkout.
pub(crate) fn generate(machine: &Machine, name: &str) -> Result<()> {
    write(machine, &plan::make(&machine.root, name)?)
}

fn write(machine: &Machine, plan: &plan::Plan) -> Result<()> {
    for change in &plan.changes {
        save(&machine.root.join(&change.path), &change.content)?;
    }
    // Another name sorts differently among the imports than `tides` does.
    let crates = [plan.name.to_string(), format!("{}-core", plan.name), "tandem".into()];
    machine.cargo().arg("fmt").args(crates.iter().flat_map(|name| ["-p", name])).run()?;
    deps::update(machine)
}

fn save(path: &Path, content: &str) -> Result<()> {
    let saved = match path.parent() {
        Some(dir) => std::fs::create_dir_all(dir).and_then(|()| std::fs::write(path, content)),
        None => std::fs::write(path, content),
    };
    saved.with_context(|| format!("cannot write `{}`", path.display()))
}
