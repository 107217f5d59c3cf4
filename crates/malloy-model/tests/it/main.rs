//! Tests of the analyser through its public face: models of our own, and the conformance corpus.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests are tests")]

mod corpus;
mod language;
mod notebooks;
mod outline;
mod refused;
mod robust;
mod support;
