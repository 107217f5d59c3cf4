//! The arrows between our crates: which there are, and which there may be.
//!
//! `docs/deps.txt` lists them all, so that a new arrow is seen in review; [`rules`] holds what no review should
//! have to catch.

mod graph;
mod rules;

use std::{fs, path::PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;

use self::graph::Graph;
use crate::machine::Machine;

/// Compare the dependencies between our crates with docs/deps.txt
#[derive(Debug, Args)]
pub(crate) struct DepsArgs {
    /// Rewrite docs/deps.txt to what is there
    #[arg(long)]
    update: bool,
}

pub(crate) fn deps(args: &DepsArgs) -> Result<bool> {
    let machine = Machine::here()?;
    if args.update {
        update(&machine)?;
    }
    let problems = check(&machine)?;
    for problem in &problems {
        eprintln!("{problem}");
    }
    Ok(problems.is_empty())
}

/// Rewrites the list to what is there.
pub(crate) fn update(machine: &Machine) -> Result<()> {
    let text = Graph::load(machine)?.text();
    fs::write(listed(machine), text).context("cannot write `docs/deps.txt`")
}

/// What is wrong with the arrows, a line for each.
pub(crate) fn check(machine: &Machine) -> Result<Vec<String>> {
    let graph = Graph::load(machine)?;
    let listed = fs::read_to_string(listed(machine)).unwrap_or_default();
    let mut problems = rules::broken(&graph);
    let changes = difference(&listed, &graph.text());
    if !changes.is_empty() {
        problems.push("`docs/deps.txt` does not list what is there; if the change is meant, run `cargo xtask deps --update`".into());
        problems.extend(changes);
    }
    Ok(problems)
}

fn listed(machine: &Machine) -> PathBuf {
    machine.root.join("docs/deps.txt")
}

/// Lines that only one of two texts has, as a patch would show them.
fn difference(old: &str, new: &str) -> Vec<String> {
    let only = |sign: char, these: &str, those: &str| -> Vec<_> {
        let others: Vec<_> = those.lines().collect();
        these
            .lines()
            .filter(|line| !others.contains(line))
            .map(|line| format!("{sign} {line}"))
            .collect()
    };
    [only('-', old, new), only('+', new, old)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_shows_both_sides() {
        let changes =
            difference("universe -> kit-core\nui\n", "universe -> kit-core kit-http\nui\n");
        assert_eq!(changes, ["- universe -> kit-core", "+ universe -> kit-core kit-http"]);
    }
}
