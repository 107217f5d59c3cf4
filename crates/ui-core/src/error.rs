//! What goes wrong with a message or a variable, as a browser is told.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The kind of an error, as `code` names it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Code {
    /// Nil, or something that is no object, on the way of a write.
    PathFailure,
    /// No such variable, object or method.
    NotFound,
    /// The access does not fit the path, is unknown, or forbids what was asked.
    BadAccess,
    /// The path cannot be read.
    BadPath,
    /// The message cannot be read.
    BadMessage,
    /// The connection has a variable with this id.
    DuplicateId,
    /// Lua raised an error.
    LuaError,
    /// Too long, too much, too deep.
    Limit,
    /// The connection may not.
    Unauthorized,
}

impl Code {
    /// As on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::PathFailure => "path-failure",
            Self::NotFound => "not-found",
            Self::BadAccess => "bad-access",
            Self::BadPath => "bad-path",
            Self::BadMessage => "bad-message",
            Self::DuplicateId => "duplicate-id",
            Self::LuaError => "lua-error",
            Self::Limit => "limit",
            Self::Unauthorized => "unauthorized",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error of one variable: its kind, and what to tell the reader (for [`Code::LuaError`] the text of Lua).
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{code}: {text}")]
pub struct Failure {
    /// The kind.
    pub code: Code,
    /// What happened, in the reader's terms.
    pub text: Box<str>,
}

impl Failure {
    /// An error of kind `code`.
    pub fn new(code: Code, text: impl Into<Box<str>>) -> Self {
        Self { code, text: text.into() }
    }
}

/// As its text, for listings. On the wire the parts of it are fields of `error`.
impl Serialize for Failure {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
