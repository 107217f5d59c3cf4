//! Spec Oxide, the domain: specs, changes and deltas as Markdown; text in, values out.
//!
//! A repository keeps what its system does now as *specs* and what somebody proposes to alter as *changes*.
//! [`parse_spec`] and [`parse_change`] read them. Reading never fails: what is missing is empty.
//! Nothing here knows a file, a clock or a network; the service reads the folders and writes what it is given.
//!
//! Start at [`model`], then [`lines`](mod@lines), the scanner that everything is read with.

#![deny(clippy::disallowed_methods)]

pub mod lines;
pub mod model;
pub mod parse;

pub use lines::lines;
pub use model::{
    ChangeFiles, Delta, DeltaItem, DeltaSection, Notes, Operation, ParsedChange, ParsedRequirement,
    ParsedScenario, ParsedSpec, Proposal, Remark, Section, Source, SpecFile, Task, TaskGroup,
    Tasks,
};
pub use parse::{parse_delta, parse_spec};
