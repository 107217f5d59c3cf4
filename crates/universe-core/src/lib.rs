//! Universe simulator, the domain: values in, values out.
//!
//! A [`Command`] is what anyone may ask, [`decide`] says what follows from it, an [`Event`] is what happened and
//! [`State::apply`] folds it in. Nothing here knows a clock, a file or a socket, so a log replayed on any
//! machine shows the same sky. Start at [`decide`], then [`State`].
//!
//! A [`Universe`] is what the lines of its log ([`Entry`]) add up to: the state, the shared [`Clock`], which changes can
//! be undone ([`History`]) and which requests were seen before ([`Keys`]). [`undo`] and [`redo`] are decisions like any
//! other, made from the states before and after the change that they are about. [`touched`] tells what live viewers
//! need to hear of, [`State::write_json`] prints.
//!
//! A further command is an addition in four places: a variant of [`Command`] with its parsing, an arm of
//! [`decide`], an [`Event`] and an arm of [`State::apply`]; the compiler asks for what [`touched`] must know. The
//! property tests then hold it to the invariants of [`query::violations`] and to undo without being told.

#![deny(clippy::disallowed_methods)]

mod apply;
mod around;
pub mod catalogue;
mod clock;
mod command;
mod decide;
mod entity;
mod error;
mod event;
pub mod generate;
mod history;
mod ids;
pub mod json;
mod model;
mod ordered;
mod patch;
mod print;
pub mod query;
mod references;
mod revise;
pub mod shape;
mod snapshot;
mod touched;

pub use clock::{Clock, SetClock, set_clock};
pub use command::{Command, Members, Named, Request};
pub use decide::decide;
pub use entity::Entity;
pub use error::{Invalid, Problem, Refusal, Rejection, Way};
pub use event::{Change, Entry, Event, Membership, Move, Removal};
pub use history::{History, Key, Keys, Seen};
pub use ids::{BeltId, BodyId, DiskId, FieldId, GroupId, NebulaId, UniverseId};
pub use json::Fields;
pub use model::{Body, Group, Member, State, Universe, WithoutChildren};
pub use ordered::{Ordered, OrderedSet};
pub use patch::{Edit, FieldEdit, Orbit, Patch, Seat};
pub use revise::{redo, undo};
pub use touched::{Delta, Ids, Touched, touched, touched_by};
