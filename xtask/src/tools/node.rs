//! Node.js.

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::Missing;
use crate::cmd::{Cmd, which};

/// The oldest Node that the MCP conformance suite runs on; it has SQLite in it, too.
const NEEDED: Version = Version(22, 19, 0);

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

    /// Itself if it is new enough for the conformance suite and for `node:sqlite`, else the newer one among the packages in `modules`.
    pub(crate) fn new_enough(&self, modules: &Path) -> Result<Self, Missing> {
        if self.version >= NEEDED {
            return Ok(self.clone());
        }
        let arch = if cfg!(target_arch = "aarch64") { "arm64" } else { "x64" };
        let brought = modules.join(format!("node-linux-{arch}/bin/node"));
        Self::at(&brought).ok_or_else(|| {
            Missing::new(
                format!("Node {} is too old", self.version()),
                format!("install Node.js {}.{} or newer", NEEDED.0, NEEDED.1),
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
        Cmd::new(program)
            .env("PATH", path)
            // A line for each test, also where the output is a pipe and older ones would write pages.
            .env("NODE_OPTIONS", "--test-reporter=spec")
            // Quiet where npm would speak of itself.
            .env("npm_config_update_notifier", "false")
            .env("npm_config_fund", "false")
            .env("npm_config_audit", "false")
    }
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
