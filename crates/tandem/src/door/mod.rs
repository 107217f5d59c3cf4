//! The way into a server that runs on the same data, for other commands of the same person.
//!
//! One process has the store. `tandem mcp` beside a running `tandem serve`, and every command that reads or changes
//! something, goes through the door instead: two sockets in the data directory, which only its owner may use, so
//! they need neither port nor token. What comes through is served by the same applications, and is seen live by
//! everybody else.

mod beside;
mod open;

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

pub(crate) use self::{
    beside::{client, mcp},
    open::open,
};

/// HTTP: each application below its name.
fn http_socket(data_dir: &Path) -> PathBuf {
    data_dir.join("http.sock")
}

/// MCP: a line that says which applications, then a message a line, as on standard input and output.
fn mcp_socket(data_dir: &Path) -> PathBuf {
    data_dir.join("mcp.sock")
}

/// The first line on the MCP socket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Wish {
    /// These as one server, or all.
    Combined(Vec<String>),
    /// This one, under its own tool names.
    Single(String),
}
