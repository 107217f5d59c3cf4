//! System packages, on Debian and its relatives.

use std::cell::OnceCell;

use anyhow::{Context as _, Result};

use crate::{
    cmd::{Cmd, which},
    report,
};

/// `apt-get`, if we may use it. The package lists are brought up to date once, before the first package.
#[derive(Default)]
pub(super) struct Apt {
    updated: OnceCell<()>,
}

impl Apt {
    pub(super) fn install(&self, packages: &[&str]) -> Result<()> {
        let words = packages.join(" ");
        self.update()?;
        report::doing(&format!("installing {words}"), || {
            command()?
                .args(["install", "--yes", "--quiet=2", "--no-install-recommends"])
                .args(packages)
                .read()
                .map(drop)
        })
    }

    fn update(&self) -> Result<()> {
        if self.updated.get().is_none() {
            report::doing("updating the package lists", || {
                command()?.args(["update", "--quiet=2"]).read()
            })?;
            self.updated.get_or_init(|| ());
        }
        Ok(())
    }
}

fn command() -> Result<Cmd> {
    which("apt-get").context("this system has no `apt-get`")?;
    if Cmd::new("id").arg("-u").read()?.trim() == "0" {
        return Ok(Cmd::new("apt-get").env("DEBIAN_FRONTEND", "noninteractive"));
    }
    let sudo = which("sudo").context("installing needs root, and there is no `sudo`")?;
    Cmd::new(&sudo).args(["-n", "true"]).read().context("installing needs root")?;
    Ok(Cmd::new(sudo).args(["-n", "DEBIAN_FRONTEND=noninteractive", "apt-get"]))
}
