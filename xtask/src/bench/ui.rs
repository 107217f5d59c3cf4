//! The UI platform beside NiceGUI, with the same page.

use anyhow::{Context as _, Result};

use super::{build, document, show};
use crate::{claim::Claim, cmd::Cmd, machine::Machine, tools::Tools};

/// Measure the UI platform beside NiceGUI
#[derive(Debug, clap::Args)]
pub(crate) struct UiArgs {
    /// Put the tables into `docs/performance.md`
    #[arg(long)]
    write: bool,
    /// Look only whether everything runs; the figures say little
    #[arg(long, conflicts_with = "write")]
    quick: bool,
}

pub(crate) fn ui(args: &UiArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let _claim = Claim::take(&machine)?;
    let folder = machine.root.join("bench/ui");
    // What could be missing comes before what takes minutes.
    let python = Tools::new(&machine).python(&folder.join("requirements.txt"))?;
    let programs = build(&machine, &["tandem", "ui-bench"])?;
    let bench = programs.join("ui-bench");
    let program = bench.to_str().context("the target directory's name is not UTF-8")?;
    let mut command = Cmd::new(program)
        .arg("--tandem")
        .arg(programs.join("tandem"))
        .arg("--nicegui")
        .arg(python)
        .arg(folder.join("server.py"));
    if args.quick {
        command = command.args(["--rounds", "1", "--actions", "20", "--sessions", "50"]);
    }
    let tables = show(command)?;
    if args.write {
        document::write(&machine.root.join("docs/performance.md"), "ui", &tables)?;
    }
    Ok(true)
}
