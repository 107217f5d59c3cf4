//! The prompts.

use kit_mcp::{
    Call,
    rmcp::{
        self, ErrorData,
        handler::server::{prompt::IntoGetPromptResult, wrapper::Parameters},
        model::{
            ContentBlock, GetPromptResponse, GetPromptResult, PromptMessage, ResourceContents, Role,
        },
        prompt, prompt_router,
        schemars::{self, JsonSchema},
    },
};
use serde::Deserialize;

use crate::{Fixture, content::PNG, rounds};

#[derive(Debug, Deserialize, JsonSchema)]
struct TwoArguments {
    /// First test argument
    arg1: String,
    /// Second test argument
    arg2: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
struct Embedded {
    /// URI of the resource to embed
    #[serde(rename = "resourceUri")]
    resource_uri: String,
}

#[prompt_router(vis = "pub(crate)")]
impl Fixture {
    /// A prompt without arguments
    #[prompt]
    async fn test_simple_prompt(&self) -> Vec<PromptMessage> {
        vec![user("This is a simple prompt for testing.")]
    }

    /// A prompt with two arguments
    #[prompt]
    async fn test_prompt_with_arguments(
        &self,
        Parameters(TwoArguments { arg1, arg2 }): Parameters<TwoArguments>,
    ) -> Vec<PromptMessage> {
        vec![user(format!("Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"))]
    }

    /// A prompt that embeds a resource
    #[prompt]
    async fn test_prompt_with_embedded_resource(
        &self,
        Parameters(Embedded { resource_uri }): Parameters<Embedded>,
    ) -> Vec<PromptMessage> {
        let text = "Embedded resource content for testing.";
        let resource = ResourceContents::text(text, resource_uri).with_mime_type("text/plain");
        vec![
            PromptMessage::new(Role::User, ContentBlock::resource(resource)),
            user("Please process the embedded resource above."),
        ]
    }

    /// A prompt with an image
    #[prompt]
    async fn test_prompt_with_image(&self) -> Vec<PromptMessage> {
        vec![
            PromptMessage::new(Role::User, ContentBlock::image(PNG, "image/png")),
            user("Please analyze the image above."),
        ]
    }

    /// A prompt that asks the user before it answers
    #[prompt]
    async fn test_input_required_result_prompt(&self, call: Call) -> Round {
        let Some(context) = rounds::accepted(&call, "user_context", "context") else {
            let ask = rounds::form("What context should the prompt use?", "context", "string");
            return Round(rounds::ask([("user_context", ask)], None).into());
        };
        let message = user(format!("Use this context: {context}"));
        Round(GetPromptResult::new(vec![message]).into())
    }
}

/// A prompt or a question before it; rmcp takes either from a prompt, but not the union of the two.
struct Round(GetPromptResponse);

impl IntoGetPromptResult for Round {
    fn into_get_prompt_result(self) -> Result<GetPromptResponse, ErrorData> {
        Ok(self.0)
    }
}

fn user(text: impl Into<String>) -> PromptMessage {
    PromptMessage::new_text(Role::User, text)
}
