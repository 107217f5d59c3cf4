//! What the commands print: functions from values to text.
//!
//! Nothing here reads a file or knows a terminal: how wide to write is a [`Canvas`], and colours are always in the text,
//! since [`kit_cli::Ui`] takes them out where nobody wants them. Start at [`dashboard`]; [`layout`] has what all share.

pub(super) mod applied;
pub(super) mod change;
pub(super) mod dashboard;
pub(super) mod diff;
pub(super) mod found;
pub(super) mod github;
pub(super) mod junit;
pub(super) mod layout;
pub(super) mod list;
pub(super) mod report;
pub(super) mod sarif;
pub(super) mod spec;

pub(super) use layout::Canvas;
