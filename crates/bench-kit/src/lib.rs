//! What the benches share: a server as a process ([`Launch`]), a load of calls on it ([`HttpLoad`]), rounds that take the
//! servers in turn ([`rounds`]), and figures as Markdown ([`table`]).
//!
//! Written on sockets directly and from one thread, because a comfortable client costs more than the servers
//! measured here and would be what is measured.

mod answer;
mod flight;
mod http;
mod process;
mod rounds;
pub mod table;

pub use answer::Answer;
pub use flight::{FIRST_ID, Flight, Limits, Request, Sample, check, id_of};
pub use http::{Connection, HttpLoad, MCP_INITIALIZE, MCP_INITIALIZED, mcp_headers, post};
pub use process::{Launch, Placement, Process, pin_load, placement};
pub use rounds::{Loaded, Plan, Round, Rounds, median, rounds};
