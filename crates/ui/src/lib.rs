//! The UI platform: an agent builds a live page in Lua and HTML, and hears what the person does with it.
//!
//! A [`Service`] is configured with a project's folder, started, and used; MCP, HTTP and the command line all come there.
//! A server at work (`running`) has sessions; a session has a queue, a Lua VM (`ui-lua`), the variables that browsers
//! watch (`ui-core`), and their sockets (`http`). Edited files take effect at once (`watch`). Start at [`mount`], then
//! at the modules `service` and `session`.

mod audits;
mod browser;
pub mod cli;
mod config;
mod documents;
mod error;
mod guides;
mod http;
mod mcp;
mod project;
mod running;
mod service;
mod session;
mod settings;
mod tools;
mod viewdefs;
mod watch;

use std::{net::SocketAddr, sync::Arc};

use axum::Router;
use futures::FutureExt as _;
use kit_app::{Deps, Health, Link, Mount};
use kit_mcp::Mode as Keeping;

pub use config::Config;
pub use error::Error;
pub use project::Project;
pub use service::Service;
pub use settings::{BadSetting, Settings};

use self::{running::Surroundings, service::Mode};

/// Its name in paths, commands, configuration and towards MCP clients.
pub const NAME: &str = "ui";

/// Makes the application ready to be served. Must be called inside a tokio runtime.
///
/// Without a folder in `config` an agent configures and starts a server of pages, which then has a port of its own;
/// what is mounted here is its overview. With a folder, and `bound` where the host listens, its pages are mounted
/// here, and whoever comes gets a session.
pub fn mount(config: &Config, bound: Option<SocketAddr>, deps: &Deps) -> anyhow::Result<Mount> {
    let around = Surroundings {
        hub: deps.hub.of(NAME),
        clock: deps.clock.clone(),
        shutdown: deps.shutdown.clone(),
    };
    let home = bound.filter(|_| config.dir.is_some()).map(|bound| format!("http://{bound}"));
    let mode = if home.is_some() { Mode::Visitors } else { Mode::Agent };
    let service = Service::new(config.clone(), around, home.clone(), mode);
    if let Some(dir) = &config.dir {
        service.begin(dir)?;
    }
    let pages = home.is_some();
    let (routes, link) = if pages {
        (http::routes(&service), Link { label: "Open", href: "/" })
    } else {
        let routes = kit_http::own_pages_only(http::asking().with_state(service.clone()));
        (routes.merge(kit_web::page("ui-home")), Link { label: "Overview", href: "/" })
    };
    Ok(Mount {
        name: NAME,
        title: "UI platform",
        about: "Build a live page in Lua and HTML with an agent, and let it hear what you do",
        routes,
        root: Router::new(),
        rest: pages.then(|| http::rest(&service)),
        mcp: mcp::app(service.clone()),
        mode: Keeping::Sessions,
        listeners: Vec::new(),
        links: vec![link],
        health: Arc::new(|| async { Health::Well }.boxed()),
    })
}
