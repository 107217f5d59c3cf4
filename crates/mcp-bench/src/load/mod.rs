//! The load: calls of the echo tool over HTTP or a pipe, in the way that a kind of client speaks.

mod http;
mod stdio;

pub(crate) use http::{greet, http};
pub(crate) use stdio::StdioLoad;
