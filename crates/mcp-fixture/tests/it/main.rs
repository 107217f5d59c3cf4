//! The layer as a client sees it, over real sockets and pipes.
#![expect(
    clippy::unwrap_used,
    clippy::needless_pass_by_value,
    reason = "tests fail by panicking, and read better when JSON is given away"
)]

mod client;
mod cookie;
mod eras;
mod fuzz;
mod regressions;
mod server;
mod status;
mod stdio;
mod streams;
mod tasks;
