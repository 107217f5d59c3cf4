//! How a tool says no.

use kit_core::{Fault, Kind, Report};
use rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, ContentBlock},
};

/// A failed tool call: an `isError` result with the report as text and as structured content, so that
/// the model can read what was wrong and correct itself. `?` makes one from any [`Fault`].
#[derive(Debug, Clone)]
pub struct ToolError(Report);

impl ToolError {
    pub fn new(report: Report) -> Self {
        Self(report)
    }

    pub fn report(&self) -> &Report {
        &self.0
    }

    pub(crate) fn into_result(self) -> CallToolResult {
        let value = serde_json::to_value(&self.0).unwrap_or_default();
        let mut result = CallToolResult::error(vec![ContentBlock::text(value.to_string())]);
        result.structured_content = Some(value);
        result
    }
}

impl<F: Fault + 'static> From<F> for ToolError {
    fn from(fault: F) -> Self {
        if fault.kind() == Kind::Internal {
            let causes = causes(&fault);
            tracing::error!(error = %fault, causes, "a tool failed");
        }
        Self(fault.report())
    }
}

/// The chain below an error, for the log only.
fn causes(error: &dyn std::error::Error) -> String {
    let mut text = String::new();
    let mut next = error.source();
    while let Some(cause) = next {
        if !text.is_empty() {
            text.push_str(": ");
        }
        text.push_str(&cause.to_string());
        next = cause.source();
    }
    text
}

impl IntoCallToolResult for ToolError {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(self.into_result().into())
    }
}
