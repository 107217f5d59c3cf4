//! Where things are on this machine.

use std::{
    env,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};

use crate::cmd::Cmd;

/// The places that tasks work in.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    /// The checkout.
    pub(crate) root: PathBuf,
    /// What is kept between runs and between checkouts: compiled code, tools, packages.
    pub(crate) cache: PathBuf,
    /// Where cargo builds. Outside the checkout, so that a fresh clone finds its dependencies compiled.
    pub(crate) target: PathBuf,
    /// A part that cannot run is a failure, not a remark.
    pub(crate) strict: bool,
    /// The lock file is what was reviewed, and stays so. At a desk it follows the manifests.
    pub(crate) locked: bool,
}

impl Machine {
    pub(crate) fn here() -> Result<Self> {
        // Asked at run time: the program may have been compiled from another checkout (see `claim`).
        let manifest = env::var_os("CARGO_MANIFEST_DIR").context("run it as `cargo xtask`")?;
        let root = Path::new(&manifest).parent().context("`xtask` lies in the checkout's root")?;
        let cache = cache_home()?.join("tandem");
        let target = match env::var_os("CARGO_TARGET_DIR").filter(|dir| !dir.is_empty()) {
            // Cargo reads a relative one from where it was started; the steps are started elsewhere.
            Some(dir) => env::current_dir()?.join(dir),
            None => cache.join("target"),
        };
        let strict = env::var_os("CI").is_some_and(|value| value == "true");
        Ok(Self { root: root.to_owned(), cache, target, strict, locked: strict })
    }

    /// `cargo` in the checkout, building where all checkouts build.
    pub(crate) fn cargo(&self) -> Cmd {
        self.cargo_in(&self.root)
    }

    pub(crate) fn cargo_in(&self, dir: &Path) -> Cmd {
        // Cargo tells its child which toolchain it is of; a plain `cargo` could be another one.
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let cargo = Cmd::new(cargo).dir(dir).env("CARGO_TARGET_DIR", &self.target);
        // What is compiled once and thrown away gains nothing from the means to compile it again in part.
        if self.strict { cargo.env("CARGO_INCREMENTAL", "0") } else { cargo }
    }

    pub(crate) fn locked(&self) -> Option<&'static str> {
        self.locked.then_some("--locked")
    }
}

fn cache_home() -> Result<PathBuf> {
    if let Some(dir) = env::var_os("XDG_CACHE_HOME").filter(|dir| Path::new(dir).is_absolute()) {
        return Ok(dir.into());
    }
    let home = env::home_dir().context("no home directory; set `XDG_CACHE_HOME` to a directory")?;
    Ok(home.join(".cache"))
}
