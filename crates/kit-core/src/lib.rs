//! The vocabulary that cores and surfaces share, free of I/O.
//!
//! A core refuses with its own error type, which is a [`Fault`]; every surface turns a fault into a
//! [`Report`] and maps its [`Kind`] in one place. That is why MCP, HTTP, gRPC and the command line say
//! the same thing about the same mistake. Start at [`Fault`].

mod fault;
mod near;
mod principal;

pub use fault::{Fault, Kind, Report};
pub use near::{nearest, nearest_few};
pub use principal::Principal;
