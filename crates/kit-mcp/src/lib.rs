//! One description of an application's MCP surface, served in every way there is.
//!
//! An application describes itself once as an [`App`]: tools (written with rmcp's macros), resources,
//! prompts. A [`Server`] holds one or several and is served on stdio ([`stdio`]) or over HTTP ([`http`]),
//! with sessions, with a cookie, or stateless; all five protocol revisions on the same endpoint.
//! What rmcp leaves open is done here, for all applications alike: argument validation, time limits,
//! panics, status codes, session rows, duplicate ids. Nobody else touches transports or session ids.
//!
//! Start at [`App`]; a call's way is `http` or `stdio` → `handler` → `guarded` → the application's tool.

mod app;
mod call;
mod catalog;
mod error;
mod guarded;
mod handler;
pub mod http;
mod hub;
mod limits;
mod members;
mod metrics;
mod outbound;
mod resources;
mod server;
pub mod stdio;
mod structured;
mod tasks;
mod validate;

pub use app::{App, ArgumentErrors, Mode, Names};
pub use call::{AskError, Call};
pub use error::ToolError;
pub use hub::{Change, Hub};
pub use limits::Limits;
pub use members::Members;
pub use metrics::Metrics;
pub use resources::{NoResources, ResourceError, Resources};
/// The model types and macros that applications write their surface with.
pub use rmcp;
pub use server::{Identity, Options, Server};
pub use structured::{structured, structured_indented};
