//! Node.js.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::Missing;
use crate::{
    cmd::{Cmd, which},
    machine::Machine,
    report,
};

/// The oldest Node that the MCP conformance suite runs on.
const NEEDED: Version = Version(22, 19, 0);

/// Which one the npm package `node` brings where the machine's is older.
const BROUGHT: &str = "22.23.3";

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Version(u32, u32, u32);

impl Version {
    /// Reads `v22.19.0`.
    fn parse(text: &str) -> Option<Self> {
        let mut numbers = text.trim().strip_prefix('v')?.split('.').map(|part| part.parse().ok());
        Some(Self(numbers.next()??, numbers.next()??, numbers.next()??))
    }
}

/// One installation of Node.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// The directory of `node`.
    bin: PathBuf,
    version: Version,
}

impl Node {
    pub(super) fn find() -> Result<Self, Missing> {
        let way_out = "install Node.js 20.19 or newer, from https://nodejs.org or your system";
        let missing = |what: &str| Missing::new(what, way_out);
        let node = which("node").ok_or_else(|| missing("no `node` on the path"))?;
        which("npm").ok_or_else(|| missing("no `npm` on the path"))?;
        Self::at(&node).ok_or_else(|| missing("`node --version` does not answer"))
    }

    /// `own` if it is new enough, else one brought by npm, which every Node comes with.
    pub(super) fn new_enough(own: &Self, machine: &Machine) -> Result<Self, Missing> {
        if own.version >= NEEDED {
            return Ok(own.clone());
        }
        let home = machine.cache.join(format!("node-{BROUGHT}"));
        let program = home.join("node_modules/node/bin/node");
        if !program.is_file() {
            report::doing(&format!("bringing Node {BROUGHT}"), || bring(&home)).map_err(
                |error| {
                    Missing::new(
                        format!("this Node is too old for a part of the tests, and {error:#}"),
                        format!("install Node.js {}.{} or newer", NEEDED.0, NEEDED.1),
                    )
                },
            )?;
        }
        Self::at(&program).ok_or_else(|| {
            Missing::new(
                "the Node that was brought does not start",
                format!("remove `{}` and run again", home.display()),
            )
        })
    }

    fn at(program: &Path) -> Option<Self> {
        let said = Cmd::new(program).arg("--version").read().ok()?;
        Some(Self { bin: program.parent()?.to_owned(), version: Version::parse(&said)? })
    }

    pub(crate) fn version(&self) -> String {
        format!("{}.{}.{}", self.version.0, self.version.1, self.version.2)
    }

    /// A command that finds this Node first: `npm`, `npx`, `node` or what they start.
    pub(crate) fn command(&self, program: &str) -> Cmd {
        let mut path = OsString::from(&self.bin);
        if let Some(rest) = std::env::var_os("PATH") {
            path.push(":");
            path.push(rest);
        }
        // Quiet where npm would speak of itself.
        Cmd::new(program)
            .env("PATH", path)
            .env("npm_config_update_notifier", "false")
            .env("npm_config_fund", "false")
            .env("npm_config_audit", "false")
    }
}

fn bring(home: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(home)?;
    // A package file of its own keeps npm from looking for one further up.
    std::fs::write(home.join("package.json"), "{\"private\":true}\n")?;
    Cmd::new("npm")
        .dir(home)
        .args(["install", "--no-audit", "--no-fund", &format!("node@{BROUGHT}")])
        .read()
        .map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_compare_by_number_not_by_letter() {
        let version = |text| Version::parse(text).unwrap();
        assert!(version("v22.9.0\n") < NEEDED);
        assert!(version("v22.19.0") >= NEEDED);
        assert!(version("v100.0.1") > NEEDED);
        assert_eq!(Version::parse("22.19"), None);
    }
}
