//! The VM from outside, by subject. [`world`] is how all of them get one.

#![expect(clippy::unwrap_used, reason = "a failed step fails the test")]

mod attacks;
mod exchanges;
mod globals;
mod lists;
mod output;
mod patterns;
mod prototypes;
mod results;
mod sandbox;
mod scanning;
mod timers;
mod variables;
mod world;

/// What the engine asks of any world, written down.
#[path = "../../../ui-core/tests/exchanges/mod.rs"]
mod played;
