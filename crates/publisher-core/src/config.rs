//! `publisher.config.json`: which projects a server has. Start at [`ServerConfig::parse`].
//!
//! Three shapes are about. The first maps names to directories, the later two list packages with their locations, under
//! `projects` and then under `environments`:
//!
//! ```json
//! {"projects": {"home": "./packages"}}
//! {"environments": [{"name": "home", "packages": [{"name": "library", "location": "./library"}]}]}
//! ```
//!
//! What is written back is the first shape where it says everything, else the last. Unknown keys are kept.

use serde_json::{Map, Value, json};

use crate::{
    connection::{Connection, ConnectionError},
    name::is_name,
};

/// A server's projects.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ServerConfig {
    /// Whether nothing may be changed while the server runs.
    pub frozen: bool,
    pub projects: Vec<ProjectConfig>,
    /// Keys that mean nothing here.
    pub extra: Map<String, Value>,
}

/// One project.
#[derive(Debug, Clone, PartialEq)]
pub struct ProjectConfig {
    pub name: String,
    pub place: Place,
    pub connections: Vec<Connection>,
    pub extra: Map<String, Value>,
}

/// Where the packages of a project are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Every folder with a manifest in this directory.
    Directory(String),
    /// These.
    Packages(Vec<PackageConfig>),
}

/// A package and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PackageConfig {
    pub name: String,
    /// A directory: absolute, `~/…`, or relative to the configuration file; or an address that a server may or may
    /// not fetch from.
    pub location: String,
}

/// What is wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error("the configuration is not valid JSON: {0}")]
    Json(String),
    #[error("`{place}` must be {wanted}")]
    Shape { place: String, wanted: &'static str },
    #[error("`{place}`: `{name}` cannot be a name")]
    Name { place: String, name: String },
    #[error("`{place}` has `{name}` twice")]
    Twice { place: String, name: String },
    #[error("`{place}`: {source}")]
    Connection { place: String, source: ConnectionError },
}

impl ServerConfig {
    /// Reads any of the three shapes.
    pub fn parse(text: &str) -> Result<Self, ConfigError> {
        let value = serde_json::from_str(text).map_err(|why| ConfigError::Json(why.to_string()))?;
        let Value::Object(mut extra) = value else { return Err(shape("", "an object")) };
        let frozen = match extra.remove("frozenConfig") {
            None | Some(Value::Null) => false,
            Some(Value::Bool(frozen)) => frozen,
            Some(_) => return Err(shape("frozenConfig", "true or false")),
        };
        let mut projects = Vec::new();
        for key in ["projects", "environments"] {
            match extra.remove(key) {
                None | Some(Value::Null) => {}
                Some(Value::Object(map)) => {
                    for (name, directory) in map {
                        projects.push(by_directory(key, name, &directory)?);
                    }
                }
                Some(Value::Array(list)) => {
                    for (index, item) in list.into_iter().enumerate() {
                        projects.push(listed(&format!("{key}[{index}]"), item)?);
                    }
                }
                Some(_) => return Err(shape(key, "an object or a list")),
            }
        }
        once("projects", projects.iter().map(|project| project.name.as_str()))?;
        Ok(Self { frozen, projects, extra })
    }

    pub fn project(&self, name: &str) -> Option<&ProjectConfig> {
        self.projects.iter().find(|project| project.name == name)
    }

    pub fn project_mut(&mut self, name: &str) -> Option<&mut ProjectConfig> {
        self.projects.iter_mut().find(|project| project.name == name)
    }

    /// As it is written to the file.
    pub fn to_json(&self) -> Value {
        let mut object = self.extra.clone();
        if self.frozen {
            object.insert("frozenConfig".to_owned(), json!(true));
        }
        let plain = |project: &ProjectConfig| match &project.place {
            Place::Directory(directory)
                if project.connections.is_empty() && project.extra.is_empty() =>
            {
                Some((project.name.clone(), json!(directory)))
            }
            _ => None,
        };
        let all_plain: Option<Map<String, Value>> = self.projects.iter().map(plain).collect();
        match all_plain {
            Some(map) => object.insert("projects".to_owned(), Value::Object(map)),
            None => object.insert(
                "environments".to_owned(),
                self.projects.iter().map(ProjectConfig::to_json).collect(),
            ),
        };
        Value::Object(object)
    }
}

impl ProjectConfig {
    pub fn new(name: impl Into<String>, place: Place) -> Self {
        Self { name: name.into(), place, connections: Vec::new(), extra: Map::new() }
    }

    fn to_json(&self) -> Value {
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(self.name));
        match &self.place {
            Place::Directory(directory) => object.insert("directory".to_owned(), json!(directory)),
            Place::Packages(packages) => {
                let package = |p: &PackageConfig| json!({"name": p.name, "location": p.location});
                object.insert("packages".to_owned(), packages.iter().map(package).collect())
            }
        };
        if !self.connections.is_empty() {
            let connections = self.connections.iter().map(Connection::to_json).collect();
            object.insert("connections".to_owned(), connections);
        }
        object.extend(self.extra.clone());
        Value::Object(object)
    }
}

fn by_directory(key: &str, name: String, directory: &Value) -> Result<ProjectConfig, ConfigError> {
    let place = format!("{key}.{name}");
    if !is_name(&name) {
        return Err(ConfigError::Name { place: key.to_owned(), name });
    }
    let directory = directory.as_str().ok_or_else(|| shape(&place, "a directory"))?;
    Ok(ProjectConfig::new(name, Place::Directory(directory.to_owned())))
}

