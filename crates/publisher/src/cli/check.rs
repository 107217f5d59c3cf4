//! Check packages.

use kit_cli::{Outcome, Ui};
use serde_json::json;

use super::{desk::Desk, refused};
use crate::Error;

/// Check that manifests can be read and that every model and notebook compiles
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// A package (default: all)
    #[arg(value_name = "PACKAGE")]
    package: Option<String>,

    /// The project (default: all)
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
}

pub(super) async fn check(ui: &mut Ui, desk: &Desk, args: &CheckArgs) -> anyhow::Result<Outcome> {
    let loaded = async {
        let projects = match &args.project {
            Some(name) => vec![desk.project(Some(name)).await?],
            None => desk.service.projects().await.into_iter().map(|project| project.name).collect(),
        };
        let mut loaded = Vec::new();
        for project in projects {
            match &args.package {
                Some(name) => loaded.push(desk.service.package(&project, name).await?),
                None => loaded.extend(desk.packages(ui, &project).await?),
            }
        }
        Ok(loaded)
    };
    let loaded: Result<Vec<_>, Error> = loaded.await;
    let packages = match loaded {
        Ok(packages) => packages,
        Err(error) => return refused(ui, &error),
    };
    let (mut problems, mut warnings) = (Vec::new(), Vec::new());
    for package in &packages {
        let name = &package.name;
        if let Some(error) = &package.error {
            problems.push(json!({"package": name, "message": error}));
        }
        for (path, issues) in package.problems() {
            for issue in issues {
                let file = issue.file.as_deref().unwrap_or(&path);
                problems.push(json!({
                    "package": name, "file": file, "line": issue.line, "column": issue.column,
                    "code": issue.code, "message": issue.message, "help": issue.help,
                }));
            }
        }
        warnings
            .extend(package.warnings.iter().map(|why| json!({"package": name, "message": why})));
    }
    let clean = problems.is_empty();
    if ui.global().json {
        let shown = json!({"packages": packages.len(), "problems": problems, "warnings": warnings});
        ui.print(&serde_json::to_string_pretty(&shown)?)?;
    } else {
        for warning in &warnings {
            ui.warn(&line(warning));
        }
        for problem in &problems {
            ui.print(&line(problem))?;
        }
        if clean {
            ui.print(&format!("{}, nothing wrong\n", counted(packages.len())))?;
        }
    }
    Ok(if clean { Outcome::Success } else { Outcome::Negative })
}

fn line(problem: &serde_json::Value) -> String {
    let text = |key: &str| problem[key].as_str().map(str::to_owned);
    let mut place = text("package").unwrap_or_default();
    if let Some(file) = text("file") {
        place = format!("{place}/{file}");
    }
    if let (Some(line), Some(column)) = (problem["line"].as_u64(), problem["column"].as_u64()) {
        place = format!("{place}:{line}:{column}");
    }
    let help = text("help").map(|help| format!("\n  hint: {help}")).unwrap_or_default();
    format!("{place}: {}{help}", text("message").unwrap_or_default())
}

fn counted(packages: usize) -> String {
    if packages == 1 { "1 package".to_owned() } else { format!("{packages} packages") }
}
