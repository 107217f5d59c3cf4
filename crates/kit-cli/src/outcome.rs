//! How a command ended.

use std::process::ExitCode;

/// A command that ran. One that could not is an error, which exits with 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Done, or the answer is yes.
    Success,
    /// It ran and the answer is no.
    Negative,
}

/// The code for a command that could not run.
pub(crate) const COULD_NOT_RUN: u8 = 2;

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Success => Self::SUCCESS,
            Outcome::Negative => Self::from(1),
        }
    }
}
