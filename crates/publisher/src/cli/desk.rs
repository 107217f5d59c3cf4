//! What a command works with.

use std::{path::PathBuf, sync::Arc, time::Duration};

use kit_app::SystemClock;
use kit_cli::Ui;
use kit_core::Principal;

use crate::{At, Config, Error, Package, Service, Watch, What};

/// The projects of a folder.
pub(super) struct Desk {
    pub(super) service: Service,
    pub(super) caller: Principal,
}

/// Where a model or notebook is.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Address {
    /// The file: `package/model.malloy`; just its path where the folder is the package
    #[arg(value_name = "FILE")]
    file: String,

    /// The project (default: the only one, or the first)
    #[arg(long, value_name = "NAME")]
    project: Option<String>,
}

impl Desk {
    pub(super) fn open(root: Option<&str>) -> Result<Self, Error> {
        let server_root = root.map(PathBuf::from);
        if let Some(root) = server_root.as_ref().filter(|root| !root.is_dir()) {
            let message = format!("no folder `{}`", root.display());
            return Err(Error::new(What::Request, message));
        }
        let config = Config { server_root, watch: Watch::None, ..Config::default() };
        let service = Service::on_files(config, Arc::new(SystemClock))?;
        Ok(Self { service, caller: Principal::new("terminal") })
    }

    /// The project that is meant.
    pub(super) async fn project(&self, named: Option<&str>) -> Result<String, Error> {
        match named {
            Some(name) => Ok(self.service.project(name, false).await?.name),
            None => match self.service.projects().await.into_iter().next() {
                Some(first) => Ok(first.name),
                None => Err(Error::new(What::Project, "the configuration has no projects")),
            },
        }
    }

    /// The packages of a project, with a bar where that takes a while.
    pub(super) async fn packages(
        &self,
        ui: &Ui,
        project: &str,
    ) -> Result<Vec<Arc<Package>>, Error> {
        waiting(ui, "loading packages", self.service.packages(project)).await
    }

    /// The file that is meant. Where there is one package, its name may be left out.
    pub(super) async fn find(&self, ui: &Ui, address: &Address) -> Result<At, Error> {
        let project = self.project(address.project.as_deref()).await?;
        let file = address.file.trim_start_matches("./");
        if let Some(only) = self.service.only_package(&project).await? {
            let package = waiting(ui, "loading", self.service.package(&project, &only)).await?;
            if package.models.contains_key(file) || !file.starts_with(&format!("{only}/")) {
                return Ok(At::new(&project, &only, file));
            }
        }
        let Some((package, path)) = file.split_once('/') else {
            let message = format!("`{file}` does not say which package it is of");
            return Err(Error::new(What::Request, message).hint(format!("say `package/{file}`")));
        };
        waiting(ui, "loading", self.service.package(&project, package)).await?;
        Ok(At::new(&project, package, path))
    }
}

/// Waits with a bar that shows when it takes long.
pub(super) async fn waiting<T>(ui: &Ui, what: &str, work: impl Future<Output = T>) -> T {
    let mut progress = ui.progress(0, what);
    let mut work = std::pin::pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(Duration::from_millis(50)) => progress.advance(1),
        }
    }
}
