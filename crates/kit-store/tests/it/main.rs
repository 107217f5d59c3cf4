//! The store's contract, on every back end, and what each back end promises beside it.

#![expect(clippy::unwrap_used, reason = "a helper of a test fails the test")]
#![expect(clippy::print_stderr, reason = "a test tells how far it went")]

mod bed;
mod contract;
mod crash;
mod following;
mod in_line;
mod postgres;
mod property;
mod repository;
mod sessions;
mod sqlite;
