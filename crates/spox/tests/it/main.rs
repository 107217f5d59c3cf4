//! What a caller sees of spox: agents, programs, and whoever edits the files beside them.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod agent;
mod commands;
mod hostile;
mod init;
mod live;
mod mcp;
mod project;
mod rest;
mod search;
mod world;
mod writing;
