//! Tools of 2026-07-28 that need the client's input before they can answer: they say what they need, and the
//! client calls again with it.
#![expect(deprecated, reason = "sampling and roots serve the clients that still have them")]

use kit_mcp::{
    Call,
    rmcp::{
        self, ErrorData,
        model::{
            CallToolResponse, CallToolResult, ContentBlock, CreateMessageRequest,
            CreateMessageRequestParams, ElicitRequest, InputRequest, InputRequiredResult,
            ListRootsRequest, SamplingMessage,
        },
        tool, tool_router,
    },
};
use serde_json::{Value, json};

use crate::{Fixture, talk};

type Response = Result<CallToolResponse, ErrorData>;

#[tool_router(router = round_tools, vis = "pub(crate)")]
impl Fixture {
    /// Ask for a name, then greet.
    #[tool(annotations(read_only_hint = true))]
    async fn test_input_required_result_elicitation(&self, call: Call) -> CallToolResponse {
        match accepted(&call, "user_name", "name") {
            Some(name) => text(format!("Hello, {name}!")),
            None => ask([("user_name", form("What is your name?", "name", "string"))], None).into(),
        }
    }

    /// Ask the client's model for a capital, then repeat its answer.
    #[tool(annotations(read_only_hint = true))]
    async fn test_input_required_result_sampling(&self, call: Call) -> CallToolResponse {
        match call.input("capital_question") {
            Some(answer) => text(format!("The model said: {answer}")),
            None => {
                ask([("capital_question", sample("What is the capital of France?", 100))], None)
                    .into()
            }
        }
    }

    /// Ask for the client's roots, then repeat them.
    #[tool(annotations(read_only_hint = true))]
    async fn test_input_required_result_list_roots(&self, call: Call) -> CallToolResponse {
        match call.input("client_roots") {
            Some(roots) => text(format!("The roots are: {roots}")),
            None => ask([("client_roots", roots())], None).into(),
        }
    }

    /// Ask for a confirmation with a state that must come back as it was.
    #[tool(annotations(read_only_hint = true))]
    async fn test_input_required_result_request_state(&self, call: Call) -> Response {
        self.confirm(&call, "request_state")
    }

    /// The same, for a client that returns another state.
    #[tool(annotations(read_only_hint = true))]
    async fn test_input_required_result_tampered_state(&self, call: Call) -> Response {
        self.confirm(&call, "tampered_state")
    }

    /// Ask for three things of three kinds at once.
    #[tool(annotations(read_only_hint = true))]
    async fn test_input_required_result_multiple_inputs(&self, call: Call) -> Response {
        let inputs = ["user_name", "greeting", "client_roots"].map(|key| call.input(key));
        if inputs.iter().all(Option::is_some) {
            self.open(&call)?;
            return Ok(text(format!("All answered: {}", json!(inputs))));
        }
        let requests = [
            ("user_name", form("What is your name?", "name", "string")),
            ("greeting", sample("Generate a greeting", 50)),
            ("client_roots", roots()),
        ];
        Ok(ask(requests, Some(self.seal(&json!("multiple_inputs"))?)).into())
    }

    /// Ask twice, one thing after the other.
    #[tool(annotations(read_only_hint = true))]
    async fn test_input_required_result_multi_round(&self, call: Call) -> Response {
        if let Some(color) = accepted(&call, "step2", "color") {
            let name = self.open(&call)?;
            return Ok(text(format!("{name} likes {color}")));
        }
        if let Some(name) = accepted(&call, "step1", "name") {
            self.open(&call)?;
            let second = form("Step 2: What is your favorite color?", "color", "string");
            return Ok(ask([("step2", second)], Some(self.seal(&json!(name))?)).into());
        }
        let first = form("Step 1: What is your name?", "name", "string");
        Ok(ask([("step1", first)], Some(self.seal(&Value::Null)?)).into())
    }

    /// Ask only for what the client says it can give.
    #[tool(annotations(read_only_hint = true))]
    async fn test_input_required_result_capabilities(&self, call: Call) -> CallToolResponse {
        let able = call.client_capabilities();
        let mut requests = Vec::new();
        if able.sampling.is_some() {
            requests.push(("sampled", sample("Say hello", 50)));
        }
        if able.elicitation.is_some() {
            requests.push(("elicited", form("Please confirm", "ok", "boolean")));
        }
        if requests.is_empty() {
            text("The client can be asked for nothing")
        } else {
            ask(requests, None).into()
        }
    }
}

impl Fixture {
    fn confirm(&self, call: &Call, tool: &str) -> Response {
        if call.input("confirm").is_none() {
            let state = self.seal(&json!(tool))?;
            let please = form("Please confirm", "ok", "boolean");
            return Ok(ask([("confirm", please)], Some(state)).into());
        }
        if self.open(call)? == tool {
            Ok(text("state-ok"))
        } else {
            Err(ErrorData::invalid_params("`requestState` belongs to another tool", None))
        }
    }

    fn seal(&self, state: &Value) -> Result<String, ErrorData> {
        self.seal
            .seal_json(state)
            .map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }

    fn open(&self, call: &Call) -> Result<Value, ErrorData> {
        let refused = |why| ErrorData::invalid_params(format!("`requestState`: {why}"), None);
        let state = call.request_state().ok_or_else(|| refused("it is missing".to_owned()))?;
        self.seal.open_json(state).map_err(|error| refused(error.to_string()))
    }
}

/// A field of the form that the user accepted under `key`.
pub(crate) fn accepted(call: &Call, key: &str, field: &str) -> Option<String> {
    let answer = call.input(key)?;
    let value = (answer["action"] == "accept").then(|| &answer["content"][field])?;
    value.as_str().map(str::to_owned)
}

pub(crate) fn ask<'a>(
    requests: impl IntoIterator<Item = (&'a str, InputRequest)>,
    state: Option<String>,
) -> InputRequiredResult {
    let requests = requests.into_iter().map(|(key, request)| (key.to_owned(), request));
    InputRequiredResult::new(Some(requests.collect()), state)
}

/// Asks the user for one field.
pub(crate) fn form(message: &str, field: &str, kind: &str) -> InputRequest {
    let fields = json!({ field: { "type": kind } });
    InputRequest::Elicitation(ElicitRequest::new(talk::form(message, &fields, &[field])))
}

fn sample(prompt: &str, tokens: u32) -> InputRequest {
    let params = CreateMessageRequestParams::new(vec![SamplingMessage::user_text(prompt)], tokens);
    InputRequest::CreateMessage(CreateMessageRequest::new(params))
}

fn roots() -> InputRequest {
    InputRequest::ListRoots(ListRootsRequest::default())
}

fn text(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}
