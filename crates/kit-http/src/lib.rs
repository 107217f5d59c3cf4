//! What the HTTP surfaces share: one way to refuse, one way to read a body, one way to stream, and the
//! guard in front of everything.
//!
//! A handler takes [`Json`], [`Path`] and [`Query`] and returns `Result<_, Problem>`; a refusal then has the
//! same shape whoever made it. [`events`] streams to browsers and programs. The host wraps all routes in one
//! [`Guard`] (who may ask, from where, how often, how much) and serves them with [`Server`]. Start at
//! [`Problem`] to write a surface, at [`Guard::answer`] to see what a request passes.

mod extract;
mod guard;
mod json;
mod metrics;
mod problem;
mod server;
mod sse;

pub use extract::{Path, Query};
pub use guard::{BadToken, Guard, Limits, Pages, RequestId, Rules, Token, own_pages_only};
pub use json::Json;
pub use metrics::Metrics;
pub use problem::Problem;
pub use server::Server;
pub use sse::{Fan, Frame, events};
