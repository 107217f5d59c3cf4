//! The tools and resources of coding agents.
//!
//! A tool reads its arguments, asks the [`Service`] and gives the answer as it is: as structured content and as the same
//! object in text.

mod answer;
mod input;
mod resources;
mod tools;

use kit_mcp::{App, ArgumentErrors};

use self::{resources::Library, tools::Tools};
use crate::{NAME, Service};

pub(crate) use self::resources::{CHANGES, SPECS, change_uri, spec_uri};

/// What an agent must know before it works on a project with specs.
const INSTRUCTIONS: &str = "\
The specs of this project say what the system does now; changes say what somebody proposes to alter. Read the specs before you \
write code, and keep both true. \
Find: `search_specs` when you know what you look for but not where it is; `list_specs`, then `get_spec_requirements`, then \
`get_scenario` to go from the outline to one scenario without reading whole files. \
Propose: write `proposal.md`, `tasks.md` and delta specs into a folder of the changes (`spox change init <id>` makes it), then \
`validate_change` until it is valid; `list_changes` and `get_change` show what is under way, so that you do not collide with it. \
Finish: tick the tasks, `validate_change`, then `spox change archive <id>` merges the deltas into the specs. \
After you edited a spec by hand: `validate_spec`. Every finding has a file, a line and what to write instead. \
If `search_specs` says that there is no index, call `rebuild_index` once. Names are matched exactly, or when they differ only in \
case and blanks; an error names the nearest ones. The files themselves are resources: `spox://specs/{id}`, `spox://changes/{id}`; \
subscribe to hear of edits.";

/// The MCP surface over a project.
pub(crate) fn app(service: Service) -> App {
    let tools = Tools { service: service.clone() };
    App::new(NAME, env!("CARGO_PKG_VERSION"))
        .title("Spec Oxide")
        .instructions(INSTRUCTIONS)
        .argument_errors(ArgumentErrors::AsProtocolError)
        .tools(tools, Tools::router())
        .tool_order(tools::ORDER)
        .resources(Library { service })
}
