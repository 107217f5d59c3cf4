//! The commands, one file each.

pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod mcp;
pub(crate) mod own;
pub(crate) mod serve;
