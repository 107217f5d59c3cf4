//! What the tests need of the machine: found where it is, installed where that is allowed.
//!
//! Each tool is looked for once, when the first step asks. What we install ourselves goes into the cache
//! directory; system packages come by `apt-get`, as root or through a `sudo` that asks no password.
//! A tool that cannot be had is [`Missing`]: a skipped step for a person, a failed one in CI.

mod apt;
mod chromium;
mod node;
mod postgres;
mod python;

use std::{
    cell::OnceCell,
    fmt,
    path::{Path, PathBuf},
};

use anyhow::Result;

pub(crate) use self::node::Node;
use crate::machine::Machine;

/// A tool that is not here and cannot be brought.
#[derive(Debug, Clone)]
pub(crate) struct Missing {
    /// What is not there, and what was tried.
    what: String,
    /// What a person can do about it.
    way_out: String,
}

impl Missing {
    fn new(what: impl Into<String>, way_out: impl Into<String>) -> Self {
        Self { what: what.into(), way_out: way_out.into() }
    }
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; {}", self.what, self.way_out)
    }
}

impl std::error::Error for Missing {}

/// The tools, each prepared when first asked for.
pub(crate) struct Tools {
    machine: Machine,
    apt: apt::Apt,
    postgres: OnceCell<Result<PathBuf, Missing>>,
    chromium: OnceCell<Result<PathBuf, Missing>>,
    node: OnceCell<Result<Node, Missing>>,
}

impl Tools {
    pub(crate) fn new(machine: &Machine) -> Self {
        Self {
            machine: machine.clone(),
            apt: apt::Apt::default(),
            postgres: OnceCell::new(),
            chromium: OnceCell::new(),
            node: OnceCell::new(),
        }
    }

    /// The directory of PostgreSQL's programs.
    pub(crate) fn postgres(&self) -> Result<&PathBuf, Missing> {
        borrow(self.postgres.get_or_init(|| postgres::find(&self.apt)))
    }

    /// The program file of Chromium or Chrome.
    pub(crate) fn chromium(&self) -> Result<&PathBuf, Missing> {
        borrow(self.chromium.get_or_init(|| chromium::find(&self.apt)))
    }

    /// The machine's own Node.
    pub(crate) fn node(&self) -> Result<&Node, Missing> {
        borrow(self.node.get_or_init(Node::find))
    }

    /// A Python that has the packages of `requirements`, a file in the form of `pip`.
    pub(crate) fn python(&self, requirements: &Path) -> Result<PathBuf, Missing> {
        python::environment(&self.machine, &self.apt, requirements)
    }
}

fn borrow<T>(found: &Result<T, Missing>) -> Result<&T, Missing> {
    found.as_ref().map_err(Clone::clone)
}
