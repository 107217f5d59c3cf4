//! The real program, from outside.
#![expect(clippy::unwrap_used, reason = "helpers of tests may panic, too")]

mod access;
mod beside;
mod campaign;
mod campaign_commands;
mod campaign_killed;
mod command_line;
mod configuration;
mod killed;
mod limits;
mod publisher;
mod replicas;
mod serving;
mod spox_commands;
mod stopping;
mod support;
mod ui;
mod universe;
mod universe_commands;
