//! What an application lets agents read and watch.

use async_trait::async_trait;
use kit_core::{Fault, Kind, Report};
use rmcp::{
    ErrorData,
    model::{ErrorCode, Resource, ResourceContents, ResourceTemplate},
};

use crate::Call;

/// An application's resources. Which of them changed is told through [`crate::Hub`].
#[async_trait]
pub trait Resources: Send + Sync + 'static {
    /// Everything that can be listed, in a stable order; the layer cuts pages.
    async fn list(&self, call: &Call) -> Result<Vec<Resource>, ResourceError>;

    /// Templates, in a stable order.
    fn templates(&self) -> Vec<ResourceTemplate> {
        Vec::new()
    }

    async fn read(&self, call: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError>;

    /// Values that start with `typed` for `variable` of the template `template`.
    async fn complete(&self, template: &str, variable: &str, typed: &str) -> Vec<String> {
        let _ = (template, variable, typed);
        Vec::new()
    }

    /// Values that start with `typed` for `argument` of the prompt `prompt`.
    async fn complete_prompt(&self, prompt: &str, argument: &str, typed: &str) -> Vec<String> {
        let _ = (prompt, argument, typed);
        Vec::new()
    }
}

/// Why a resource was not read.
#[derive(Debug, Clone)]
pub struct ResourceError {
    kind: Kind,
    report: Box<Report>,
}

impl ResourceError {
    /// Nothing has this URI. `hint` says where URIs come from.
    pub fn unknown(uri: &str, hint: &str) -> Self {
        let report =
            Report::new(Kind::NotFound, format!("no resource `{uri}`")).hint(hint).with("uri", uri);
        Self::new(Kind::NotFound, report)
    }

    pub fn new(kind: Kind, report: Report) -> Self {
        Self { kind, report: Box::new(report) }
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.kind == Kind::NotFound
    }

    pub(crate) fn into_error_data(self) -> ErrorData {
        let data = serde_json::to_value(&*self.report).ok();
        let code = match self.kind {
            Kind::NotFound => ErrorCode::RESOURCE_NOT_FOUND,
            Kind::Invalid | Kind::Conflict | Kind::Forbidden => ErrorCode::INVALID_PARAMS,
            Kind::Unavailable | Kind::Internal => ErrorCode::INTERNAL_ERROR,
        };
        ErrorData::new(code, self.report.error, data)
    }
}

impl<F: Fault + 'static> From<F> for ResourceError {
    fn from(fault: F) -> Self {
        Self::new(fault.kind(), fault.report())
    }
}

/// For an application that has none.
pub struct NoResources;

#[async_trait]
impl Resources for NoResources {
    async fn list(&self, _: &Call) -> Result<Vec<Resource>, ResourceError> {
        Ok(Vec::new())
    }

    async fn read(&self, _: &Call, uri: &str) -> Result<Vec<ResourceContents>, ResourceError> {
        Err(ResourceError::unknown(uri, "this server has no resources"))
    }
}
