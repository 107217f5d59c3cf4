//! Tools that talk to the client while they run.
#![expect(deprecated, reason = "logging and sampling serve the revisions that still have them")]

use std::time::Duration;

use kit_mcp::{
    AskError, Call, ToolError,
    rmcp::{
        self, ErrorData,
        handler::server::wrapper::Parameters,
        model::{
            ClientCapabilities, CreateMessageRequestParams, ElicitRequestParams,
            InputRequiredResult, LoggingLevel, SamplingMessage,
        },
        schemars::{self, JsonSchema},
        tool, tool_router,
    },
};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::{Fixture, rounds};

/// Long enough for the client to see two messages as two, as the suite asks.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Sample {
    /// The prompt to send to the client's model.
    prompt: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Elicit {
    /// The message to show the user.
    message: String,
}

#[tool_router(router = talk_tools, vis = "pub(crate)")]
impl Fixture {
    /// Send three log messages, then answer.
    #[tool(annotations(read_only_hint = true))]
    async fn test_tool_with_logging(&self, call: Call) -> String {
        call.log(LoggingLevel::Info, None, json!("Tool execution started")).await;
        tokio::time::sleep(PAUSE).await;
        call.log(LoggingLevel::Info, None, json!("Tool processing data")).await;
        tokio::time::sleep(PAUSE).await;
        call.log(LoggingLevel::Info, None, json!("Tool execution completed")).await;
        "Tool with logging executed successfully".to_owned()
    }

    /// Log, which only reaches a client that named a level.
    #[tool(annotations(read_only_hint = true))]
    async fn test_logging_tool(&self, call: Call) -> String {
        call.log(LoggingLevel::Info, Some("fixture"), json!("A message for those who want it"))
            .await;
        "Logged".to_owned()
    }

    /// Report progress three times, then answer.
    #[tool(annotations(read_only_hint = true))]
    async fn test_tool_with_progress(&self, call: Call) -> String {
        call.progress(0.0, Some(100.0), Some("Completed step 0 of 100")).await;
        tokio::time::sleep(PAUSE).await;
        call.progress(50.0, Some(100.0), Some("Completed step 50 of 100")).await;
        tokio::time::sleep(PAUSE).await;
        call.progress(100.0, Some(100.0), Some("Completed step 100 of 100")).await;
        // The TypeScript client handles an answer before a notification that it read together with it, and no longer
        // knows the token then.
        tokio::time::sleep(PAUSE).await;
        "Tool with progress executed successfully".to_owned()
    }

    /// Ask the client's model, and say what it answered.
    #[tool(annotations(read_only_hint = true))]
    async fn test_sampling(
        &self,
        call: Call,
        Parameters(Sample { prompt }): Parameters<Sample>,
    ) -> Result<String, ToolError> {
        let messages = vec![SamplingMessage::user_text(prompt)];
        let answer = call.sample(CreateMessageRequestParams::new(messages, 100)).await?;
        let text = answer.message.content.first().and_then(|block| block.as_text());
        Ok(format!("LLM response: {}", text.map_or("", |text| &text.text)))
    }

    /// Ask the user for a name and an address, and say what they answered.
    #[tool(annotations(read_only_hint = true))]
    async fn test_elicitation(
        &self,
        call: Call,
        Parameters(Elicit { message }): Parameters<Elicit>,
    ) -> Result<String, ToolError> {
        let fields = json!({
            "username": { "type": "string", "description": "User's response" },
            "email": { "type": "string", "description": "User's email address" },
        });
        let (action, content) = elicit(&call, &message, &fields, &["username", "email"]).await?;
        Ok(format!("User response: action={action}, content={content}"))
    }

    /// Ask the user for a value of each primitive type, each with a default.
    #[tool(annotations(read_only_hint = true))]
    async fn test_elicitation_sep1034_defaults(&self, call: Call) -> Result<String, ToolError> {
        let fields = json!({
            "name": { "type": "string", "description": "User name", "default": "John Doe" },
            "age": { "type": "integer", "description": "User age", "default": 30 },
            "score": { "type": "number", "description": "User score", "default": 95.5 },
            "status": {
                "type": "string",
                "description": "User status",
                "enum": ["active", "inactive", "pending"],
                "default": "active",
            },
            "verified": { "type": "boolean", "description": "Verification", "default": true },
        });
        completed(&call, "Please review and update the form fields with defaults", &fields).await
    }

    /// Ask the user to choose, in each of the five ways that a choice can be described.
    #[tool(annotations(read_only_hint = true))]
    async fn test_elicitation_sep1330_enums(&self, call: Call) -> Result<String, ToolError> {
        let titled = |noun: &str| {
            json!([
                { "const": "value1", "title": format!("First {noun}") },
                { "const": "value2", "title": format!("Second {noun}") },
                { "const": "value3", "title": format!("Third {noun}") },
            ])
        };
        let plain = json!(["option1", "option2", "option3"]);
        let fields = json!({
            "untitledSingle": { "type": "string", "enum": plain },
            "titledSingle": { "type": "string", "oneOf": titled("Option") },
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": { "type": "array", "items": { "type": "string", "enum": plain } },
            "titledMulti": { "type": "array", "items": { "anyOf": titled("Choice") } },
        });
        completed(&call, "Please select options from the enum fields", &fields).await
    }

    /// Let go of the connection in the middle of the call; the client comes back for the answer.
    #[tool(annotations(read_only_hint = true))]
    async fn test_reconnection(&self, call: Call) -> String {
        call.release_connection();
        tokio::time::sleep(PAUSE).await;
        "Reconnection test completed successfully".to_owned()
    }

    /// Refuse a client whose model cannot be asked.
    #[tool(annotations(read_only_hint = true))]
    async fn test_missing_capability(&self, call: Call) -> Result<String, ErrorData> {
        if call.client_capabilities().sampling.is_none() {
            let needed = ClientCapabilities::builder().enable_sampling().build();
            return Err(ErrorData::missing_required_client_capability(needed));
        }
        Ok("The client can sample".to_owned())
    }

    /// Ask the user by way of the result, never by a request on the stream.
    #[tool(annotations(read_only_hint = true))]
    async fn test_streaming_elicitation(&self) -> InputRequiredResult {
        rounds::ask([("confirm", rounds::form("Please confirm", "ok", "boolean"))], None)
    }
}

async fn completed(call: &Call, message: &str, fields: &Value) -> Result<String, ToolError> {
    let (action, content) = elicit(call, message, fields, &[]).await?;
    Ok(format!("Elicitation completed: action={action}, content={content}"))
}

/// What the user did and what they filled in.
async fn elicit(
    call: &Call,
    message: &str,
    fields: &Value,
    required: &[&str],
) -> Result<(String, Value), AskError> {
    let answer = call.elicit(form(message, fields, required)).await?;
    let action = serde_json::to_value(&answer.action).unwrap_or_default();
    let action = action.as_str().unwrap_or_default().to_owned();
    Ok((action, answer.content.unwrap_or_default()))
}

/// A form, written as the protocol's JSON so that it can be held against the suite's text.
pub(crate) fn form(message: &str, fields: &Value, required: &[&str]) -> ElicitRequestParams {
    let params = json!({
        "mode": "form",
        "message": message,
        "requestedSchema": { "type": "object", "properties": fields, "required": required },
    });
    serde_json::from_value(params).expect("every form here is written out above")
}
