//! The domain as a service sees it: commands in, entries of a journal out.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod arbitrary;
mod chain;
mod commands;
mod dice;
mod duality;
mod export;
mod forks;
mod laws;
mod permissions;
mod play;
mod undo;
mod world;
