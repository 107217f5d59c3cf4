//! Publisher: packages of Malloy models, served to people, programs and agents.
//!
//! A package is a folder with a manifest, models, notebooks and data. [`Service`] loads and compiles packages when they are
//! first asked for, runs queries under limits, and keeps serving what worked when an edit breaks a model. REST, MCP and the
//! command line ([`cli`]) only pass its answers on, in the words of `publisher-core`. Start at [`Service`].

pub mod cli;
mod config;
mod error;
mod http;
mod mcp;
mod page;
mod samples;
mod service;
mod wire;

use std::{
    net::{IpAddr, Ipv4Addr, SocketAddr},
    sync::Arc,
};

use axum::Router;
use futures::FutureExt as _;
use kit_app::{Deps, Health, Link, Listener, Mount, Serves};
use kit_mcp::{Mode, Names};

pub use config::{Config, Watch};
pub use error::{Error, Place, What};
pub use http::paths;
pub use service::*;

/// Its name in paths, commands, configuration and towards MCP clients.
pub const NAME: &str = "publisher";

/// Makes the application ready to be served, alone at an address or among others. Must be called inside a tokio runtime:
/// edits are watched beside the requests until `deps.shutdown`.
pub fn mount(config: &Config, alone_at: Option<SocketAddr>, deps: &Deps) -> Result<Mount, Error> {
    let service = Service::open(config.clone(), &deps.data_dir, deps.clock.clone())?;
    Ok(mount_service(&service, alone_at, deps))
}

/// The same for a service that is there already.
pub fn mount_service(service: &Service, alone_at: Option<SocketAddr>, deps: &Deps) -> Mount {
    service.watch(&deps.shutdown);
    let app = mcp::app(service);
    let (changes, hub) = (service.events(), deps.hub.clone());
    tokio::spawn(mcp::tell(service.clone(), hub, changes, deps.shutdown.clone()));
    Mount {
        name: NAME,
        title: "Publisher",
        about: "Ask questions of data through published Malloy models, with agents that ask the same",
        routes: http::routes(service, deps).merge(page::routes()),
        root: Router::new(),
        rest: Some(page::rest()),
        // Some hosts refuse a slash in the name of a tool.
        mcp: app.clone().names(Names::WithoutSlash),
        // Whoever keeps a session hears of edits; the port of its own is stateless, as specified.
        mode: Mode::Sessions,
        listeners: listeners(service.config(), alone_at, &app),
        links: vec![
            Link { label: "Open", href: "/" },
            Link { label: "API", href: "/api-doc.html" },
        ],
        health: Arc::new(|| async { Health::Well }.boxed()),
    }
}

/// The ports of the application's own. Among others it has them only if they are asked for.
fn listeners(config: &Config, alone_at: Option<SocketAddr>, app: &kit_mcp::App) -> Vec<Listener> {
    let mcp = |ip: IpAddr| Listener {
        name: "mcp",
        address: SocketAddr::new(ip, config.mcp_port),
        serves: Serves::Mcp {
            app: Box::new(app.clone().names(Names::Own)),
            mode: Mode::StatelessEvents,
        },
    };
    match (alone_at, config.own_ports) {
        (Some(bound), _) => vec![mcp(bound.ip())],
        (None, true) => {
            let ip = config.host_ip().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
            let address = SocketAddr::new(ip, config.port);
            vec![Listener { name: "rest", address, serves: Serves::Whole }, mcp(ip)]
        }
        (None, false) => Vec::new(),
    }
}
