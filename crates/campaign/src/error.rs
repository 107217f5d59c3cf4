//! Why a request was not carried out: the same code, message, field and hint on every surface.

use std::{borrow::Cow, sync::Arc};

use campaign_core::{Code, Refusal};
use kit_core::{Fault, Kind, Report};
use kit_store::{ExecuteError, StoreError};

type Cause = Arc<dyn std::error::Error + Send + Sync>;

/// Why a request was not carried out. Nothing has changed, unless it says that this is not known.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{message}")]
pub struct Error {
    pub code: Code,
    pub message: Cow<'static, str>,
    /// The input that it is about.
    pub field: Option<Cow<'static, str>>,
    /// The way out.
    pub hint: Option<Cow<'static, str>>,
    /// For the log; never shown.
    source: Option<Cause>,
}

impl Error {
    pub fn new(code: Code, message: impl Into<Cow<'static, str>>) -> Self {
        Self { code, message: message.into(), field: None, hint: None, source: None }
    }

    pub fn invalid(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::InvalidArgument, message)
    }

    pub fn not_found(message: impl Into<Cow<'static, str>>) -> Self {
        Self::new(Code::NotFound, message)
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

    /// Keeps what went wrong below, for the log.
    #[must_use]
    pub fn caused_by(
        mut self,
        source: impl Into<Box<dyn std::error::Error + Send + Sync>>,
    ) -> Self {
        self.source = Some(Arc::from(source.into()));
        self
    }
}

impl Fault for Error {
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
        match self.field.as_deref() {
            Some(field) => report.with("field", field),
            None => report,
        }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        let Refusal { code, message, field, hint } = refusal;
        Self { code, message, field, hint, source: None }
    }
}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        let (code, message) = match (&error, error.kind()) {
            // No stream can have such a name.
            (StoreError::BadName { .. }, _) => return Self::not_found("campaign not found"),
            (StoreError::InDoubt { .. }, _) => {
                (Code::Internal, "the journal gave no answer; the change may be there or not")
            }
            (StoreError::Conflict { .. }, _) | (_, Kind::Unavailable) => {
                (Code::Unavailable, "the journal cannot be reached now")
            }
            _ => (Code::Internal, "the journal cannot be read or written"),
        };
        let hint = error.hint().filter(|_| code == Code::Unavailable);
        let hint = hint.map(|_| "repeat the request in a moment".into());
        Self { hint, ..Self::new(code, message).caused_by(error) }
    }
}

impl From<ExecuteError<Refusal>> for Error {
    fn from(error: ExecuteError<Refusal>) -> Self {
        match error {
            ExecuteError::Rejected(refusal) => refusal.into(),
            ExecuteError::Store(error) => error.into(),
        }
    }
}