fn listed(place: &str, item: Value) -> Result<ProjectConfig, ConfigError> {
    let Value::Object(mut extra) = item else { return Err(shape(place, "an object")) };
    let name = text(&mut extra, place, "name")?;
    if !is_name(&name) {
        return Err(ConfigError::Name { place: place.to_owned(), name });
    }
    let connections = match extra.remove("connections") {
        None | Some(Value::Null) => Vec::new(),
        Some(value) => {
            let place = format!("{place}.connections");
            Connection::parse_list(&value)
                .map_err(|source| ConfigError::Connection { place, source })?
        }
    };
    let place = match (extra.remove("directory"), extra.remove("packages")) {
        (Some(Value::String(directory)), None) => Place::Directory(directory),
        (Some(_), _) => {
            return Err(shape(&format!("{place}.directory"), "a directory, without `packages`"));
        }
        (None, None | Some(Value::Null)) => Place::Packages(Vec::new()),
        (None, Some(Value::Array(items))) => Place::Packages(packages(place, items)?),
        (None, Some(_)) => return Err(shape(&format!("{place}.packages"), "a list")),
    };
    Ok(ProjectConfig { name, place, connections, extra })
}

fn packages(place: &str, items: Vec<Value>) -> Result<Vec<PackageConfig>, ConfigError> {
    let mut packages = Vec::new();
    for (index, item) in items.into_iter().enumerate() {
        let place = format!("{place}.packages[{index}]");
        let Value::Object(mut item) = item else { return Err(shape(&place, "an object")) };
        let name = text(&mut item, &place, "name")?;
        if !is_name(&name) {
            return Err(ConfigError::Name { place, name });
        }
        let location = text(&mut item, &place, "location")?;
        packages.push(PackageConfig { name, location });
    }
    once(&format!("{place}.packages"), packages.iter().map(|package| package.name.as_str()))?;
    Ok(packages)
}

fn text(object: &mut Map<String, Value>, place: &str, key: &str) -> Result<String, ConfigError> {
    match object.remove(key) {
        Some(Value::String(text)) => Ok(text),
        _ => Err(shape(&format!("{place}.{key}"), "a text")),
    }
}

fn once<'a>(place: &str, names: impl Iterator<Item = &'a str>) -> Result<(), ConfigError> {
    let mut seen = Vec::new();
    for name in names {
        if seen.contains(&name) {
            return Err(ConfigError::Twice { place: place.to_owned(), name: name.to_owned() });
        }
        seen.push(name);
    }
    Ok(())
}

fn shape(place: &str, wanted: &'static str) -> ConfigError {
    let place = if place.is_empty() { "publisher.config.json" } else { place };
    ConfigError::Shape { place: place.to_owned(), wanted }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(text: &str) -> Vec<(String, Place)> {
        let config = ServerConfig::parse(text).unwrap();
        config.projects.into_iter().map(|project| (project.name, project.place)).collect()
    }

    #[test]
    fn the_three_shapes_say_the_same_things() {
        let directory = places(r#"{"projects": {"home": "./p"}}"#);
        assert_eq!(directory, [("home".to_owned(), Place::Directory("./p".to_owned()))]);
        let list = |key: &str| {
            places(&format!(
                r#"{{"{key}": [{{"name": "home", "packages": [{{"name": "a", "location": "~/a"}}]}}]}}"#
            ))
        };
        assert_eq!(list("projects"), list("environments"));
        let package = PackageConfig { name: "a".to_owned(), location: "~/a".to_owned() };
        assert_eq!(list("projects"), [("home".to_owned(), Place::Packages(vec![package]))]);
        assert_eq!(places("{}"), []);
    }

    #[test]
    fn what_is_written_is_read_again_as_it_was() {
        for text in [
            r#"{"projects": {"home": "./p"}, "theme": {"dark": true}}"#,
            r#"{"frozenConfig": true, "environments": [{"name": "home", "packages": [{"name": "a", "location": "a"}],
                "storageDestinations": [], "connections": [{"name": "pg", "type": "postgres", "postgresConnection": {"host": "h"}}]}]}"#,
        ] {
            let config = ServerConfig::parse(text).unwrap();
            let written = serde_json::to_string(&config.to_json()).unwrap();
            assert_eq!(ServerConfig::parse(&written).unwrap(), config);
        }
    }

    #[test]
    fn a_mistake_is_told_with_its_place() {
        let wrong = |text: &str| ServerConfig::parse(text).unwrap_err().to_string();
        assert_eq!(
            wrong(
                r#"{"environments": [{"name": "a", "packages": [{"name": "../x", "location": "."}]}]}"#
            ),
            "`environments[0].packages[0]`: `../x` cannot be a name"
        );
        assert_eq!(
            wrong(r#"{"environments": [{"name": "a"}, {"name": "a"}]}"#),
            "`projects` has `a` twice"
        );
        assert_eq!(wrong(r#"{"projects": {"a": 1}}"#), "`projects.a` must be a directory");
        assert_eq!(wrong(r#"{"frozenConfig": "yes"}"#), "`frozenConfig` must be true or false");
        assert!(wrong("{").starts_with("the configuration is not valid JSON"));
    }
}
