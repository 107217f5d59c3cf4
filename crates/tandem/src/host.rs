//! The applications at work, and what they share.

use std::sync::Arc;

use anyhow::Context;
use kit_app::{Deps, Mount, SystemClock};
use kit_mcp::{Hub, Options, Server};
use kit_store::{Store, StoreConfig, StoreError};
use tokio_util::sync::CancellationToken;

use crate::{
    apps::Application,
    commands::mcp::identity,
    config::{Config, Keep},
};

/// The applications and what the host gave them.
pub(crate) struct Host {
    pub(crate) mounts: Vec<Mount>,
    pub(crate) store: Store,
    /// Cancelled when the host stops: streams and background work end.
    pub(crate) shutdown: CancellationToken,
    pub(crate) mcp_metrics: kit_mcp::Metrics,
    hub: Hub,
    mcp_limits: kit_mcp::Limits,
    elsewhere: bool,
}

impl Host {
    /// One application that keeps nothing here: another server has what it shows.
    pub(crate) fn elsewhere(
        config: &Config,
        app: &Application,
        mount: impl Fn(&Deps) -> anyhow::Result<Mount>,
    ) -> anyhow::Result<Self> {
        let host = Self::with(Store::memory(), config, &[app], |_, deps| mount(deps))?;
        Ok(Self { elsewhere: true, ..host })
    }

    /// Whether another server has what is shown here.
    pub(crate) fn is_elsewhere(&self) -> bool {
        self.elsewhere
    }

    /// Opens the store and starts the applications.
    pub(crate) async fn start(config: &Config, apps: &[&Application]) -> anyhow::Result<Self> {
        let store = open(config).await.map_err(|error| cannot_open(config, error))?;
        Self::on(store, config, apps)
    }

    /// The same, unless another process has the store, which then is the one to ask.
    pub(crate) async fn start_or_join(
        config: &Config,
        apps: &[&Application],
    ) -> anyhow::Result<Option<Self>> {
        match open(config).await {
            Ok(store) => Self::on(store, config, apps).map(Some),
            Err(StoreError::InUse { .. }) => Ok(None),
            Err(error) => Err(cannot_open(config, error)),
        }
    }

    fn on(store: Store, config: &Config, apps: &[&Application]) -> anyhow::Result<Self> {
        Self::with(store, config, apps, |app, deps| (app.mount)(config, deps))
    }

    fn with(
        store: Store,
        config: &Config,
        apps: &[&Application],
        mount: impl Fn(&Application, &Deps) -> anyhow::Result<Mount>,
    ) -> anyhow::Result<Self> {
        let server = &config.server;
        let (hub, shutdown) = (Hub::default(), CancellationToken::new());
        let deps = |app: &Application| Deps {
            store: store.clone(),
            clock: Arc::new(SystemClock),
            hub: hub.of(app.name),
            data_dir: server.data_dir.clone(),
            shutdown: shutdown.clone(),
        };
        let mount = |app: &&Application| {
            mount(app, &deps(app))
                .with_context(|| format!("cannot start application `{}`", app.name))
        };
        let mounts = apps.iter().map(mount).collect::<anyhow::Result<_>>()?;
        let mcp_limits = config.mcp.limits();
        let mcp_metrics = kit_mcp::Metrics::default();
        Ok(Self { mounts, store, shutdown, mcp_metrics, hub, mcp_limits, elsewhere: false })
    }

    /// One application as an MCP server.
    pub(crate) fn single(&self, mount: &Mount) -> Server {
        self.serving(mount.mcp.clone())
    }

    /// An application's surface as an MCP server, as it presents itself there.
    pub(crate) fn serving(&self, app: kit_mcp::App) -> Server {
        Server::single(app, self.options())
    }

    pub(crate) fn mount(&self, name: &str) -> Option<&Mount> {
        self.mounts.iter().find(|mount| mount.name == name)
    }

    /// Several applications as one MCP server.
    pub(crate) fn combined(&self, names: &[&str]) -> Server {
        let wanted = self.mounts.iter().filter(|mount| names.contains(&mount.name));
        let apps = wanted.map(|mount| mount.mcp.clone()).collect();
        Server::combined(&identity(), apps, self.options())
    }

    fn options(&self) -> Options {
        Options {
            hub: self.hub.clone(),
            limits: self.mcp_limits.clone(),
            metrics: self.mcp_metrics.clone(),
        }
    }

    /// Ends streams and background work, then lets go of the store.
    pub(crate) async fn stop(&self) {
        self.shutdown.cancel();
        self.store.close().await;
    }
}

async fn open(config: &Config) -> Result<Store, StoreError> {
    let server = &config.server;
    if server.store == Keep::Memory {
        return Ok(Store::memory());
    }
    Store::open(&StoreConfig {
        database_url: server.database_url.as_ref().map(|url| url.reveal().to_owned()),
        data_dir: Some(server.data_dir.clone()),
        file: Some(server.data_file.clone()),
    })
    .await
}

fn cannot_open(config: &Config, error: StoreError) -> anyhow::Error {
    let server = &config.server;
    kit_cli::fault(error).context(match &server.database_url {
        Some(url) => format!("cannot open the database `{url:?}`"),
        None => format!("cannot open the store in `{}`", server.data_dir.display()),
    })
}
