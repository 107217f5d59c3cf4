//! A failed call, in the words of the specification.

use kit_core::{Fault, Kind};
use kit_mcp::rmcp::{
    ErrorData,
    handler::server::tool::IntoCallToolResult,
    model::{CallToolResponse, CallToolResult, ContentBlock, MetaObject},
};
use serde_json::json;

use crate::Error;

/// An `isError` result: its text begins with the code, `_meta.error` has the parts.
#[derive(Debug)]
pub(super) struct Failure(Error);

impl<E: Into<Error>> From<E> for Failure {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoCallToolResult for Failure {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let error = self.0;
        if matches!(error.kind(), Kind::Internal | Kind::Unavailable) {
            tracing::error!(error = &error as &dyn std::error::Error, "a tool failed");
        }
        let mut text = format!("{}: {}", error.code.name(), error.message);
        if let Some(hint) = &error.hint {
            text = format!("{text} ({hint})");
        }
        let mut parts = json!({"code": error.code.name(), "message": error.message});
        for (key, value) in [("field", &error.field), ("hint", &error.hint)] {
            if let Some(value) = value {
                parts[key] = value.as_ref().into();
            }
        }
        let mut meta = MetaObject::new();
        meta.0.insert("error".to_owned(), parts);
        let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
        result.meta = Some(meta);
        Ok(result.into())
    }
}
