//! What a caller sees of the UI platform: agents on the transport of stdio, browsers on real sockets.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod agent;
mod browser;
mod doors;
mod events;
mod files;
mod hostile;
mod hygiene;
mod lifecycle;
mod pages;
mod reload;
mod resources;
mod sessions;
mod uploads;
mod world;
