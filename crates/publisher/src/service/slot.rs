//! The place of one package: what is loaded, and the one load that is under way.

use std::{
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
};

use futures::{
    FutureExt as _,
    future::{BoxFuture, Shared},
};
use parking_lot::Mutex;

use super::{
    Change, Service, blocking,
    load::{self, Source},
    package::{Package, Reloaded},
};
use crate::{Error, What};

/// Where a package is, or will be.
pub(super) struct Slot {
    pub(super) project: String,
    pub(super) name: String,
    folder: Result<PathBuf, String>,
    /// Whether it needs no manifest.
    bare: bool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    current: Option<Arc<Package>>,
    loading: Option<Loading>,
}

/// A load that any number of askers wait for. It goes on when all of them leave, so that the next finds it done.
type Loading = Shared<BoxFuture<'static, Result<Arc<Package>, Error>>>;

static GENERATIONS: AtomicU64 = AtomicU64::new(1);

impl Slot {
    pub(super) fn new(
        project: &str,
        name: &str,
        folder: Result<PathBuf, String>,
        bare: bool,
    ) -> Self {
        let (project, name, state) = (project.to_owned(), name.to_owned(), Mutex::default());
        Self { project, name, folder, bare, state }
    }

    /// Where it is on disk, if it is.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        self.folder.as_ref().ok().cloned()
    }

    /// What is loaded, if anything is.
    pub(super) fn current(&self) -> Option<Arc<Package>> {
        self.state.lock().current.clone()
    }

    /// The package, loaded if it is not yet.
    pub(super) async fn get(self: &Arc<Self>, service: &Service) -> Result<Arc<Package>, Error> {
        let loading = {
            let mut state = self.state.lock();
            match (&state.current, &state.loading) {
                (Some(package), _) => return Ok(package.clone()),
                (None, Some(loading)) => loading.clone(),
                (None, None) => self.begin(&mut state, service),
            }
        };
        loading.await
    }

    /// Loads anew. Who asks while a reload is under way waits for it and gets another, since files may have been written
    /// after it had read them.
    pub(super) async fn reload(self: &Arc<Self>, service: &Service) -> Result<Reloaded, Error> {
        loop {
            let (loading, mine) = {
                let mut state = self.state.lock();
                match &state.loading {
                    Some(loading) => (loading.clone(), false),
                    None => (self.begin(&mut state, service), true),
                }
            };
            let package = loading.await;
            if mine {
                return package.map(Reloaded::of);
            }
        }
    }

    fn begin(self: &Arc<Self>, state: &mut State, service: &Service) -> Loading {
        let (slot, service, earlier) = (self.clone(), service.clone(), state.current.clone());
        let work = tokio::spawn(async move { slot.load(service, earlier).await });
        let loading = async move {
            work.await.unwrap_or_else(|_| {
                Err(Error::new(What::Internal, "the package could not be loaded")
                    .hint("the server's log has the details"))
            })
        };
        let loading = loading.boxed().shared();
        state.loading = Some(loading.clone());
        loading
    }

    async fn load(
        self: Arc<Self>,
        service: Service,
        earlier: Option<Arc<Package>>,
    ) -> Result<Arc<Package>, Error> {
        let clean = Clean(&self);
        let project = service.0.registry.read().project(&self.project)?;
        let source = Source {
            of_project: project.connections.clone(),
            engines: project.engines().clone(),
            memory: service.0.config.max_memory_bytes,
            files: service.0.config.file_bytes,
            project: self.project.clone(),
            name: self.name.clone(),
            folder: self.folder.clone(),
            bare: self.bare,
            generation: GENERATIONS.fetch_add(1, Relaxed),
            now: service.0.clock.now_ms(),
        };
        let loaded = blocking(move || load::load(source, earlier.as_deref())).await;
        let loaded = loaded.map(Arc::new);
        {
            let mut state = self.state.lock();
            match &loaded {
                Ok(package) => state.current = Some(package.clone()),
                // The folder is gone.
                Err(error) if error.what == What::Package => state.current = None,
                Err(_) => {}
            }
        }
        drop(clean);
        self.tell(&service, &loaded);
        loaded
    }

    fn tell(&self, service: &Service, loaded: &Result<Arc<Package>, Error>) {
        let (project, package) = (self.project.clone(), self.name.clone());
        let failed = |message: String, stale: bool| Change::Failed {
            project: project.clone(),
            package: package.clone(),
            message,
            stale,
        };
        match loaded {
            Err(error) => service.tell(failed(error.message.clone(), false)),
            Ok(loaded) => {
                tracing::info!(
                    project = %self.project, package = %self.name, models = loaded.models.len(),
                    ms = loaded.load_ms, "package loaded"
                );
                let (generation, models) = (loaded.generation, loaded.models.len());
                let done = Change::Loaded {
                    project: project.clone(),
                    package: package.clone(),
                    generation,
                    models,
                };
                service.tell(done);
                if let Some(stale) = &loaded.stale {
                    service.tell(failed(stale.message.clone(), true));
                } else if let Some(error) = &loaded.error {
                    service.tell(failed(error.clone(), false));
                } else if let Some((path, why)) = loaded.broken().next() {
                    service.tell(failed(format!("{path}: {why}"), false));
                }
            }
        }
    }
}

/// Ends the load of a slot, also when it panics.
struct Clean<'a>(&'a Slot);

impl Drop for Clean<'_> {
    fn drop(&mut self) {
        self.0.state.lock().loading = None;
    }
}

impl Reloaded {
    fn of(package: Arc<Package>) -> Self {
        let problems = package.problems();
        Self { package, problems }
    }
}
