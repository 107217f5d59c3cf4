//! What the host goes by, and where each value came from.
//!
//! Values come in layers, the later winning: the defaults in the code, `tandem.toml`, `TANDEM_*`, flags. One
//! struct per part; [`layers`] merges them and remembers the origin of each value, so that `tandem config` can
//! say it and a mistake is reported where it was made.

mod file;
mod layers;
mod listen;
mod secret;

use std::{collections::BTreeMap, net::SocketAddr, path::PathBuf, time::Duration};

use serde::{Deserialize, Serialize};

pub(crate) use self::{
    layers::{Layers, Origin, Setting},
    listen::Listen,
    secret::{DatabaseUrl, Secret},
};
use crate::apps;

/// Everything that can be set. The field names are the keys of `tandem.toml`.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    #[serde(flatten)]
    pub(crate) server: Server,
    pub(crate) limits: kit_http::Limits,
    pub(crate) mcp: Mcp,
    pub(crate) log: Log,
    #[serde(flatten)]
    pub(crate) apps: apps::Settings,
    /// No setting: where the one application that is served alone has its root.
    #[serde(skip)]
    pub(crate) alone_at: Option<SocketAddr>,
}

/// Where the server listens, who may ask, where things are kept.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Server {
    /// Address and port; port 0 lets the system choose.
    pub(crate) listen: Listen,
    /// Whether things are kept at all.
    pub(crate) store: Keep,
    /// The one directory that is written to.
    pub(crate) data_dir: PathBuf,
    /// The name of the SQLite file in it.
    pub(crate) data_file: String,
    /// `postgres://…` in the place of the data directory's SQLite file.
    pub(crate) database_url: Option<DatabaseUrl>,
    /// With one, every request must carry it.
    pub(crate) token: Option<Secret>,
    /// Further tokens by the names of their holders, whom applications may treat differently.
    pub(crate) tokens: BTreeMap<String, Secret>,
    /// Leave to listen on an open address without a token.
    pub(crate) no_auth: bool,
    /// Further names of this server.
    pub(crate) allow_hosts: Vec<String>,
    /// Further pages that may ask.
    pub(crate) allow_origins: Vec<String>,
    /// Where the world finds this server, if a proxy stands in front.
    pub(crate) public_url: Option<String>,
    /// How long running requests may take after the order to stop.
    pub(crate) grace_seconds: u64,
}

impl Config {
    /// Opens no store of a process's own for an application that keeps nothing in it: two may be served from one folder. A
    /// database that somebody names is used, for the sessions of agents that replicas share.
    pub(crate) fn keep_for(&mut self, app: &apps::Application) {
        if !app.keeps && self.server.database_url.is_none() {
            self.server.store = Keep::Memory;
        }
    }
}

impl Server {
    /// Whether every request must carry a token.
    pub(crate) fn is_locked(&self) -> bool {
        self.token.is_some() || !self.tokens.is_empty()
    }

    /// Whether things are kept in the data directory, which then is this process's alone.
    pub(crate) fn owns_data_dir(&self) -> bool {
        self.store != Keep::Memory && self.database_url.is_none()
    }
}

impl Default for Server {
    fn default() -> Self {
        Self {
            listen: Listen::loopback(3000),
            store: Keep::Auto,
            data_dir: ".tandem".into(),
            data_file: "tandem.db".into(),
            database_url: None,
            token: None,
            tokens: BTreeMap::new(),
            no_auth: false,
            allow_hosts: Vec::new(),
            allow_origins: Vec::new(),
            public_url: None,
            grace_seconds: 10,
        }
    }
}

/// Where changes go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Keep {
    /// Into the database if there is a URL, else into the data directory.
    Auto,
    /// Nowhere: all is gone when the process ends.
    Memory,
}

/// Bounds of the MCP endpoints.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Mcp {
    /// Largest message.
    pub(crate) message_bytes: usize,
    /// Sessions held by one process.
    pub(crate) sessions: usize,
    /// How long an unused session is kept.
    pub(crate) session_idle_seconds: u64,
    /// Calls running at once in one session.
    pub(crate) calls_per_session: usize,
    /// How long one call may take in all.
    pub(crate) call_seconds: u64,
}

impl Default for Mcp {
    fn default() -> Self {
        let limits = kit_mcp::Limits::default();
        Self {
            message_bytes: limits.message_bytes,
            sessions: limits.sessions,
            session_idle_seconds: limits.session_idle.as_secs(),
            calls_per_session: limits.calls_per_session,
            call_seconds: limits.call_longest.as_secs(),
        }
    }
}

impl Mcp {
    pub(crate) fn limits(&self) -> kit_mcp::Limits {
        kit_mcp::Limits {
            message_bytes: self.message_bytes,
            sessions: self.sessions,
            session_idle: Duration::from_secs(self.session_idle_seconds),
            calls_per_session: self.calls_per_session,
            call_longest: Duration::from_secs(self.call_seconds),
            ..kit_mcp::Limits::default()
        }
    }
}

/// What is logged, and how.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Log {
    /// As `RUST_LOG`, which wins over it.
    pub(crate) filter: String,
    pub(crate) format: LogFormat,
    /// Also append to this file; its directory is made.
    pub(crate) file: Option<PathBuf>,
}

impl Default for Log {
    fn default() -> Self {
        // rmcp logs whole messages at `info`; our own lines say what happened.
        Self { filter: "info,rmcp=off".into(), format: LogFormat::Auto, file: None }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    Text,
    Json,
}
