//! The Lua of the UI platform: one sandboxed VM for each session.
//!
//! Application state is plain Lua tables; user code changes them and nobody has to be told. [`Vm`] holds them. It runs code (`ui_run`, files,
//! timers) and, as the engine's [`World`](ui_core::World), reads what variables watch and finds what changed. It has no thread, clock or
//! socket: its owner enters it with one piece of work at a time and gives it a [`Host`].
//!
//! Start at [`Vm`], then [`host`], then `lua/sandbox.lua` and [`limits`] for what user code may do, and
//! `lua/walk.lua`, the hot path.

mod facts;
mod fault;
pub mod files;
mod hook;
pub mod host;
pub mod json;
pub mod limits;
mod natives;
mod pattern;
mod sandbox;
mod scan;
mod timers;
mod vm;
mod world;

pub use fault::LuaFault;
pub use host::{Host, Level, LogFiles, Module, Stream};
pub use limits::{Exceeded, Limits};
pub use vm::Vm;
