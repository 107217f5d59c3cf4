//! A project on disk: where it is, what it is made of, and how it was read.
//!
//! [`Place`] finds the project, [`walk`] lists what belongs to it, [`Snapshot`] is everything read at one moment. Files are
//! the truth: nothing is kept that cannot be read again. Start at [`Snapshot`].

mod disk;
mod place;
mod read;
mod snapshot;
mod walk;

pub(crate) use disk::{Lock, Writes, write_durably};
pub use place::{Place, Project};
pub(crate) use snapshot::APPROVAL;
pub use snapshot::{Change, Difference, Snapshot, Spec};
