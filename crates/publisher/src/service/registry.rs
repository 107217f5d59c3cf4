//! Which projects there are, and where their packages lie.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use malloy::Connections;
use parking_lot::Mutex;
use publisher_core::{
    config::{PackageConfig, Place, ProjectConfig, ServerConfig},
    connection::Connection,
    name::is_name,
};

use super::{ProjectInfo, engines, slot::Slot};
use crate::{Config, Error, What, samples};

/// The name of the project that is there when nobody named one.
pub(super) const HOME: &str = "home";

const CONFIG_FILE: &str = "publisher.config.json";
const CONNECTIONS_FILE: &str = "publisher.connections.json";
pub(super) const MANIFEST: &str = "publisher.json";

/// All projects.
pub(super) struct Registry {
    projects: Vec<Arc<Project>>,
    /// As read from the file, if there is one.
    pub(super) config: ServerConfig,
    /// The file.
    pub(super) file: Option<PathBuf>,
    /// Whether there is nothing of the user's own.
    pub(super) samples: bool,
}

/// One project.
pub(super) struct Project {
    pub(super) name: String,
    /// Where README and connections are, if it has a directory of its own.
    directory: Option<PathBuf>,
    packages: Packages,
    pub(super) connections: Result<Vec<Connection>, String>,
    /// Whether its packages need no manifest: a folder that somebody works in.
    bare: bool,
    /// What paths of connections are relative to.
    base: PathBuf,
    engines: OnceLock<Connections>,
    slots: Mutex<BTreeMap<String, Arc<Slot>>>,
}

enum Packages {
    /// Folders with a manifest in the directory.
    InDirectory,
    /// These, each with its folder or why there is none.
    Listed(BTreeMap<String, Result<PathBuf, String>>),
}

impl Registry {
    /// Without a directory for samples a folder that has nothing is taken for a package by itself.
    pub(super) fn open(config: &Config, data_dir: Option<&Path>) -> Result<Self, Error> {
        let root = match &config.server_root {
            Some(root) => root.clone(),
            None => env::current_dir().map_err(Error::internal)?,
        };
        let file = config.config_file.clone().unwrap_or_else(|| root.join(CONFIG_FILE));
        let base = file.parent().map_or_else(|| root.clone(), Path::to_owned);
        match fs::read_to_string(&file) {
            Ok(text) => {
                let parsed = ServerConfig::parse(&text).map_err(|why| {
                    Error::new(What::Request, why.to_string())
                        .hint(format!("correct `{CONFIG_FILE}` of the server root"))
                })?;
                let project = |project: &ProjectConfig| Arc::new(Project::open(project, &base));
                let projects = parsed.projects.iter().map(project).collect();
                Ok(Self { projects, config: parsed, file: Some(file), samples: false })
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                // Whoever names a file wants that one.
                if let Some(named) = &config.config_file {
                    let message = format!("no file `{}`", named.display());
                    return Err(Error::new(What::Request, message));
                }
                let (home, samples) = at_home(&root, data_dir)?;
                let mut project = Project::open(&home, &root);
                project.bare = data_dir.is_none();
                let project = Arc::new(project);
                let config = ServerConfig { projects: vec![home], ..ServerConfig::default() };
                Ok(Self { projects: vec![project], config, file: None, samples })
            }
            Err(error) => Err(Error::internal(error)),
        }
    }

    pub(super) fn replace(&mut self, projects: Vec<Arc<Project>>, config: ServerConfig) {
        (self.projects, self.config) = (projects, config);
    }

    pub(super) fn projects(&self) -> Vec<Arc<Project>> {
        self.projects.clone()
    }

    pub(super) fn project(&self, name: &str) -> Result<Arc<Project>, Error> {
        let found = self.projects.iter().find(|project| project.name == name);
        found.cloned().ok_or_else(|| {
            let known = self.projects.iter().map(|project| project.name.as_str());
            let message = format!("Project '{name}' not found");
            Error::missing(What::Project, message, name, known)
        })
    }
}

/// The project of a server root without a configuration: the packages in it, or the one that it is, or the samples.
fn at_home(root: &Path, data_dir: Option<&Path>) -> Result<(ProjectConfig, bool), Error> {
    let in_it = ProjectConfig::new(HOME, Place::Directory(".".to_owned()));
    if !Project::open(&in_it, root).names().is_empty() {
        return Ok((in_it, false));
    }
    let Some(data_dir) = data_dir.filter(|_| !root.join(MANIFEST).is_file()) else {
        let full = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let name = full.file_name().and_then(|name| name.to_str()).filter(|name| is_name(name));
        let name = name.unwrap_or("package").to_owned();
        let package = PackageConfig { name, location: ".".to_owned() };
        return Ok((ProjectConfig::new(HOME, Place::Packages(vec![package])), false));
    };
    let samples = samples::unpack(data_dir).map_err(Error::internal)?;
    let place = Place::Directory(samples.to_string_lossy().into_owned());
    Ok((ProjectConfig::new(HOME, place), true))
}

