//! The three tools.
//!
//! Their results and errors are fixed by the contract to the letter, hence texts made here instead of
//! structured output.

use kit_core::{Fault, Kind};
use kit_mcp::{
    App, Call,
    rmcp::{
        self,
        handler::server::wrapper::Parameters,
        model::{CallToolResult, ContentBlock},
        schemars::JsonSchema,
        tool, tool_router,
    },
};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use universe_core::{UniverseId, catalogue, json::encode};

use crate::{
    Error, NAME, Service, manual,
    resources::Library,
    schema,
    wire::{self, Detail},
};

/// The MCP surface.
pub(crate) fn app(service: Service) -> App {
    let tools = Tools { service: service.clone() };
    App::new(NAME, env!("CARGO_PKG_VERSION"))
        .title("Universe")
        .instructions(
            "Universes of stars, planets, belts and nebulae that people watch while you change them. Find a \
             universe's id among the resources (`universe://…`); subscribe to one to hear of changes. Read it \
             with `get_universe_state`, change it with `send_universe_command`; `list_universe_commands` has \
             the commands, `docs://universe/…` the details. A refused command is a normal answer with \
             `applied: false`, an event that says why and a `hint`.",
        )
        .tools(tools, Tools::router())
        .resources(Library { service })
}

#[derive(Clone)]
struct Tools {
    service: Service,
}

/// Which universe to read.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "kit_mcp::rmcp::schemars")]
struct GetState {
    /// Id of the universe, from the resources `universe://{id}`.
    universe_id: String,
}

/// Which commands to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "kit_mcp::rmcp::schemars")]
struct ListCommands {
    /// Id of the universe, from the resources `universe://{id}`.
    universe_id: String,
    /// Only this category, such as `star-crud` or `rings`; all of them without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    category: Option<String>,
}

/// A command and where to send it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "kit_mcp::rmcp::schemars")]
struct SendCommand {
    /// Id of the universe, from the resources `universe://{id}`.
    universe_id: String,
    #[schemars(schema_with = "schema::command")]
    command: Value,
    /// `none` leaves `nextState` out of the answer; large universes answer faster so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Detail")]
    state: Option<Detail>,
}

#[tool_router(router = router)]
impl Tools {
    /// Read everything that is in a universe, as one JSON object: `stars` (every body, by id), `rootIds`,
    /// `groups`, belts, disks, nebulae and `time` in seconds. Use it before changing bodies you did not
    /// make. Positions are not in it: they follow from `time` and each body's orbit.
    #[tool(
        title = "Get universe state",
        annotations(
            title = "Get universe state",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn get_universe_state(
        &self,
        Parameters(input): Parameters<GetState>,
    ) -> Result<CallToolResult, Failure> {
        let record = self.service.get(&UniverseId::from(&*input.universe_id)).await?;
        Ok(texts([wire::state(record).await]))
    }

    /// List the commands that `send_universe_command` takes, by category, with what each needs. The list is
    /// the same for every universe; one call is enough.
    #[tool(
        title = "List universe commands",
        annotations(
            title = "List universe commands",
            read_only_hint = true,
            destructive_hint = false,
            idempotent_hint = true,
            open_world_hint = false
        )
    )]
    async fn list_universe_commands(
        &self,
        Parameters(input): Parameters<ListCommands>,
    ) -> Result<CallToolResult, Failure> {
        self.service.get(&UniverseId::from(&*input.universe_id)).await?;
        let list = match &input.category {
            None => manual::all_commands(),
            Some(name) => match catalogue::category(name) {
                Some(category) => manual::section(category),
                None => return Err(unknown_category(name)),
            },
        };
        Ok(texts([list, encode(&json!({"commandTypes": wire::command_types()}))]))
    }

    /// Change a universe with one command, for example
    /// `{"type":"addStar","id":"earth","payload":{"parentId":"sol","orbitalDistance":10,"orbitalSpeed":20}}`.
    /// The answer has `applied`, `events` and, unless `state` is `none`, the whole `nextState`. Everybody who
    /// watches sees the change at once. A refused command changes nothing and says why in `events` and `hint`.
    #[tool(
        title = "Send universe command",
        annotations(
            title = "Send universe command",
            read_only_hint = false,
            destructive_hint = true,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn send_universe_command(
        &self,
        call: Call,
        Parameters(input): Parameters<SendCommand>,
    ) -> Result<CallToolResult, Failure> {
        let id = UniverseId::from(&*input.universe_id);
        let outcome = self.service.dispatch(call.principal(), &id, input.command).await?;
        Ok(texts([wire::outcome(outcome, input.state.unwrap_or_default()).await]))
    }
}

fn texts<const N: usize>(texts: [String; N]) -> CallToolResult {
    CallToolResult::success(texts.map(ContentBlock::text).into())
}

fn unknown_category(name: &str) -> Failure {
    let body = json!({
        "error": "Unknown category",
        "category": name,
        "availableTypes": wire::command_types(),
    });
    Failure(body.as_object().cloned().unwrap_or_default())
}

/// A failed call: the contract's JSON as the one text of an `isError` result.
struct Failure(Map<String, Value>);

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        if !matches!(error.kind(), Kind::Internal | Kind::Unavailable) {
            return Self(wire::failure(&error));
        }
        tracing::error!(error = &error as &dyn std::error::Error, "a tool failed");
        let mut body = wire::failure(&error);
        let message = body.insert("error".into(), "Command processing failed".into());
        body.insert("message".into(), message.unwrap_or_default());
        Self(body)
    }
}

impl rmcp::handler::server::tool::IntoCallToolResult for Failure {
    fn into_call_tool_result(self) -> Result<rmcp::model::CallToolResponse, rmcp::ErrorData> {
        let text = ContentBlock::text(encode(&self.0));
        Ok(CallToolResult::error(vec![text]).into())
    }
}
