//! Publisher: packages of Malloy models, served to people, programs and agents.
//!
//! A package is a folder with a manifest, models, notebooks and data. [`Service`] loads and compiles packages when they are
//! first asked for, runs queries under limits, and keeps serving what worked when an edit breaks a model. REST ([`http`]), MCP
//! ([`mcp`]) and the command line ([`cli`]) only pass its answers on, in the words of `publisher-core`. Start at [`Service`].

mod config;
mod error;
mod http;
mod mcp;
mod service;

pub use config::Config;
pub use error::{Error, Place, What};
pub use service::*;

/// Its name in paths, commands, configuration and towards MCP clients.
pub const NAME: &str = "publisher";
