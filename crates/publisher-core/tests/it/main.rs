//! Results, models and envelopes, beside what the official packages give for the same models.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod envelope;
mod fair;
mod model;
mod results;
