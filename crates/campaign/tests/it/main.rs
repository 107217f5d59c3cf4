//! Campaign from outside, one module for each subject.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]
