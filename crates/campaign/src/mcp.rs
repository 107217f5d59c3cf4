//! What agents may do.

use campaign_core::Command;
use kit_mcp::{
    App, Call, ToolError,
    rmcp::{
        self,
        handler::server::wrapper::{Json, Parameters},
        tool, tool_router,
    },
};

use crate::{service::Service, wire};

struct Tools(Service);

#[tool_router]
impl Tools {
    /// Write an entry at the end of a log, and get the whole log back.
    #[tool(
        title = "Add an entry",
        annotations(
            read_only_hint = false,
            destructive_hint = false,
            idempotent_hint = false,
            open_world_hint = false
        )
    )]
    async fn add_entry(
        &self,
        call: Call,
        Parameters(input): Parameters<wire::AddTo>,
    ) -> Result<Json<wire::Log>, ToolError> {
        let command = Command::Add { text: input.text };
        let log = self.0.dispatch(call.principal(), &input.log, command).await?;
        Ok(Json(log.into()))
    }
}

pub(crate) fn app(service: Service) -> App {
    App::new(crate::NAME, env!("CARGO_PKG_VERSION"))
        .title("Campaign")
        .tools(Tools(service), Tools::tool_router())
}
