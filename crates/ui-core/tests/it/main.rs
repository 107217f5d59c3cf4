//! The engine against a small world in Rust: batches in, frames out.

mod batches;
mod connections;
mod cost;
mod exchange;
#[path = "../exchanges/mod.rs"]
mod exchanges;
mod hostile;
mod interleaving;
mod lists;
mod paths;
mod play;
mod properties;
mod reading;
mod values;
mod viewdefs;
mod watching;
mod world;
mod writing;
