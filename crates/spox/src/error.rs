//! What can go wrong, in the words of every surface.

use std::io;

use kit_core::{Fault, Kind};
use spox_core::{ConfigError, Refused, validate::UnknownSection};

/// Why a question has no answer, or a change was not made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Neither here nor above is a project, or its settings cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error("Failed to get spec '{id}': Spec not found: {id}")]
    UnknownSpec { id: String, near: Vec<String> },
    #[error("spec not found: '{id}'")]
    NoSpecToValidate { id: String, near: Vec<String> },
    #[error("Requirement '{name}' not found in spec '{spec}'")]
    UnknownRequirement { spec: String, name: String, near: Vec<String> },
    #[error("Scenario '{name}' not found in requirement '{requirement}'")]
    UnknownScenario { requirement: String, name: String, near: Vec<String> },
    #[error("No scenarios found in requirement '{requirement}'")]
    NoScenarios { requirement: String },
    #[error("Change '{id}' not found")]
    UnknownChange { id: String, near: Vec<String> },
    #[error("change not found: '{id}'")]
    NoChangeToValidate { id: String, near: Vec<String> },
    #[error(transparent)]
    UnknownSection(#[from] UnknownSection),
    #[error("Change '{id}' has no proposal.md")]
    NoProposal { id: String },
    /// There is no usable index; why, if it is there and cannot be used.
    #[error("Search index not available. Run 'spox index' first to build the search index.")]
    NoIndex { reason: Option<String> },
    #[error("the search model `{name}` cannot be used: {reason}")]
    Model { name: String, reason: String },
    /// A model and an index that do not fit each other, which is our mistake.
    #[error("the texts could not be compared")]
    Vector(#[source] spox_search::BadVector),
    #[error("the query is longer than {most} bytes")]
    LongQuery { most: usize },
    #[error("`top_k` must be between 1 and {most}")]
    TopK { most: usize },
    /// The change cannot be applied as it is.
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error("change '{id}' exists already")]
    ChangeExists { id: String },
    #[error("`{id}` is no id for a change")]
    BadChangeId { id: String },
    #[error("another process is writing to this project")]
    Busy,
    #[error("`{file}` is damaged")]
    BadIntent { file: &'static str },
    #[error("cannot {action} `{path}`")]
    Io {
        action: &'static str,
        path: String,
        #[source]
        source: io::Error,
    },
    #[error("the work was given up")]
    Interrupted,
}

impl Error {
    pub(crate) fn io(action: &'static str, path: &str, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }

    pub(crate) fn vector(source: spox_search::BadVector) -> Self {
        Self::Vector(source)
    }
}

impl Fault for Error {
    fn kind(&self) -> Kind {
        match self {
            Self::UnknownSpec { .. }
            | Self::NoSpecToValidate { .. }
            | Self::UnknownRequirement { .. }
            | Self::UnknownScenario { .. }
            | Self::NoScenarios { .. }
            | Self::UnknownChange { .. }
            | Self::NoChangeToValidate { .. }
            | Self::NoProposal { .. } => Kind::NotFound,
            Self::UnknownSection(_)
            | Self::LongQuery { .. }
            | Self::TopK { .. }
            | Self::BadChangeId { .. } => Kind::Invalid,
            Self::Config(_)
            | Self::NoIndex { .. }
            | Self::Model { .. }
            | Self::ChangeExists { .. }
            | Self::BadIntent { .. } => Kind::Conflict,
            Self::Refused(refused) => refused.kind(),
            Self::Vector(_) => Kind::Internal,
            Self::Busy | Self::Interrupted => Kind::Unavailable,
            Self::Io { source, .. } => match source.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
                    Kind::Forbidden
                }
                io::ErrorKind::StorageFull => Kind::Unavailable,
                _ => Kind::Internal,
            },
        }
    }

    fn hint(&self) -> Option<String> {
        Some(match self {
            Self::Config(error) => return error.hint(),
            Self::UnknownSpec { .. } | Self::NoSpecToValidate { .. } => {
                "`list_specs` has the ids".into()
            }
            Self::UnknownRequirement { .. } => "`get_spec_requirements` has the names".into(),
            Self::UnknownChange { .. } | Self::NoChangeToValidate { .. } => {
                "`list_changes` has the ids".into()
            }
            Self::NoScenarios { .. } => "`validate_spec` says what it needs".into(),
            Self::NoProposal { .. } => "ask for another section, or write the proposal".into(),
            Self::NoIndex { reason } => return reason.clone(),
            Self::LongQuery { .. } => "ask in a sentence or in keywords".into(),
            Self::ChangeExists { .. } => "choose another id, or go on with that one".into(),
            Self::BadChangeId { .. } => {
                "use lower-case words joined with hyphens, the first a verb: `add-two-factor-auth`"
                    .into()
            }
            Self::Busy => "try again in a moment".into(),
            Self::BadIntent { file } => {
                format!("look at what it names, then remove it: `rm {file}`")
            }
            Self::Refused(refused) => return refused.hint(),
            Self::Io { source, .. } => source.to_string(),
            _ => return None,
        })
    }

    fn suggestions(&self) -> Vec<String> {
        match self {
            Self::UnknownSpec { near, .. }
            | Self::NoSpecToValidate { near, .. }
            | Self::UnknownRequirement { near, .. }
            | Self::UnknownScenario { near, .. }
            | Self::UnknownChange { near, .. }
            | Self::NoChangeToValidate { near, .. } => near.clone(),
            _ => Vec::new(),
        }
    }
}
