//! What tools give, and how they say no.

use kit_mcp::{
    rmcp::{
        ErrorData,
        handler::server::tool::IntoCallToolResult,
        model::{CallToolResponse, CallToolResult, ContentBlock},
    },
    structured,
};
use publisher_core::advice::Advice;
use serde::Serialize;

use super::failure;
use crate::{At, Error};

/// An object, as structured content and as text.
pub(super) struct Object<T>(pub(super) T);

impl<T: Serialize> IntoCallToolResult for Object<T> {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(structured(&self.0)?.into())
    }
}

/// A text, or a list as JSON: structured content can only be an object.
pub(super) struct Text(pub(super) String);

impl Text {
    pub(super) fn json(value: &impl Serialize) -> Self {
        Self(serde_json::to_string(value).unwrap_or_default())
    }
}

impl IntoCallToolResult for Text {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResult::success(vec![ContentBlock::text(self.0)]).into())
    }
}

/// A call that failed: `{error, suggestions}`.
pub(super) struct Failed(Advice);

impl Failed {
    /// What the arguments name.
    pub(super) fn at(at: &At, error: &Error) -> Self {
        Self(failure::of_address(at, error))
    }

    /// The same for a whole package or project.
    pub(super) fn of(project: &str, package: &str, error: &Error) -> Self {
        Self::at(&At::new(project, package, ""), error)
    }
}

impl IntoCallToolResult for Failed {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(failure::result(None, &self.0).into())
    }
}
