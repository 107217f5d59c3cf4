//! One tool for each kind of content that a result can hold.

use std::sync::Arc;

use kit_mcp::rmcp::{
    self,
    model::{CallToolResult, ContentBlock, JsonObject, ResourceContents},
    tool, tool_router,
};
use serde_json::{Value, json};

use crate::Fixture;

/// A red pixel.
pub(crate) const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";

/// A WAV file without a sample.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=";

#[tool_router(router = content_tools, vis = "pub(crate)")]
impl Fixture {
    /// Answer with plain text.
    #[tool(annotations(read_only_hint = true))]
    async fn test_simple_text(&self) -> String {
        "This is a simple text response for testing.".to_owned()
    }

    /// Answer with an image.
    #[tool(annotations(read_only_hint = true))]
    async fn test_image_content(&self) -> CallToolResult {
        CallToolResult::success(vec![ContentBlock::image(PNG, "image/png")])
    }

    /// Answer with a sound.
    #[tool(annotations(read_only_hint = true))]
    async fn test_audio_content(&self) -> CallToolResult {
        CallToolResult::success(vec![ContentBlock::audio(WAV, "audio/wav")])
    }

    /// Answer with an embedded resource.
    #[tool(annotations(read_only_hint = true))]
    async fn test_embedded_resource(&self) -> CallToolResult {
        let text = "This is an embedded resource content.";
        let resource = ResourceContents::text(text, "test://embedded-resource");
        CallToolResult::success(vec![ContentBlock::resource(resource.with_mime_type("text/plain"))])
    }

    /// Answer with text, an image and a resource at once.
    #[tool(annotations(read_only_hint = true))]
    async fn test_multiple_content_types(&self) -> CallToolResult {
        let data = json!({ "test": "data", "value": 123 }).to_string();
        let resource = ResourceContents::text(data, "test://mixed-content-resource");
        CallToolResult::success(vec![
            ContentBlock::text("Multiple content types test:"),
            ContentBlock::image(PNG, "image/png"),
            ContentBlock::resource(resource.with_mime_type("application/json")),
        ])
    }

    /// Fail, always.
    #[tool(annotations(read_only_hint = true))]
    async fn test_error_handling(&self) -> CallToolResult {
        let text = "This tool intentionally returns an error for testing";
        CallToolResult::error(vec![ContentBlock::text(text)])
    }

    /// Tool with JSON Schema 2020-12 features
    #[tool(input_schema = schema_2020_12(), annotations(read_only_hint = true))]
    async fn json_schema_2020_12_tool(&self, arguments: JsonObject) -> String {
        format!("JSON Schema 2020-12 tool called with: {}", Value::Object(arguments))
    }

    /// Answer with an argument that also travels as a header.
    #[tool(input_schema = schema_with_header(), annotations(read_only_hint = true))]
    async fn test_custom_header(&self, arguments: JsonObject) -> String {
        format!("Region: {}", arguments.get("region").unwrap_or(&Value::Null))
    }
}

/// Every keyword that must come through `tools/list` unchanged.
fn schema_2020_12() -> Arc<JsonObject> {
    object(json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": { "street": { "type": "string" }, "city": { "type": "string" } },
            },
        },
        "properties": {
            "name": { "type": "string" },
            "address": { "$ref": "#/$defs/address" },
            "contactMethod": { "type": "string", "enum": ["phone", "email"] },
            "phone": { "type": "string" },
            "email": { "type": "string" },
        },
        "allOf": [{ "anyOf": [{ "required": ["phone"] }, { "required": ["email"] }] }],
        "if": { "properties": { "contactMethod": { "const": "phone" } }, "required": ["contactMethod"] },
        "then": { "required": ["phone"] },
        "else": { "required": ["email"] },
        "additionalProperties": false,
    }))
}

fn schema_with_header() -> Arc<JsonObject> {
    object(json!({
        "type": "object",
        "properties": {
            "region": {
                "type": "string",
                "description": "Any text; it must equal the header `Mcp-Param-Region`.",
                "x-mcp-header": "Region",
            },
        },
        "required": ["region"],
        "additionalProperties": false,
    }))
}

fn object(schema: Value) -> Arc<JsonObject> {
    let Value::Object(object) = schema else { unreachable!("schemas here are written as objects") };
    Arc::new(object)
}
