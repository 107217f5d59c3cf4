//! What agents are offered.
//!
//! Everything is read as resources ([`resources`], [`read`], [`contents`]) as well as through tools, because many hosts never
//! read resources: [`execute`] asks, [`discover`] and [`find`] look around, [`work`] checks and reloads. [`failure`] says what
//! went wrong in the words that clients know. [`told`] passes changes on. Start at [`app`].

mod answer;
mod contents;
mod discover;
mod docs;
mod execute;
mod failure;
mod find;
mod input;
mod prompts;
mod read;
mod resources;
mod schema;
mod shown;
mod told;
mod work;

use std::time::Duration;

use kit_mcp::{App, ArgumentErrors};

pub(crate) use self::told::tell;
use self::{prompts::Prompts, resources::Library};
use crate::{NAME, Service};

/// What the server calls itself towards clients that speak to it alone.
const SERVER_NAME: &str = "malloy-publisher-mcp-server";

/// The tool that asks.
const EXECUTE: &str = "malloy/executeQuery";

/// What an agent must know before it asks.
const INSTRUCTIONS: &str = "\
Semantic models over data: packages of Malloy models whose sources have dimensions, measures, joins and saved views, agreed on by \
people. Do not guess names. Call `malloy_getContext` with the question in plain words: it ranks sources, views, measures and \
dimensions, each with the `modelPath` to use. Prefer a saved view (`sourceName` and `queryName`); otherwise write Malloy: \
`run: source -> { group_by: dimension aggregate: measure order_by: measure desc limit: 10 }`. Run it with `executeQuery`; with \
`answer: \"rows\"` the rows come first and plain. Results are cut at 1000 rows unless the query has a `limit:`, and every cut is \
stated: aggregate in the query, never add up rows yourself. `malloy_compile` checks a text without running it; errors name line, \
column and near names. `malloy_searchDocs` explains the language. Resources `malloy://project/…` hold the same, with notebooks; \
subscribe to hear of edits.";

/// Other words for arguments that newer clients use.
const ALIASES: &[(&str, &str)] =
    &[("environmentName", "projectName"), ("environment", "projectName")];

/// From asking to looking around to checking.
const ORDER: &[&str] = &[
    EXECUTE,
    "malloy_getContext",
    "malloy_compile",
    "malloy_projectList",
    "malloy_packageList",
    "malloy_packageGet",
    "malloy_modelGetText",
    "malloy_reloadPackage",
    "malloy_searchDatabaseSchema",
    "malloy_searchDocs",
    "malloy_getStatus",
];

#[derive(Clone)]
struct Tools {
    service: Service,
}

/// The MCP surface. Whoever serves it chooses how the asking tool is listed: with the slash that its specification has, or
/// without ([`App::names`]).
pub(crate) fn app(service: &Service) -> App {
    // The service stops a query in time and says so; the layer's own bound is for what it does not know of.
    let longest = Duration::from_millis(service.config().query_timeout_ms);
    let tools = Tools { service: service.clone() };
    let router =
        Tools::execute() + Tools::discover() + Tools::find() + Tools::work() + Tools::docs();
    App::new(NAME, env!("CARGO_PKG_VERSION"))
        .server_name(SERVER_NAME)
        .title("Publisher")
        .server_member("displayName", "Malloy Publisher")
        .description("Answers questions over published Malloy models: discover them as resources, ask with tools")
        .instructions(INSTRUCTIONS)
        .prefix("malloy")
        .argument_errors(ArgumentErrors::AsProtocolError)
        .argument_aliases(ALIASES)
        .tolerates_unknown_arguments(&[EXECUTE])
        .unknown_tool(|name| format!("Tool {name} not found"))
        .time_limit(longest.saturating_add(Duration::from_secs(10)))
        .tools(tools, router)
        .tool_order(ORDER)
        .prompts(Prompts { service: service.clone() }, Prompts::router())
        .resources(Library { service: service.clone() })
}
