//! Errors in the words of the command line: the same facts, with commands in the place of tools as the way out.

use kit_core::{Fault, Kind};

use crate::Error;

const SPECS: &str = "`spox spec list` has the ids";
const CHANGES: &str = "`spox change list` has the ids";

/// Something that a command has its own words for.
#[derive(Debug)]
pub(super) struct Told(Words);

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Words {
    message: String,
    hint: Option<String>,
    near: Vec<String>,
}

impl Told {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(Words { message: message.into(), hint: None, near: Vec::new() })
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self(Words { hint: Some(hint.into()), ..self.0 })
    }

    fn near(self, near: Vec<String>) -> Self {
        Self(Words { near, ..self.0 })
    }
}

impl Fault for Words {
    fn kind(&self) -> Kind {
        Kind::NotFound
    }

    fn hint(&self) -> Option<String> {
        self.hint.clone()
    }

    fn suggestions(&self) -> Vec<String> {
        self.near.clone()
    }
}

impl From<Told> for anyhow::Error {
    fn from(told: Told) -> Self {
        kit_cli::fault(told.0)
    }
}

/// What a command says of a service's error.
pub(super) fn told(error: Error) -> anyhow::Error {
    let message = error.to_string();
    match error {
        Error::UnknownSpec { id, near } => {
            Told::new(format!("Spec '{id}' not found")).hint(SPECS).near(near).into()
        }
        Error::NoSpecToValidate { near, .. } => Told::new(message).hint(SPECS).near(near).into(),
        Error::UnknownChange { near, .. } | Error::NoChangeToValidate { near, .. } => {
            Told::new(message).hint(CHANGES).near(near).into()
        }
        other => kit_cli::fault(other),
    }
}

/// For an id that neither a spec nor a change has.
pub(super) fn neither(id: &str, spec: &Error, change: &Error) -> anyhow::Error {
    let mut near = spec.suggestions();
    near.extend(change.suggestions());
    let hint = "`spox list` has the ids";
    Told::new(format!("No spec or change '{id}'")).hint(hint).near(near).into()
}
