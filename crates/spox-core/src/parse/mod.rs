//! From text to [`crate::model`].
//!
//! One function for each kind of file. None of them fails and each looks at every line once. Start at [`parse_spec`];
//! what a heading is stands in `heading`, what a clause is in `clause`, and `block` reads a requirement for specs
//! and deltas alike.

mod block;
mod change;
mod clause;
mod delta;
pub(crate) mod heading;
mod lookalike;
mod reference;
mod spec;

pub use change::{parse_change, parse_proposal, parse_tasks};
pub use delta::parse_delta;
pub(crate) use spec::parse_for_check;
pub use spec::{parse_outline, parse_spec};
