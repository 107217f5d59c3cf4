//! Check models.

use kit_cli::{Outcome, Ui};
use serde_json::json;

use super::Root;
use crate::Workspace;

/// Check that models compile
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    #[command(flatten)]
    root: Root,

    /// The files to check, below the folder
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
}

pub(super) fn check(ui: &mut Ui, args: &CheckArgs) -> anyhow::Result<Outcome> {
    let workspace = Workspace::open(&args.root.root)?;
    let mut issues = Vec::new();
    for file in &args.files {
        let found = match workspace.compile_file(file) {
            Ok(compiled) => compiled.warnings,
            Err(failure) => failure.issues,
        };
        issues.extend(found.into_iter().map(|mut issue| {
            issue.file.get_or_insert_with(|| file.clone());
            issue
        }));
    }
    let (errors, warnings): (Vec<_>, Vec<_>) = issues.into_iter().partition(|issue| issue.is_error);
    if ui.global().json {
        ui.print(&serde_json::to_string_pretty(&json!({"errors": errors, "warnings": warnings}))?)?;
    } else {
        for issue in errors.iter().chain(&warnings) {
            ui.print(&issue.to_string())?;
        }
        if errors.is_empty() {
            ui.note(&format!("{} checked, no errors", count(args.files.len(), "file")));
        }
    }
    Ok(if errors.is_empty() { Outcome::Success } else { Outcome::Negative })
}

fn count(number: usize, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
