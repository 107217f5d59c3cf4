//! The official compiler, asked in a process of its own.

use std::{
    io::Write as _,
    path::Path,
    process::{Command, Stdio},
};

use anyhow::{Context as _, ensure};
use serde::Deserialize;

use crate::Args;

/// What it took, in milliseconds.
#[derive(Debug, Deserialize)]
pub(crate) struct Official {
    pub(crate) load: f64,
    pub(crate) queries: Vec<Query>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Query {
    #[serde(rename = "query")]
    pub(crate) text: String,
    pub(crate) ms: f64,
    pub(crate) sql: String,
}

pub(crate) fn ask(
    args: &Args,
    folder: &Path,
    model: &str,
    queries: &[String],
) -> anyhow::Result<Official> {
    let mut child = Command::new("node")
        .arg(&args.official)
        .arg(folder)
        .arg(model)
        .arg(args.rounds.to_string())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context("cannot start node")?;
    child.stdin.take().context("no input")?.write_all(&serde_json::to_vec(queries)?)?;
    let output = child.wait_with_output()?;
    ensure!(output.status.success(), "the official compiler failed on {model}");
    Ok(serde_json::from_slice(&output.stdout)?)
}
