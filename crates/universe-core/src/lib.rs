//! Universe simulator, the domain: values in, values out.
//!
//! A [`Command`] is what anyone may ask, [`decide`] says what follows from it, an [`Event`] is what happened and
//! [`State::apply`] folds it in. Nothing here knows a clock, a file or a socket, so a log replayed on any
//! machine shows the same sky. Start at [`decide`], then [`State`].
//!
//! A further command is an addition in four places: a variant of [`Command`] with its parsing, an arm of
//! [`decide`], an [`Event`] and an arm of [`State::apply`]. The property tests then hold it to the invariants of
//! [`query::violations`] without being told.

#![deny(clippy::disallowed_methods)]

mod apply;
pub mod catalogue;
mod command;
mod decide;
mod error;
mod event;
pub mod generate;
mod ids;
pub mod json;
mod model;
mod ordered;
pub mod query;
mod references;
pub mod shape;
mod snapshot;

pub use command::{Command, NewParent};
pub use decide::decide;
pub use error::{Invalid, Problem, Refusal, Rejection};
pub use event::{Change, Entry, Event, Membership, Removal};
pub use ids::{BeltId, BodyId, DiskId, FieldId, GroupId, NebulaId, UniverseId};
pub use json::Fields;
pub use model::{Body, Group, Member, State, Universe};
pub use ordered::{Ordered, OrderedSet};
