//! What clients of other makes rely on.
#![expect(clippy::unwrap_used, reason = "tests fail by panicking")]

mod numbers;
