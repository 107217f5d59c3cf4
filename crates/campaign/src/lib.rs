//! Campaigns: people and agents play at one table.
//!
//! Every surface asks a [`Backend`], so the same question has the same answer and the same error over REST, gRPC and MCP.
//! [`Service`] is the backend that has the journal; every change it makes reaches the live feeds and the subscribed agents
//! ([`watch`]) whoever made it, on whichever replica. The rules are in `campaign-core`. Start at [`Backend`].

mod backend;
mod config;
mod error;
mod grpc;
mod http;
mod openapi;
mod ports;
mod remote;
mod service;
mod store;
mod watch;
pub mod wire;

use std::sync::Arc;

use axum::Router;
use futures::FutureExt as _;
use kit_app::{Deps, Health, Link, Mount};
use kit_mcp::{App, Mode};

pub use backend::{
    Backend, Caller, Change, ChangeStream, EventQuery, EventStream, Page, PageRequest, Place,
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
    let backend: Arc<dyn Backend> = Arc::new(service.clone());
    let hub = deps.hub.of(NAME);
    tokio::spawn(watch::tell_agents(backend.clone(), hub, deps.shutdown.clone()));
    let store = deps.store.clone();
    Mount {
        name: NAME,
        title: "Campaign",
        about: "Run tabletop campaigns with Duality dice, together with agents",
        root: grpc::routes(backend.clone(), deps.shutdown.clone()),
        routes: http::routes(config, service, deps).merge(kit_web::page(NAME)),
        beside_mcp: Router::new(),
        mcp: App::new(NAME, env!("CARGO_PKG_VERSION")).title("Campaign"),
        mode: Mode::Cookie,
        links: vec![
            Link { label: "Open", href: "/" },
            Link { label: "Campaigns as JSON", href: "/campaigns" },
            Link { label: "OpenAPI", href: "/openapi.json" },
        ],
        health: Arc::new(move || {
            let store = store.clone();
            async move {
                match store.health().await {
                    Ok(()) => Health::Well,
                    Err(error) => Health::Ill { reason: error.to_string() },
                }
            }
            .boxed()
        }),
    }
}
