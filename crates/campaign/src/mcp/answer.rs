//! A call that was carried out.

use kit_mcp::{
    rmcp::{
        ErrorData,
        handler::server::tool::IntoCallToolResult,
        model::{CallToolResponse, MetaObject},
    },
    structured,
};
use serde::Serialize;
use serde_json::Value;

use super::failure::Failure;

/// What a tool gives: the object as structured content, and the same as text for clients that know only that.
pub(super) struct Object<T> {
    value: T,
    request_id: Option<String>,
}

pub(super) type Answer<T> = Result<Object<T>, Failure>;

impl<T> Object<T> {
    /// Names the request that it answers, beside the answer.
    pub(super) fn answering(mut self, id: Option<String>) -> Self {
        self.request_id = id;
        self
    }
}

impl<T> From<T> for Object<T> {
    fn from(value: T) -> Self {
        Self { value, request_id: None }
    }
}

impl<T: Serialize> IntoCallToolResult for Object<T> {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        let mut result = structured(&self.value)?;
        if let Some(id) = self.request_id {
            let mut meta = MetaObject::new();
            meta.0.insert("request_id".to_owned(), Value::String(id));
            result.meta = Some(meta);
        }
        Ok(result.into())
    }
}
