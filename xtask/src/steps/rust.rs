//! Unit, integration, property and documentation tests.

use std::{collections::BTreeMap, path::PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::{Run, counted};
use crate::{machine::Machine, report, tally::Tally};

/// The programs that building the tests made, by name.
#[derive(Debug, Default)]
pub(crate) struct Built {
    programs: BTreeMap<String, PathBuf>,
}

impl Built {
    pub(crate) fn program(&self, name: &str) -> Result<PathBuf> {
        self.programs.get(name).cloned().with_context(|| {
            let known: Vec<_> = self.programs.keys().map(String::as_str).collect();
            format!("the workspace builds no program `{name}` (it builds {})", known.join(", "))
        })
    }

    /// Takes the program out of one of cargo's messages, if it tells of one.
    fn note(&mut self, message: &str) {
        let Ok(message) = serde_json::from_str::<Value>(message) else { return };
        let target = &message["target"];
        // A test of a program is an executable too; what is wanted is the program itself.
        if target["kind"] != serde_json::json!(["bin"]) || message["profile"]["test"] == true {
            return;
        }
        if let (Some(name), Some(file)) = (target["name"].as_str(), message["executable"].as_str())
        {
            self.programs.insert(name.to_owned(), file.into());
        }
    }
}

/// Builds everything the tests need. The programs come with it, built once with the same features as the tests.
pub(crate) fn build(machine: &Machine) -> Result<Built> {
    let mut built = Built::default();
    let status = report::doing("building the tests", || {
        machine
            .cargo()
            .args(["test", "--workspace", "--no-run"])
            .args(machine.locked())
            .arg("--message-format=json-render-diagnostics")
            .lines(|message| built.note(message))
    })?;
    if !status.success() {
        bail!("the tests do not build ({status})");
    }
    Ok(built)
}

pub(super) fn test(run: &Run) -> Result<Tally> {
    run.built()?;
    let mut cargo = run.machine.cargo();
    let mut tally = Tally::default();
    match run.tools.postgres() {
        Ok(server) => cargo = cargo.env("TANDEM_TEST_POSTGRES", &server.url),
        Err(missing) => tally += run.without(&missing),
    }
    cargo = cargo.args(["test", "--workspace", "--no-fail-fast"]).args(run.machine.locked());
    tally += counted(cargo)?;
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_program_is_found_and_its_tests_are_not_taken_for_it() {
        let message = |test: bool, file: &str| {
            json!({
                "reason": "compiler-artifact",
                "target": { "name": "tandem", "kind": ["bin"] },
                "profile": { "test": test },
                "executable": file,
            })
            .to_string()
        };
        let mut built = Built::default();
        built.note(&message(false, "/target/debug/tandem"));
        built.note(&message(true, "/target/debug/deps/tandem-0123"));
        built.note("warning: not a message");
        assert_eq!(built.program("tandem").unwrap(), PathBuf::from("/target/debug/tandem"));
        let error = built.program("tandum").unwrap_err().to_string();
        assert_eq!(error, "the workspace builds no program `tandum` (it builds tandem)");
    }
}
