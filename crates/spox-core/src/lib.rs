//! Spec Oxide, the domain: specs, changes and deltas as Markdown; text in, values out.
//!
//! A repository keeps what its system does now as *specs* and what somebody proposes to alter as *changes*.
//! [`parse_spec`] and [`parse_change`] read them, which never fails: what is missing is empty. [`validate_spec`] and
//! [`validate_change`] say what is wrong with them, where, and what to write instead. [`diff`](diff()) shows what a change
//! does to the specs, [`apply`](apply()) and [`archive`](archive()) do it, and [`rebase`](rebase()) brings it up to date.
//! Nothing here knows a file, a clock or a network; the service reads the folders and writes what it is given.
//!
//! Start at [`model`], then [`lines`](mod@lines), the scanner that everything is read with.

#![deny(clippy::disallowed_methods)]

pub mod apply;
pub mod archive;
pub mod base;
pub mod config;
pub mod diff;
mod directive;
mod draft;
pub mod ids;
pub mod lines;
mod merge;
pub mod model;
pub mod names;
pub mod parse;
pub mod rebase;
pub mod refusal;
mod renames;
mod text;
pub mod validate;

pub use apply::{Allow, Applied, AppliedSpec, Fate, Step, apply};
pub use archive::{Archive, archive, archive_folder};
pub use base::{Base, Fingerprint, fingerprints};
pub use config::{Config, ConfigError};
pub use diff::{
    CapabilityDiff, ChangeDiff, DiffLine, DiffState, LineKind, RequirementDiff, Words, diff,
};
pub use ids::{BadId, check_change_id, check_spec_id};
pub use lines::lines;
pub use merge::{Part, Resolve};
pub use model::{
    ChangeFiles, Delta, DeltaItem, DeltaSection, Notes, Operation, Outline, ParsedChange,
    ParsedRequirement, ParsedScenario, ParsedSpec, Proposal, Remark, Section, Source, SpecFile,
    Task, TaskGroup, Tasks,
};
pub use parse::{
    parse_change, parse_delta, parse_outline, parse_proposal, parse_spec, parse_tasks,
};
pub use rebase::{Conflict, Disagreement, RebaseStep, Rebased, rebase};
pub use refusal::{Problem, Refusal, Refused};
pub use validate::{
    Catalog, ChangeSection, Context, Issue, Main, Parsed, Report, Severity, Touches, check_spec,
    check_text, validate_change, validate_spec, validate_specs,
};
