//! Why a request did not happen. Nothing has changed in every case.

use std::{borrow::Cow, fmt};

use kit_core::{Fault, Kind, Report};

/// What went wrong, by the names that gRPC has for it; every surface shows these.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Code {
    /// Empty, unknown, of the wrong type or out of range.
    InvalidArgument,
    /// A campaign, participant, actor, session, roll or event that is not there.
    NotFound,
    /// The thing is in a state that forbids it.
    FailedPrecondition,
    /// Over a limit, see [`crate::limits`].
    ResourceExhausted,
    /// Somebody else may do it.
    PermissionDenied,
    Internal,
    Unavailable,
}

impl Code {
    pub const ALL: [Self; 7] = [
        Self::InvalidArgument,
        Self::NotFound,
        Self::FailedPrecondition,
        Self::ResourceExhausted,
        Self::PermissionDenied,
        Self::Internal,
        Self::Unavailable,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::InvalidArgument => "InvalidArgument",
            Self::NotFound => "NotFound",
            Self::FailedPrecondition => "FailedPrecondition",
            Self::ResourceExhausted => "ResourceExhausted",
            Self::PermissionDenied => "PermissionDenied",
            Self::Internal => "Internal",
            Self::Unavailable => "Unavailable",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }

    /// The nearest of the kinds that all applications share.
    pub fn kind(self) -> Kind {
        match self {
            Self::InvalidArgument | Self::ResourceExhausted => Kind::Invalid,
            Self::NotFound => Kind::NotFound,
            Self::FailedPrecondition => Kind::Conflict,
            Self::PermissionDenied => Kind::Forbidden,
            Self::Internal => Kind::Internal,
            Self::Unavailable => Kind::Unavailable,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why a request was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Refusal {
    pub code: Code,
    /// Where the specification has words for it, these are they.
    pub message: Cow<'static, str>,
    /// The input that it is about.
    pub field: Option<Cow<'static, str>>,
    /// The way out.
    pub hint: Option<Cow<'static, str>>,
}

impl Refusal {
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), field: None, hint: None }
    }

    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }

    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::NotFound, message)
    }

    pub fn precondition(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::FailedPrecondition, message)
    }

    pub fn exhausted(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::ResourceExhausted, message)
    }

    pub fn denied(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::PermissionDenied, message)
    }

    #[must_use]
    pub fn field(mut self, field: impl Into<Cow<'static, str>>) -> Self {
        self.field = Some(field.into());
        self
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<Cow<'static, str>>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl Fault for Refusal {
    fn kind(&self) -> Kind {
        self.code.kind()
    }

    fn hint(&self) -> Option<String> {
        self.hint.as_deref().map(str::to_owned)
    }

    fn report(&self) -> Report {
        let mut report = Report::new(self.kind(), self.message.clone());
        self.code.name().clone_into(&mut report.code);
        report.hint = Fault::hint(self);
        match &self.field {
            Some(field) => report.with("field", &**field),
            None => report,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_found_by_its_name() {
        for code in Code::ALL {
            assert_eq!(Code::from_name(code.name()), Some(code));
        }
        assert_eq!(Code::from_name("notfound"), None);
    }

    #[test]
    fn a_report_has_the_code_by_its_name_and_the_field() {
        let refusal = Refusal::invalid("gm mode is required").field("gm_mode").hint("one of three");
        let report = serde_json::to_string(&refusal.report()).unwrap();
        let wanted = r#"{"error":"gm mode is required","code":"InvalidArgument","hint":"one of three","field":"gm_mode"}"#;
        assert_eq!(report, wanted);
    }
}
