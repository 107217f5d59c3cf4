//! List what there is.

use kit_cli::{Outcome, Ui};
use serde_json::{Value, json};

use super::{
    desk::{Desk, waiting},
    refused,
};
use crate::{Error, ModelKind, Package};

/// List packages, or the models and data of one
#[derive(Debug, clap::Args)]
pub struct ListArgs {
    /// A package (default: all)
    #[arg(value_name = "PACKAGE")]
    package: Option<String>,

    /// The project (default: all, or the first for a package)
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
}

pub(super) async fn list(ui: &mut Ui, desk: &Desk, args: &ListArgs) -> anyhow::Result<Outcome> {
    let found = match &args.package {
        Some(package) => one(ui, desk, args.project.as_deref(), package).await,
        None => all(ui, desk, args.project.as_deref()).await,
    };
    match found {
        Err(error) => refused(ui, &error),
        Ok((shown, lines)) => {
            if ui.global().json {
                ui.print(&serde_json::to_string_pretty(&shown)?)?;
            } else {
                ui.print(&kit_cli::table(&lines))?;
            }
            Ok(Outcome::Success)
        }
    }
}

type Found = (Value, Vec<Vec<String>>);

async fn all(ui: &Ui, desk: &Desk, project: Option<&str>) -> Result<Found, Error> {
    let projects = match project {
        Some(name) => vec![desk.project(Some(name)).await?],
        None => desk.service.projects().await.into_iter().map(|project| project.name).collect(),
    };
    let mut lines = vec![heads(&["PROJECT", "PACKAGE", "MODELS", "NOTEBOOKS", "ABOUT"])];
    let mut shown = Vec::new();
    for project in projects {
        for package in desk.packages(ui, &project).await? {
            let count = |kind| package.models.values().filter(|model| model.kind == kind).count();
            let (models, notebooks) = (count(ModelKind::Model), count(ModelKind::Notebook));
            let about = package.description.clone().unwrap_or_default();
            shown.push(json!({
                "project": project, "name": package.name, "description": package.description,
                "models": models, "notebooks": notebooks, "error": package.error,
            }));
            let counts = [models.to_string(), notebooks.to_string()];
            let [models, notebooks] = counts;
            lines.push(vec![project.clone(), package.name.clone(), models, notebooks, about]);
        }
    }
    Ok((Value::Array(shown), lines))
}

async fn one(ui: &Ui, desk: &Desk, project: Option<&str>, name: &str) -> Result<Found, Error> {
    let project = desk.project(project).await?;
    let package = waiting(ui, "loading", desk.service.package(&project, name)).await?;
    let mut lines = vec![heads(&["FILE", "KIND", "HAS"])];
    for model in package.models.values() {
        let names = model.description.sources.iter().map(|source| source.name.as_str());
        let names = names.chain(model.description.queries.iter().map(|query| query.name.as_str()));
        let has = match &model.compiled {
            Ok(_) => names.collect::<Vec<_>>().join(", "),
            Err(_) => "does not compile".to_owned(),
        };
        let kind = match model.kind {
            ModelKind::Model => "model",
            ModelKind::Notebook => "notebook",
        };
        lines.push(vec![model.path.clone(), kind.to_owned(), has]);
    }
    for database in &package.databases {
        let size = format!("{} bytes", database.size);
        lines.push(vec![database.path.clone(), "data".to_owned(), size]);
    }
    Ok((as_json(&package), lines))
}

fn as_json(package: &Package) -> Value {
    let models: Vec<_> = package
        .models
        .values()
        .map(|model| {
            let error = model.compiled.as_ref().err().map(ToString::to_string);
            json!({
                "path": model.path, "kind": model.kind, "error": error,
                "sources": model.description.sources.iter().map(|s| &s.name).collect::<Vec<_>>(),
                "queries": model.description.queries.iter().map(|q| &q.name).collect::<Vec<_>>(),
            })
        })
        .collect();
    let data: Vec<_> =
        package.databases.iter().map(|d| json!({"path": d.path, "size": d.size})).collect();
    json!({
        "project": package.project, "name": package.name, "description": package.description,
        "models": models, "databases": data, "schedules": package.schedules,
        "warnings": package.warnings, "error": package.error,
    })
}

fn heads(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
