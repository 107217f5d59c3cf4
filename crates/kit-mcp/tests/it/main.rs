//! The layer as a client sees it, over real sockets and pipes.

mod fixture;
mod http;
mod stdio;
