//! The seam between host and application.

use std::{net::SocketAddr, path::PathBuf, sync::Arc};

use axum::Router;
use futures::future::BoxFuture;
use kit_mcp::{App, Hub, Mode};
use kit_store::Store;
use serde::Serialize;
use tokio_util::sync::CancellationToken;

use crate::Clock;

/// What an application may use of the world.
#[derive(Clone)]
pub struct Deps {
    pub store: Store,
    pub clock: Arc<dyn Clock>,
    /// Where changes are told to MCP clients.
    pub hub: Hub,
    /// The one directory that may be written to.
    pub data_dir: PathBuf,
    /// Cancelled when the host stops; background work ends then.
    pub shutdown: CancellationToken,
}

/// One application, ready to be served.
pub struct Mount {
    /// Its name in paths, commands and configuration.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// One sentence for the home page.
    pub about: &'static str,
    /// Its whole HTTP surface but `/mcp`, relative to its root.
    pub routes: Router,
    /// Routes that stand at the root of whatever port it is served on, because the protocol fixes their paths: gRPC.
    pub root: Router,
    /// What answers every path that neither it nor the host has a route for, when it is served alone.
    pub rest: Option<Router>,
    /// Its MCP surface.
    pub mcp: App,
    /// How `/mcp` keeps sessions over HTTP.
    pub mode: Mode,
    /// Further addresses that it is served on, beside the host's own.
    pub listeners: Vec<Listener>,
    /// Where people go, relative to its root.
    pub links: Vec<Link>,
    /// Asked by `/ready`, `/mcp/health` and the home page.
    pub health: Arc<dyn Fn() -> BoxFuture<'static, Health> + Send + Sync>,
}

/// A further address of an application, guarded as the host's own is.
pub struct Listener {
    /// What it is for, in a word.
    pub name: &'static str,
    /// Port 0 lets the system choose.
    pub address: SocketAddr,
    pub serves: Serves,
}

/// What is behind a further address.
pub enum Serves {
    /// The application as it is when it is served alone.
    Whole,
    /// An MCP surface at `/mcp`, and nothing for people.
    Mcp { app: Box<App>, mode: Mode },
}

/// A place to go.
#[derive(Debug, Clone, Serialize)]
pub struct Link {
    pub label: &'static str,
    pub href: &'static str,
}

/// Whether an application can do its work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
pub enum Health {
    Well,
    /// It cannot, and why, in words for a person.
    Ill {
        reason: String,
    },
}
