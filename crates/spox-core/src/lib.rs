//! Spec Oxide, the domain: specs, changes and deltas as Markdown; text in, values out.
//!
//! A repository keeps what its system does now as *specs* and what somebody proposes to alter as *changes*.
//! [`parse_spec`] and [`parse_change`] read them, which never fails: what is missing is empty. [`validate_spec`] and
//! [`validate_change`] say what is wrong with them, where, and what to write instead.
//! Nothing here knows a file, a clock or a network; the service reads the folders and writes what it is given.
//!
//! Start at [`model`], then [`lines`](mod@lines), the scanner that everything is read with.

#![deny(clippy::disallowed_methods)]

pub mod config;
pub mod ids;
pub mod lines;
pub mod model;
pub mod names;
pub mod parse;
pub mod validate;

pub use config::{Config, ConfigError};
pub use ids::{BadId, check_change_id, check_spec_id};
pub use lines::lines;
pub use model::{
    ChangeFiles, Delta, DeltaItem, DeltaSection, Notes, Operation, ParsedChange, ParsedRequirement,
    ParsedScenario, ParsedSpec, Proposal, Remark, Section, Source, SpecFile, Task, TaskGroup,
    Tasks,
};
pub use parse::{parse_change, parse_delta, parse_proposal, parse_spec, parse_tasks};
pub use validate::{
    Catalog, ChangeSection, Context, Issue, Main, Report, Severity, Touches, check_spec,
    validate_change, validate_spec, validate_specs,
};
