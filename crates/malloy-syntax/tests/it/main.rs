//! Tests of the syntax, through what others call.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod corpus;
mod errors;
mod filters;
mod format;
mod limits;
mod robust;
mod support;
mod texts;
