//! Unit, integration, property and documentation tests.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::{Run, counted};
use crate::{machine::Machine, report, tally::Tally};

/// The executables that building the tests made.
#[derive(Debug, Default)]
pub(crate) struct Built {
    /// Programs, by name.
    programs: BTreeMap<String, PathBuf>,
    /// Tests, by crate.
    tests: Vec<(String, PathBuf)>,
}

impl Built {
    pub(crate) fn program(&self, name: &str) -> Result<PathBuf> {
        self.programs.get(name).cloned().with_context(|| {
            let known: Vec<_> = self.programs.keys().map(String::as_str).collect();
            format!("the workspace builds no program `{name}` (it builds {})", known.join(", "))
        })
    }

    /// The test executables of these crates.
    pub(crate) fn tests(&self, crates: &[&str]) -> impl Iterator<Item = &Path> {
        let wanted = self.tests.iter().filter(|(name, _)| crates.contains(&name.as_str()));
        wanted.map(|(_, file)| file.as_path())
    }

    /// Takes the executable out of one of cargo's messages, if it tells of one.
    fn note(&mut self, message: &str) {
        let Ok(message) = serde_json::from_str::<Value>(message) else { return };
        let Some(file) = message["executable"].as_str() else { return };
        let target = &message["target"];
        if message["profile"]["test"] == true {
            let manifest = message["manifest_path"].as_str().map(Path::new);
            let folder = manifest.and_then(|path| path.parent()?.file_name()?.to_str());
            self.tests.extend(folder.map(|name| (name.to_owned(), file.into())));
        } else if target["kind"] == serde_json::json!(["bin"]) {
            let name = target["name"].as_str().unwrap_or_default();
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
    let mut tally = Tally::default();
    // Without it the tests that need it pass by; that must not go unseen.
    if let Err(missing) = run.tools.postgres() {
        tally += run.without(&missing);
    }
    let corpus = run.machine.root.join("../shared/malloy-corpus");
    if std::env::var_os("MALLOY_CORPUS").is_none() && !corpus.is_dir() {
        println!("   the Malloy corpus is not beside this checkout: its cases do not run");
    }
    let tests = run.machine.cargo().args(["test", "--workspace", "--no-fail-fast"]);
    tally += counted(tests.args(run.machine.locked()))?;
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn message(test: bool, file: &str) -> String {
        json!({
            "reason": "compiler-artifact",
            "manifest_path": "/checkout/crates/tandem/Cargo.toml",
            "target": { "name": "tandem", "kind": ["bin"] },
            "profile": { "test": test },
            "executable": file,
        })
        .to_string()
    }

    #[test]
    fn a_program_and_its_tests_are_told_apart() {
        let mut built = Built::default();
        built.note(&message(false, "/target/debug/tandem"));
        built.note(&message(true, "/target/debug/deps/tandem-0123"));
        built.note("warning: not a message");
        assert_eq!(built.program("tandem").unwrap(), PathBuf::from("/target/debug/tandem"));
        let tests: Vec<_> = built.tests(&["tandem"]).collect();
        assert_eq!(tests, [Path::new("/target/debug/deps/tandem-0123")]);
        assert_eq!(built.tests(&["universe"]).count(), 0);
    }

    #[test]
    fn a_program_that_is_not_built_is_named_beside_those_that_are() {
        let mut built = Built::default();
        built.note(&message(false, "/target/debug/tandem"));
        let error = built.program("tandum").unwrap_err().to_string();
        assert_eq!(error, "the workspace builds no program `tandum` (it builds tandem)");
    }
}
