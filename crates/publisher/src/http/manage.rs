//! Projects, packages and connections that come, change and go.

use axum::extract::State;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Api,
    answer::Json,
    failure::Failure,
    input::{Asked, InPackage, Path, Sent},
    packages::shown,
};
use crate::{Error, Reach, What};

#[derive(Deserialize)]
pub(super) struct NewProject {
    name: String,
    #[serde(default)]
    packages: Vec<NewPackage>,
    #[serde(default)]
    connections: Vec<Value>,
}

#[derive(Deserialize)]
pub(super) struct NewPackage {
    name: String,
    location: Option<String>,
}

/// Adds a project with what is in it. If a part cannot be added, the project is taken away again.
pub(super) async fn add_project(
    State(api): State<Api>,
    asked: Asked,
    Sent(new): Sent<NewProject>,
) -> Result<Json<Value>, Failure> {
    let service = &api.service;
    let info = service.add_project(&new.name).await?;
    let parts = async {
        for connection in &new.connections {
            service.add_connection(&new.name, connection).await?;
        }
        for package in &new.packages {
            let location = package.location.as_deref().unwrap_or(&package.name);
            service.add_package(&new.name, &package.name, location, false).await?;
        }
        Ok::<_, Error>(())
    };
    if let Err(error) = parts.await {
        service.remove_project(&new.name).await?;
        return Err(error.into());
    }
    Ok(Json(project_json(&asked, &info)))
}

#[derive(Deserialize)]
pub(super) struct ProjectChange {
    name: Option<String>,
}

pub(super) async fn change_project(
    State(api): State<Api>,
    asked: Asked,
    Path(project): Path<String>,
    Sent(change): Sent<ProjectChange>,
) -> Result<Json<Value>, Failure> {
    let name = change
        .name
        .ok_or_else(|| Failure::bad("`name` is what can be changed, and it is missing"))?;
    let info = api.service.rename_project(&project, &name).await?;
    Ok(Json(project_json(&asked, &info)))
}

pub(super) async fn remove_project(
    State(api): State<Api>,
    asked: Asked,
    Path(project): Path<String>,
) -> Result<Json<Value>, Failure> {
    let info = api.service.project(&project, false).await?;
    api.service.remove_project(&project).await?;
    Ok(Json(project_json(&asked, &info)))
}

fn project_json(asked: &Asked, info: &crate::ProjectInfo) -> Value {
    json!({"resource": asked.project(&info.name), "name": info.name, "readme": info.readme})
}

pub(super) async fn add_package(
    State(api): State<Api>,
    asked: Asked,
    Path(project): Path<String>,
    Sent(new): Sent<NewPackage>,
) -> Result<Json<Value>, Failure> {
    let location = new.location.as_deref().unwrap_or(&new.name);
    let package = api.service.add_package(&project, &new.name, location, false).await?;
    Ok(Json(shown(&asked, &package)))
}

#[derive(Deserialize)]
pub(super) struct PackageChange {
    location: Option<String>,
}

pub(super) async fn change_package(
    State(api): State<Api>,
    asked: Asked,
    Path(InPackage { project, package }): Path<InPackage>,
    Sent(change): Sent<PackageChange>,
) -> Result<Json<Value>, Failure> {
    let Some(location) = change.location else {
        let message = "`location` is what can be changed, and it is missing";
        return Err(Error::new(What::Request, message)
            .hint("name and description are in `publisher.json` of the package")
            .into());
    };
    let package = api.service.add_package(&project, &package, &location, true).await?;
    Ok(Json(shown(&asked, &package)))
}

pub(super) async fn remove_package(
    State(api): State<Api>,
    asked: Asked,
    Path(InPackage { project, package }): Path<InPackage>,
) -> Result<Json<Value>, Failure> {
    let found = api.service.package(&project, &package).await?;
    api.service.remove_package(&project, &package).await?;
    Ok(Json(shown(&asked, &found)))
}

#[derive(Deserialize)]
pub(super) struct InProject {
    project: String,
    connection: String,
}

impl InProject {
    fn reach(&self) -> Reach {
        let (project, connection) = (self.project.clone(), self.connection.clone());
        Reach { project, package: None, connection }
    }
}

pub(super) async fn add_connection(
    State(api): State<Api>,
    Path(place): Path<InProject>,
    Sent(mut connection): Sent<Value>,
) -> Result<Json<Value>, Failure> {
    let Some(members) = connection.as_object_mut() else {
        return Err(Failure::bad("the body has to be a connection"));
    };
    // The path says what it is called.
    members.insert("name".to_owned(), json!(place.connection));
    api.service.add_connection(&place.project, &connection).await?;
    Ok(Json(api.service.connection(&place.reach()).await?.shown))
}

pub(super) async fn change_connection(
    State(api): State<Api>,
    Path(place): Path<InProject>,
    Sent(change): Sent<Value>,
) -> Result<Json<Value>, Failure> {
    api.service.update_connection(&place.project, &place.connection, &change).await?;
    Ok(Json(api.service.connection(&place.reach()).await?.shown))
}

pub(super) async fn remove_connection(
    State(api): State<Api>,
    Path(place): Path<InProject>,
) -> Result<Json<Value>, Failure> {
    let found = api.service.connection(&place.reach()).await?;
    api.service.remove_connection(&place.project, &place.connection).await?;
    Ok(Json(found.shown))
}
