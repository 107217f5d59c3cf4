//! What an audit has to say: one thing, its place, and the way out.

use std::fmt;

use serde::Serialize;

use crate::html::Place;

/// Something wrong, or likely to be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// A short name for the kind of thing, the same each time.
    pub code: &'static str,
    pub severity: Severity,
    pub line: u32,
    pub column: u32,
    pub message: String,
    /// What to write instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
}

/// How sure it is that something does not work as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// It does not work.
    Error,
    /// It works, but hardly as it was meant.
    Warning,
    /// Worth knowing.
    Info,
}

impl Severity {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warning => "warning",
            Self::Info => "info",
        }
    }
}

impl Finding {
    pub fn new(
        severity: Severity,
        code: &'static str,
        at: Place,
        message: impl Into<String>,
    ) -> Self {
        Self {
            code,
            severity,
            line: at.line,
            column: at.column,
            message: message.into(),
            fix: None,
        }
    }

    pub fn error(code: &'static str, at: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, code, at, message)
    }

    pub fn warning(code: &'static str, at: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, code, at, message)
    }

    pub fn info(code: &'static str, at: Place, message: impl Into<String>) -> Self {
        Self::new(Severity::Info, code, at, message)
    }

    #[must_use]
    pub fn fix(mut self, fix: impl Into<String>) -> Self {
        self.fix = Some(fix.into());
        self
    }

    /// With a fix, where one is known.
    #[must_use]
    pub fn maybe_fix(mut self, fix: Option<String>) -> Self {
        self.fix = fix.or(self.fix);
        self
    }
}

/// `3:14 error unknown-attribute: … (fix)`
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{} {} {}: {}",
            self.line,
            self.column,
            self.severity.as_str(),
            self.code,
            self.message
        )?;
        match &self.fix {
            Some(fix) => write!(f, "; {fix}"),
            None => Ok(()),
        }
    }
}

/// In the order of places, the worst of a place first.
pub(crate) fn sort(findings: &mut [Finding]) {
    findings.sort_by(|a, b| {
        (a.line, a.column, a.severity, a.code).cmp(&(b.line, b.column, b.severity, b.code))
    });
}
