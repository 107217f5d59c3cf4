//! The layer as a client sees it, over real sockets and pipes.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "tests fail by panicking, and one tool prints on purpose"
)]

mod events;
mod fixture;
mod http;
mod replicas;
mod stdio;
mod together;
