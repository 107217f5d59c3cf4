//! What a user of Malloy sees: the conformance corpus, and the command line.
#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a failed step fails the test, and the tally is for people"
)]

mod asked;
mod cli;
mod compare;
mod connections;
mod corpus;
mod postgres;
mod samples;
mod spark;
