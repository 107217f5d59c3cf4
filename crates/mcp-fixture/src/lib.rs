//! The server that the official MCP conformance suite is run against.
//!
//! The suite calls tools, resources and prompts by name and expects exact answers. They live here, on the
//! same [`kit_mcp::App`] as every product, so what passes is the layer and not a look-alike. A few more tools
//! ([`everyday`], [`faults`]) are for our own tests and for real clients. Start at [`app`].

mod changes;
mod content;
mod everyday;
mod faults;
mod held;
mod prompts;
mod resources;
mod rounds;
mod serve;
mod talk;
mod tasks;

use std::sync::Arc;

use kit_mcp::{
    App, Hub,
    rmcp::{handler::server::router::tool::ToolRouter, model::RequestStateCodec},
};

pub use self::serve::{Setup, serve, serve_stdio};
use crate::held::Held;

/// What every tool and prompt of the fixture may use.
#[derive(Clone)]
struct Fixture {
    hub: Hub,
    held: Arc<Held>,
    seal: Arc<RequestStateCodec>,
}

/// The whole fixture as one application. Changes are told through `hub`.
pub fn app(hub: &Hub) -> App {
    let hub = hub.of("fixture");
    let fixture = Fixture { hub, held: Arc::default(), seal: Arc::new(seal()) };
    App::new("fixture", env!("CARGO_PKG_VERSION"))
        .title("Conformance fixture")
        .instructions("Every tool here exists to be tested; none does anything useful.")
        .tools(fixture.clone(), tools())
        .prompts(fixture.clone(), Fixture::prompt_router())
        .resources(resources::Fixed)
        .runs_tasks()
}

/// With a fixed key: nothing here is worth forging, and two processes must open each other's state.
fn seal() -> RequestStateCodec {
    RequestStateCodec::try_new(*b"the conformance fixture's own key")
        .expect("the key above is long enough")
}

fn tools() -> ToolRouter<Fixture> {
    Fixture::content_tools()
        + Fixture::talk_tools()
        + Fixture::round_tools()
        + Fixture::task_tools()
        + Fixture::change_tools()
        + Fixture::everyday_tools()
        + Fixture::fault_tools()
}
