//! Universe simulator: people and agents build universes together.
//!
//! Every surface ends in one [`Service`], so the same command has the same answer over REST and MCP, and every
//! applied change reaches the live feeds ([`feed`]) and the subscribed agents ([`watch`]) whoever made it, on
//! whichever replica. The rules are in `universe-core`. Start at [`Service::dispatch`].

pub mod cli;
mod config;
mod error;
mod feed;
mod http;
mod manual;
mod mcp;
mod notice;
mod openapi;
mod ports;
mod resources;
mod schema;
mod service;
mod store;
mod watch;
pub mod wire;

use std::sync::Arc;

use axum::Router;
use futures::FutureExt;
use kit_app::{Deps, Health, Link, Mount};
use kit_mcp::Mode;

pub use config::{BadConfig, Config};
pub use error::Error;
pub use ports::{Ids, RandomIds};
pub use service::{
    Blueprint, Caller, Line, Listing, Made, NewUniverse, Order, Outcome, Page, Record, Replacement,
    Service, Step, Summary,
};

/// The paths of all routes, so that a test can hold the OpenAPI document against them.
pub use http::paths;

/// Its name in paths, commands, configuration and towards MCP clients.
pub const NAME: &str = "universe";

/// Makes the application ready to be served. Must be called inside a tokio runtime: feeds and notifications
/// run beside the requests until `deps.shutdown`.
pub fn mount(config: &Config, deps: &Deps) -> Result<Mount, BadConfig> {
    mount_with(config, deps, Arc::new(RandomIds))
}

/// The same with universe ids of the caller's choice.
pub fn mount_with(config: &Config, deps: &Deps, ids: Arc<dyn Ids>) -> Result<Mount, BadConfig> {
    config.check()?;
    let service = Service::new(&deps.store, deps.clock.clone(), ids);
    let hub = deps.hub.of(NAME);
    tokio::spawn(watch::tell_agents(service.clone(), hub, deps.shutdown.clone()));
    let store = deps.store.clone();
    Ok(Mount {
        name: NAME,
        title: "Universe",
        about: "Build and animate universes of stars, planets, belts and nebulae, together with agents",
        routes: http::routes(config, service.clone(), deps).merge(kit_web::page(NAME)),
        root: Router::new(),
        rest: None,
        mcp: mcp::app(service),
        mode: Mode::Sessions,
        listeners: Vec::new(),
        links: vec![
            Link { label: "Open", href: "/" },
            Link { label: "Universes as JSON", href: "/universes" },
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
    })
}
