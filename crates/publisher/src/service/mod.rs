//! What every surface asks.
//!
//! Projects and packages are found in [`registry`]; a package is loaded once for all who ask ([`slot`], [`load`]); queries
//! run under limits ([`query`]). Compiling and running block, and are done on threads that may; whoever waits here does not.

mod cache;
mod compile;
mod connections;
mod engines;
mod events;
mod history;
mod load;
mod manage;
mod model;
mod notebook;
mod package;
mod query;
mod registry;
mod slot;
mod status;
mod temporary;
mod watch;

use std::{path::Path, sync::Arc};

use kit_app::Clock;
use parking_lot::RwLock;
use publisher_core::name::is_path;
use tokio::sync::broadcast;

use self::{
    cache::Cache, history::History, query::Queries, registry::Registry, temporary::Temporary,
    watch::Watching,
};
pub use self::{
    compile::{CompileAsk, CompileReport, Scope},
    connections::{ColumnInfo, ConnectionInfo, QueryData, Reach, SchemaInfo},
    events::Change,
    history::{By, Run as PastQuery, Surface, Who},
    model::{Model, ModelKind, Stale},
    notebook::{Cell, CellKind, Notebook, Run},
    package::{DataInfo, Database, Package, Reloaded, ScheduleInfo},
    query::{Answer, Ask, Asked, LimitSource},
    status::{LoadError, Operational, Status},
};
use crate::{Config, Error, What};

/// The publisher for all surfaces. Cloning is cheap.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    config: Config,
    clock: Arc<dyn Clock>,
    registry: RwLock<Registry>,
    queries: Queries,
    cache: Arc<Cache>,
    temporary: Arc<Temporary>,
    watching: parking_lot::Mutex<Watching>,
    history: History,
    events: broadcast::Sender<Change>,
    /// Held while the configuration is changed.
    changing: tokio::sync::Mutex<()>,
}

/// A file of a package.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct At {
    pub project: String,
    pub package: String,
    /// Relative to the package, `/` separated.
    pub path: String,
}

impl At {
    pub fn new(project: &str, package: &str, path: &str) -> Self {
        Self { project: project.to_owned(), package: package.to_owned(), path: path.to_owned() }
    }
}

/// A project as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectInfo {
    pub name: String,
    /// The text of its README.md; empty without one.
    pub readme: String,
}

/// How many changes a slow listener may be behind.
const KEPT_EVENTS: usize = 256;

impl Service {
    /// The projects of the server root, or the samples in `data_dir` where there are none. Nothing is loaded yet.
    pub fn open(config: Config, data_dir: &Path, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        Ok(Self::with(Registry::open(&config, Some(data_dir))?, config, clock))
    }

    /// The projects of a folder that somebody works in. One without a configuration, packages and a manifest is a package
    /// by itself.
    pub fn on_files(config: Config, clock: Arc<dyn Clock>) -> Result<Self, Error> {
        Ok(Self::with(Registry::open(&config, None)?, config, clock))
    }

    fn with(registry: Registry, config: Config, clock: Arc<dyn Clock>) -> Self {
        let queries = Queries::new(&config);
        let history = History::new(config.history);
        let cache = Arc::new(Cache::new(&config));
        let temporary = Arc::new(Temporary::new(&config));
        let events = broadcast::Sender::new(KEPT_EVENTS);
        let registry = RwLock::new(registry);
        Self(Arc::new(Inner {
            config,
            clock,
            registry,
            queries,
            cache,
            temporary,
            watching: parking_lot::Mutex::default(),
            history,
            events,
            changing: tokio::sync::Mutex::default(),
        }))
    }

    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Every project, in the order of the configuration.
    pub async fn projects(&self) -> Vec<ProjectInfo> {
        let projects = self.0.registry.read().projects();
        let read = move || projects.iter().map(|project| project.info()).collect();
        blocking(move || Ok(read())).await.unwrap_or_default()
    }

    /// One project. With `reload` its packages are compiled anew.
    pub async fn project(&self, name: &str, reload: bool) -> Result<ProjectInfo, Error> {
        let project = self.0.registry.read().project(name)?;
        if reload {
            for slot in project.loaded() {
                // What is wrong with one of them is found at the package.
                drop(slot.reload(self).await);
            }
        }
        blocking(move || Ok(project.info())).await
    }

    /// The packages of a project, loaded. One that cannot be loaded is there with its error.
    pub async fn packages(&self, project: &str) -> Result<Vec<Arc<Package>>, Error> {
        let project = self.0.registry.read().project(project)?;
        let slots = blocking(move || project.slots()).await?;
        let loads = slots.iter().map(|slot| slot.get(self));
        let loaded = futures::future::join_all(loads).await;
        // A folder that has gone since it was listed is no package any more.
        Ok(loaded.into_iter().filter_map(Result::ok).collect())
    }

    /// The name of the only package of a project, where there is only one. Loads nothing.
    pub async fn only_package(&self, project: &str) -> Result<Option<String>, Error> {
        let project = self.0.registry.read().project(project)?;
        let mut names = blocking(move || Ok(project.names())).await?;
        Ok(if names.len() == 1 { names.pop() } else { None })
    }

    /// One package, loaded now if nobody asked for it before. Whoever asks meanwhile shares the load.
    pub async fn package(&self, project: &str, package: &str) -> Result<Arc<Package>, Error> {
        self.slot(project, package).await?.get(self).await
    }

    /// Compiles a package anew. What compiled before and does not any more keeps serving, marked as stale.
    pub async fn reload(&self, project: &str, package: &str) -> Result<Reloaded, Error> {
        self.slot(project, package).await?.reload(self).await
    }

    /// A model or a notebook that can be asked.
    pub async fn model(&self, at: &At) -> Result<Arc<Model>, Error> {
        let (_, model) = self.found(at).await?;
        match &model.compiled {
            Ok(_) => Ok(model),
            Err(failure) => {
                Err(Error::failure(What::Compile, failure, Some(&model.path), &model.text))
            }
        }
    }

    /// The same with its package, whether it compiles or not.
    pub async fn found(&self, at: &At) -> Result<(Arc<Package>, Arc<Model>), Error> {
        let package = self.package(&at.project, &at.package).await?;
        if let Some(error) = &package.error {
            return Err(Error::new(What::Compile, error.clone())
                .hint("correct `publisher.json` of the package and reload it"));
        }
        let found = is_path(&at.path).then(|| package.models.get(&at.path)).flatten();
        if let Some(model) = found.cloned() {
            return Ok((package, model));
        }
        let notebook = at.path.ends_with(".malloynb");
        let what = if notebook { What::Notebook } else { What::Model };
        let known = package.models.keys().map(String::as_str);
        Err(Error::missing(what, format!("{} does not exist", at.path), &at.path, known))
    }

    /// What changes from now on.
    pub fn events(&self) -> broadcast::Receiver<Change> {
        self.0.events.subscribe()
    }

    async fn slot(&self, project: &str, package: &str) -> Result<Arc<slot::Slot>, Error> {
        let project = self.0.registry.read().project(project)?;
        // Known already: nobody has to look at the disk.
        if let Some(slot) = project.known(package) {
            return Ok(slot);
        }
        let name = package.to_owned();
        blocking(move || project.slot(&name)).await
    }

    fn tell(&self, change: Change) {
        // Nobody may be listening.
        drop(self.0.events.send(change));
    }
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").finish_non_exhaustive()
    }
}

/// Does work on a thread that may wait.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => std::panic::resume_unwind(panic),
            Err(_) => Err(Error::new(What::Cancelled, "the server is stopping")),
        },
    }
}
