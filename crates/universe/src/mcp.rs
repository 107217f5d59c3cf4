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
    service::{Caller, Order},
    wire::{self, Cut, Detail, Part},
};

/// The MCP surface.
pub(crate) fn app(service: Service) -> App {
    let tools = Tools { service: service.clone() };
    App::new(NAME, env!("CARGO_PKG_VERSION"))
        .title("Universe")
        .instructions(
            "Universes of stars, planets, belts and nebulae that people watch while you change them. Resources: \
             `universe://` lists the universes with their ids, `universe://{id}/summary` says in a few lines what is \
             in one (begin there), `universe://{id}/history` who did what; subscribe to hear of changes. \
             `get_universe_state` reads; for a large universe give `only`, `fields` and `limit`, and go on with \
             `page.next`. `send_universe_command` changes; give `state: \"none\"` for a short answer and `then` for \
             several commands that happen together or not at all. `{\"type\":\"undo\"}` takes the last change back, \
             `{\"type\":\"setClock\",\"playing\":true,\"rate\":5}` lets time run for everybody. A refused command is \
             a normal answer with `applied: false`, an event that says why and a `hint`. Bodies form trees by \
             `parentId`; an orbit is `orbitalDistance`, `orbitalSpeed` (degrees per second) and `orbitalPhase`. \
             `list_universe_commands` has the commands, `docs://universe/…` the details.",
        )
        .tools(tools, Tools::router())
        .resources(Library { service })
}

#[derive(Clone)]
struct Tools {
    service: Service,
}

/// Which universe to read, and how much of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "kit_mcp::rmcp::schemars")]
struct GetState {
    /// Id of the universe, from the resource `universe://`.
    universe_id: String,
    /// Only these maps of the state.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<Part>")]
    only: Option<Vec<Part>>,
    /// Only these keys of each entity, such as `["name","parentId"]`; `id` is always there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    fields: Option<Vec<String>>,
    /// Only the entities with these ids.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<String>")]
    ids: Option<Vec<String>>,
    /// At most so many entities; `page` in the answer says how many there are, and `page.next` leads on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u32", range(min = 1))]
    limit: Option<u32>,
    /// The `page.next` of the answer before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    cursor: Option<String>,
    /// As it was at this revision; now without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "u64", range(min = 1))]
    revision: Option<u64>,
}

/// Which commands to list.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(crate = "kit_mcp::rmcp::schemars")]
struct ListCommands {
    /// Id of the universe, from the resource `universe://`.
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
    /// Id of the universe, from the resource `universe://`.
    universe_id: String,
    #[schemars(schema_with = "schema::command")]
    command: Value,
    /// Further commands, shaped as `command`. All happen together with it, or none does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(schema_with = "schema::more_commands")]
    then: Option<Vec<Value>>,
    /// `none` leaves `nextState` out of the answer: do so for large universes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Detail")]
    state: Option<Detail>,
    /// A name of your choice. Sent again with the same name, it does not happen again.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String", length(min = 1, max = 200))]
    idempotency_key: Option<String>,
}

#[tool_router(router = router)]
impl Tools {
    /// Read what is in a universe, as one JSON object: `stars` (every body, by id), `rootIds`, `groups`, belts,
    /// disks, nebulae and `time` in seconds. A large one is better read in parts, with `only`, `fields`, `ids` and
    /// `limit`; `universe://{id}/summary` says how large it is. Positions are not in it: they follow from `time`
    /// and each body's orbit.
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
        let id = UniverseId::from(&*input.universe_id);
        let cut = Cut {
            fields: input.fields,
            only: input.only,
            ids: input.ids,
            limit: input.limit.map(|limit| limit as usize),
            cursor: input.cursor,
        };
        // A page belongs to the revision that the first one was cut from.
        let invalid = |source| Error::Invalid { id: Some(id.clone()), source };
        let begun = cut.place().map_err(invalid)?.map(|(revision, _)| revision);
        let record = match begun.or(input.revision) {
            Some(revision) => self.service.at(&id, revision).await?,
            None => self.service.get(&id).await?,
        };
        if cut.is_whole() {
            return Ok(texts([wire::state(record).await]));
        }
        let (text, more) = wire::cut(&record, &cut).map_err(invalid)?;
        if more {
            self.service.keep(&record);
        }
        Ok(texts([text]))
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
    /// `{"type":"addStar","id":"earth","payload":{"parentId":"sol","orbitalDistance":10,"orbitalSpeed":20}}`, or with
    /// several at once (`then`). The answer has `applied`, `events` and, unless `state` is `none`, the whole
    /// `nextState`. Everybody who watches sees the change at once. A refused command changes nothing and says why
    /// in `events` and `hint`. `undo`, `redo` and `setClock` are commands too.
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
        let (detail, then) = (input.state.unwrap_or_default(), input.then.unwrap_or_default());
        let alone = then.is_empty();
        let order = if alone {
            Order::one(input.command)
        } else {
            Order::all([input.command].into_iter().chain(then).collect())
        };
        let caller = Caller::new(call.principal().clone(), "mcp");
        let outcome =
            self.service.dispatch(&caller, &id, order.keyed(input.idempotency_key)).await?;
        let text = match alone {
            true => wire::outcome(outcome, detail).await,
            false => wire::batch(outcome, detail).await,
        };
        Ok(texts([text]))
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
