//! Spec Oxide: a repository's specs and changes, for people and coding agents.
//!
//! The files of a project are the truth. [`Service`] reads them ([`project`]), asks `spox-core` what they say and
//! `spox-search` what is where, and answers in the words of [`wire`]; MCP, HTTP and the command line only pass its answers
//! on. Edits by anyone reach open pages and subscribed agents ([`watch`]). Start at [`Service`].

pub mod cli;
mod config;
mod error;
mod http;
pub mod init;
mod mcp;
pub mod project;
mod search;
mod service;
mod watch;
pub mod wire;

use std::sync::Arc;

use axum::Router;
use futures::FutureExt as _;
use kit_app::{Deps, Health, Link, Mount};
use kit_mcp::Mode;

pub use config::Config;
pub use error::Error;
pub use project::Place;
pub use search::{IndexState, SearchQuery};
pub use service::*;

/// Its name in paths, commands, configuration and towards MCP clients.
pub const NAME: &str = "spox";

/// Makes the application ready to be served. Must be called inside a tokio runtime: edits are watched beside the requests
/// until `deps.shutdown`.
pub fn mount(config: &Config, deps: &Deps) -> std::io::Result<Mount> {
    let place = match &config.root {
        Some(root) => Place::At(std::path::absolute(root)?),
        None => Place::From(std::env::current_dir()?),
    };
    Ok(mount_at(place, deps))
}

/// The same for the project at `place`.
pub fn mount_at(place: Place, deps: &Deps) -> Mount {
    let service = Service::new(place, deps.clock.clone());
    let feed = watch::Feed::default();
    watch::connect(&service, feed.clone(), deps.hub.of(NAME));
    tokio::spawn(watch::run(service.clone(), deps.shutdown.clone()));
    Mount {
        name: NAME,
        title: "Spox",
        about: "Keep specs and proposed changes, with agents that read, check and search them",
        routes: http::routes(&service, feed, deps).merge(kit_web::page(NAME)),
        root: Router::new(),
        rest: None,
        mcp: mcp::app(service),
        mode: Mode::Sessions,
        listeners: Vec::new(),
        links: vec![
            Link { label: "Open", href: "/" },
            Link { label: "Specs as JSON", href: "/specs" },
        ],
        // Without a project it still does what it can: it says how to make one.
        health: Arc::new(|| async { Health::Well }.boxed()),
    }
}
