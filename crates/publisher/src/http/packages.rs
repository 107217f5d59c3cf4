//! Projects and packages.

use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Api,
    answer::Json,
    failure::Failure,
    input::{Asked, InPackage, Path, Search, is_set},
};
use crate::{Package, Reloaded, wire};

#[derive(Deserialize)]
pub(super) struct Reload {
    reload: Option<String>,
}

pub(super) async fn projects(State(api): State<Api>, asked: Asked) -> Json<Vec<Value>> {
    let projects = api.service.projects().await;
    let project = |name: &String| json!({"name": name, "resource": asked.project(name)});
    Json(projects.iter().map(|info| project(&info.name)).collect())
}

pub(super) async fn project(
    State(api): State<Api>,
    asked: Asked,
    Path(project): Path<String>,
    Search(search): Search<Reload>,
) -> Result<Json<Value>, Failure> {
    let info = api.service.project(&project, is_set(search.reload.as_deref())).await?;
    let resource = asked.project(&info.name);
    Ok(Json(json!({"resource": resource, "name": info.name, "readme": info.readme})))
}

pub(super) async fn list(
    State(api): State<Api>,
    asked: Asked,
    Path(project): Path<String>,
) -> Result<Json<Vec<Value>>, Failure> {
    let packages = api.service.packages(&project).await?;
    Ok(Json(packages.iter().map(|package| shown(&asked, package)).collect()))
}

pub(super) async fn read(
    State(api): State<Api>,
    asked: Asked,
    Path(InPackage { project, package }): Path<InPackage>,
    Search(search): Search<Reload>,
) -> Result<Json<Value>, Failure> {
    if !is_set(search.reload.as_deref()) {
        let package = api.service.package(&project, &package).await?;
        let mut made = shown(&asked, &package);
        if let Some(readme) = package.readme().await {
            made["readme"] = json!(readme);
        }
        return Ok(Json(made));
    }
    let Reloaded { package, problems } = api.service.reload(&project, &package).await?;
    let mut made = shown(&asked, &package);
    made["problems"] = wire::problems(&problems).into();
    Ok(Json(made))
}

/// A package in a list. One that could not be loaded says why where its description stands, and in `error`.
pub(super) fn shown(asked: &Asked, package: &Package) -> Value {
    let description = match &package.error {
        Some(why) => format!("Unable to load package: {why}"),
        None => package.description.clone().unwrap_or_default(),
    };
    let mut made = json!({
        "resource": asked.package(&package.project, &package.name),
        "name": package.name,
        "description": description,
    });
    if let Some(version) = package.manifest.version() {
        made["version"] = json!(version);
    }
    if let Some(why) = &package.error {
        made["error"] = json!({"code": 424, "message": why, "suggestions": []});
    }
    if let Some(stale) = &package.stale {
        made["stale"] = json!(stale);
    }
    if !package.warnings.is_empty() {
        made["warnings"] = json!(package.warnings);
    }
    made
}

pub(super) async fn databases(
    State(api): State<Api>,
    Path(InPackage { project, package }): Path<InPackage>,
) -> Result<Json<Vec<Value>>, Failure> {
    let databases = api.service.databases(&project, &package).await?;
    let shown = databases.iter().map(|(database, info)| {
        let mut made = json!({"path": database.path, "size": database.size, "type": "embedded"});
        match info {
            Ok(info) => made["info"] = json!(info),
            Err(why) => made["error"] = json!({"code": 424, "message": why, "suggestions": []}),
        }
        made
    });
    Ok(Json(shown.collect()))
}

pub(super) async fn schedules(
    State(api): State<Api>,
    Path(InPackage { project, package }): Path<InPackage>,
) -> Result<Json<Vec<crate::ScheduleInfo>>, Failure> {
    Ok(Json(api.service.schedules(&project, &package).await?))
}
