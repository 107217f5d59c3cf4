//! What an application lets agents read and watch.

use async_trait::async_trait;
use kit_core::{Fault, Kind, Report};
use rmcp::{
    ErrorData,
    model::{ErrorCode, ReadResourceResult, Resource, ResourceContents, ResourceTemplate},
};

use crate::{Call, Members};

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
    /// The code that a specification fixes.
    code: Option<ErrorCode>,
    contents: Option<Vec<ResourceContents>>,
}

impl ResourceError {
    /// Nothing has this URI. `hint` says where URIs come from.
    pub fn unknown(uri: &str, hint: &str) -> Self {
        let report =
            Report::new(Kind::NotFound, format!("no resource `{uri}`")).hint(hint).with("uri", uri);
        Self::new(Kind::NotFound, report)
    }

    pub fn new(kind: Kind, report: Report) -> Self {
        Self { kind, report: Box::new(report), code: None, contents: None }
    }

    /// Nothing has this URI, in the words of a specification and as JSON-RPC error `-32602`.
    pub fn unknown_as(words: impl Into<String>) -> Self {
        let report = Report::new(Kind::NotFound, words.into());
        Self { code: Some(ErrorCode::INVALID_PARAMS), ..Self::new(Kind::NotFound, report) }
    }

    /// A failure that the client gets as a result: these contents, and `isError` beside them.
    pub fn in_contents(contents: Vec<ResourceContents>) -> Self {
        let report = Report::new(Kind::Invalid, "the contents say what failed");
        Self { contents: Some(contents), ..Self::new(Kind::Invalid, report) }
    }

    pub(crate) fn has_own_words(&self) -> bool {
        self.code.is_some()
    }

    /// The result that it is, or the error.
    pub(crate) fn into_result(mut self) -> Result<ReadResourceResult, ErrorData> {
        match self.contents.take() {
            Some(contents) => Ok(ReadResourceResult::new(contents).with_member("isError", true)),
            None => Err(self.into_error_data()),
        }
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.kind == Kind::NotFound
    }

    pub(crate) fn into_error_data(self) -> ErrorData {
        let data = serde_json::to_value(&*self.report).ok();
        let code = self.code.unwrap_or(match self.kind {
            Kind::NotFound => ErrorCode::RESOURCE_NOT_FOUND,
            Kind::Invalid | Kind::Conflict | Kind::Forbidden => ErrorCode::INVALID_PARAMS,
            Kind::Unavailable | Kind::Internal => ErrorCode::INTERNAL_ERROR,
        });
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
