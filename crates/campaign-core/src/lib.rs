//! Campaign, the domain: values in, values out.
//!
//! A [`Command`] is what anyone may ask, [`decide`] says what follows from it, an [`Event`] is what happened and
//! [`Log::apply`] folds it in. Start at [`decide`].

#![deny(clippy::disallowed_methods)]

mod command;
mod decide;
mod error;
mod event;
mod model;

pub use command::Command;
pub use decide::decide;
pub use error::Rejection;
pub use event::Event;
pub use model::Log;
