//! Errors that know the way out.

use std::{error::Error, fmt};

use anyhow::anyhow;
use kit_core::{Fault, Report};
use serde::Serialize;

/// Adds the next step to an error.
pub trait Hint<T> {
    fn hint(self, hint: impl Into<String>) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> Hint<T> for Result<T, E> {
    fn hint(self, hint: impl Into<String>) -> anyhow::Result<T> {
        self.map_err(|error| {
            let cause = error.into();
            anyhow!(Hinted { hint: hint.into(), suggestions: Vec::new(), cause })
        })
    }
}

/// A fault of a service as a command's error, with its hint and suggestions.
pub fn fault<F: Fault + Send + Sync + 'static>(fault: F) -> anyhow::Error {
    let Report { hint, suggestions, .. } = fault.report();
    match hint {
        None if suggestions.is_empty() => anyhow!(fault),
        hint => {
            anyhow!(Hinted { hint: hint.unwrap_or_default(), suggestions, cause: anyhow!(fault) })
        }
    }
}

/// An error with its way out. It speaks with the voice of its cause and adds no link to the chain.
#[derive(Debug)]
struct Hinted {
    hint: String,
    suggestions: Vec<String>,
    cause: anyhow::Error,
}

impl fmt::Display for Hinted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.cause.fmt(f)
    }
}

impl Error for Hinted {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.cause.source()
    }
}

/// An error as it is shown: what, why, and what to do.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Failure {
    pub(crate) error: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) causes: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) hint: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) suggestions: Vec<String>,
}

impl Failure {
    pub(crate) fn of(error: &anyhow::Error) -> Self {
        let hinted = error.chain().find_map(|link| link.downcast_ref::<Hinted>());
        Self {
            error: error.to_string(),
            causes: error.chain().skip(1).map(ToString::to_string).collect(),
            hint: hinted.map(|hinted| hinted.hint.clone()).filter(|hint| !hint.is_empty()),
            suggestions: hinted.map(|hinted| hinted.suggestions.clone()).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;
    use kit_core::Kind;

    use super::*;

    #[derive(Debug, thiserror::Error)]
    #[error("no spec `lgoin`")]
    struct NoSpec;

    impl Fault for NoSpec {
        fn kind(&self) -> Kind {
            Kind::NotFound
        }

        fn hint(&self) -> Option<String> {
            Some("list them with `spox list`".into())
        }

        fn suggestions(&self) -> Vec<String> {
            vec!["login".into()]
        }
    }

    #[test]
    fn the_hint_of_a_fault_survives_context_around_it() {
        let error = fault(NoSpec);
        let failure = Failure::of(&error.context("cannot show the spec"));
        assert_eq!(failure.error, "cannot show the spec");
        assert_eq!(failure.causes, ["no spec `lgoin`"]);
        assert_eq!(failure.hint.as_deref(), Some("list them with `spox list`"));
        assert_eq!(failure.suggestions, ["login"]);
    }

    #[test]
    fn a_hint_adds_no_link_to_the_chain() {
        let cause = std::io::Error::other("in use");
        let error = Err::<(), _>(cause).context("cannot listen").hint("choose another port");
        let failure = Failure::of(&error.unwrap_err());
        assert_eq!((failure.error.as_str(), failure.causes.len()), ("cannot listen", 1));
    }
}
