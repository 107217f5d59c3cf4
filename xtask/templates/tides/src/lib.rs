//! Tides: logs that people and agents write together.
//!
//! [`mount`] is what the host calls. A request's way is `http` or `mcp` → [`Service`] → `tides_core::decide`.

mod http;
mod mcp;
mod service;
mod wire;

use std::sync::Arc;

use kit_app::{Deps, Health, Mount};
use kit_mcp::Mode;

pub use self::service::Service;

/// The application, ready to be served.
pub fn mount(deps: &Deps) -> Mount {
    let service = Service::new(deps);
    let store = deps.store.clone();
    Mount {
        name: "tides",
        title: "Tides",
        about: "Logs that people and agents write together.",
        routes: http::routes(service.clone()),
        mcp: mcp::app(service),
        mode: Mode::Sessions,
        links: Vec::new(),
        health: Arc::new(move || {
            let store = store.clone();
            Box::pin(async move {
                match store.health().await {
                    Ok(()) => Health::Well,
                    Err(error) => Health::Ill { reason: error.to_string() },
                }
            })
        }),
    }
}
