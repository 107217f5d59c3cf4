//! Tides: logs that people and agents write together.
//!
//! Every surface ends in one [`Service`], so the same command has the same answer over HTTP and MCP. The rules are
//! in `tides-core`. Start at [`Service::dispatch`].

mod config;
mod http;
mod mcp;
mod service;
mod store;
pub mod wire;

use std::sync::Arc;

use futures::FutureExt as _;
use kit_app::{Deps, Health, Mount};
use kit_mcp::Mode;

pub use config::Config;
pub use service::Service;

/// Its name in paths, commands, configuration and towards MCP clients.
pub const NAME: &str = "tides";

/// Makes the application ready to be served.
pub fn mount(config: &Config, deps: &Deps) -> Mount {
    let service = Service::new(config, deps);
    let store = deps.store.clone();
    Mount {
        name: NAME,
        title: "Tides",
        about: "Write logs together with agents",
        routes: http::routes(service.clone()),
        root: axum::Router::new(),
        rest: None,
        mcp: mcp::app(service),
        mode: Mode::Sessions,
        listeners: Vec::new(),
        links: Vec::new(),
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
