//! What the command lines share.
//!
//! A command takes a [`Ui`], does its work and returns an [`Outcome`]: `ui.result(&report)?` prints the result
//! as text or, with `--json`, as JSON; everything else goes to standard error. [`Ui::exit`] turns what came
//! of it into an exit code. [`Client`] asks an application, running or not.
//! [`log`] is for programs that serve. Start at [`Ui`].

mod answer;
pub mod client;
mod failure;
mod global;
pub mod log;
mod outcome;
mod progress;
mod stream;
mod ui;

pub use answer::{Answer, table, time};
pub use client::Client;
pub use failure::{Hint, fault};
pub use global::{ColorWhen, Global};
pub use outcome::Outcome;
pub use progress::Progress;
pub use ui::Ui;
