//! What agents see: the tools, and the state and guides as resources.

mod resources;
mod surface;

use std::time::Duration;

use kit_mcp::{App, ArgumentErrors};

use self::{resources::Library, surface::Surface};
use crate::{NAME, Service, tools};

pub(crate) use self::resources::{STATE, state_uri};

/// What an agent must know before it builds a page.
const INSTRUCTIONS: &str = "\
Build a page that a person uses in the browser while you work on it. Everything lives in Lua on the server: objects are plain \
tables, HTML view definitions bind to them by path, and whatever either of you changes is on the page at once. \
Begin: `ui_configure` with a folder, `ui_start`, then `ui_upload_viewdef` for each type and `ui_run` to make the objects \
(`session:createAppVariable(app)`), then `ui_open_browser`. Files in the folder do the same and survive a restart: `lua/main.lua`, \
`viewdefs/TYPE.DEFAULT.html`; edits take effect at once. \
Listen: have an action call `mcp.notify(\"saved\", {id = 1})` and take what happened with `ui_wait`. \
Check: `ui_look` tells what the person sees, `ui://state` what the objects hold, `ui://variables` what is bound and what failed. \
`ui://reference` is the way into the guides; read `ui://viewdefs` before you write HTML and `ui://lua` before you write Lua.";

/// Somebody may wait for events this long, and a little more for what is in front in the queue.
const LONGEST_CALL: Duration = Duration::from_secs(tools::LONGEST_WAIT + 30);

/// The MCP surface over one server of pages.
pub(crate) fn app(service: Service) -> App {
    App::new(NAME, env!("CARGO_PKG_VERSION"))
        .title("UI platform")
        .instructions(INSTRUCTIONS)
        // The words of their faults are fixed.
        .argument_errors(ArgumentErrors::ByTheTool)
        .time_limit(LONGEST_CALL)
        .tools(Surface { service: service.clone() }, Surface::router())
        .tool_order(&tools::NAMES)
        .resources(Library { service })
}
