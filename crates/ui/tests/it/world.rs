//! The application in a folder of its own.

use std::{fs, path::Path, sync::Arc};

use kit_app::{Deps, SystemClock};
use kit_mcp::{Hub, Options, Server};
use kit_store::Store;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use crate::agent::Agent;

/// One process's worth of the application. Ends when dropped.
pub(crate) struct World {
    pub(crate) dir: TempDir,
    server: Server,
    shutdown: CancellationToken,
}

impl Drop for World {
    fn drop(&mut self) {
        self.shutdown.cancel();
    }
}

/// A counter with a button, and a form that tells the agent.
pub(crate) const COUNTER: &str = r#"
App = session:prototype("App", { count = 0, name = "", items = EMPTY })
function App:inc() self.count = self.count + 1 end
function App:save() mcp.notify("saved", { count = self.count, name = self.name }) end
app = session:create(App, { items = {} })
session:createAppVariable(app)
"#;

pub(crate) const COUNTER_VIEW: &str = r#"<template><div><span ui-value="count"></span><button ui-action="inc()">+</button></div></template>"#;

impl World {
    /// With an empty folder and nothing configured.
    pub(crate) fn new() -> Self {
        Self::with(&ui::Config::default())
    }

    pub(crate) fn with(config: &ui::Config) -> Self {
        let (store, hub, shutdown) = (Store::memory(), Hub::default(), CancellationToken::new());
        let deps = Deps {
            store,
            clock: Arc::new(SystemClock),
            hub: hub.clone(),
            data_dir: "unused".into(),
            shutdown: shutdown.clone(),
        };
        let mount = ui::mount(config, None, &deps).unwrap();
        let server = Server::single(mount.mcp, Options { hub, ..Options::default() });
        Self { dir: TempDir::new().unwrap(), server, shutdown }
    }

    /// With the counter, for anybody who comes; the address of the pages.
    pub(crate) async fn visited(settings: &str) -> (Self, String) {
        let dir = TempDir::new().unwrap();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let bound = listener.local_addr().unwrap();
        let (hub, shutdown) = (Hub::default(), CancellationToken::new());
        let deps = Deps {
            store: Store::memory(),
            clock: Arc::new(SystemClock),
            hub: hub.clone(),
            data_dir: "unused".into(),
            shutdown: shutdown.clone(),
        };
        fs::create_dir_all(dir.path().join("lua")).unwrap();
        fs::create_dir_all(dir.path().join("config")).unwrap();
        fs::write(dir.path().join("lua/main.lua"), COUNTER).unwrap();
        fs::write(dir.path().join("config/config.toml"), settings).unwrap();
        let config = ui::Config { dir: Some(dir.path().to_owned()), ..ui::Config::default() };
        let mount = ui::mount(&config, Some(bound), &deps).unwrap();
        let server = Server::single(mount.mcp, Options { hub, ..Options::default() });
        let routes = mount.routes.fallback_service(mount.rest.unwrap());
        tokio::spawn(async move { axum::serve(listener, routes).await });
        (Self { dir, server, shutdown }, format!("http://{bound}"))
    }

    /// A client that has said hello.
    pub(crate) async fn agent(&self) -> Agent {
        Agent::new(self.server.clone(), self.shutdown.child_token()).await
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn base(&self) -> String {
        self.path().to_str().unwrap().to_owned()
    }

    /// Puts a file into the folder.
    pub(crate) fn put(&self, name: &str, text: &str) {
        let path = self.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path().join(name)).unwrap()
    }

    /// Configured and started; the agent, and the address of the pages.
    pub(crate) async fn started(&self) -> (Agent, String) {
        let agent = self.agent().await;
        agent.tool("ui_configure", serde_json::json!({"base_dir": self.base()})).await;
        let url = agent.tool("ui_start", serde_json::json!({})).await;
        (agent, url)
    }

    /// With the counter.
    pub(crate) async fn counting() -> (Self, Agent, String) {
        let world = Self::new();
        world.put("lua/main.lua", COUNTER);
        world.put("viewdefs/App.DEFAULT.html", COUNTER_VIEW);
        let (agent, url) = world.started().await;
        (world, agent, url)
    }
}
