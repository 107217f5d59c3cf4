//! Why something was refused. The texts that the specification fixes stand here, for all surfaces.

use std::{io, path::PathBuf};

use kit_core::{Fault, Kind};

use crate::settings::BadSetting;

/// A request that was not carried out. Nothing has changed.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("Server not configured")]
    NotConfigured,
    #[error("Server not started")]
    NotStarted,
    #[error("Server already running")]
    AlreadyRunning,
    /// An argument that is missing or of another kind.
    #[error("{name} must be {kind}")]
    Argument { name: &'static str, kind: &'static str },
    #[error("session {0} not found")]
    UnknownSession(String),
    /// A program failed: its message, place and traceback.
    #[error("execution failed: {0}")]
    Execution(String),
    #[error("cannot use `{}`: {why}", path.display())]
    BaseDir { path: PathBuf, why: String },
    #[error(transparent)]
    Setting(#[from] BadSetting),
    #[error("cannot listen on `{address}`")]
    Listen { address: String, source: io::Error },
    /// A view definition that cannot be taken, and why.
    #[error("{0}")]
    Viewdef(String),
    #[error("failed to open browser: {0}")]
    Browser(String),
    #[error("Invalid resource path")]
    ResourcePath,
    #[error("Resource not found: {0}")]
    UnknownResource(String),
    #[error("there is no `/{0}` here")]
    UnknownFile(String),
    #[error("unknown tool `{0}`")]
    UnknownTool(String),
    /// A file that could not be read or written.
    #[error("{what}")]
    File { what: String, source: io::Error },
    /// More than is read at once.
    #[error("the resource has {0} bytes, which is too much to read at once")]
    TooLarge(u64),
    /// Too much waits already.
    #[error("session {0} has too much to do; try again when it has caught up")]
    Busy(String),
    /// No more sessions.
    #[error("{0} sessions are open, and no more are made")]
    TooManySessions(usize),
    #[error("{0}")]
    Internal(String),
}

impl Fault for Error {
    fn kind(&self) -> Kind {
        match self {
            Self::NotConfigured | Self::NotStarted | Self::AlreadyRunning => Kind::Conflict,
            Self::Argument { .. }
            | Self::Execution(_)
            | Self::BaseDir { .. }
            | Self::Setting(_)
            | Self::TooLarge(_)
            | Self::Viewdef(_)
            | Self::ResourcePath => Kind::Invalid,
            Self::UnknownSession(_)
            | Self::UnknownResource(_)
            | Self::UnknownFile(_)
            | Self::UnknownTool(_) => Kind::NotFound,
            Self::Listen { .. } | Self::Browser(_) | Self::Busy(_) | Self::TooManySessions(_) => {
                Kind::Unavailable
            }
            Self::File { .. } | Self::Internal(_) => Kind::Internal,
        }
    }

    fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::NotConfigured => "call `ui_configure` with a `base_dir` first",
            Self::NotStarted => "call `ui_start` first",
            Self::AlreadyRunning => "`ui_status` says where; `ui_configure` begins anew",
            Self::UnknownSession(_) => "`ui_status` says what is running",
            Self::BaseDir { .. } => "give an absolute path to a folder that can be written to",
            _ => return None,
        };
        Some(hint.to_owned())
    }
}
