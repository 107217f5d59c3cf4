//! Changing projects, packages and connections while the server runs.
//!
//! What is changed is written to the configuration file first, whole or not at all, and takes effect then. A server whose
//! configuration is frozen, or that has none of its own, changes nothing.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    sync::Arc,
};

use publisher_core::{
    config::{PackageConfig, Place, ProjectConfig, ServerConfig},
    connection::Connection,
    name::is_name,
};
use serde_json::Value;

use super::{Change, ProjectInfo, Service, engines, registry::Project};
use crate::{Error, What};

impl Service {
    /// Adds a project without packages.
    pub async fn add_project(&self, name: &str) -> Result<ProjectInfo, Error> {
        good_name(name)?;
        self.change(Change::Projects, |config, _| {
            if config.project(name).is_some() {
                return Err(exists(format!("there is a project `{name}` already")));
            }
            config.projects.push(ProjectConfig::new(name, Place::Packages(Vec::new())));
            Ok(name.to_owned())
        })
        .await?;
        self.project(name, false).await
    }

    /// Gives a project another name.
    pub async fn rename_project(&self, name: &str, new: &str) -> Result<ProjectInfo, Error> {
        good_name(new)?;
        self.project(name, false).await?;
        self.change(Change::Projects, |config, _| {
            if name != new && config.project(new).is_some() {
                return Err(exists(format!("there is a project `{new}` already")));
            }
            if let Some(project) = config.project_mut(name) {
                new.clone_into(&mut project.name);
            }
            Ok(new.to_owned())
        })
        .await?;
        self.project(new, false).await
    }

    /// Takes a project off the list. Its files stay.
    pub async fn remove_project(&self, name: &str) -> Result<(), Error> {
        self.project(name, false).await?;
        self.change(Change::Projects, |config, _| {
            config.projects.retain(|project| project.name != name);
            Ok(name.to_owned())
        })
        .await
    }

    /// Adds a package, or moves the one of that name if `replace`. The place must be below the server root.
    pub async fn add_package(
        &self,
        project: &str,
        name: &str,
        location: &str,
        replace: bool,
    ) -> Result<Arc<super::Package>, Error> {
        good_name(name)?;
        let there = self.names_of(project).await?;
        match (there.iter().any(|known| known == name), replace) {
            (true, false) => return Err(exists(format!("there is a package `{name}` already"))),
            (false, true) => drop(self.package(project, name).await?),
            _ => {}
        }
        let told = Change::Packages { project: project.to_owned() };
        self.change(told, |config, base| {
            let folder = below(base, location)?;
            if !folder.join(super::registry::MANIFEST).is_file() {
                let message = format!("`{location}` is no package: it has no publisher.json");
                return Err(Error::new(What::Request, message));
            }
            let packages = listed(config, project, &there)?;
            packages.retain(|package| package.name != name);
            packages.push(PackageConfig { name: name.to_owned(), location: location.to_owned() });
            Ok(project.to_owned())
        })
        .await?;
        self.package(project, name).await
    }

    /// Takes a package off the list. Its files stay.
    pub async fn remove_package(&self, project: &str, name: &str) -> Result<(), Error> {
        self.package(project, name).await?;
        let there = self.names_of(project).await?;
        let told = Change::Packages { project: project.to_owned() };
        self.change(told, |config, _| {
            listed(config, project, &there)?.retain(|package| package.name != name);
            Ok(project.to_owned())
        })
        .await
    }

    /// Adds a connection to a project.
    pub async fn add_connection(&self, project: &str, connection: &Value) -> Result<(), Error> {
        let connection = Connection::parse(connection).map_err(|why| bad_connection(&why))?;
        self.may_use_files(&connection)?;
        let known = self.connections(project, None).await?;
        if known.iter().any(|known| known.name == connection.name) {
            let name = &connection.name;
            return Err(exists(format!("there is a connection `{name}` already")));
        }
        self.change(of_connections(project), |config, _| {
            known_project(config, project)?.connections.push(connection.clone());
            Ok(project.to_owned())
        })
        .await
    }

    /// Changes a connection of a project. A secret that is the marker stays what it is.
    pub async fn update_connection(
        &self,
        project: &str,
        name: &str,
        change: &Value,
    ) -> Result<(), Error> {
        let old = self.own_connection(project, name)?;
        let mut change = change.clone();
        if let Some(change) = change.as_object_mut() {
            change.insert("name".to_owned(), name.into());
        }
        let new = old.updated(&change).map_err(|why| bad_connection(&why))?;
        self.may_use_files(&new)?;
        self.change(of_connections(project), |config, _| {
            let connections = &mut known_project(config, project)?.connections;
            match connections.iter_mut().find(|connection| connection.name == name) {
                Some(connection) => *connection = new.clone(),
                None => connections.push(new.clone()),
            }
            Ok(project.to_owned())
        })
        .await
    }

    /// Takes a connection of a project away.
    pub async fn remove_connection(&self, project: &str, name: &str) -> Result<(), Error> {
        self.own_connection(project, name)?;
        self.change(of_connections(project), |config, _| {
            let connections = &mut known_project(config, project)?.connections;
            let before = connections.len();
            connections.retain(|connection| connection.name != name);
            if connections.len() == before {
                let message =
                    format!("connection `{name}` is in the project's publisher.connections.json");
                return Err(Error::new(What::Request, message).hint("take it out of that file"));
            }
            Ok(project.to_owned())
        })
        .await
    }

    /// Whether a connection that came while the server runs may read the files that it names; what their paths are relative to.
    pub(super) fn may_use_files(&self, connection: &Connection) -> Result<PathBuf, Error> {
        let registry = self.0.registry.read();
        let base = registry.file.as_deref().and_then(Path::parent).map(Path::to_owned);
        drop(registry);
        let base = base.or_else(|| self.0.config.server_root.clone()).unwrap_or_default();
        for file in engines::files(connection) {
            below(&base, &file)?;
        }
        Ok(base)
    }

