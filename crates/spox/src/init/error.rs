//! Why a project could not be set up. Nothing was written.

use kit_core::{Fault, Kind};

#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The config is not TOML, lacks a key, or says something that cannot be.
    #[error(transparent)]
    Config(#[from] spox_core::ConfigError),
    /// A file is there and cannot be read, or cannot be written.
    #[error("cannot {what} `{path}`")]
    Io { what: &'static str, path: String, source: std::io::Error },
    /// A file lies where a folder has to be.
    #[error("`{path}` is a file and has to be a folder")]
    NotAFolder { path: String },
    /// A block begins and does not end, so that nobody can tell what is ours.
    #[error("`{path}` line {line}: `{START}` without `{END}`", START = super::START, END = super::END)]
    OpenBlock { path: String, line: usize },
    /// A shared JSON file has another shape than expected.
    #[error("`{path}`: {problem}")]
    Json { path: &'static str, problem: String },
}

impl Error {
    pub(crate) fn io(what: &'static str, path: &str) -> impl FnOnce(std::io::Error) -> Self {
        move |source| Self::Io { what, path: path.to_owned(), source }
    }
}

impl Fault for Error {
    fn kind(&self) -> Kind {
        match self {
            Self::Config(error) => error.kind(),
            Self::Io { .. } => Kind::Unavailable,
            _ => Kind::Invalid,
        }
    }

    fn hint(&self) -> Option<String> {
        match self {
            Self::Config(error) => error.hint(),
            Self::OpenBlock { .. } => {
                Some(format!("add a line `{}` where the block ends, or delete it", super::END))
            }
            Self::Json { path, .. } => Some(format!(
                "correct `{path}`, or add it by hand: \"spox\": {}",
                super::mcp_json::entry()
            )),
            Self::NotAFolder { .. } | Self::Io { .. } => None,
        }
    }
}
