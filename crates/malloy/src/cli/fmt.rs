//! Lay out models.

use std::{fs, io::Read as _, path::Path};

use anyhow::Context as _;
use kit_cli::{Outcome, Ui};

/// Lay out Malloy files the one way; white space changes and nothing else
#[derive(Debug, clap::Args)]
pub struct FmtArgs {
    /// Say which files would change, and change none
    #[arg(long)]
    check: bool,

    /// The files; `-` reads a text from standard input and prints it
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
}

pub(super) fn fmt(ui: &mut Ui, args: &FmtArgs) -> anyhow::Result<Outcome> {
    let mut outcome = Outcome::Success;
    for file in &args.files {
        let text = read(file)?;
        let formatted = match malloy_syntax::format(&text) {
            Ok(formatted) => formatted,
            Err(diagnostics) => {
                ui.note(&malloy_syntax::render(file, &text, &diagnostics));
                outcome = Outcome::Negative;
                continue;
            }
        };
        if file == "-" && !args.check {
            ui.print(&formatted)?;
        } else if formatted != text {
            if args.check {
                ui.print(&format!("would change {file}"))?;
                outcome = Outcome::Negative;
            } else {
                replace(Path::new(file), &formatted)?;
                ui.note(&format!("changed {file}"));
            }
        }
    }
    Ok(outcome)
}

fn read(file: &str) -> anyhow::Result<String> {
    if file != "-" {
        return fs::read_to_string(file).with_context(|| format!("cannot read {file}"));
    }
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).context("cannot read standard input")?;
    Ok(text)
}

/// Writes beside the file and moves it there, so that a full disk costs nobody their model.
fn replace(file: &Path, text: &str) -> anyhow::Result<()> {
    let beside = file.with_extension("malloy.new");
    let written = fs::write(&beside, text).and_then(|()| fs::rename(&beside, file));
    written.with_context(|| format!("cannot write {}", file.display()))
}
