//! `cargo xtask drift`: the official implementation of Malloy, asked again for the answers that our tests rest on.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result};
use serde_json::json;

use crate::{
    machine::Machine,
    report,
    tools::{Node, Tools},
};

/// Ask the official Malloy again, and say where its answers are no longer those of our tests
///
/// The answers are those of the conformance corpus, which lies beside the repository or where `MALLOY_CORPUS` says, and those of
/// the sample packages.
#[derive(Debug, clap::Args)]
pub(crate) struct DriftArgs {
    /// Ask this version of the official packages (default: the one that the answers are of)
    #[arg(long, value_name = "VERSION")]
    version: Option<String>,
}

const SCRIPT: &str = "drift.mjs";

/// Where what the tests compare with lies in the checkout, and which packages it is of.
const SAMPLES: [&str; 3] = ["library", "harbour", "grid"];

pub(crate) fn drift(args: &DriftArgs) -> Result<bool> {
    let machine = Machine::here()?;
    let tools = Tools::new(&machine);
    let node = tools.node()?;
    let script = install(&machine, node, args.version.as_deref())?;
    let mut same = true;
    match corpus(&machine) {
        Some(corpus) => {
            let mut files = Vec::new();
            for folder in ["cases", "disputed"] {
                for entry in fs::read_dir(corpus.join(folder))? {
                    files.push(entry?.path());
                }
            }
            files.sort();
            report::heading("the conformance corpus");
            same &= ask(node, &script, &corpus, "-", &files)?;
        }
        None => {
            println!("   the Malloy corpus is not beside this checkout: its cases are not asked");
        }
    }
    for package in SAMPLES {
        report::heading(&format!("the sample package {package}"));
        let folder = machine.root.join("examples/publisher").join(package);
        let answers = machine.root.join(format!("crates/malloy/tests/samples/{package}.json"));
        same &= ask(node, &script, &folder, &format!("{package}.malloy"), &[answers])?;
    }
    Ok(same)
}

fn ask(node: &Node, script: &Path, root: &Path, model: &str, files: &[PathBuf]) -> Result<bool> {
    let command = node.command("node").arg(script).arg(root).arg(model).args(files);
    Ok(command.lines(|line| println!("{line}"))?.success())
}

fn corpus(machine: &Machine) -> Option<PathBuf> {
    let beside = || machine.root.join("../shared/malloy-corpus");
    let place = std::env::var_os("MALLOY_CORPUS").map_or_else(beside, PathBuf::from);
    place.join("cases").is_dir().then_some(place)
}

/// The script beside the official packages, of the version that is pinned or of another, which goes into the cache.
fn install(machine: &Machine, node: &Node, version: Option<&str>) -> Result<PathBuf> {
    let pinned = machine.root.join("bench/malloy");
    let Some(version) = version else {
        report::doing("installing the official packages", || {
            node.command("npm")
                .dir(&pinned)
                .args(["install", "--no-save", "--loglevel=error"])
                .read()
        })?;
        return Ok(pinned.join(SCRIPT));
    };
    let folder = machine.cache.join(format!("malloy-{version}"));
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut manifest: serde_json::Value =
        serde_json::from_slice(&fs::read(pinned.join("package.json"))?)?;
    for package in ["@malloydata/malloy", "@malloydata/db-duckdb"] {
        manifest["dependencies"][package] = json!(version);
    }
    fs::write(folder.join("package.json"), manifest.to_string())?;
    fs::copy(pinned.join(SCRIPT), folder.join(SCRIPT))?;
    report::doing("installing the official packages", || {
        node.command("npm").dir(&folder).args(["install", "--loglevel=error"]).read()
    })?;
    Ok(folder.join(SCRIPT))
}