    fn own_connection(&self, project: &str, name: &str) -> Result<Connection, Error> {
        let project = self.0.registry.read().project(project)?;
        let known: Vec<_> = project.connections.iter().flatten().cloned().collect();
        known.iter().find(|connection| connection.name == name).cloned().ok_or_else(|| {
            let names = known.iter().map(|connection| connection.name.as_str());
            Error::missing(What::Connection, format!("Connection {name} not found"), name, names)
        })
    }

    async fn names_of(&self, project: &str) -> Result<Vec<String>, Error> {
        let project = self.0.registry.read().project(project)?;
        super::blocking(move || Ok(project.names())).await
    }

    /// Refuses changes where the configuration is frozen.
    pub(super) fn may_change(&self) -> Result<(), Error> {
        if self.0.config.frozen || self.0.registry.read().config.frozen {
            let message = "the configuration of this server is frozen";
            return Err(Error::new(What::Forbidden, message)
                .hint("edit `publisher.config.json` and start the server again"));
        }
        Ok(())
    }

    /// Makes a change to the configuration, which names the project that it concerns.
    async fn change(
        &self,
        told: Change,
        edit: impl FnOnce(&mut ServerConfig, &Path) -> Result<String, Error>,
    ) -> Result<(), Error> {
        // One change at a time, so that none is lost.
        let _turn = self.0.changing.lock().await;
        let (mut config, file) = {
            self.may_change()?;
            let registry = self.0.registry.read();
            let file = registry.file.clone().ok_or_else(|| {
                Error::new(What::Forbidden, "this server has no configuration of its own to change")
                    .hint("put a `publisher.config.json` with `{\"environments\": []}` into the server root and start again")
            })?;
            (registry.config.clone(), file)
        };
        let base = file.parent().map(Path::to_owned).unwrap_or_default();
        let changed = edit(&mut config, &base)?;
        let text = serde_json::to_string_pretty(&config.to_json()).map_err(Error::internal)?;
        super::blocking(move || write(&file, &text).map_err(Error::internal)).await?;
        self.0.registry.write().take(config, &changed, &base);
        self.tell(told);
        Ok(())
    }
}

impl super::registry::Registry {
    /// Takes a configuration over. The project that it concerns begins anew; the others are as they were.
    fn take(&mut self, config: ServerConfig, changed: &str, base: &Path) {
        let project = |wanted: &ProjectConfig| {
            let same = self.project(&wanted.name).ok().filter(|_| wanted.name != changed);
            same.unwrap_or_else(|| Arc::new(Project::open(wanted, base)))
        };
        let projects = config.projects.iter().map(project).collect();
        self.replace(projects, config);
    }
}

/// The packages of a project as a list. One that was a directory becomes the list of what was in it.
fn listed<'a>(
    config: &'a mut ServerConfig,
    project: &str,
    there: &[String],
) -> Result<&'a mut Vec<PackageConfig>, Error> {
    let project = known_project(config, project)?;
    if let Place::Directory(directory) = &project.place {
        let package = |name: &String| PackageConfig {
            name: name.clone(),
            location: format!("{}/{name}", directory.trim_end_matches('/')),
        };
        project.place = Place::Packages(there.iter().map(package).collect());
    }
    match &mut project.place {
        Place::Packages(packages) => Ok(packages),
        Place::Directory(_) => unreachable!("it has just been made a list"),
    }
}

fn known_project<'a>(
    config: &'a mut ServerConfig,
    name: &str,
) -> Result<&'a mut ProjectConfig, Error> {
    config
        .project_mut(name)
        .ok_or_else(|| Error::new(What::Project, format!("Project '{name}' not found")))
}

/// A place below the server root. Whoever may change a server is not thereby let into the whole machine.
fn below(base: &Path, location: &str) -> Result<PathBuf, Error> {
    let outside = || {
        Error::new(What::Forbidden, format!("`{location}` is not below the server root"))
            .hint("name it in `publisher.config.json` by hand if it is to be served")
    };
    if location.contains("://") || location.starts_with("git@") {
        let message = format!("`{location}` is not on this machine");
        return Err(Error::new(What::NotImplemented, message)
            .hint("fetch it and name the folder in its place"));
    }
    let base = base.canonicalize().map_err(Error::internal)?;
    let place = base
        .join(location)
        .canonicalize()
        .map_err(|_| Error::new(What::Request, format!("there is nothing at `{location}`")))?;
    if place.starts_with(&base) { Ok(place) } else { Err(outside()) }
}

/// Puts a text in the place of a file: the whole of it, or nothing.
fn write(file: &Path, text: &str) -> std::io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut new = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    // Who may read it stays as it was: there may be secrets in it.
    if let Ok(about) = std::fs::metadata(file) {
        new.as_file().set_permissions(about.permissions())?;
    }
    new.write_all(text.as_bytes())?;
    new.write_all(b"\n")?;
    new.as_file().sync_all()?;
    new.persist(file)?;
    Ok(())
}

fn of_connections(project: &str) -> Change {
    Change::Connections { project: project.to_owned(), package: None }
}

fn good_name(name: &str) -> Result<(), Error> {
    if is_name(name) {
        return Ok(());
    }
    Err(Error::new(What::Request, format!("`{name}` cannot be a name"))
        .hint("a name has no slash and does not begin with a dot"))
}

fn exists(message: String) -> Error {
    Error::new(What::Exists, message).hint("choose another name, or change the one that is there")
}

fn bad_connection(why: &publisher_core::connection::ConnectionError) -> Error {
    Error::new(What::Request, why.to_string())
}
