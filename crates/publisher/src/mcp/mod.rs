//! What agents are offered.

use kit_mcp::App;

use crate::Service;

/// The MCP surface. Whoever serves it chooses the spelling of its tools.
pub(crate) fn app(_service: &Service) -> App {
    App::new("malloy-publisher-mcp-server", env!("CARGO_PKG_VERSION"))
}
