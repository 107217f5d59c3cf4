//! Settings.

use std::{
    collections::BTreeMap,
    fmt,
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
};

use malloy_model::Givens;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// What can be set for this application. Which projects there are is in the server root's `publisher.config.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The directory with `publisher.config.json`, or with packages (default: the working directory).
    pub server_root: Option<PathBuf>,
    /// Another configuration file than the server root's.
    pub config_file: Option<PathBuf>,
    /// The address of this machine to listen on, when it is served alone or has its own ports.
    pub host: Option<String>,
    /// The port for people and programs, when it has its own ports.
    pub port: u16,
    /// The port for agents, when it is served alone or has its own ports; 0: any.
    pub mcp_port: u16,
    /// Whether it has its own ports where it is served among others.
    pub own_ports: bool,
    /// Whether nothing may be changed while the server runs, whatever the configuration file says.
    pub frozen: bool,
    /// Which projects are loaded anew when their files are edited: `all`, `none`, or the name of one.
    pub watch: Watch,
    /// Whether the text of a query may have SQL in it, read any table of its package and import files.
    pub allow_sql: bool,
    /// Values of givens that are fixed for the holders of named tokens (`[tokens]` of the host), by the name of the token.
    pub identities: BTreeMap<String, Givens>,
    /// How many rows a query without a limit of its own gives.
    pub default_rows: u64,
    /// How many rows any query may give.
    pub max_rows: u64,
    /// How large a result may be.
    pub max_bytes: usize,
    /// How long a query may take.
    pub query_timeout_ms: u64,
    /// How many queries may run at once; more wait a moment.
    pub concurrent_queries: usize,
    /// How much memory the queries of a package may take, in bytes (default: DuckDB's own choice).
    pub max_memory_bytes: Option<u64>,
    /// How much memory results may take that are kept for the next who asks the same; 0: none are.
    pub cache_bytes: usize,
    /// How old a kept result may be.
    pub cache_seconds: u64,
    /// Bytes of CSV and JSON files that each package keeps in memory once they were read; 0: each query reads them.
    pub file_bytes: u64,
    /// How many temporary tables callers may make on one connection; 0: none.
    pub temporary_tables: usize,
    /// What all temporary tables may take together, in bytes.
    pub temporary_bytes: usize,
    /// How long a temporary table stays.
    pub temporary_seconds: u64,
    /// How many queries are remembered.
    pub history: usize,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            server_root: None,
            config_file: None,
            host: None,
            port: 4000,
            mcp_port: 4001,
            own_ports: false,
            frozen: false,
            watch: Watch::All,
            allow_sql: false,
            identities: BTreeMap::new(),
            default_rows: 1000,
            max_rows: 100_000,
            max_bytes: 50_000_000,
            query_timeout_ms: 300_000,
            concurrent_queries: 32,
            max_memory_bytes: None,
            cache_bytes: 64 << 20,
            cache_seconds: 300,
            file_bytes: 64 << 20,
            temporary_tables: 32,
            temporary_bytes: 256 << 20,
            temporary_seconds: 3600,
            history: 500,
        }
    }
}

impl Config {
    /// The address that [`Config::host`] names, if it does.
    pub fn host_ip(&self) -> Option<IpAddr> {
        match self.host.as_deref()? {
            "localhost" => Some(IpAddr::V4(Ipv4Addr::LOCALHOST)),
            text => text.trim_matches(['[', ']']).parse().ok(),
        }
    }
}

/// Whose files are watched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Watch {
    All,
    None,
    Project(String),
}

impl Watch {
    /// Whether a project's files are.
    pub fn includes(&self, project: &str) -> bool {
        match self {
            Self::All => true,
            Self::None => false,
            Self::Project(only) => only == project,
        }
    }
}

impl fmt::Display for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::All => "all",
            Self::None => "none",
            Self::Project(name) => name,
        })
    }
}

impl Serialize for Watch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Watch {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Ok(match &*text {
            "" => return Err(de::Error::custom("say `all`, `none` or the name of a project")),
            "all" | "true" => Self::All,
            "none" | "false" => Self::None,
            _ => Self::Project(text),
        })
    }
}
