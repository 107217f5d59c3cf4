//! Campaigns: people and agents play at one table.
//!
//! Every surface asks a [`Backend`], so the same question has the same answer and the same error over REST, gRPC and MCP.
//! [`Service`] is the backend that has the journal; every change it makes reaches the live feeds and the subscribed agents
//! ([`watch`]) whoever made it, on whichever replica. The rules are in `campaign-core`. Start at [`Backend`].

mod backend;
pub mod cli;
mod config;
mod error;
mod grpc;
mod http;
mod mcp;
mod openapi;
mod ports;
mod remote;
mod service;
mod store;
mod watch;
pub mod wire;

use std::sync::Arc;

use axum::Router;
use futures::{FutureExt as _, future::BoxFuture};
use kit_app::{Deps, Health, Link, Mount};
use kit_mcp::Mode;

pub use backend::{
    Backend, Caller, Change, ChangeStream, EventQuery, EventStream, Page, PageRequest, Place,
    Wanted,
};
pub use config::Config;
pub use error::Error;
pub use ports::{OsRandom, Random};
pub use remote::{BadAddress, Remote};
pub use service::Service;

/// The paths of all routes, so that a test can hold the OpenAPI document against them.
pub use http::paths;

/// Its name in paths, commands, configuration and towards MCP clients.
pub const NAME: &str = "campaign";

/// Makes the application ready to be served. Must be called inside a tokio runtime: notifications run beside the requests
/// until `deps.shutdown`.
pub fn mount(config: &Config, deps: &Deps) -> Mount {
    mount_with(config, deps, Arc::new(OsRandom))
}

/// The same with ids, seeds and tokens of the caller's choice.
pub fn mount_with(config: &Config, deps: &Deps, random: Arc<dyn Random>) -> Mount {
    let service = Service::new(&deps.store, deps.clock.clone(), random);
    let store = deps.store.clone();
    let check: Check = Arc::new(move || {
        let store = store.clone();
        async move { how(store.health().await) }.boxed()
    });
    let backend: Arc<dyn Backend> = Arc::new(service.clone());
    Mount {
        routes: http::routes(config, service, deps).merge(kit_web::page(NAME)),
        root: grpc::routes(backend.clone(), deps.shutdown.clone()),
        links: vec![
            Link { label: "Open", href: "/" },
            Link { label: "Campaigns as JSON", href: "/campaigns" },
            Link { label: "OpenAPI", href: "/openapi.json" },
        ],
        ..to_agents(backend, check, deps)
    }
}

/// The MCP surface alone, over the campaigns of the server at `address`.
pub fn mount_remote(address: &str, token: Option<&str>, deps: &Deps) -> Result<Mount, BadAddress> {
    let remote = Remote::new(address, token)?;
    let asked = remote.clone();
    let check: Check = Arc::new(move || {
        let remote = asked.clone();
        async move { how(remote.check().await) }.boxed()
    });
    let waiting = remote.clone();
    let stop = deps.shutdown.clone();
    // Says in the log why calls fail while the other side is not there.
    tokio::spawn(async move { stop.run_until_cancelled(waiting.ready()).await });
    Ok(to_agents(Arc::new(remote), check, deps))
}

/// Whether the application can do its work.
type Check = Arc<dyn Fn() -> BoxFuture<'static, Health> + Send + Sync>;

fn how<E: std::fmt::Display>(checked: Result<(), E>) -> Health {
    match checked {
        Ok(()) => Health::Well,
        Err(error) => Health::Ill { reason: error.to_string() },
    }
}

fn to_agents(backend: Arc<dyn Backend>, health: Check, deps: &Deps) -> Mount {
    let hub = deps.hub.of(NAME);
    tokio::spawn(watch::tell_agents(backend.clone(), hub.clone(), deps.shutdown.clone()));
    Mount {
        name: NAME,
        title: "Campaign",
        about: "Run tabletop campaigns with Duality dice, together with agents",
        routes: Router::new(),
        root: Router::new(),
        rest: None,
        mcp: mcp::app(backend, &hub),
        mode: Mode::Cookie,
        listeners: Vec::new(),
        links: Vec::new(),
        health,
    }
}
