//! `spox init`: what a project needs to be worked on with specs.
//!
//! [`plan`] looks at what is there through a [`Tree`] and decides what each file shall hold; [`write()`] does it. Planning
//! touches nothing, so that a mistake anywhere (a config that does not parse, a block without an end) leaves the project as
//! it was, and a second run finds nothing to do. Tooling files are always brought up to date; what people wrote stays:
//! `config.toml` and the mission are only ever created, shared files are merged ([`block`], [`ignore`], [`mcp_json`]).

mod block;
mod config;
mod error;
mod ignore;
mod lock;
mod mcp_json;
mod plan;
mod scaffold;
mod templates;
mod tree;
mod write;

pub use block::{END, START};
pub use error::Error;
pub use lock::{Standing, VersionLock, standing};
pub use plan::{Options, Plan, Step, Write, plan};
pub use scaffold::{Scaffold, scaffold};
pub use tree::{Disk, Tree};
pub use write::write;
