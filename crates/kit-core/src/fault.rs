//! What went wrong, in the reader's terms.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// The few ways in which a request can fail; each surface has one status for each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The request is wrong as it stands; repeating it changes nothing.
    Invalid,
    /// What it names is not there.
    NotFound,
    /// Somebody else was first, or the thing is in a state that forbids it.
    Conflict,
    /// It is there and the request is right, but not for this caller.
    Forbidden,
    /// Right request, wrong moment: overloaded, starting, or a part is down. Repeating helps.
    Unavailable,
    /// Our mistake. The details are in the log, not in the answer.
    Internal,
}

impl Kind {
    /// The word that stands for this kind on the wire.
    pub fn code(self) -> &'static str {
        match self {
            Self::Invalid => "invalid",
            Self::NotFound => "not_found",
            Self::Conflict => "conflict",
            Self::Forbidden => "forbidden",
            Self::Unavailable => "unavailable",
            Self::Internal => "internal",
        }
    }

    /// Whether the same request may succeed later.
    pub fn worth_repeating(self) -> bool {
        matches!(self, Self::Unavailable)
    }
}

/// An error that knows what its reader needs: its kind and the way out.
pub trait Fault: std::error::Error {
    fn kind(&self) -> Kind;

    /// The next step that gets the caller past this, if there is one.
    fn hint(&self) -> Option<String> {
        None
    }

    /// Names near to the one that was not found.
    fn suggestions(&self) -> Vec<String> {
        Vec::new()
    }

    /// Ids that the message is about, by field name.
    fn context(&self) -> Map<String, Value> {
        Map::new()
    }

    /// What every surface shows. The causes of an internal fault stay out of it.
    fn report(&self) -> Report {
        Report {
            error: self.to_string(),
            code: self.kind().code().to_owned(),
            hint: self.hint(),
            suggestions: self.suggestions(),
            context: self.context(),
            extra: Map::new(),
        }
    }
}

/// A fault as it goes over the wire, the same on every surface.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// What was refused, naming the thing and the place.
    pub error: String,
    /// The kind, or a finer word of the application's own.
    pub code: String,
    /// The next step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub context: Map<String, Value>,
    /// Fields that a specification wants beside `error`.
    #[serde(flatten)]
    pub extra: Map<String, Value>,
}

impl Report {
    pub fn new(kind: Kind, error: impl Into<String>) -> Self {
        Self {
            error: error.into(),
            code: kind.code().to_owned(),
            hint: None,
            suggestions: Vec::new(),
            context: Map::new(),
            extra: Map::new(),
        }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds a field that a specification wants beside `error`.
    #[must_use]
    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.extra.insert(field.to_owned(), value.into());
        self
    }
}
