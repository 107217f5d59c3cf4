//! What each step of `cargo xtask test` does: one file for each subject.

mod browser;
mod conformance;
mod grpc;
mod lint;
mod new_app;
mod prepare;
mod rust;
mod served;
mod spark;
mod specs;
mod web;

use std::path::PathBuf;

use anyhow::Result;

pub(crate) use self::rust::Built;
use crate::{
    cmd::Cmd,
    machine::Machine,
    tally::Tally,
    tools::{Missing, Tools},
};

/// One step. Its name is what `--only` takes.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    /// Whether `cargo xtask ci` runs it too.
    pub(crate) quick: bool,
    pub(crate) run: fn(&Run) -> Result<Tally>,
}

/// In the order of a run: what is quick to fail comes first, and the pages are built before the binary embeds them.
pub(crate) const STEPS: &[Step] = &[
    Step {
        name: "tools",
        title: "find or install what the tests need",
        quick: false,
        run: prepare::tools,
    },
    Step { name: "format", title: "formatting", quick: true, run: lint::format },
    Step {
        name: "arrows",
        title: "dependencies between our crates",
        quick: true,
        run: lint::arrows,
    },
    Step {
        name: "web",
        title: "browser sources: types, format, unit tests",
        quick: false,
        run: web::check_and_test,
    },
    Step { name: "lints", title: "clippy", quick: true, run: lint::clippy },
    Step { name: "rust", title: "Rust tests", quick: true, run: rust::test },
    Step {
        name: "conformance",
        title: "MCP conformance suite and client libraries",
        quick: false,
        run: conformance::run,
    },
    Step { name: "spark", title: "Malloy on Spark SQL, by Sail", quick: false, run: spark::run },
    Step { name: "grpc", title: "gRPC from another language", quick: false, run: grpc::run },
    Step { name: "browser", title: "pages in a real browser", quick: false, run: browser::test },
    Step {
        name: "new-app",
        title: "a sixth application, generated and tested",
        quick: false,
        run: new_app::test,
    },
    Step {
        name: "specs",
        title: "our own specs, and the scenarios that tests name",
        quick: false,
        run: specs::check,
    },
];

/// What the steps of one run share.
pub(crate) struct Run {
    pub(crate) machine: Machine,
    pub(crate) tools: Tools,
    built: std::cell::OnceCell<Built>,
}

impl Run {
    pub(crate) fn new(machine: Machine) -> Self {
        let tools = Tools::new(&machine);
        Self { machine, tools, built: std::cell::OnceCell::new() }
    }

    /// The programs of the workspace, built with the tests.
    pub(crate) fn built(&self) -> Result<&Built> {
        if let Some(built) = self.built.get() {
            return Ok(built);
        }
        let built = rust::build(&self.machine)?;
        Ok(self.built.get_or_init(|| built))
    }

    /// The file of one of our programs.
    pub(crate) fn program(&self, name: &str) -> Result<PathBuf> {
        self.built()?.program(name)
    }

    /// What the absence of a tool counts as, said loudly: a failure in CI, a skip for a person.
    pub(crate) fn without(&self, missing: &Missing) -> Tally {
        if self.machine.strict {
            println!("   MISSING: {missing}");
            Tally::FAILURE
        } else {
            println!("   SKIPPED: {missing}");
            Tally::SKIP
        }
    }
}

/// Runs a test runner with its output shown, and adds up what it says. One that says nothing is one check.
pub(crate) fn counted(cmd: Cmd) -> Result<Tally> {
    let mut tally = Tally::default();
    let status = cmd.lines(|line| {
        println!("{line}");
        if let Some(more) = Tally::of_line(line) {
            tally += more;
        }
    })?;
    if tally == Tally::default() && status.success() {
        tally = Tally::ONE;
    }
    // A runner that crashed, or a build that broke, has no count of its own.
    if tally.failed == 0 && !status.success() {
        tally += Tally::FAILURE;
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str) -> Tally {
        counted(Cmd::new("sh").args(["-c", script])).unwrap()
    }

    #[test]
    fn a_silent_success_is_one_check() {
        assert_eq!(shell("true"), Tally::ONE);
    }

    #[test]
    fn a_crash_after_good_results_is_a_failure() {
        let tally = shell("echo 'test result: ok. 2 passed; 0 failed'; exit 101");
        assert_eq!(tally, Tally { passed: 2, failed: 1, skipped: 0 });
    }

    #[test]
    fn a_failure_that_was_counted_is_not_counted_twice() {
        let tally = shell("echo 'test result: FAILED. 2 passed; 1 failed'; exit 101");
        assert_eq!(tally, Tally { passed: 2, failed: 1, skipped: 0 });
    }
}