impl Project {
    pub(super) fn open(config: &ProjectConfig, base: &Path) -> Self {
        let (directory, packages) = match &config.place {
            Place::Directory(directory) => (resolve(base, directory).ok(), Packages::InDirectory),
            Place::Packages(packages) => {
                let found = packages.iter().map(|p| (p.name.clone(), resolve(base, &p.location)));
                (None, Packages::Listed(found.collect()))
            }
        };
        let connections = match directory.as_deref().map(read_connections) {
            None => Ok(config.connections.clone()),
            Some(Ok(mut own)) => {
                // What the configuration says goes before the file in the folder.
                own.retain(|own| config.connections.iter().all(|other| other.name != own.name));
                own.extend(config.connections.iter().cloned());
                Ok(own)
            }
            Some(Err(why)) => Err(why),
        };
        let (slots, engines) = (Mutex::default(), OnceLock::new());
        let base = base.to_owned();
        Self {
            name: config.name.clone(),
            directory,
            packages,
            connections,
            bare: false,
            base,
            engines,
            slots,
        }
    }

    /// The databases of its connections.
    pub(super) fn engines(&self) -> &Connections {
        self.engines.get_or_init(|| {
            let mut engines = Connections::new();
            for connection in self.connections.iter().flatten() {
                let base = self.directory.as_deref().unwrap_or(&self.base);
                engines.insert(connection.name.clone(), engines::engine(connection, base));
            }
            engines
        })
    }

    pub(super) fn info(&self) -> ProjectInfo {
        let readme = self.directory.as_ref().map(|dir| fs::read_to_string(dir.join("README.md")));
        let readme = readme.and_then(Result::ok).unwrap_or_default();
        ProjectInfo { name: self.name.clone(), readme }
    }

    /// The directory whose folders are its packages, if it is one.
    pub(super) fn folder_of_packages(&self) -> Option<PathBuf> {
        match &self.packages {
            Packages::InDirectory => self.directory.clone(),
            Packages::Listed(_) => None,
        }
    }

    /// A package that somebody asked for before.
    pub(super) fn known(&self, package: &str) -> Option<Arc<Slot>> {
        self.slots.lock().get(package).cloned()
    }

    /// All packages that were asked for.
    pub(super) fn loaded(&self) -> Vec<Arc<Slot>> {
        self.slots.lock().values().cloned().collect()
    }

    /// A package by its name, whether it was asked for before or not.
    pub(super) fn slot(&self, name: &str) -> Result<Arc<Slot>, Error> {
        let found = is_name(name).then(|| self.folder(name)).flatten();
        let Some(folder) = found else {
            self.slots.lock().remove(name);
            let known = self.names();
            let message = format!("Package '{name}' not found in project '{}'", self.name);
            let known = known.iter().map(String::as_str);
            return Err(Error::missing(What::Package, message, name, known));
        };
        let mut slots = self.slots.lock();
        let make = || Arc::new(Slot::new(&self.name, name, folder, self.bare));
        Ok(slots.entry(name.to_owned()).or_insert_with(make).clone())
    }

    /// All packages that there are now.
    pub(super) fn slots(&self) -> Result<Vec<Arc<Slot>>, Error> {
        self.names().iter().map(|name| self.slot(name)).collect()
    }

    pub(super) fn names(&self) -> Vec<String> {
        match &self.packages {
            Packages::Listed(packages) => packages.keys().cloned().collect(),
            Packages::InDirectory => {
                let entries = self.directory.iter().filter_map(|dir| fs::read_dir(dir).ok());
                let names = entries.flatten().filter_map(Result::ok);
                let names = names.filter_map(|entry| entry.file_name().into_string().ok());
                let mut names: Vec<_> =
                    names.filter(|name| is_name(name) && self.folder(name).is_some()).collect();
                names.sort();
                names
            }
        }
    }

    fn folder(&self, name: &str) -> Option<Result<PathBuf, String>> {
        match &self.packages {
            Packages::Listed(packages) => packages.get(name).cloned(),
            Packages::InDirectory => {
                let folder = self.directory.as_ref()?.join(name);
                folder.join(MANIFEST).is_file().then_some(Ok(folder))
            }
        }
    }
}

/// The connections of a folder, if it has the file.
pub(super) fn read_connections(folder: &Path) -> Result<Vec<Connection>, String> {
    let text = match fs::read_to_string(folder.join(CONNECTIONS_FILE)) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(format!("cannot read {CONNECTIONS_FILE}: {}", error.kind())),
    };
    let value = serde_json::from_str(&text)
        .map_err(|why| format!("{CONNECTIONS_FILE} is not valid JSON: {why}"))?;
    Connection::parse_list(&value).map_err(|why| format!("{CONNECTIONS_FILE}: {why}"))
}

/// Where a location leads.
fn resolve(base: &Path, location: &str) -> Result<PathBuf, String> {
    if location.contains("://") || location.starts_with("git@") {
        return Err(format!(
            "`{location}` is not on this machine: fetch it and name the folder in its place"
        ));
    }
    if let Some(rest) = location.strip_prefix("~/") {
        let home = env::var_os("HOME").ok_or("there is no home directory for `~/`")?;
        return Ok(Path::new(&home).join(rest));
    }
    Ok(base.join(location))
}
