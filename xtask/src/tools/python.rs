//! Python with packages, in an environment of its own.

use std::{
    fs,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use super::{Missing, apt::Apt};
use crate::{cmd::Cmd, machine::Machine, report};

/// The interpreter of an environment that holds what `requirements` lists, made if it is not there yet.
pub(super) fn environment(
    machine: &Machine,
    apt: &Apt,
    requirements: &Path,
) -> Result<PathBuf, Missing> {
    prepare(machine, apt, requirements).map_err(|error| {
        Missing::new(
            format!("no Python with the packages of `{}` ({error:#})", requirements.display()),
            "install Python 3.10 or newer with `venv` and `pip`",
        )
    })
}

fn prepare(machine: &Machine, apt: &Apt, requirements: &Path) -> Result<PathBuf> {
    let list = fs::read(requirements).context("cannot read the list of packages")?;
    // Named by its content: other packages make another environment, the same ones are found again.
    let mut hasher = DefaultHasher::new();
    list.hash(&mut hasher);
    let home = machine.cache.join(format!("python-{:016x}", hasher.finish()));
    let python = home.join("bin/python");
    let complete = home.join("complete");
    if complete.is_file() {
        return Ok(python);
    }
    report::doing("making a Python environment", || {
        if create(&home).is_err() {
            apt.install(&["python3", "python3-venv"])?;
            create(&home)?;
        }
        Cmd::new(&python)
            .args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r"])
            .arg(requirements)
            .read()?;
        // Written last: an environment that was cut short is made anew.
        fs::write(&complete, "")?;
        Ok(python)
    })
}

fn create(home: &Path) -> Result<()> {
    Cmd::new("python3").args(["-m", "venv", "--clear"]).arg(home).read().map(drop)
}
