//! Validation: every rule about specs (S01 to S16) and changes (C01 to C21).
//!
//! Start at [`validate_spec`] and [`validate_change`]. A rule says what is wrong, where, and what to write instead; none of
//! them stops at the first mistake. Whoever has parsed already calls [`check_spec`]. Rules about a requirement that
//! hold for specs and deltas alike are in `flaw`, those that need more than the file at hand in `reference` (specs) and
//! `against` (changes).

mod against;
mod change;
mod delta;
mod flaw;
mod issue;
mod reference;
mod spec;
mod tasks;

pub use against::{Context, Main, Touches};
pub use change::validate_change;
pub use issue::{ChangeSection, Issue, Report, Severity, UnknownSection};
pub use reference::{Catalog, Parsed};
pub use spec::{check_spec, check_text, validate_spec, validate_specs};
