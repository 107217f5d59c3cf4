//! A log that costs next to nothing, for programs that write a line for each request.
//!
//! [`Line`] formats an event by hand, as text or as JSON; [`Lines`] collects what was formatted and writes it from
//! a thread of its own. Both plug into `tracing_subscriber::fmt`; who sets the subscriber is not decided here.

mod digits;
mod line;
mod lines;
mod time;

pub use line::Line;
pub use lines::Lines;
