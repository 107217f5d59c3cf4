//! Tools that tell subscribers of a change.

use kit_mcp::{
    Change,
    rmcp::{self, tool, tool_router},
};

use crate::{Fixture, resources::WATCHED};

#[tool_router(router = change_tools, vis = "pub(crate)")]
impl Fixture {
    /// Tell everyone who listens that the list of tools changed.
    #[tool(annotations(destructive_hint = false))]
    async fn test_trigger_tool_change(&self) -> String {
        self.hub.tell(Change::Tools);
        "Told that the tools changed".to_owned()
    }

    /// Tell everyone who listens that the list of prompts changed.
    #[tool(annotations(destructive_hint = false))]
    async fn test_trigger_prompt_change(&self) -> String {
        self.hub.tell(Change::Prompts);
        "Told that the prompts changed".to_owned()
    }

    /// Tell subscribers that `test://watched-resource` was updated.
    #[tool(annotations(destructive_hint = false))]
    async fn touch_watched(&self) -> String {
        self.hub.resource_updated(WATCHED);
        "Told that `test://watched-resource` changed".to_owned()
    }
}
