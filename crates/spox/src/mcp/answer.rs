//! A call that was answered.

use std::sync::Arc;

use kit_mcp::{
    rmcp::{
        ErrorData,
        handler::server::tool::IntoCallToolResult,
        model::CallToolResponse,
        schemars::{JsonSchema, generate::SchemaSettings},
    },
    structured_indented,
};
use serde::Serialize;
use serde_json::{Map, Value};

/// The object as structured content, and the same as indented text for clients that know only that.
pub(super) struct Object<T>(pub(super) T);

impl<T: Serialize> IntoCallToolResult for Object<T> {
    fn into_call_tool_result(self) -> Result<CallToolResponse, ErrorData> {
        Ok(structured_indented(&self.0)?.into())
    }
}

/// The schema of an answer as it is written, in which what may be left out is not required.
pub(super) fn schema<T: JsonSchema>() -> Arc<Map<String, Value>> {
    let generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    let mut schema = generator.into_root_schema_for::<T>();
    schema.remove("title");
    schema.as_object().cloned().unwrap_or_default().into()
}
